// docs/rule-book/phases.md: phases and the end of a call.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

#include <damrak/base/wide_integer.hpp>

#include "support/reference/call.hpp"
#include "support/reference/price_limits.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// What an order trades in the auction of a batch.
struct Due {
    Found order;
    std::int64_t quantity;
};

void end_crossing(Instrument& market) {
    for (const Side side : {Side::buy, Side::sell})
        for (const Found& found : ranked(market, side)) found.at->crossing = false;
}

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

void ReferenceEngine::set_phase(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    const PhaseDetails wanted = command.phase;
    if (!is_valid(wanted.phase) || !is_valid(wanted.auction) || !is_valid(wanted.call) ||
        wanted.sealed > 1 || (wanted.sealed == 1 && wanted.phase != Phase::call) ||
        wanted.restrictions > PhaseRestrictions::k_all || !is_valid(wanted.cause))
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
    market.restrictions = wanted.restrictions;
    if (market.cause != HaltCause::market_wide_3) market.cause = wanted.cause;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::phase_changed, static_cast<std::int64_t>(wanted.phase),
                static_cast<std::int64_t>(market.cause));
    attend_call(market);
    cascade(command.instrument);
}

void ReferenceEngine::uncross(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    Instrument& market = instrument(command.instrument);
    const unsigned conditions = command.phase.conditions;
    if (!is_valid(command.phase.phase) || conditions > 7)
        return reject(command, Reason::invalid_state);
    if (market.state == TradingState::halted) return reject(command, Reason::instrument_halted);
    if (market.phase != Phase::call) return reject(command, Reason::not_in_phase);
    const Call call{market};
    const std::optional<Price> price = call.price();
    if ((conditions & UncrossConditions::k_has_price) != 0 && !price)
        return reject(command, Reason::no_auction_price);
    if ((conditions & UncrossConditions::k_price_in_corridor) != 0 && price &&
        !is_in_auction_corridor(market, *price))
        return reject(command, Reason::auction_price_outside);
    if ((conditions & UncrossConditions::k_no_market_orders_left) != 0 &&
        call.market_orders() > (price ? call.executable(*price) : 0))
        return reject(command, Reason::market_orders_left);
    Event result{};
    result.kind = EventKind::uncrossed;
    result.command = command.kind;
    result.instrument = command.instrument;
    result.displayed = Quantity{static_cast<std::int64_t>(market.call)};
    if (price) {
        result.reference = allocated_id(command.instrument, ++market.trade_numbers);
        result.price = *price;
        result.quantity = Quantity{call.executable(*price)};
        result.remaining = Quantity{std::abs(call.surplus(*price))};
        if (call.surplus(*price) < 0) result.side = Side::sell;
    }
    events_->push_back(result);
    if (price) trade_all(market, *price, result.quantity.value);
    if (result.remaining.value > 0) trade_surplus(market, *price, result.side);
    end_crossing(market);
    end_auction_orders(market);
    for (const Side side : {Side::buy, Side::sell}) end_market_orders(market, side, price);
    if (market.sealed) end_batch(market);
    remove_empty_levels(market);
    if (command.phase.phase == Phase::continuous || command.phase.phase == Phase::at_last)
        cancel_outside_band(market);
    clear_top(market);
    market.phase = command.phase.phase;
    market.sealed = market.sealed && market.phase == Phase::call;
    market.restrictions = 0;
    market.cause = HaltCause::none;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::phase_changed, static_cast<std::int64_t>(market.phase));
    if (market.last_trade) elect(market, *market.last_trade);
    market.last_auction = price;
    if (price && (exists(market.price_limits.static_corridor) ||
                  exists(market.price_limits.auction_corridor)))
        market.price_band.reference = *price;
    cascade(command.instrument);
}

void ReferenceEngine::trade_all(Instrument& market, Price price, std::int64_t executable) {
    if (market.sealed) {
        std::vector<Due> buys = due(market, Side::buy, price, executable);
        std::vector<Due> sells = due(market, Side::sell, price, executable);
        for (Due& buy : buys)
            for (Due& sell : sells) {
                const std::int64_t quantity = std::min(buy.quantity, sell.quantity);
                if (quantity == 0) continue;
                buy.quantity -= quantity;
                sell.quantity -= quantity;
                trade_in_cross(buy.order, sell.order, price, Quantity{quantity});
            }
        end_crossing(market);  // these have their places by batch
    }
    while (!market.sealed) {
        const std::vector<Found> buys = ranked(market, Side::buy);
        const std::vector<Found> sells = ranked(market, Side::sell);
        if (buys.empty() || sells.empty() || !accepts(*buys.front().at, price) ||
            !accepts(*sells.front().at, price))
            break;
        trade_in_cross(buys.front(), sells.front(), price,
                       std::min(buys.front().at->open, sells.front().at->open));
    }
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
        if (found.at->open.value == 0) {
            end_link(*found.at, true);
            found.queue->erase(found.at);
            continue;
        }
        found.at->crossing = true;
        if (tradable(*found.at).value == 0)
            refresh_slice(found);
        else
            count_trades(*found.at);
    }
    note_trade(market, price);
}

/// From the slice first, then from the reserve.
void ReferenceEngine::fill(Order& order, Quantity quantity) {
    note_quote_trade(order, quantity);
    order.open -= quantity;
    order.executed += quantity;
    order.slice -= std::min(order.slice, quantity);
    state_.accounts[{order.instrument, order.participant}] +=
        order.side == Side::buy ? quantity : -quantity;
}

void ReferenceEngine::end_market_orders(Instrument& market, Side side, std::optional<Price> price) {
    for (const Found& found : ranked(market, side)) {
        if (!is_market(*found.at) || (price && rest_at(found, *price))) continue;
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
                if (order->is_private) order->public_id = next_public_id(*order);
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
