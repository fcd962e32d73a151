#include <damrak/engine/detail/batch.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

#include <damrak/auction/cross_allocation.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

constexpr std::uint64_t k_last = std::numeric_limits<std::uint64_t>::max();

// Calls `f(index)` for the orders of a side that an auction at this price lets trade, by priority,
// until it returns false.
template <class F>
void for_each_in_cross(const EngineState& engine, const InstrumentState& in, Side side, Tick price,
                       F&& f) {
    const AsideOrders& aside = in.book.aside(side);
    // Orders without a price are first in a cross, wherever their key ranks.
    const PriceKey market = price_key(side, 0);
    AsideOrders::Place behind{market, 0};
    for (;;) {
        const OrderIndex index = aside.first(engine.store, behind, AsideOrders::k_not_held);
        if (index == 0 || aside_key(engine, index) != market) break;
        if (!f(index)) return;
        behind = AsideOrders::place_of(engine.store, index);
    }
    behind =
        market < price_key(side, price) ? AsideOrders::Place{market, k_last} : AsideOrders::Place{};
    for (auto at = in.book.side(side).best();;) {
        const PriceKey key = std::min(
            at.key, aside_key(engine, aside.first(engine.store, behind, AsideOrders::k_not_held)));
        if (key > price_key(side, price)) return;
        LevelIndex hidden = 0;
        if (at.key == key) {
            if (!for_each_in_queue(engine.store, at.level, f)) return;
            hidden = engine.store.level(at.level).companion;
            at = in.book.side(side).next(engine.store.nodes, key);
        }
        const auto nothing = [] { return AsideOrders::k_not_held; };
        if (!for_each_undisplayed(engine, in.book, side, key, hidden, nothing, f)) return;
        behind = {key, k_last};
    }
}

// Carried-over orders of one batch have the same arrival.
std::uint64_t batch_of(const InstrumentState& in, const Order& order) {
    return std::min(order.arrival(), in.batch_begin + 1);
}

// Shows an order of the batch to the public, at the end of its queue.
void display(EngineState& engine, InstrumentState& in, OrderIndex index) {
    Order& order = engine.store.order(index);
    in.orders_hash -= hash_of(engine, order);
    in.book.remove(engine.store, index);
    OrderAttributes terms = order.terms();
    terms.clear(OrderAttributes::k_hidden);
    order.rank = Order::rank_of(engine.progress.suspended.arrival, terms);
    Quantity reserve;
    OrderId public_id = order.id;
    if (order.extension != 0) {
        OrderExtension& extension = engine.store.extension(order.extension);
        if (extension.display_quantity.value > 0)
            reserve = order.quantity - std::min(order.quantity, extension.display_quantity);
        extension.reserve = reserve;
        order.quantity -= reserve;
        if (has_private_id(engine, order.id)) {
            extension.public_id = in.next_public_id(order.instrument);
            public_id = extension.public_id;
        }
    }
    in.book.add_ranked(engine.store, index, terms, order.tick);
    engine.store.level(order.level).reserve += reserve;
    in.orders_hash += hash_of(engine, order);
    Event event = event_of(engine, in, order, EventKind::rested, Reason::none);
    event.reference = public_id.value;
    engine.emit(event);
}

// Lists the orders of a side by priority, from place `begin` on. Those that cannot all trade whole
// share. Returns the end of the list.
std::uint32_t list_side(EngineState& engine, const InstrumentState& in, Side side, Tick price,
                        Quantity executable, std::uint32_t begin) {
    Sharing& sharing = engine.sharing;
    std::uint32_t end = begin;
    std::uint32_t batch = begin;  // where the last batch of a price begins
    Quantity total;               // of that batch
    Quantity left = executable;
    for_each_in_cross(engine, in, side, price, [&](OrderIndex index) {
        const Order& order = engine.store.order(index);
        const Order& first = engine.store.order(sharing.orders[batch]);
        const bool joins =
            end > batch && order.tick == first.tick && batch_of(in, order) == batch_of(in, first);
        if (!joins) {
            if (total > left) return false;
            left -= total;
            total = Quantity{0};
            batch = end;
        }
        sharing.orders[end] = index;
        sharing.fills[end++] = open_of(engine, order);
        total += open_of(engine, order);
        return true;
    });
    if (total > left)
        auction::ration(left, in.definition().lot_size,
                        std::span{sharing.fills.data() + batch, end - batch});
    return end;
}

}  // namespace

void list_trades(EngineState& engine, const InstrumentState& in, Tick price, Quantity executable) {
    std::uint32_t begin = 0;
    for (const Side side : {Side::buy, Side::sell}) {
        const std::uint32_t end = list_side(engine, in, side, price, executable, begin);
        engine.progress.rounds[static_cast<std::size_t>(side)] = {begin, end};
        begin = end;
    }
}

InCross next_listed(EngineState& engine, Side side) {
    Round& round = engine.progress.rounds[static_cast<std::size_t>(side)];
    const Sharing& sharing = engine.sharing;
    while (round.next < round.end && sharing.fills[round.next].value == 0) ++round.next;
    if (round.next == round.end) return {};
    return {sharing.orders[round.next], sharing.fills[round.next]};
}

void note_listed(EngineState& engine, Side side, Quantity quantity) {
    const Round& round = engine.progress.rounds[static_cast<std::size_t>(side)];
    engine.sharing.fills[round.next] -= quantity;
}

bool end_batch(EngineState& engine, InstrumentState& in) {
    std::uint64_t& arrival = engine.progress.suspended.arrival;
    if (arrival == 0) arrival = in.book.next_arrival();
    const auto release = [&](OrderIndex index) {
        const Order& order = engine.store.order(index);
        if (!in.seals(order)) return true;
        if (engine.events_left() < k_event_margin) return false;
        if (order.terms().time_in_force() == TimeInForce::ioc)
            end_order(engine, in, index, EventKind::cancelled, Reason::end_of_batch,
                      engine.key_of(order));
        else
            display(engine, in, index);
        return true;
    };
    for (const Side side : {Side::buy, Side::sell}) {
        const PriceLadder& ladder = in.book.side(side);
        for (auto at = ladder.best(); at.level != 0; at = ladder.next(engine.store.nodes, at.key)) {
            const LevelIndex hidden = engine.store.level(at.level).companion;
            if (hidden != 0 && !for_each_in_queue(engine.store, hidden, release)) return false;
        }
    }
    in.batch_begin = arrival;
    return true;
}

}  // namespace damrak::detail
