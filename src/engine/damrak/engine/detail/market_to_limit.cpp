#include <damrak/engine/detail/market_to_limit.hpp>

#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/pegs.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

Reason check_to_limit(const InstrumentState& in, const Command& command) {
    if (!has_flag(command, CommandFlags::k_to_limit)) return Reason::none;
    if (command.order_type != OrderType::market || is_immediate(command.time_in_force) ||
        has_flag(command, CommandFlags::k_pegged) || command.order.minimum_quantity != Quantity{})
        return Reason::invalid_combination;
    return in.sealed ? Reason::not_in_phase : Reason::none;
}

Reason check_first_price(const EngineState& engine, const InstrumentState& in,
                         const Command& command, Tick& tick) {
    if (!has_flag(command, CommandFlags::k_to_limit) || in.collects()) return Reason::none;
    const DepthLevel best = in.book.best(engine.store, opposite(command.side));
    tick = best.quantity.value > 0 ? best.tick : 0;
    return tick == 0 ? Reason::no_opposite_price : Reason::none;
}

bool rest_at_auction_price(EngineState& engine, InstrumentState& in, OrderIndex index, Tick price) {
    const Order& collected = engine.store.order(index);
    if (price == 0 || collected.extension == 0 ||
        !engine.store.extension(collected.extension).to_limit || !engine.store.has_room_for_price())
        return false;
    const Tick limit = valid_tick(in, collected.terms().side(), price);
    if (limit == 0) return false;
    Incoming order = withdraw(engine, in, index);
    order.terms.set_type(OrderType::limit);
    order.to_limit = false;
    order.set_limit(limit);
    rest_remainder(engine, order);
    return true;
}

}  // namespace damrak::detail
