#include <damrak/engine/detail/pegs.hpp>

#include <algorithm>

#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/detail/price_limits.hpp>

namespace damrak::detail {

namespace {

// Zero: none. Displayed pegged orders are looked at only where they stand ahead of all others.
Tick best_to_follow(const EngineState& engine, const InstrumentState& in, Side side) {
    const auto is_followed = [&](OrderIndex index) {
        return !is_pegged(engine, engine.store.order(index));
    };
    const PriceLadder& ladder = in.book.side(side);
    for (auto at = ladder.best(); at.level != 0; at = ladder.next(engine.store.nodes, at.key))
        if (!for_each_in_queue(engine.store, at.level,
                               [&](OrderIndex index) { return !is_followed(index); }))
            return tick_of(side, at.key);
    return 0;
}

// The price that an order follows, as twice its ticks; zero if there is none.
std::int64_t twice_reference(const BestPrices& best, Side side, PegReference peg) {
    const bool buy = side == Side::buy;
    switch (peg) {
        case PegReference::primary:
            return 2 * (buy ? best.bid : best.ask);
        case PegReference::market:
            return 2 * (buy ? best.ask : best.bid);
        case PegReference::midpoint:
            return best.bid == 0 || best.ask == 0 ? 0 : best.bid + best.ask;
        case PegReference::none:
            break;
    }
    return 0;
}

// Of those whose turn has not come since the best prices changed.
OrderIndex next_in_turn(const EngineState& engine, InstrumentState& in) {
    if (!engine.store.has_room_for_price()) return 0;
    while (const OrderIndex index = in.pegs.to_move) {
        const Order& order = engine.store.order(index);
        const Tick tick = peg_tick(in, in.pegs.followed, peg_of(engine, order));
        if (tick == 0 || resting_limit(in, order.terms().side(), tick) != order.tick) return index;
        in.pegs.to_move = engine.store.extension(order.extension).next;
    }
    return 0;
}

// To a price at which it only rests.
void move_at_rest(EngineState& engine, InstrumentState& in, OrderIndex index, Tick tick) {
    Order& order = engine.store.order(index);
    in.orders_hash -= hash_of(engine, order);
    const std::int64_t before = value_of(engine, in, order, order.quantity);
    in.book.remove(engine.store, index);
    order.tick = tick;
    in.book.add(engine.store, index);
    engine.accounts.move_open(engine.owner_of(order),
                              value_of(engine, in, order, order.quantity) - before);
    in.orders_hash += hash_of(engine, order);
    Event event = event_of(engine, in, order, EventKind::rested, Reason::none);
    event.reference = order.id.value;
    engine.emit(event);
}

}  // namespace

Tick valid_tick(const InstrumentState& in, Side side, Tick tick) {
    const InstrumentDefinition& definition = in.definition();
    if (tick <= 0) return 0;
    const Price price = in.price_at(tick);
    const Price valid = side == Side::buy ? definition.next_price_below(price + Price{1})
                                          : definition.next_price_above(price - Price{1});
    return valid > definition.maximum_price ? 0 : in.tick_of(valid);
}

Reason check_peg(const InstrumentState& in, const Command& command) {
    const OrderDetails& order = command.order;
    if (!has_flag(command, CommandFlags::k_pegged)) return Reason::none;
    constexpr auto k_other_kinds = CommandFlags::k_post_only | CommandFlags::k_post_only_reprice;
    if (is_stop(command.order_type) || is_immediate(command.time_in_force) ||
        (command.flags & k_other_kinds) != 0 || order.minimum_quantity != Quantity{} ||
        order.display_quantity != Quantity{})
        return Reason::invalid_combination;
    const bool on_grid = order.offset.value >= 0 && order.offset <= in.definition().maximum_price &&
                         in.price_of(in.tick_of(order.offset)) == order.offset;
    const bool crosses = order.peg == PegReference::market && order.offset == Price{};
    // Displayed, the others would be best prices that were followed in turn.
    const bool may_be_seen =
        order.peg == PegReference::primary || has_flag(command, CommandFlags::k_hidden);
    const bool sound = is_valid(order.peg) && order.peg != PegReference::none && on_grid &&
                       !crosses && may_be_seen && !in.below_zero();
    return sound ? Reason::none : Reason::invalid_peg;
}

Peg peg_of(const InstrumentState& in, const Command& command) {
    if (!has_flag(command, CommandFlags::k_pegged)) return {};
    return {command.side, command.order.peg, in.tick_of(command.order.offset),
            in.tick_of(command.price)};
}

Reason check_peg_price(const EngineState& engine, const InstrumentState& in, const Peg& peg,
                       Tick& tick) {
    if (peg.follows == PegReference::none) return Reason::none;
    if (in.collects()) return Reason::not_in_phase;
    tick = peg_tick(in, best_prices(engine, in), peg);
    return tick == 0 ? Reason::no_peg_reference : Reason::none;
}

Peg peg_of(const EngineState& engine, const Order& order) {
    const OrderExtension& extension = engine.store.extension(order.extension);
    return {order.terms().side(), extension.peg, extension.offset(), extension.limit_tick};
}

Tick peg_tick(const InstrumentState& in, const BestPrices& best, const Peg& order) {
    const Side side = order.side;
    const bool buy = side == Side::buy;
    const std::int64_t twice = twice_reference(best, side, order.follows);
    if (twice == 0) return 0;
    // A half tick is given up.
    const Tick reference = buy ? twice / 2 : (twice + 1) / 2;
    const Tick followed = buy ? reference - order.offset : reference + order.offset;
    if (order.limit == 0) return valid_tick(in, side, followed);
    return valid_tick(in, side,
                      buy ? std::min(followed, order.limit) : std::max(followed, order.limit));
}

BestPrices best_prices(const EngineState& engine, const InstrumentState& in) {
    return {best_to_follow(engine, in, Side::buy), best_to_follow(engine, in, Side::sell)};
}

OrderIndex next_to_move(const EngineState& engine, InstrumentState& in) {
    if (const BestPrices now = best_prices(engine, in); now != in.pegs.followed) {
        in.pegs.followed = now;
        in.pegs.to_move = in.pegs.first;
    }
    return next_in_turn(engine, in);
}

OrderIndex move_hidden(EngineState& engine, InstrumentState& in, OrderIndex index) {
    if (in.ruled || in.phase != Phase::continuous || in.stopped_orders != 0) return index;
    while (index != 0 && engine.events_left() >= k_event_margin) {
        const Order& order = engine.store.order(index);
        const Side resting = opposite(order.terms().side());
        const Tick tick = peg_tick(in, in.pegs.followed, peg_of(engine, order));
        if (tick == 0 || !order.terms().has(OrderAttributes::k_hidden) ||
            touch(engine, in, resting, order.quantity) <= price_key(resting, tick))
            break;
        move_at_rest(engine, in, index, tick);
        in.pegs.to_move = engine.store.extension(order.extension).next;
        index = next_in_turn(engine, in);
    }
    return index;
}

void enlist_peg(EngineState& engine, const Incoming& order) {
    PegList& pegs = order.in->pegs;
    if (pegs.last == 0) {
        pegs.followed = best_prices(engine, *order.in);
        pegs.to_move = 0;
    }
    enlist(engine, order.index, Listing::pegged);
    extension_of(engine, order.index).peg = order.peg.follows;
}

}  // namespace damrak::detail
