#include <damrak/engine/detail/trailing_stops.hpp>

#include <utility>

#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/detail/pegs.hpp>

namespace damrak::detail {

namespace {

bool is_nearer(Side side, Tick a, Tick b) { return side == Side::sell ? a > b : a < b; }

// The stop price at this distance from a trade, rounded away from it; zero if there is none.
Tick trailed(const InstrumentState& in, Side side, Tick trade, Tick distance) {
    const Tick stop = side == Side::sell ? trade - distance : trade + distance;
    return valid_tick(in, opposite(side), stop);
}

void move_stop(EngineState& engine, InstrumentState& in, OrderIndex index, Tick stop) {
    remove_tallies(engine, in, index);
    in.stops.remove(engine.store, index);
    engine.store.order(index).tick = stop;
    in.stops.add(engine.store, index, in.book.next_arrival());
    add_tallies(engine, in, index);
}

}  // namespace

Reason check_trail(const InstrumentState& in, const Command& command) {
    if (!has_flag(command, CommandFlags::k_trailing)) return Reason::none;
    if (!is_stop(command.order_type)) return Reason::invalid_combination;
    const Price trail = command.order.offset;
    const bool on_grid = trail.value > 0 && trail <= in.definition().maximum_price &&
                         in.price_of(in.tick_of(trail)) == trail;
    return on_grid && !in.below_zero() ? Reason::none : Reason::invalid_trail;
}

Reason check_stop_price(const InstrumentState& in, const Command& command, Tick& stop) {
    stop = in.tick_of(command.order.stop_price);
    if (!has_flag(command, CommandFlags::k_trailing)) return Reason::none;
    if (in.last_trade != 0) {
        const Tick by_trade =
            trailed(in, command.side, in.last_trade, in.tick_of(command.order.offset));
        if (by_trade != 0 && (stop == 0 || is_nearer(command.side, by_trade, stop)))
            stop = by_trade;
    }
    return stop == 0 ? Reason::no_trail_reference : Reason::none;
}

void follow_trades(EngineState& engine, InstrumentState& in) {
    const Tick highest = std::exchange(engine.progress.highest_trade, 0);
    const Tick lowest = std::exchange(engine.progress.lowest_trade, 0);
    if (highest == 0) return;
    for (OrderIndex index = in.trailing.first; index != 0 && engine.store.has_room_for_price();) {
        const Order& order = engine.store.order(index);
        const OrderExtension& extension = engine.store.extension(order.extension);
        const OrderIndex next = extension.next;
        const Side side = order.terms().side();
        const Tick trade = side == Side::sell ? highest : lowest;
        const Tick stop = trailed(in, side, trade, extension.offset());
        if (stop != 0 && is_nearer(side, stop, order.tick)) move_stop(engine, in, index, stop);
        index = next;
    }
    if (in.stops.reaches(in.last_trade)) elect_stops(engine, in);
}

}  // namespace damrak::detail
