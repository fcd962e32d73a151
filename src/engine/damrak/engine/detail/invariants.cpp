#include <damrak/engine/detail/invariants.hpp>

#include <array>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

struct Tally {
    std::array<Quantity, 2> quantity{};
    std::array<std::uint32_t, 2> orders{};
    Int128 value = 0;
    std::uint32_t held = 0;
    std::uint32_t following = 0;
};

template <class Belongs>
void check_list(const EngineState& engine, const OrderList& list, Belongs&& belongs) {
    for (OrderIndex index = list.first, previous = 0; index != 0;) {
        const Order& order = engine.store.order(index);
        const OrderExtension& extension = engine.store.extension(order.extension);
        DAMRAK_ASSERT(belongs(order, extension) && extension.previous == previous);
        previous = index;
        index = extension.next;
        DAMRAK_ASSERT(index != 0 || list.last == previous);
    }
}

// The order's place in a link or in a quote.
void check_relations(const EngineState& engine, OrderIndex index) {
    const Order& order = engine.store.order(index);
    const OrderExtension& extension = engine.store.extension(order.extension);
    if (extension.listing == Listing::quote) {
        const auto side = static_cast<std::size_t>(order.terms().side());
        DAMRAK_ASSERT(engine.accounts.account(order.account).quotes[side] == index);
    }
    if (!is_link(extension.listing)) return;
    const Order& other = engine.store.order(extension.next);
    const OrderExtension& theirs = engine.store.extension(other.extension);
    DAMRAK_ASSERT(theirs.next == index && other.account == order.account);
    DAMRAK_ASSERT(extension.other() == other.id);
    const bool leads = extension.listing == Listing::triggers_other;
    const bool waits = extension.listing == Listing::waits_for_other;
    DAMRAK_ASSERT(theirs.listing == (leads   ? Listing::waits_for_other
                                     : waits ? Listing::triggers_other
                                             : Listing::one_cancels_other));
    DAMRAK_ASSERT(!waits || order.terms().has(OrderAttributes::k_pending));
}

void check_lists(const EngineState& engine, const InstrumentState& in,
                 std::vector<Tally>& by_account) {
    check_list(engine, in.pegs, [&](const Order& order, const OrderExtension& extension) {
        ++by_account[order.account].following;
        return extension.listing == Listing::pegged && extension.peg != PegReference::none;
    });
    check_list(engine, in.trailing, [&](const Order& order, const OrderExtension& extension) {
        ++by_account[order.account].following;
        return extension.listing == Listing::trailing &&
               order.terms().has(OrderAttributes::k_pending) && extension.offset() > 0;
    });
    // Those in the book are not displayed. Between commands none is in it without a call.
    check_list(engine, in.auction_orders, [&](const Order& order, const OrderExtension& extension) {
        const OrderAttributes terms = order.terms();
        return extension.listing == Listing::auction && is_for_auctions(terms.time_in_force()) &&
               (terms.waiting() ||
                (terms.undisplayed() && in.phase == Phase::call && !extension.imbalance_only));
    });
    DAMRAK_ASSERT(in.follows_orders == (in.pegs.first != 0 || in.combined()));
    DAMRAK_ASSERT(in.follows_trades == (in.trailing.first != 0 || in.combined()));
}

}  // namespace

void check_invariants(const EngineState& engine) {
    std::vector<Tally> by_account(engine.accounts.highest_account() + std::size_t{1});
    std::uint32_t orders = 0;
    std::uint32_t extensions = 0;
    DAMRAK_ASSERT(engine.progress.due.first == 0);
    for (const InstrumentState& in : engine.instruments) {
        if (!in.exists()) continue;
        std::uint64_t hash = 0;
        std::uint32_t aside = 0;
        std::uint32_t stopped = 0;
        const auto check = [&](OrderIndex index) {
            const Order& order = engine.store.order(index);
            DAMRAK_ASSERT(engine.store.find(order.instrument, order.id) == index);
            DAMRAK_ASSERT(order.quantity.value > 0 && reserve_of(engine, order).value >= 0);
            ++orders;
            extensions += order.extension != 0 ? 1U : 0U;
            const bool is_held = order.terms().has(OrderAttributes::k_held);
            if (order.extension != 0) check_relations(engine, index);
            const bool is_aside = order.terms().has(OrderAttributes::k_aside);
            DAMRAK_ASSERT(is_aside || !is_held);
            aside += is_aside ? 1U : 0U;
            const bool is_market = order.terms().type() == OrderType::market;
            DAMRAK_ASSERT(!is_market || in.collects() || awaits_auction(order));
            stopped += is_aside && !is_held && !is_market ? 1U : 0U;
            hash += hash_of(engine, order);
            const auto side = static_cast<std::size_t>(order.terms().side());
            Tally& tally = by_account[order.account];
            tally.quantity[side] += open_of(engine, order);
            ++tally.orders[side];
            tally.held += is_held ? 1U : 0U;
            tally.value += value_of(engine, in, order, open_of(engine, order));
            return true;
        };
        for (const Side side : {Side::buy, Side::sell})
            in.book.for_each_order(engine.store, side, check);
        in.stops.for_each(engine.store, check);
        for_each_auction_order(engine, in, [&](OrderIndex index) {
            return !awaits_auction(engine.store.order(index)) || check(index);
        });
        check_lists(engine, in, by_account);
        DAMRAK_ASSERT(hash == in.orders_hash);
        DAMRAK_ASSERT(aside == in.aside_orders && stopped == in.stopped_orders);
        in.book.check_invariants(engine.store);
        const DepthLevel bid = in.book.best(engine.store, Side::buy);
        const DepthLevel ask = in.book.best(engine.store, Side::sell);
        const bool both = bid.quantity.value > 0 && ask.quantity.value > 0;
        DAMRAK_ASSERT(in.collects() || !both || bid.tick < ask.tick);
    }
    DAMRAK_ASSERT(orders == engine.store.order_pool.used());
    DAMRAK_ASSERT(extensions == engine.store.extension_pool.used());

    std::vector<Int128> value(engine.accounts.participant_count() + std::size_t{1});
    std::vector<std::uint32_t> open(value.size());
    for (AccountIndex i = 1; i <= engine.accounts.highest_account(); ++i) {
        const Account& account = engine.accounts.account(i);
        DAMRAK_ASSERT(account.open_quantity == by_account[i].quantity);
        DAMRAK_ASSERT(account.open_orders == by_account[i].orders);
        DAMRAK_ASSERT(account.held_orders == by_account[i].held);
        DAMRAK_ASSERT(account.following_orders == by_account[i].following);
        value[account.participant.value] += by_account[i].value;
        open[account.participant.value] += account.open_orders[0] + account.open_orders[1];
    }
    for (std::uint32_t i = 1; i < value.size(); ++i) {
        DAMRAK_ASSERT(engine.accounts.open_notional(ParticipantId{i}) == value[i]);
        DAMRAK_ASSERT(engine.accounts.participant(ParticipantId{i}).open_orders == open[i]);
    }
}

}  // namespace damrak::detail
