#include <damrak/market_runs/recorded_measures.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day_depth.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/market_runs/detail/public_recording.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/measures/information_share.hpp>

namespace damrak::market_runs {

namespace {

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> begins) {
    return std::ranges::any_of(begins, [&](auto begin) { return name.starts_with(begin); });
}

/// Whether the day shows what a measure is made of.
bool is_known(std::string_view name, const archive::DayDepth& day) {
    using archive::DayDepth;
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

/// Whether trades and messages are enough for a measure.
bool needs_no_book(std::string_view name) {
    return begins_with_any(
        name, {"tick_size", "changes", "trades", "volume", "roll_", "uncertainty_zones", "vpin",
               "sign_autocorrelation", "merged_sign_autocorrelation", "cancels_to_adds",
               "orders_to_trades", "round_lot_adds", "hidden_executions", "interarrival"});
}

/// What needs no book over all hours, and the rest over those in which the book is known.
measures::Results joined(const measures::Results& all, const measures::Results& known) {
    measures::Results result;
    for (const measures::Value& value : all.values()) {
        const measures::Value* const from =
            needs_no_book(value.name) ? &value : known.find(value.name);
        if (from != nullptr) result.add(from->name, from->unit, from->value, from->count);
    }
    return result;
}

measures::Results known_of(const measures::Results& all, const archive::DayDepth& day) {
    measures::Results known;
    for (const measures::Value& value : all.values())
        if (is_known(value.name, day)) known.add(value.name, value.unit, value.value, value.count);
    return known;
}

}  // namespace

std::expected<RecordedMeasures, std::string> measure_day(const RecordedDay& day,
                                                         const MeasuredHours& hours,
                                                         const measures::Settings& settings) {
    measures::Measures measures{settings};
    PublicRecording recording{measures, hours.begin_ns};
    const auto read = read_recorded_day(day, hours.end_ns, recording);
    if (!read) return std::unexpected{read.error()};
    const MeasuredHours known{.begin_ns = std::max(hours.begin_ns, read->value.book_from_ns),
                              .end_ns = std::min(hours.end_ns, read->value.book_until_ns)};
    if (known.begin_ns > known.end_ns)
        return std::unexpected{
            fmt::format("{}: {}", day.path.string(),
                        archive::why_not_known(read->value, read->value.book_from_ns > hours.end_ns
                                                                ? hours.end_ns
                                                                : hours.begin_ns))};
    RecordedMeasures measured{
        .results = known_of(measures.finish({recording.last_ns()}), read->value),
        .anomalies = recording.anomalies().total(),
        .depth = read->value,
        .completeness = read->completeness};
    if (known == hours) return measured;
    // Of a LOBSTER pair these hours are known only at its end.
    const auto of_known = measure_day(day, known, settings);
    if (!of_known) return of_known;
    measured.results = joined(measured.results, of_known->results);
    return measured;
}

namespace {

using Mids = std::vector<std::pair<std::int64_t, double>>;  // by second; zero: none

std::expected<archive::Answer<Mids>, std::string> mids_of(const RecordedDay& day,
                                                          const MeasuredHours& hours) {
    Mids mids;
    measures::Measures measures;
    measures.on_second([&](std::int64_t second, double mid) { mids.emplace_back(second, mid); });
    PublicRecording recording{measures, hours.begin_ns};
    const auto read = read_recorded_day(day, hours.end_ns, recording);
    if (!read) return std::unexpected{read.error()};
    static_cast<void>(measures.finish({recording.last_ns()}));
    std::erase_if(mids, [&](const auto& of) {
        return !archive::why_not_known(read->value, of.first * k_second_ns).empty();
    });
    return archive::Answer<Mids>{.value = std::move(mids), .completeness = read->completeness};
}

}  // namespace

std::expected<archive::Answer<measures::Results>, std::string> information_share_of(
    const RecordedDay& first, const RecordedDay& second, const MeasuredHours& hours) {
    const auto one = mids_of(first, hours);
    if (!one) return std::unexpected{one.error()};
    const auto other = mids_of(second, hours);
    if (!other) return std::unexpected{other.error()};
    measures::InformationShare share;
    const Mids& theirs = other->value;
    auto there = theirs.begin();
    for (const auto& [at, mid] : one->value) {
        while (there != theirs.end() && there->first < at) ++there;
        const bool has_both = there != theirs.end() && there->first == at && mid != 0;
        if (has_both && there->second != 0)
            share.add(mid, there->second);
        else
            share.interrupt();
    }
    archive::Answer<measures::Results> answer{.value = {}, .completeness = one->completeness};
    answer.completeness.add(other->completeness);
    share.report(answer.value);
    return answer;
}

}  // namespace damrak::market_runs
