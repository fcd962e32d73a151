#include <damrak/auction/detail/nasdaq_cross.hpp>

#include <algorithm>

namespace damrak::auction {

namespace {

bool is_within(Price price, std::optional<Price> benchmark, const Margin& margin) {
    return benchmark && margin.around(*benchmark).contains(price);
}

}  // namespace

bool opening_is_valid(Price price, const OpeningBenchmarks& benchmarks, const Margin& margin) {
    if (is_within(price, benchmarks.last_close, margin) ||
        is_within(price, benchmarks.last_trade, margin))
        return true;
    if (!benchmarks.last_close || price == *benchmarks.last_close) return false;
    const bool above = price > *benchmarks.last_close;
    return is_within(price, above ? benchmarks.best_bid : benchmarks.best_offer, margin);
}

char price_variation(std::optional<Price> near, std::optional<Price> reference) {
    if (!near || !reference || reference->value <= 0) return ' ';
    const Wide difference = Wide{near->value} - reference->value;
    const Wide per_cent = (difference < 0 ? -difference : difference) * 100 / reference->value;
    if (per_cent < 1) return 'L';
    if (per_cent < 10) return static_cast<char>('0' + static_cast<int>(per_cent));
    return per_cent < 20 ? 'A' : per_cent < 30 ? 'B' : 'C';
}

ImbalanceIndicator imbalance_indicator(const CallBook& cross_only, const CallBook& all,
                                       const PriceTerms& terms, PriceRange inside) {
    const Equilibrium current = equilibrium_within(all, terms, inside);
    ImbalanceIndicator indicator;
    indicator.current_reference = current.price;
    indicator.paired = current.executable;
    indicator.imbalance = std::max(current.surplus, -current.surplus);
    if (current.price) {
        const std::optional<Side> side = current.surplus_side();
        indicator.direction = !side ? 'N' : *side == Side::buy ? 'B' : 'S';
    }
    indicator.far = equilibrium(cross_only, terms).price;
    indicator.near = equilibrium(all, terms).price;
    indicator.variation = price_variation(indicator.near, indicator.current_reference);
    return indicator;
}

ImbalanceIndicator abbreviated(ImbalanceIndicator full) {
    full.far.reset();
    full.near.reset();
    full.variation = ' ';
    return full;
}

}  // namespace damrak::auction
