#include <damrak/engine/detail/earlier_rules.hpp>

#include <utility>
#include <vector>

#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

// Keeps the order's place in time. Undisplayed orders have no slices.
void set_aside(EngineState& engine, InstrumentState& in, OrderIndex index) {
    Order& order = engine.store.order(index);
    remove_tallies(engine, in, index);
    in.book.remove(engine.store, index, reserve_of(engine, order));
    OrderAttributes terms = order.terms();
    terms.set(OrderAttributes::k_aside);
    order.set_terms(terms);
    order.quantity = open_of(engine, order);
    if (order.extension != 0) engine.store.extension(order.extension).reserve = Quantity{0};
    in.book.put_aside(engine.store, index);
    count_aside(engine, in, index, 1);
    add_tallies(engine, in, index);
}

void set_held_aside(EngineState& engine, InstrumentState& in) {
    std::vector<OrderIndex> held;
    for (const Side side : {Side::buy, Side::sell})
        in.book.for_each_order(engine.store, side, [&](OrderIndex index) {
            if (engine.store.order(index).terms().has(OrderAttributes::k_held))
                held.push_back(index);
            return true;
        });
    for (const OrderIndex index : held) set_aside(engine, in, index);
}

// Of two orders that cross, the later one leaves the queues: under today's rules it would not have
// been displayed. If it may trade, it does so with the next command of the instrument.
void uncross(EngineState& engine, InstrumentState& in) {
    const PriceLadder& bids = in.book.side(Side::buy);
    const PriceLadder& asks = in.book.side(Side::sell);
    while (!bids.empty() && !asks.empty() &&
           tick_of(Side::buy, bids.best_key()) >= tick_of(Side::sell, asks.best_key())) {
        OrderIndex latest = 0;
        for (const LevelIndex displayed : {bids.best_level(), asks.best_level()})
            for (const LevelIndex queue : {displayed, engine.store.level(displayed).companion}) {
                const OrderIndex last = queue == 0 ? 0 : engine.store.level(queue).tail;
                if (latest == 0 || (last != 0 && engine.store.order(last).arrival() >
                                                     engine.store.order(latest).arrival()))
                    latest = last;
            }
        set_aside(engine, in, latest);
    }
}

}  // namespace

void adopt_rules_1(EngineState& engine) {
    for (AccountIndex i = 1; i <= engine.accounts.highest_account(); ++i)
        engine.accounts.account(i).held_orders = 0;  // counted again as they leave the queues
    for (InstrumentState& in : engine.instruments) {
        if (!in.exists()) continue;
        if (std::exchange(in.aside_orders, 0) > 0) set_held_aside(engine, in);
        uncross(engine, in);
    }
    engine.progress.latest_stopped = 0;
}

}  // namespace damrak::detail
