#include "engine/auction/call.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace damrak::auction::testing {

namespace {

template <class Order>
std::vector<PriceLevel> levels_of(const std::vector<CallOrder>& orders, Order better) {
    std::map<Price, Quantity, Order> totals(better);
    for (const CallOrder& order : orders)
        if (order.limit) totals[*order.limit] += order.quantity;
    std::vector<PriceLevel> levels;
    for (const auto& [price, quantity] : totals) levels.push_back({price, quantity});
    return levels;
}

Quantity of_markets(const std::vector<CallOrder>& orders) {
    Quantity total{};
    for (const CallOrder& order : orders)
        if (!order.limit) total += order.quantity;
    return total;
}

struct Tried {
    Price price;
    std::int64_t demand = 0;
    std::int64_t supply = 0;
    [[nodiscard]] std::int64_t executable() const { return std::min(demand, supply); }
    [[nodiscard]] std::int64_t left() const { return std::max(demand, supply) - executable(); }
};

Tried try_price(const Call& call, Price price) {
    Tried tried{price};
    for (const CallOrder& buy : call.buys())
        if (!buy.limit || *buy.limit >= price) tried.demand += buy.quantity.value;
    for (const CallOrder& sell : call.sells())
        if (!sell.limit || *sell.limit <= price) tried.supply += sell.quantity.value;
    return tried;
}

// Whether an order with this very limit is executable at it and not executed whole: orders are
// executed one after the other, market orders first, then from the best limit on.
bool leaves_its_limit_unexecuted(std::vector<CallOrder> orders, const Tried& tried, bool buy) {
    std::ranges::stable_sort(orders, [buy](const CallOrder& a, const CallOrder& b) {
        if (!a.limit || !b.limit) return !a.limit && b.limit;
        return buy ? *a.limit > *b.limit : *a.limit < *b.limit;
    });
    std::int64_t executable = tried.executable();
    for (const CallOrder& order : orders) {
        if (order.limit && (buy ? *order.limit < tried.price : *order.limit > tried.price)) break;
        const std::int64_t executed = std::min(order.quantity.value, executable);
        executable -= executed;
        if (order.limit == tried.price && executed < order.quantity.value) return true;
    }
    return false;
}

template <class Measured>
void keep_least(std::vector<Tried>& prices, Measured measured) {
    std::int64_t least = measured(prices.front());
    for (const Tried& tried : prices) least = std::min(least, measured(tried));
    std::erase_if(prices, [&](const Tried& tried) { return measured(tried) != least; });
}

// What is left when all tied prices are equally near, or there is nothing to be near to.
Price nearest_to_reference(std::vector<Tried> prices, const PriceTerms& terms) {
    if (terms.reference)
        keep_least(prices,
                   [&](const Tried& t) { return terms.reference->twice_distance(t.price); });
    return terms.prefer_higher ? prices.back().price : prices.front().price;
}

std::vector<Price> candidates(const Call& call, const PriceTerms& terms, PriceRange range) {
    std::set<Price> limits;
    for (const auto* orders : {&call.buys(), &call.sells()})
        for (const CallOrder& order : *orders)
            if (order.limit) limits.insert(*order.limit);
    std::vector<Price> found;
    const bool every_tick = terms.rule == PriceRule::nasdaq && terms.reference && !limits.empty();
    for (Price price = range.low; price <= range.high; price += Price{1})
        if (terms.ticks->is_on_tick(price) && (every_tick || limits.contains(price)))
            found.push_back(price);
    return found;
}

// Every valid price between two, as Xetra and a frequent batch take one that nobody named.
std::vector<Tried> all_between(const Call& call, const PriceTerms& terms, PriceRange range) {
    std::vector<Tried> prices;
    for (Price price = range.low; price <= range.high; price += Price{1})
        if (terms.ticks->is_on_tick(price)) prices.push_back(try_price(call, price));
    return prices;
}

Price choose(const Call& call, const PriceTerms& terms, std::vector<Tried> tied) {
    const auto buyers = [](const Tried& t) { return t.demand > t.supply; };
    const auto sellers = [](const Tried& t) { return t.demand < t.supply; };
    if (terms.rule == PriceRule::euronext) return nearest_to_reference(tied, terms);
    if (terms.rule == PriceRule::nasdaq) {
        std::vector<Tried> named = tied;
        std::erase_if(named, [&](const Tried& t) {
            return !leaves_its_limit_unexecuted(call.buys(), t, true) &&
                   !leaves_its_limit_unexecuted(call.sells(), t, false);
        });
        return nearest_to_reference(named.empty() ? tied : named, terms);
    }
    if (std::ranges::all_of(tied, buyers)) return tied.back().price;
    if (std::ranges::all_of(tied, sellers)) return tied.front().price;
    if (terms.rule == PriceRule::lse) return nearest_to_reference(tied, terms);
    PriceRange range{tied.front().price, tied.back().price};
    for (const Tried& t : tied)
        if (buyers(t)) range.low = t.price;
    const auto seller = std::ranges::find_if(tied, sellers);
    if (seller != tied.end()) range.high = seller->price;
    PriceTerms terms_of_step = terms;
    if (terms.rule == PriceRule::frequent_batch)
        terms_of_step.reference = Midpoint{range.low, range.high};
    return nearest_to_reference(all_between(call, terms, range), terms_of_step);
}

std::optional<Price> best_in(const Call& call, const PriceTerms& terms, PriceRange all,
                             PriceRange range) {
    const std::vector<Price> possible = candidates(call, terms, range);
    if (possible.empty()) {
        const auto is_market = [](const CallOrder& order) { return !order.limit; };
        const bool executable = std::ranges::any_of(call.buys(), is_market) &&
                                std::ranges::any_of(call.sells(), is_market);
        if (!executable || !terms.reference || terms.rule == PriceRule::nasdaq) return std::nullopt;
        const Price price = nearest_to_reference(all_between(call, terms, all), terms);
        return range.contains(price) ? std::optional{price} : std::nullopt;
    }
    std::vector<Tried> tied;
    for (const Price price : possible) tied.push_back(try_price(call, price));
    std::erase_if(tied, [](const Tried& t) { return t.executable() == 0; });
    if (tied.empty()) return std::nullopt;
    keep_least(tied, [](const Tried& t) { return -t.executable(); });
    keep_least(tied, [](const Tried& t) { return t.left(); });
    return choose(call, terms, tied);
}

}  // namespace

Call::Call(std::vector<CallOrder> buys, std::vector<CallOrder> sells)
    : buys_(std::move(buys)),
      sells_(std::move(sells)),
      bids_(levels_of(buys_, std::greater<>{})),
      asks_(levels_of(sells_, std::less<>{})) {}

CallBook Call::book() const { return {bids_, asks_, of_markets(buys_), of_markets(sells_)}; }

Equilibrium model_equilibrium(const Call& call, const PriceTerms& terms, PriceRange all) {
    std::optional<Price> price = best_in(call, terms, all, all);
    if (price && !terms.threshold.contains(*price)) {
        const PriceRange inside{std::max(all.low, terms.threshold.low),
                                std::min(all.high, terms.threshold.high)};
        price = best_in(call, terms, all, inside);
    }
    if (!price) return {};
    const Tried result = try_price(call, *price);
    return {price, Quantity{result.executable()}, Quantity{result.demand - result.supply}};
}

}  // namespace damrak::auction::testing
