#include <damrak/market_runs/recorded_measures.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day_depth.hpp>
#include <damrak/archive/measured_columns.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/measures/information_share.hpp>
#include <damrak/measures/public_recording.hpp>

namespace damrak::market_runs {

namespace {

/// What needs no book over all hours, and the rest over those in which the book is known.
measures::Results joined(const measures::Results& all, const measures::Results& known) {
    measures::Results result;
    for (const measures::Value& value : all.values()) {
        const measures::Value* const from =
            archive::needs_no_book(value.name) ? &value : known.find(value.name);
        if (from != nullptr) result.add(from->name, from->unit, from->value, from->count);
    }
    return result;
}

}  // namespace

std::expected<RecordedMeasures, std::string> measure_day(const RecordedDay& day,
                                                         const MeasuredHours& hours,
                                                         const measures::Settings& settings) {
    measures::Measures measures{settings};
    measures::PublicRecording recording{measures, hours.begin_ns};
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
        .results = archive::known_of(measures.finish({recording.last_ns()}), read->value),
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

struct MidsBySecond final : measures::Watcher {
    void on_second(std::int64_t second, const measures::Top& top,
                   const measures::Traded& /*traded*/) override {
        mids.emplace_back(second, top.is_quoted() ? top.mid() : 0);
    }
    Mids mids;
};

std::expected<archive::Answer<Mids>, std::string> mids_of(const RecordedDay& day,
                                                          const MeasuredHours& hours) {
    MidsBySecond watcher;
    measures::Measures measures;
    measures.show_to(watcher);
    measures::PublicRecording recording{measures, hours.begin_ns};
    const auto read = read_recorded_day(day, hours.end_ns, recording);
    if (!read) return std::unexpected{read.error()};
    static_cast<void>(measures.finish({recording.last_ns()}));
    Mids mids = std::move(watcher.mids);
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
