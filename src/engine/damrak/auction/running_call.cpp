#include <damrak/auction/running_call.hpp>

#include <algorithm>
#include <functional>
#include <span>

#include <damrak/base/assert.hpp>

namespace damrak::auction {

namespace {

// Levels of each side that are looked at on either side of the crossing. At most two limits there
// can be tied, and the next one bounds the prices between.
constexpr std::size_t k_around = 4;

// The level of a limit, or where it belongs.
auto place_of(std::vector<PriceLevel>& levels, Side side, Price limit) {
    return side == Side::buy
               ? std::ranges::lower_bound(levels, limit, std::greater{}, &PriceLevel::price)
               : std::ranges::lower_bound(levels, limit, std::less{}, &PriceLevel::price);
}

}  // namespace

void RunningCall::add(Side side, std::optional<Price> limit, Quantity quantity) {
    OneSide& own = of(side);
    if (limit) {
        const auto place = place_of(own.levels, side, *limit);
        const bool is_new = place == own.levels.end() || place->price != *limit;
        if (is_new)
            own.levels.insert(place, {*limit, quantity});
        else
            place->quantity += quantity;
        if (is_new && trades_at_crossing(side, *limit)) ++own.crossing;
    } else {
        own.market += quantity;
    }
    if (!limit || trades_at_crossing(side, *limit)) own.at_crossing += quantity;
    find_crossing();
}

void RunningCall::remove(Side side, std::optional<Price> limit, Quantity quantity) {
    OneSide& own = of(side);
    if (limit) {
        const auto place = place_of(own.levels, side, *limit);
        DAMRAK_ASSERT(place != own.levels.end() && place->price == *limit &&
                      place->quantity >= quantity);
        place->quantity -= quantity;
        if (place->quantity == Quantity{}) {
            own.levels.erase(place);
            if (trades_at_crossing(side, *limit)) --own.crossing;
        }
    } else {
        own.market -= quantity;
    }
    if (!limit || trades_at_crossing(side, *limit)) own.at_crossing -= quantity;
    find_crossing();
}

std::optional<Price> RunningCall::limit_above() const {
    std::size_t bid = bids_.crossing;
    if (bid > 0 && bids_.levels[bid - 1].price == crossing_) --bid;
    std::optional<Price> above;
    if (bid > 0) above = bids_.levels[bid - 1].price;
    if (asks_.crossing < asks_.levels.size()) {
        const Price ask = asks_.levels[asks_.crossing].price;
        above = std::min(above.value_or(ask), ask);
    }
    return above;
}

std::optional<Price> RunningCall::limit_below() const {
    std::size_t ask = asks_.crossing;
    if (ask > 0 && asks_.levels[ask - 1].price == crossing_) --ask;
    std::optional<Price> below;
    if (ask > 0) below = asks_.levels[ask - 1].price;
    if (bids_.crossing < bids_.levels.size()) {
        const Price bid = bids_.levels[bids_.crossing].price;
        below = std::max(below.value_or(bid), bid);
    }
    return below;
}

void RunningCall::move_to(Price price) {
    crossing_ = price;
    for (const Side side : {Side::buy, Side::sell}) {
        OneSide& own = of(side);
        while (own.crossing > 0 && !trades_at_crossing(side, own.levels[own.crossing - 1].price))
            own.at_crossing -= own.levels[--own.crossing].quantity;
        while (own.crossing < own.levels.size() &&
               trades_at_crossing(side, own.levels[own.crossing].price))
            own.at_crossing += own.levels[own.crossing++].quantity;
    }
}

void RunningCall::find_crossing() {
    for (auto above = limit_above(); leaves_buyers() && above; above = limit_above())
        move_to(*above);
    for (auto below = limit_below(); below; below = limit_below()) {
        const Price here = crossing_;
        move_to(*below);
        if (!leaves_buyers()) continue;
        move_to(here);
        return;
    }
}

CallBook RunningCall::book() const {
    return {bids_.levels, asks_.levels, bids_.market, asks_.market};
}

// The same curves at the crossing: better levels stand as market orders, worse ones are left out.
// Where the curves differ, far from it, less is executable or more left over.
CallBook RunningCall::around_crossing() const {
    const auto around = [](const OneSide& own, Quantity& better) {
        const std::size_t first = own.crossing - std::min(own.crossing, k_around);
        const std::size_t end = std::min(own.crossing + k_around, own.levels.size());
        better = own.at_crossing;
        for (std::size_t i = first; i < own.crossing; ++i) better -= own.levels[i].quantity;
        return std::span(own.levels).subspan(first, end - first);
    };
    CallBook book;
    book.bids = around(bids_, book.market_buys);
    book.asks = around(asks_, book.market_sells);
    return book;
}

Equilibrium RunningCall::indicative(const PriceTerms& terms) const {
    const Equilibrium found = equilibrium_within(around_crossing(), terms, k_any_price);
    if (!found.price || terms.threshold.contains(*found.price)) return found;
    return equilibrium_within(book(), terms, terms.threshold);
}

}  // namespace damrak::auction
