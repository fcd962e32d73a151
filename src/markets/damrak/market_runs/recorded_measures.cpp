#include <damrak/market_runs/recorded_measures.hpp>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/market_runs/detail/public_recording.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/measures/information_share.hpp>

namespace damrak::market_runs {

namespace {

/// Without the quantity of more levels than the day knows.
measures::Results known_of(const measures::Results& all, std::size_t levels) {
    constexpr std::string_view k_depth = "depth_";
    measures::Results known;
    for (const measures::Value& value : all.values()) {
        std::size_t needed = 0;
        if (const std::string_view name = value.name; name.starts_with(k_depth))
            std::from_chars(name.data() + k_depth.size(), name.data() + name.size(), needed);
        if (needed <= levels) known.add(value.name, value.unit, value.value, value.count);
    }
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
    measures::Results results = measures.finish({recording.last_ns()});
    if (read->value.depth > 0) results = known_of(results, read->value.depth);
    return RecordedMeasures{.results = std::move(results),
                            .anomalies = recording.anomalies().total(),
                            .depth = read->value,
                            .completeness = read->completeness};
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
