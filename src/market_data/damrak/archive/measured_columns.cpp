#include <damrak/archive/measured_columns.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/measures/measures.hpp>
#include <damrak/measures/public_recording.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> begins) {
    return std::ranges::any_of(begins, [&](auto begin) { return name.starts_with(begin); });
}

/// Whether the day shows what a measure is made of.
bool is_known(std::string_view name, const DayDepth& day) {
    constexpr std::string_view k_depth = "depth_";
    std::size_t levels = 0;
    if (name.starts_with(k_depth))
        std::from_chars(name.data() + k_depth.size(), name.data() + name.size(), levels);
    if (day.depth > 0 && levels > day.depth) return false;
    if (day.has(DayDepth::k_levels_alone) &&
        begins_with_any(name, {"cancels_to_adds", "orders_to_trades", "round_lot_adds",
                               "hidden_executions", "fill_", "interarrival", "resiliency"}))
        return false;
    return !day.has(DayDepth::k_instants_only) ||
           begins_with_any(name, {"tick_size", "realised_variance", "variance_ratio", "volatility",
                                  "excess_kurtosis", "return_"});
}

/// Passes messages of one instrument to the flow that a recording is made of.
class InstrumentFlow {
  public:
    InstrumentFlow(measures::PublicRecording& recording, const Day& day, std::uint16_t locate,
                   order_flow::BrokenTrades broken)
        : flow_{recording, {.broken = std::move(broken), .marks = day.marks()}}, locate_(locate) {}
    void on(const auto& message) {
        if constexpr (requires { flow_.on(message); })
            if (message.stock_locate == locate_) static_cast<void>(flow_.on(message));
    }

  private:
    order_flow::ItchFlow<measures::PublicRecording> flow_;
    std::uint16_t locate_;
};

}  // namespace

Answer<std::vector<measures::Results>> measure_columns(const Day& day, std::uint16_t locate,
                                                       const MeasuredColumns& columns,
                                                       const measures::Settings& settings) {
    Answer<std::vector<measures::Results>> answer;
    std::vector<measures::Results>& done = answer.value;
    auto broken = broken_trades(day);
    std::optional<measures::Measures> measuring{std::in_place, settings};
    // What a checkpoint brings, and what follows it up to the window, only builds the book.
    measures::PublicRecording recording{*measuring, std::numeric_limits<std::int64_t>::max()};
    InstrumentFlow flow{recording, day, locate, std::move(broken.value)};
    bool has_begun = false;
    const auto begin_of = [&](std::size_t column) {
        return columns.begin_ns + static_cast<std::int64_t>(column) * columns.length_ns;
    };
    const auto begin = [&] {
        measuring.emplace(settings);
        recording.measure_with(*measuring, begin_of(done.size()));
        has_begun = true;
    };
    const auto finish = [&](std::int64_t end_ns) {
        recording.reach(end_ns);
        done.push_back(known_of(measuring->finish({recording.last_ns()}), day.depth()));
    };
    const auto reach = [&](std::int64_t time_ns) {
        if (time_ns < columns.begin_ns) return;
        if (!has_begun) begin();
        while (time_ns >= begin_of(done.size() + 1)) {
            finish(begin_of(done.size() + 1) - 1);
            begin();
        }
    };
    auto cursor = DayCursor::with_books(
        day, {.locate = locate, .from_ns = columns.begin_ns, .until_ns = columns.end_ns},
        [&flow](std::span<const std::byte> frames) {
            return wire::itch::walk(frames, flow).end != wire::itch::WalkEnd::fault;
        });
    answer.completeness = read_messages(cursor, [&](std::uint64_t, const auto& message) {
        if (message.timestamp_ns > columns.end_ns) return false;
        reach(message.timestamp_ns);
        flow.on(message);
        return true;
    });
    answer.completeness.add(broken.completeness);
    const std::int64_t last_ns = std::min(columns.end_ns, day.last_time_ns());
    if (answer.completeness.is_complete()) reach(last_ns);
    if (has_begun) finish(std::min(last_ns, begin_of(done.size() + 1) - 1));
    return answer;
}

bool needs_no_book(std::string_view name) {
    return begins_with_any(
        name, {"tick_size", "changes", "trades", "volume", "roll_", "uncertainty_zones", "vpin",
               "sign_autocorrelation", "merged_sign_autocorrelation", "cancels_to_adds",
               "orders_to_trades", "round_lot_adds", "hidden_executions", "interarrival"});
}

measures::Results known_of(const measures::Results& all, const DayDepth& day) {
    measures::Results known;
    for (const measures::Value& value : all.values())
        if (is_known(value.name, day)) known.add(value.name, value.unit, value.value, value.count);
    return known;
}

}  // namespace damrak::archive
