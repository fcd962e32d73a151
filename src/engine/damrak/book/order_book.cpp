#include <damrak/book/order_book.hpp>

#include <tuple>

#include <damrak/base/assert.hpp>

namespace damrak {

namespace {

void check_queue(const BookStore& store, LevelIndex level, Side side, Tick tick, bool displayed) {
    Quantity total;
    Quantity reserve;
    std::uint32_t count = 0;
    std::uint64_t arrival = 0;
    OrderIndex previous = 0;
    for_each_in_queue(store, level, [&](OrderIndex index) {
        const Order& order = store.order(index);
        DAMRAK_ASSERT(order.level == level && order.previous == previous);
        DAMRAK_ASSERT(order.tick == tick && order.terms().side() == side);
        DAMRAK_ASSERT(order.terms().undisplayed() != displayed);
        DAMRAK_ASSERT(!order.terms().has(OrderAttributes::k_aside));
        DAMRAK_ASSERT(order.arrival() >= arrival);  // orders of one batch have the same
        arrival = order.arrival();
        previous = index;
        ++count;
        total += order.quantity;
        if (order.extension != 0) reserve += store.extension(order.extension).reserve;
        return true;
    });
    const Level& queue = store.level(level);
    DAMRAK_ASSERT(queue.tail == previous && queue.count == count);
    DAMRAK_ASSERT(queue.total == total && queue.reserve == reserve);
}

}  // namespace

void OrderBook::check_invariants(const BookStore& store) const {
    for (const Side side : {Side::buy, Side::sell}) {
        std::ignore = aside(side).check_invariants(store, side);
        const PriceLadder& ladder = this->side(side);
        PriceKey worst = 0;
        for (auto at = ladder.best(); at.level != 0; at = ladder.next(store.nodes, at.key)) {
            DAMRAK_ASSERT(at.key >= worst && ladder.find(store.nodes, at.key) == at.level);
            worst = at.key + 1;
            const LevelIndex hidden = store.level(at.level).companion;
            DAMRAK_ASSERT(store.level(at.level).count > 0 || hidden != 0);
            check_queue(store, at.level, side, tick_of(side, at.key), true);
            if (hidden == 0) continue;
            DAMRAK_ASSERT(store.level(hidden).count > 0);
            DAMRAK_ASSERT(store.level(hidden).companion == at.level);
            check_queue(store, hidden, side, tick_of(side, at.key), false);
        }
    }
}

}  // namespace damrak
