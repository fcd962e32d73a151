// What must hold between commands, checked by walking over everything. For tests: it is slow.
#include <array>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

void Engine::check_invariants() const {
    struct Tally {
        std::array<Quantity, 2> quantity{};
        std::array<std::uint32_t, 2> orders{};
        std::int64_t value = 0;
        std::uint32_t held = 0;
    };
    std::vector<Tally> by_account(accounts_.highest_account() + std::size_t{1});
    std::uint32_t orders = 0;
    std::uint32_t extensions = 0;
    for (const InstrumentState& in : instruments_) {
        if (!in.exists()) continue;
        std::uint64_t hash = 0;
        std::uint32_t aside = 0;
        std::uint32_t stopped = 0;
        const auto check = [&](OrderIndex index) {
            const Order& order = store_.order(index);
            DAMRAK_ASSERT(store_.find(order.instrument, order.id) == index);
            DAMRAK_ASSERT(order.quantity.value > 0 && reserve_of(order).value >= 0);
            ++orders;
            extensions += order.extension != 0 ? 1U : 0U;
            const bool is_held = order.terms().has(OrderAttributes::k_held);
            aside += order.terms().has(k_conditional) ? 1U : 0U;
            stopped += order.terms().has(OrderAttributes::k_aside) && !is_held ? 1U : 0U;
            hash += hash_of(order);
            const auto side = static_cast<std::size_t>(order.terms().side());
            Tally& tally = by_account[order.account];
            tally.quantity[side] += open_of(order);
            ++tally.orders[side];
            tally.held += is_held ? 1U : 0U;
            tally.value += value_of(in, order, open_of(order));
            return true;
        };
        for (const Side side : {Side::buy, Side::sell}) in.book.for_each_order(store_, side, check);
        in.stops.for_each(store_, check);
        DAMRAK_ASSERT(hash == in.orders_hash);
        DAMRAK_ASSERT(aside == in.aside_orders && stopped == in.stopped_orders);
        in.book.check_invariants(store_);
        const DepthLevel bid = in.book.best(store_, Side::buy);
        const DepthLevel ask = in.book.best(store_, Side::sell);
        const bool both = bid.quantity.value > 0 && ask.quantity.value > 0;
        DAMRAK_ASSERT(bounded() || !both || bid.tick < ask.tick);
    }
    DAMRAK_ASSERT(orders == store_.order_pool.used());
    DAMRAK_ASSERT(extensions == store_.extension_pool.used());

    std::vector<std::int64_t> value(accounts_.participant_count() + std::size_t{1});
    std::vector<std::uint32_t> open(value.size());
    for (AccountIndex i = 1; i <= accounts_.highest_account(); ++i) {
        const Account& account = accounts_.account(i);
        DAMRAK_ASSERT(account.open_quantity == by_account[i].quantity);
        DAMRAK_ASSERT(account.open_orders == by_account[i].orders);
        DAMRAK_ASSERT(account.held_orders == by_account[i].held);
        value[account.participant.value] += by_account[i].value;
        open[account.participant.value] += account.open_orders[0] + account.open_orders[1];
    }
    for (std::uint32_t i = 1; i < value.size(); ++i) {
        DAMRAK_ASSERT(accounts_.participant(ParticipantId{i}).open_notional == value[i]);
        DAMRAK_ASSERT(accounts_.participant(ParticipantId{i}).open_orders == open[i]);
    }
}

}  // namespace damrak
