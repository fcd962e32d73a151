#include <damrak/replay/detail/survival.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace damrak::replay {

namespace {

/// The running estimates.
struct Estimate {
    double alone = 1;      ///< Kaplan-Meier: not filled
    double greenwood = 0;  ///< sum of d / (n (n - d))
    double alive = 1;      ///< neither filled nor cancelled
    double filled = 0;
    double cancelled = 0;

    void step(double at_risk, double fills, double cancels) {
        filled += alive * fills / at_risk;
        cancelled += alive * cancels / at_risk;
        alive *= 1 - (fills + cancels) / at_risk;
        alone *= 1 - fills / at_risk;
        if (fills < at_risk) greenwood += fills / (at_risk * (at_risk - fills));
    }
    [[nodiscard]] SurvivalPoint point(std::int64_t duration_ns, std::uint64_t at_risk) const {
        SurvivalPoint point{.duration_ns = duration_ns,
                            .at_risk = at_risk,
                            .filled_alone = 1 - alone,
                            .filled_alone_low = 1 - alone,
                            .filled_alone_high = 1 - alone,
                            .filled = filled,
                            .cancelled = cancelled};
        if (alone <= 0 || alone >= 1) return point;
        constexpr double k_normal_975 = 1.959963984540054;
        const double width = k_normal_975 * std::sqrt(greenwood) / std::log(alone);  // negative
        point.filled_alone_low = 1 - std::pow(alone, std::exp(width));
        point.filled_alone_high = 1 - std::pow(alone, std::exp(-width));
        return point;
    }
};

/// Calls `step(duration, at risk, fills, cancels)` for each duration at which orders ended, until
/// it returns false. Orders last seen at that duration still count as at risk.
template <class F>
void walk(std::span<const Lifetime> sorted, F&& step) {
    for (std::size_t i = 0; i < sorted.size();) {
        const std::int64_t duration_ns = sorted[i].duration_ns;
        const std::size_t at_risk = sorted.size() - i;
        std::size_t fills = 0;
        std::size_t cancels = 0;
        for (; i < sorted.size() && sorted[i].duration_ns == duration_ns; ++i) {
            fills += std::size_t{sorted[i].outcome == Outcome::filled};
            cancels += std::size_t{sorted[i].outcome == Outcome::cancelled};
        }
        if (!step(duration_ns, at_risk, static_cast<double>(fills), static_cast<double>(cancels)))
            return;
    }
}

}  // namespace

Survival::Survival(std::vector<Lifetime> lifetimes) : lifetimes_(std::move(lifetimes)) {
    std::ranges::stable_sort(lifetimes_, {}, &Lifetime::duration_ns);
}

std::uint64_t Survival::count(Outcome outcome) const {
    return static_cast<std::uint64_t>(std::ranges::count(lifetimes_, outcome, &Lifetime::outcome));
}

double Survival::seconds_at_risk() const {
    double sum_ns = 0;
    for (const Lifetime& one : lifetimes_) sum_ns += static_cast<double>(one.duration_ns);
    return sum_ns / 1e9;
}

std::vector<SurvivalPoint> Survival::at(std::span<const std::int64_t> durations_ns) const {
    std::vector<SurvivalPoint> points;
    Estimate estimate;
    const auto put_before = [&](std::int64_t duration_ns, std::uint64_t at_risk) {
        while (points.size() < durations_ns.size() && durations_ns[points.size()] < duration_ns)
            points.push_back(estimate.point(durations_ns[points.size()], at_risk));
    };
    walk(lifetimes_,
         [&](std::int64_t duration_ns, std::size_t at_risk, double fills, double cancels) {
             put_before(duration_ns, at_risk);
             estimate.step(static_cast<double>(at_risk), fills, cancels);
             if (points.size() < durations_ns.size() && durations_ns[points.size()] == duration_ns)
                 points.push_back(estimate.point(duration_ns, at_risk));
             return true;
         });
    while (points.size() < durations_ns.size())
        points.push_back(estimate.point(durations_ns[points.size()], 0));
    return points;
}

std::optional<std::int64_t> Survival::time_to_fill_ns(double share) const {
    std::optional<std::int64_t> found;
    Estimate estimate;
    walk(lifetimes_,
         [&](std::int64_t duration_ns, std::size_t at_risk, double fills, double cancels) {
             estimate.step(static_cast<double>(at_risk), fills, cancels);
             if (1 - estimate.alone >= share) found = duration_ns;
             return !found;
         });
    return found;
}

std::optional<std::int64_t> Survival::quantile_ns(Outcome outcome, double share) const {
    const std::uint64_t all = count(outcome);
    if (all == 0) return std::nullopt;
    const double rank = std::max(1.0, std::ceil(share * static_cast<double>(all)));
    double seen = 0;
    for (const Lifetime& one : lifetimes_)
        if (one.outcome == outcome && ++seen >= rank) return one.duration_ns;
    return std::nullopt;
}

}  // namespace damrak::replay
