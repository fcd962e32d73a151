// A state of rules version 1 becomes one of today's: what rests under a condition leaves the queues
// (rule book, sections 5 and 7). No order trades here, as no command could tell of it.
#include <utility>
#include <vector>

#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

void Engine::adopt_rules_1() {
    for (AccountIndex i = 1; i <= accounts_.highest_account(); ++i)
        accounts_.account(i).held_orders = 0;  // counted as they go aside
    for (InstrumentState& in : instruments_) {
        if (!in.exists()) continue;
        if (std::exchange(in.aside_orders, 0) > 0) set_held_aside(in);
        uncross(in);
    }
    latest_stopped_ = 0;
}

void Engine::set_held_aside(InstrumentState& in) {
    std::vector<OrderIndex> held;
    for (const Side side : {Side::buy, Side::sell})
        in.book.for_each_order(store_, side, [&](OrderIndex index) {
            if (store_.order(index).terms().has(OrderAttributes::k_held)) held.push_back(index);
            return true;
        });
    for (const OrderIndex index : held) set_aside(in, index);
}

// Of two orders that cross, the later one goes aside: it would not have been displayed. Where it
// may trade, it takes its turn with the next command of the instrument.
void Engine::uncross(InstrumentState& in) {
    const PriceLadder& bids = in.book.side(Side::buy);
    const PriceLadder& asks = in.book.side(Side::sell);
    while (!bids.empty() && !asks.empty() &&
           damrak::tick_of(Side::buy, bids.best_key()) >=
               damrak::tick_of(Side::sell, asks.best_key())) {
        OrderIndex latest = 0;
        for (const LevelIndex displayed : {bids.best_level(), asks.best_level()})
            for (const LevelIndex queue : {displayed, store_.level(displayed).companion}) {
                const OrderIndex last = queue == 0 ? 0 : store_.level(queue).tail;
                if (latest == 0 ||
                    (last != 0 && store_.order(last).arrival() > store_.order(latest).arrival()))
                    latest = last;
            }
        set_aside(in, latest);
    }
}

// With its place in time. What is not displayed has no slices.
void Engine::set_aside(InstrumentState& in, OrderIndex index) {
    Order& order = store_.order(index);
    remove_tallies(in, index);
    in.book.remove(store_, index, reserve_of(order));
    OrderAttributes terms = order.terms();
    terms.set(OrderAttributes::k_aside);
    order.set_terms(terms);
    order.quantity = open_of(order);
    if (order.extension != 0) store_.extension(order.extension).reserve = Quantity{0};
    in.book.put_aside(store_, index);
    count_aside(in, index, 1);
    add_tallies(in, index);
}

}  // namespace damrak
