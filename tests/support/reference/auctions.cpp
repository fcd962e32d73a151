// docs/rule-book/phases.md: phases and the end of a call. The price is found by trying every
// candidate of docs/rule-book/call-auctions.md.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <damrak/base/wide_integer.hpp>

#include "support/reference/price_limits.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

bool is_market(const Order& order) { return order.type == OrderType::market; }

bool accepts(const Order& order, Price price) {
    return is_market(order) ||
           (order.side == Side::buy ? order.price >= price : order.price <= price);
}

/// The orders of a side that take part, by priority.
std::vector<Found> ranked(Instrument& market, Side side) {
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
        if (market.price_band.upper.value == 0) return;
        low_ = market.price_band.lower;
        high_ = market.price_band.upper;
        edges_ = {lowest, highest};
        std::erase_if(limits_, [&](Price each) { return each < low_ || each > high_; });
    }

    [[nodiscard]] std::int64_t demand(Price price) const { return sum(buys_, price); }
    [[nodiscard]] std::int64_t supply(Price price) const { return sum(sells_, price); }
    [[nodiscard]] std::int64_t executable(Price price) const {
        return std::min(demand(price), supply(price));
    }
    [[nodiscard]] std::int64_t surplus(Price price) const { return demand(price) - supply(price); }

    [[nodiscard]] std::optional<Price> price() const {
        if (!has_limits_) {
            const bool trades = reference_ && rule_ != AuctionRule::nasdaq && !buys_.empty() &&
                                !sells_.empty() && *reference_ >= low_ && *reference_ <= high_;
            return trades ? reference_ : std::nullopt;
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
            return reference_ ? std::clamp(*reference_, low, high) : high;
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
        prices.insert(*reference_);
        for (const auto& edge : edges_) prices.insert(edge.value_or(Price{0}));
        for (const Price limit : limits_) {
            prices.insert(definition_.next_price_below(limit));
            prices.insert(definition_.next_price_above(limit));
        }
        std::erase_if(prices, [&](Price each) {
            return each.value <= 0 || each > definition_.maximum_price || each < low_ ||
                   each > high_;
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
    [[nodiscard]] Price middle(Price low, Price high) const {
        const std::int64_t twice = low.value + high.value;
        const Price below{twice / 2 - (twice / 2) % definition_.tick_size_at({twice / 2}).value};
        const Price above = definition_.next_price_above(below);
        return twice - 2 * below.value < 2 * above.value - twice ? below : above;
    }

    std::vector<Found> buys_;
    std::vector<Found> sells_;
    std::set<Price> bids_;  ///< limits of the buys, as the auction counts them
    std::set<Price> asks_;
    std::set<Price> limits_;
    bool has_limits_ = false;
    Price low_{0};
    Price high_{std::numeric_limits<std::int64_t>::max()};
    std::vector<std::optional<Price>> edges_;  ///< of the band
    const InstrumentDefinition& definition_;
    AuctionRule rule_;
    std::optional<Price> reference_;
};

/// What an order trades in the auction of a batch.
struct Due {
    Found order;
    std::int64_t quantity;
};

/// The orders of a side that accept the price share the executable quantity by priority. Those with
/// one limit that came in one batch have the same: each gets its proportion in whole lots, and the
/// earliest a lot more, while there are any.
std::vector<Due> due(Instrument& market, Side side, Price price, std::int64_t left) {
    std::vector<Due> all;
    for (const Found& found : ranked(market, side))
        if (accepts(*found.at, price)) all.push_back({found, found.at->open.value});
    const std::int64_t lot = market.definition.lot_size.value;
    for (auto first = all.begin(); first != all.end();) {
        const auto is_other = [&](const Due& each) {
            const Order& order = *each.order.at;
            const Order& head = *first->order.at;
            return order.price != head.price || order.batch == 0 || order.batch != head.batch;
        };
        const auto end = std::find_if(std::next(first), all.end(), is_other);
        std::int64_t sum = 0;
        for (auto each = first; each != end; ++each) sum += each->quantity;
        const std::int64_t share = std::min(left, sum);
        std::int64_t rest = share;
        for (auto each = first; each != end; ++each) {
            const Uint128 exact = Uint128(each->quantity) * Uint128(share) / Uint128(sum);
            each->quantity = static_cast<std::int64_t>(exact) / lot * lot;
            rest -= each->quantity;
        }
        for (auto each = first; each != end && rest > 0; ++each) {
            const std::int64_t more = std::min(lot, rest);
            each->quantity += more;
            rest -= more;
        }
        left -= share;
        first = end;
    }
    return all;
}

}  // namespace

bool ReferenceEngine::set_phase(const Command& command) {
    if (bounded()) return reject(command, Reason::unknown_command);
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    const PhaseDetails wanted = command.phase;
    if (!is_valid(wanted.phase) || !is_valid(wanted.auction) || !is_valid(wanted.call) ||
        wanted.sealed > 1 || (wanted.sealed == 1 && wanted.phase != Phase::call))
        return reject(command, Reason::invalid_state);
    if (market.definition.maximum_quantity.value > 4'294'967'296 ||
        market.definition.maximum_price.value > 2'305'843'009'213'693'951)
        return reject(command, Reason::invalid_instrument);
    if ((wanted.phase == Phase::continuous && market.collects()) ||
        (wanted.phase == Phase::at_last && market.phase != Phase::at_last))
        return reject(command, Reason::not_in_phase);
    if (market.sealed && wanted.sealed == 0) return reject(command, Reason::not_in_phase);
    if (!market.sealed && wanted.sealed == 1) ++market.batch;
    market.sealed = wanted.sealed == 1;
    market.phase = wanted.phase;
    market.call = wanted.call;
    market.auction = wanted.auction;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::phase_changed, static_cast<std::int64_t>(wanted.phase));
    return false;
}

bool ReferenceEngine::uncross(const Command& command) {
    if (bounded()) return reject(command, Reason::unknown_command);
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    if (!is_valid(command.phase.phase)) return reject(command, Reason::invalid_state);
    if (market.state == TradingState::halted) return reject(command, Reason::instrument_halted);
    if (market.phase != Phase::call) return reject(command, Reason::not_in_phase);
    const Call call{market};
    const std::optional<Price> price = call.price();
    Event result{};
    result.kind = EventKind::uncrossed;
    result.command = command.kind;
    result.instrument = command.instrument;
    if (price) {
        result.reference = allocated_id(command.instrument, ++market.trade_numbers);
        result.price = *price;
        result.quantity = Quantity{call.executable(*price)};
        result.remaining = Quantity{std::abs(call.surplus(*price))};
        if (call.surplus(*price) < 0) result.side = Side::sell;
    }
    events_->push_back(result);
    if (price && market.sealed) {
        const std::int64_t executable = call.executable(*price);
        std::vector<Due> buys = due(market, Side::buy, *price, executable);
        std::vector<Due> sells = due(market, Side::sell, *price, executable);
        for (Due& buy : buys)
            for (Due& sell : sells) {
                const std::int64_t quantity = std::min(buy.quantity, sell.quantity);
                if (quantity == 0) continue;
                buy.quantity -= quantity;
                sell.quantity -= quantity;
                trade_in_cross(buy.order, sell.order, *price, Quantity{quantity});
            }
    }
    while (price && !market.sealed) {
        const std::vector<Found> buys = ranked(market, Side::buy);
        const std::vector<Found> sells = ranked(market, Side::sell);
        if (buys.empty() || sells.empty() || !accepts(*buys.front().at, *price) ||
            !accepts(*sells.front().at, *price))
            break;
        trade_in_cross(buys.front(), sells.front(), *price,
                       std::min(buys.front().at->open, sells.front().at->open));
    }
    for (const Side side : {Side::buy, Side::sell}) cancel_market_orders(market, side);
    if (market.sealed) end_batch(market);
    remove_empty_levels(market);
    if (command.phase.phase == Phase::continuous || command.phase.phase == Phase::at_last)
        cancel_outside_band(market);
    clear_top(market);
    market.phase = command.phase.phase;
    market.sealed = market.sealed && market.phase == Phase::call;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::phase_changed, static_cast<std::int64_t>(market.phase));
    if (market.last_trade) elect(market, *market.last_trade);
    market.last_auction = price;
    if (price && exists(market.price_limits.static_corridor)) market.price_band.reference = *price;
    return cascade(command.instrument);
}

/// One trade for the whole quantity, however much of it is displayed.
void ReferenceEngine::trade_in_cross(const Found& buy, const Found& sell, Price price,
                                     Quantity quantity) {
    Instrument& market = instrument(buy.at->instrument);
    const std::uint64_t number = allocated_id(buy.at->instrument, ++market.trade_numbers);
    for (const Found& found : {buy, sell}) fill(*found.at, quantity);
    for (const Found& found : {buy, sell}) {
        Event event{};
        event.kind = EventKind::executed;
        event.reference = number;
        event.quantity = quantity;
        event.price = price;
        event.flags = EventFlags::k_cross;
        if (found.at->side == Side::sell) event.flags |= EventFlags::k_aggressor;
        emit(event, *found.at);
    }
    for (const Found& found : {buy, sell}) {
        if (found.at->open.value == 0)
            found.queue->erase(found.at);
        else if (tradable(*found.at).value == 0)
            refresh_slice(found);
    }
    elect(market, price);
}

/// From the slice first, then from the reserve.
void ReferenceEngine::fill(Order& order, Quantity quantity) {
    order.open -= quantity;
    order.executed += quantity;
    order.slice -= std::min(order.slice, quantity);
    state_.accounts[{order.instrument, order.participant}] +=
        order.side == Side::buy ? quantity : -quantity;
}

void ReferenceEngine::cancel_market_orders(Instrument& market, Side side) {
    for (const Found& found : ranked(market, side)) {
        if (!is_market(*found.at)) continue;
        take_away(*found.at, found.at->open, Reason::unfilled_remainder);
        found.queue->erase(found.at);
    }
}

/// docs/rule-book/frequent-batch.md: what is left of a batch is displayed.
void ReferenceEngine::end_batch(Instrument& market) {
    for (const Side side : {Side::buy, Side::sell}) {
        for (auto& [price, level] : market.levels(side)) {
            for (auto at = level.hidden.begin(); at != level.hidden.end();) {
                const auto order = at++;
                if (!order->sealed) continue;
                if (order->time_in_force == TimeInForce::ioc) {
                    take_away(*order, order->open, Reason::end_of_batch);
                    level.hidden.erase(order);
                    continue;
                }
                order->sealed = false;
                order->slice = std::min(order->display, order->open);
                level.displayed.splice(level.displayed.end(), level.hidden, order);
                Event event{};
                event.kind = EventKind::rested;
                event.reference = order->public_id;
                emit(event, *order);
            }
        }
    }
    ++market.batch;
}

}  // namespace damrak::reference
