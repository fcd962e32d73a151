// What takes part in a call, and the price that follows: every candidate of
// docs/rule-book/call-auctions.md is tried. Private to the reference model.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "support/reference/price_limits.hpp"
#include "support/reference/state.hpp"

namespace damrak::reference {

[[nodiscard]] inline bool is_market(const Order& order) { return order.type == OrderType::market; }

[[nodiscard]] inline bool accepts(const Order& order, Price price) {
    return is_market(order) ||
           (order.side == Side::buy ? order.price >= price : order.price <= price);
}

/// The orders of a side that take part, by priority. One that trades already keeps its place, even
/// if it was refreshed.
[[nodiscard]] inline std::vector<Found> ranked(Instrument& market, Side side) {
    std::vector<Found> orders;
    for (auto& [price, level] : market.levels(side)) {
        for (Queue* queue : {&level.displayed, &level.hidden, &level.aside})
            for (auto at = queue->begin(); at != queue->end(); ++at)
                if (!at->held) orders.push_back({queue, at});
    }
    const auto is_shown = [](const Order& order) {
        return !order.hidden && !order.aside && !order.sealed;
    };
    std::ranges::stable_sort(orders, [&](const Found& left, const Found& right) {
        const Order& a = *left.at;
        const Order& b = *right.at;
        if (a.crossing != b.crossing) return a.crossing;
        if (is_market(a) != is_market(b)) return is_market(a);
        if (a.price != b.price) return BestFirst{side}(a.price, b.price);
        if (is_shown(a) != is_shown(b)) return is_shown(a);
        return !is_shown(a) && a.arrival < b.arrival;
    });
    return orders;
}

/// What takes part in a call, and the price that follows from it.
class Call {
  public:
    explicit Call(Instrument& market)
        : buys_{ranked(market, Side::buy)},
          sells_{ranked(market, Side::sell)},
          definition_{market.definition},
          rule_{market.auction},
          reference_{market.last_trade} {
        if (market.has_daily && market.trade_numbers == market.settled_trades &&
            market.price_band.reference.value != 0)
            reference_ = market.price_band.reference;
        const auto lowest = edge_of_band(market, Side::sell);
        const auto highest = edge_of_band(market, Side::buy);
        for (const Found& buy : buys_)
            if (!is_market(*buy.at))
                bids_.insert(std::min(buy.at->price, highest.value_or(buy.at->price)));
        for (const Found& sell : sells_)
            if (!is_market(*sell.at))
                asks_.insert(std::max(sell.at->price, lowest.value_or(sell.at->price)));
        limits_ = bids_;
        limits_.insert(asks_.begin(), asks_.end());
        has_limits_ = !limits_.empty();
        if (!has_band(market)) return;
        low_ = market.price_band.lower;
        high_ = market.price_band.upper;
        edges_ = {lowest, highest};
        std::erase_if(limits_, [&](Price each) { return each < low_ || each > high_; });
    }

    [[nodiscard]] std::int64_t demand(Price price) const { return sum(buys_, price); }
    [[nodiscard]] std::int64_t supply(Price price) const { return sum(sells_, price); }
    /// Of the side that has more of them.
    [[nodiscard]] std::int64_t market_orders() const {
        std::int64_t most = 0;
        for (const auto* side : {&buys_, &sells_}) {
            std::int64_t all = 0;
            for (const Found& order : *side) all += is_market(*order.at) ? order.at->open.value : 0;
            most = std::max(most, all);
        }
        return most;
    }
    [[nodiscard]] std::int64_t executable(Price price) const {
        return std::min(demand(price), supply(price));
    }
    [[nodiscard]] std::int64_t surplus(Price price) const { return demand(price) - supply(price); }

    [[nodiscard]] std::optional<Price> price() const {
        if (limits_.empty() && (!has_limits_ || rule_ != AuctionRule::nasdaq)) {
            if (!reference_ || rule_ == AuctionRule::nasdaq) return std::nullopt;
            const Price price = middle(*reference_, *reference_);
            const bool trades = definition_.in_range(price) && executable(price) > 0 &&
                                price >= low_ && price <= high_;
            return trades ? std::optional{price} : std::nullopt;
        }
        const std::vector<Price> best = tied();
        if (best.empty()) return std::nullopt;
        if (rule_ == AuctionRule::euronext) return nearest(best);
        if (rule_ == AuctionRule::nasdaq) {
            std::vector<Price> left;
            std::ranges::copy_if(best, std::back_inserter(left),
                                 [&](Price each) { return leaves_a_limit(each); });
            return nearest(left.empty() ? best : left);
        }
        const auto buyers_left = [&](Price each) { return surplus(each) > 0; };
        const auto sellers_left = [&](Price each) { return surplus(each) < 0; };
        if (std::ranges::all_of(best, buyers_left)) return best.back();
        if (std::ranges::all_of(best, sellers_left)) return best.front();
        if (rule_ == AuctionRule::lse) return nearest(best);
        Price low = best.front();
        for (const Price each : best)
            if (buyers_left(each)) low = each;
        const auto first_ask = std::ranges::find_if(best, sellers_left);
        const Price high = first_ask == best.end() ? best.back() : *first_ask;
        if (rule_ == AuctionRule::xetra)
            return reference_ ? std::clamp(middle(*reference_, *reference_), low, high) : high;
        return middle(low, high);
    }

  private:
    static std::int64_t sum(const std::vector<Found>& orders, Price price) {
        std::int64_t all = 0;
        for (const Found& order : orders)
            if (accepts(*order.at, price)) all += order.at->open.value;
        return all;
    }
    /// Between two limits nothing changes, so the prices next to a limit stand for all of them.
    [[nodiscard]] std::set<Price> candidates() const {
        if (rule_ != AuctionRule::nasdaq || !reference_) return limits_;
        std::set<Price> prices = limits_;
        prices.insert(middle(*reference_, *reference_));
        for (const auto& edge : edges_) prices.insert(edge.value_or(definition_.floor()));
        for (const Price limit : limits_) {
            prices.insert(definition_.next_price_below(limit));
            prices.insert(definition_.next_price_above(limit));
        }
        std::erase_if(prices, [&](Price each) {
            return !definition_.in_range(each) || each < low_ || each > high_;
        });
        return prices;
    }
    /// The candidates with the greatest quantity, and of these with the smallest surplus.
    [[nodiscard]] std::vector<Price> tied() const {
        std::vector<Price> best;
        for (const Price each : candidates()) {
            if (executable(each) == 0) continue;
            const auto better = [&](Price other) {
                if (executable(each) != executable(other))
                    return executable(each) > executable(other);
                return std::abs(surplus(each)) < std::abs(surplus(other));
            };
            if (!best.empty() && better(best.front())) best.clear();
            const bool worse =
                !best.empty() && (executable(each) < executable(best.front()) ||
                                  std::abs(surplus(each)) > std::abs(surplus(best.front())));
            if (!worse) best.push_back(each);
        }
        return best;
    }
    [[nodiscard]] bool leaves_a_limit(Price price) const {
        if (surplus(price) == 0) return false;
        return (surplus(price) > 0 ? bids_ : asks_).contains(price);
    }
    /// To the reference; of two equally near the higher. Without a reference the highest.
    [[nodiscard]] Price nearest(const std::vector<Price>& prices) const {
        const auto distance = [&](Price each) {
            return reference_ ? std::abs(each.value - reference_->value) : 0;
        };
        Price found = prices.front();
        for (const Price each : prices)
            if (distance(each) <= distance(found)) found = each;
        return found;
    }
    /// The valid price nearest to the middle; of two equally near the higher.
    [[nodiscard]] Price middle(Price low, Price high) const {
        const std::int64_t twice = low.value + high.value;
        const Price half{twice >> 1};
        const Price below = definition_.on_tick(half) ? half : definition_.next_price_below(half);
        const Price above = definition_.next_price_above(below);
        return twice - 2 * below.value < 2 * above.value - twice ? below : above;
    }

    std::vector<Found> buys_;
    std::vector<Found> sells_;
    std::set<Price> bids_;  ///< limits of the buys, as the auction counts them
    std::set<Price> asks_;
    std::set<Price> limits_;
    bool has_limits_ = false;
    Price low_{std::numeric_limits<std::int64_t>::min()};
    Price high_{std::numeric_limits<std::int64_t>::max()};
    std::vector<std::optional<Price>> edges_;  ///< of the band
    const InstrumentDefinition& definition_;
    AuctionRule rule_;
    std::optional<Price> reference_;
};

}  // namespace damrak::reference
