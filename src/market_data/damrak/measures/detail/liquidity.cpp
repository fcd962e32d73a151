#include <damrak/measures/detail/liquidity.hpp>

#include <cmath>
#include <string>

namespace damrak::measures {
namespace {

constexpr std::int64_t k_ns_of_second = 1'000'000'000;

constexpr double k_bp = 1e4;

template <class Sum>
double ratio_of(Sum sum, std::uint64_t count) {
    return count == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(count);
}

}  // namespace

void Liquidity::hold(const Top& top, const views::VisibleDepth& depth, std::int64_t duration_ns) {
    if (!top.is_quoted()) return;
    const auto spread = static_cast<double>(top.spread());
    spread_.add(spread, duration_ns);
    if (top.mid() > 0) spread_bp_.add(k_bp * spread / top.mid(), duration_ns);
    const double imbalance = top.imbalance();
    imbalance_.add(imbalance, duration_ns);
    imbalance_size_.add(std::abs(imbalance), duration_ns);
    // The microprice is off the mid by half the spread times the imbalance.
    const double distance = std::abs(imbalance) * spread / 2;
    microprice_.add(distance, duration_ns);
    if (top.mid() > 0) microprice_bp_.add(k_bp * distance / top.mid(), duration_ns);
    if (depth.levels(Side::buy).empty() && depth.levels(Side::sell).empty()) return;
    for (std::size_t i = 0; i < k_levels.size(); ++i) {
        const Quantity both = depth.quantity_within(Side::buy, k_levels[i]) +
                              depth.quantity_within(Side::sell, k_levels[i]);
        depth_[i].add(static_cast<double>(both.value) / 2, duration_ns);
    }
}

void Liquidity::trade(const PublicTrade& trade, const Top& before) {
    if (!before.has_both()) return;
    const std::int64_t effective = trade.sign() * (2 * trade.price.value - before.twice_mid());
    effective_.add(static_cast<double>(effective));
    if (before.mid() > 0) effective_bp_.add(k_bp * static_cast<double>(effective) / before.mid());
    for (std::deque<Open>& open : open_) open.push_back({trade, before.twice_mid()});
}

void SpreadParts::add(std::int64_t effective_of, std::int64_t realised_of, double mid) {
    const std::int64_t impact_of = effective_of - realised_of;
    ++trades;
    effective += effective_of;
    realised += realised_of;
    impact += impact_of;
    if (mid <= 0) return;
    ++trades_bp;
    effective_bp += k_bp * static_cast<double>(effective_of) / mid;
    realised_bp += k_bp * static_cast<double>(realised_of) / mid;
    impact_bp += k_bp * static_cast<double>(impact_of) / mid;
}

void Liquidity::settle(const Top& top, Timestamp until) {
    for (std::size_t i = 0; i < open_.size(); ++i) {
        std::deque<Open>& open = open_[i];
        const std::int64_t horizon_ns = k_horizons_s[i] * k_ns_of_second;
        while (!open.empty() && open.front().trade.time.value + horizon_ns <= until.value) {
            const Open& one = open.front();
            if (top.has_both()) {
                const std::int64_t sign = one.trade.sign();
                const std::int64_t paid = 2 * one.trade.price.value;
                parts_[i].add(sign * (paid - one.twice_mid), sign * (paid - top.twice_mid()),
                              static_cast<double>(one.twice_mid) / 2);
            }
            open.pop_front();
        }
    }
}

void Liquidity::step(const Top& before, const Top& after, bool has_trade) {
    follow(after);
    if (!has_trade || !before.has_both()) return;
    // A side that was removed completely is the widest of spreads; it has no half.
    const std::int64_t extra = after.has_both() ? after.spread() - before.spread() : INT64_MAX;
    if (extra > 0) widened_.push_back({before.spread(), extra, after.time, 0, !after.has_both()});
}

void Liquidity::follow(const Top& after) {
    for (Widened& one : widened_) {
        ++one.events;
        if (!after.has_both()) continue;
        const std::int64_t extra = after.spread() - one.spread_before;
        if (!one.is_half_back && 2 * extra <= one.extra) {
            one.is_half_back = true;
            half_life_s_.add(static_cast<double>((after.time - one.begin).value) /
                             static_cast<double>(k_ns_of_second));
        }
        if (extra > 0) continue;
        for (std::size_t i = 0; i < k_events.size(); ++i)
            if (one.events <= k_events[i]) ++back_within_[i];
        one.extra = 0;
    }
    widenings_ += std::erase_if(widened_, [](const Widened& one) {
        return one.extra == 0 || one.events >= k_events.back();
    });
}

void Liquidity::report(Results& results) const {
    results.add("quoted_spread_ticks", "ticks",
                spread_.mean() / static_cast<double>(settings_.tick), spread_.count());
    results.add("quoted_spread_currency", "currency",
                spread_.mean() / static_cast<double>(settings_.currency), spread_.count());
    results.add("quoted_spread_bp", "bp", spread_bp_.mean(), spread_bp_.count());
    report_spreads(results);
    for (std::size_t i = 0; i < k_levels.size(); ++i)
        results.add("depth_" + std::to_string(k_levels[i]), "shares", depth_[i].mean(),
                    depth_[i].count());
    results.add("imbalance", "1", imbalance_.mean(), imbalance_.count());
    results.add("imbalance_size", "1", imbalance_size_.mean(), imbalance_size_.count());
    results.add_distance("microprice_distance", microprice_.mean(), microprice_.count(), settings_);
    results.add("microprice_distance_bp", "bp", microprice_bp_.mean(), microprice_bp_.count());
    for (std::size_t i = 0; i < k_events.size(); ++i)
        results.add("resiliency_" + std::to_string(k_events[i]), "share",
                    ratio_of(static_cast<std::int64_t>(back_within_[i]), widenings_), widenings_);
    results.add("resiliency_half_life", "s", half_life_s_.mean(), half_life_s_.count());
}

void Liquidity::report_spreads(Results& results) const {
    results.add_distance("effective_spread", effective_.mean(), effective_.count(), settings_);
    results.add("effective_spread_bp", "bp", effective_bp_.mean(), effective_bp_.count());
    for (std::size_t i = 0; i < k_horizons_s.size(); ++i) report_parts(results, i);
}

void Liquidity::report_parts(Results& results, std::size_t horizon) const {
    const SpreadParts& parts = parts_[horizon];
    const std::string after = "_" + std::to_string(k_horizons_s[horizon]) + "s";
    const auto report = [&](const char* name, std::int64_t sum, double sum_bp) {
        results.add_distance(name + after, ratio_of(sum, parts.trades), parts.trades, settings_);
        results.add(name + after + "_bp", "bp", ratio_of(sum_bp, parts.trades_bp), parts.trades_bp);
    };
    report("effective_spread", parts.effective, parts.effective_bp);
    report("realised_spread", parts.realised, parts.realised_bp);
    report("price_impact", parts.impact, parts.impact_bp);
}

}  // namespace damrak::measures
