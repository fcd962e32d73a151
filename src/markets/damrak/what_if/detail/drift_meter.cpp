#include <damrak/what_if/detail/drift_meter.hpp>

#include <algorithm>
#include <cstdlib>

namespace damrak::what_if {
namespace {

DriftStretch mean_of(DriftStretch sums) {
    if (sums.measured_ns == 0) return sums;
    sums.bid_distance /= static_cast<double>(sums.measured_ns);
    sums.ask_distance /= static_cast<double>(sums.measured_ns);
    return sums;
}

}  // namespace

void DriftMeter::note(std::int64_t from_ns, std::int64_t to_ns, const Top& replayed,
                      const Top& recorded) {
    while (from_ns < to_ns) {
        if (sums_.empty() || sums_.back().end_ns - sums_.back().begin_ns >= stretch_ns_)
            sums_.push_back({.begin_ns = from_ns, .end_ns = from_ns});
        const std::int64_t until_ns = std::min(to_ns, sums_.back().begin_ns + stretch_ns_);
        add(from_ns, until_ns, replayed, recorded);
        from_ns = until_ns;
    }
}

void DriftMeter::add(std::int64_t from_ns, std::int64_t to_ns, const Top& replayed,
                     const Top& recorded) {
    DriftStretch& sums = sums_.back();
    sums.end_ns = to_ns;
    if (!replayed.has_both() || !recorded.has_both()) return;
    const std::int64_t time_ns = to_ns - from_ns;
    const std::int64_t bid = std::abs(replayed.bid.value - recorded.bid.value);
    const std::int64_t ask = std::abs(replayed.ask.value - recorded.ask.value);
    sums.measured_ns += time_ns;
    if (bid != 0 || ask != 0) sums.differing_ns += time_ns;
    sums.bid_distance += static_cast<double>(bid) * static_cast<double>(time_ns);
    sums.ask_distance += static_cast<double>(ask) * static_cast<double>(time_ns);
}

std::vector<DriftStretch> DriftMeter::series() const {
    std::vector<DriftStretch> means;
    means.reserve(sums_.size());
    for (const DriftStretch& sums : sums_) means.push_back(mean_of(sums));
    return means;
}

DriftStretch DriftMeter::total() const {
    DriftStretch total{};
    if (sums_.empty()) return total;
    total.begin_ns = sums_.front().begin_ns;
    for (const DriftStretch& sums : sums_) {
        total.end_ns = sums.end_ns;
        total.measured_ns += sums.measured_ns;
        total.differing_ns += sums.differing_ns;
        total.bid_distance += sums.bid_distance;
        total.ask_distance += sums.ask_distance;
    }
    return mean_of(total);
}

}  // namespace damrak::what_if
