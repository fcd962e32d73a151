#include <damrak/measures/day_columns.hpp>

#include <algorithm>
#include <cstddef>
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

namespace damrak::measures {

namespace {

/// Passes messages of one instrument to the flow that a recording is made of.
class InstrumentFlow {
  public:
    InstrumentFlow(PublicRecording& recording, const archive::Day& day, std::uint16_t locate,
                   order_flow::BrokenTrades broken)
        : flow_{recording, {.broken = std::move(broken), .marks = day.marks()}}, locate_(locate) {}
    void on(const auto& message) {
        if constexpr (requires { flow_.on(message); })
            if (message.stock_locate == locate_) static_cast<void>(flow_.on(message));
    }

  private:
    order_flow::ItchFlow<PublicRecording> flow_;
    std::uint16_t locate_;
};

}  // namespace

archive::Answer<std::vector<Results>> measure_columns(const archive::Day& day, std::uint16_t locate,
                                                      const Columns& columns,
                                                      const Settings& settings) {
    archive::Answer<std::vector<Results>> answer;
    std::vector<Results>& done = answer.value;
    auto broken = archive::broken_trades(day);
    std::optional<Measures> measures{std::in_place, settings};
    // What a checkpoint brings, and what follows it up to the window, only builds the book.
    PublicRecording recording{*measures, std::numeric_limits<std::int64_t>::max()};
    InstrumentFlow flow{recording, day, locate, std::move(broken.value)};
    bool has_begun = false;
    const auto begin_of = [&](std::size_t column) {
        return columns.begin_ns + static_cast<std::int64_t>(column) * columns.length_ns;
    };
    const auto begin = [&] {
        measures.emplace(settings);
        recording.measure_with(*measures, begin_of(done.size()));
        has_begun = true;
    };
    const auto finish = [&](std::int64_t end_ns) {
        recording.reach(end_ns);
        done.push_back(known_of(measures->finish({recording.last_ns()}), day.depth()));
    };
    const auto reach = [&](std::int64_t time_ns) {
        if (time_ns < columns.begin_ns) return;
        if (!has_begun) begin();
        while (time_ns >= begin_of(done.size() + 1)) {
            finish(begin_of(done.size() + 1) - 1);
            begin();
        }
    };
    auto cursor = archive::DayCursor::with_books(
        day, {.locate = locate, .from_ns = columns.begin_ns, .until_ns = columns.end_ns},
        [&flow](std::span<const std::byte> frames) {
            return wire::itch::walk(frames, flow).end != wire::itch::WalkEnd::fault;
        });
    answer.completeness = archive::read_messages(cursor, [&](std::uint64_t, const auto& message) {
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

}  // namespace damrak::measures
