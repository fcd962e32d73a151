#include <damrak/engine/detail/auction_orders.hpp>

#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

// Whether a call runs whose auction is one of those that the order is for.
bool is_called(const InstrumentState& in, TimeInForce tif) {
    if (in.phase != Phase::call) return false;
    if (tif == TimeInForce::at_open) return in.call == CallKind::opening;
    return tif == TimeInForce::at_auction || in.call == CallKind::closing;
}

// Takes an order that is in no queue into the call.
void rest_in_call(EngineState& engine, Incoming& order) {
    order.terms.set(order.terms.type() == OrderType::market ? OrderAttributes::k_aside
                                                            : OrderAttributes::k_hidden);
    rest(engine, order);
}

void wait_for_call(EngineState& engine, Incoming& order) {
    order.terms.set(OrderAttributes::k_pending);
    Order& waiting = settle(engine, order);
    waiting.level = 0;
    waiting.set_arrival(order.in->book.next_arrival());
    add_tallies(engine, *order.in, order.index);
}

void emit_rested(EngineState& engine, const InstrumentState& in, OrderIndex index) {
    const Order& order = engine.store.order(index);
    Event event = event_of(engine, in, order, EventKind::rested, Reason::none);
    event.reference = order.id.value;
    engine.emit(event);
}

}  // namespace

Reason check_auction_terms(const Command& command) {
    const bool imbalance_only = has_flag(command, CommandFlags::k_imbalance_only);
    if (!is_for_auctions(command.time_in_force))
        return imbalance_only ? Reason::invalid_combination : Reason::none;
    constexpr auto k_others = CommandFlags::k_post_only | CommandFlags::k_post_only_reprice |
                              CommandFlags::k_hidden | CommandFlags::k_pegged |
                              CommandFlags::k_to_limit | CommandFlags::k_trailing;
    const bool fits = !is_stop(command.order_type) && (command.flags & k_others) == 0 &&
                      command.order.display_quantity == Quantity{} &&
                      command.order.minimum_quantity == Quantity{} &&
                      (!imbalance_only || command.order_type == OrderType::limit);
    return fits ? Reason::none : Reason::invalid_combination;
}

Reason check_auction_phase(const InstrumentState& in, const Command& command) {
    if (!is_for_auctions(command.time_in_force)) return Reason::none;
    const auto restricts = [&](PhaseRestrictions::Bits bit) {
        return (in.restrictions & bit) != 0;
    };
    const bool opens =
        in.phase == Phase::pre_open || (in.phase == Phase::call && in.call == CallKind::opening);
    const bool taken = command.time_in_force == TimeInForce::at_open    ? opens
                       : command.time_in_force == TimeInForce::at_close ? in.phase != Phase::at_last
                                                                        : true;
    const bool refused = has_limit(command.order_type)
                             ? restricts(PhaseRestrictions::k_limit_auction_orders) &&
                                   !has_flag(command, CommandFlags::k_imbalance_only)
                             : restricts(PhaseRestrictions::k_market_auction_orders);
    return taken && !refused ? Reason::none : Reason::not_in_phase;
}

Reason check_changes(const InstrumentState& in, const Order& order) {
    const bool refused = (in.restrictions & PhaseRestrictions::k_changes) != 0 ||
                         ((in.restrictions & PhaseRestrictions::k_auction_order_changes) != 0 &&
                          is_for_auctions(order.terms().time_in_force()));
    return refused ? Reason::not_in_phase : Reason::none;
}

void enter_auction_order(EngineState& engine, Incoming& order, EventKind kind,
                         std::uint64_t reference) {
    InstrumentState& in = *order.in;
    if (is_called(in, order.terms.time_in_force()) && !order.imbalance_only)
        rest_in_call(engine, order);
    else
        wait_for_call(engine, order);
    if (extension_of(engine, order.index).listing == Listing::auction) delist(engine, order.index);
    enlist(engine, order.index, Listing::auction);
    Event event = event_of(engine, in, engine.store.order(order.index), kind, Reason::none);
    emit_entry(engine, event, order, reference);
}

void join_call(EngineState& engine, InstrumentState& in, OrderIndex index) {
    const Order& waiting = engine.store.order(index);
    if (has_limit(waiting.terms().type()) && !engine.store.has_room_for_price())
        return end_order(engine, in, index, EventKind::cancelled, Reason::levels_full,
                         engine.key_of(waiting));
    Incoming order = withdraw(engine, in, index);
    rest_in_call(engine, order);
    emit_rested(engine, in, index);
}

void attend_call(EngineState& engine, InstrumentState& in) {
    const auto attend = [&](OrderIndex index) {
        const OrderAttributes terms = engine.store.order(index).terms();
        const bool joins =
            is_called(in, terms.time_in_force()) && !extension_of(engine, index).imbalance_only;
        if (joins != terms.waiting()) return true;
        if (engine.events_left() < k_event_margin) return false;
        if (joins) {
            join_call(engine, in, index);
        } else {
            Incoming order = withdraw(engine, in, index);
            wait_for_call(engine, order);
            emit_rested(engine, in, index);
        }
        return true;
    };
    if (!for_each_auction_order(engine, in, attend)) engine.suspend(Work::auction_orders, in);
}

OrderIndex next_for_surplus(const EngineState& engine, const InstrumentState& in, Side side,
                            Tick price, OrderIndex from) {
    for (OrderIndex index = from; index != 0; index = extension_of(engine, index).next) {
        const Order& order = engine.store.order(index);
        if (extension_of(engine, index).imbalance_only && order.terms().waiting() &&
            order.terms().side() == side && is_called(in, order.terms().time_in_force()) &&
            price_key(side, order.tick) <= price_key(side, price))
            return index;
    }
    return 0;
}

bool end_auction_orders(EngineState& engine, InstrumentState& in) {
    return for_each_auction_order(engine, in, [&](OrderIndex index) {
        const Order& order = engine.store.order(index);
        if (!is_called(in, order.terms().time_in_force())) return true;
        if (engine.events_left() < k_event_margin) return false;
        end_order(engine, in, index, EventKind::cancelled, Reason::end_of_auction,
                  engine.key_of(order));
        return true;
    });
}

}  // namespace damrak::detail
