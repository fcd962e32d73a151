#include <damrak/engine/detail/linked_orders.hpp>

#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

// Changes an open order by `change` while it is out of the hash.
template <class F>
void rehash(EngineState& engine, OrderIndex index, F&& change) {
    const Order& order = engine.store.order(index);
    InstrumentState& in = engine.instrument_of(order);
    in.orders_hash -= hash_of(engine, order);
    change();
    in.orders_hash += hash_of(engine, order);
}

// The order is not in the hash.
void remove_link(EngineState& engine, OrderIndex index) {
    const Order& order = engine.store.order(index);
    OrderExtension& extension = extension_of(engine, index);
    extension.listing = Listing::none;
    extension.set_other({});
    if (!order.terms().waiting() && extension.expire_time.value == 0 &&
        !needs_public_id(engine, order.id, order.terms(), engine.instrument_of(order).seals(order)))
        release_extension(engine, index);
}

// Whether an open order may get a link.
bool may_be_linked(const EngineState& engine, const Order& order) {
    const OrderAttributes terms = order.terms();
    if (terms.type() == OrderType::market || is_immediate(terms.time_in_force()) ||
        is_for_auctions(terms.time_in_force()) ||
        terms.has(OrderAttributes::k_elected | OrderAttributes::k_held))
        return false;
    if (order.extension == 0) return true;
    const OrderExtension& extension = engine.store.extension(order.extension);
    return extension.listing == Listing::none && extension.display_quantity.value == 0;
}

// Two limit orders must not be able to trade in one auction or with one order.
bool are_apart(Side side, Tick limit, const Order& other) {
    return other.terms().side() != side &&
           (side == Side::buy ? limit < other.tick : limit > other.tick);
}

void elect_due(EngineState& engine, OrderIndex index) {
    Order& order = engine.store.order(index);
    InstrumentState& in = engine.instrument_of(order);
    rehash(engine, index, [&] {
        delist(engine, index);
        extension_of(engine, index).listing = Listing::awake;
        OrderAttributes terms = order.terms();
        terms.clear(OrderAttributes::k_pending);
        terms.set(OrderAttributes::k_elected);
        order.set_terms(terms);
        order.set_arrival(in.book.next_arrival());
    });
    in.stops.elect(engine.store, index);
}

}  // namespace

Reason check_link(const InstrumentState& /*in*/, const Command& command) {
    if (!has_flag(command, CommandFlags::k_linked)) return Reason::none;
    const OrderDetails& order = command.order;
    constexpr auto k_follows = CommandFlags::k_pegged | CommandFlags::k_trailing;
    constexpr auto k_post_only = CommandFlags::k_post_only | CommandFlags::k_post_only_reprice;
    const bool waits = order.contingency == Contingency::one_triggers_other;
    if (command.order_type == OrderType::market || is_immediate(command.time_in_force) ||
        is_for_auctions(command.time_in_force) || (command.flags & k_follows) != 0 ||
        (waits && (command.flags & k_post_only) != 0) || order.display_quantity != Quantity{} ||
        order.minimum_quantity != Quantity{})
        return Reason::invalid_combination;
    return is_valid(order.contingency) && order.contingency != Contingency::none
               ? Reason::none
               : Reason::invalid_link;
}

Reason find_other(const EngineState& engine, const InstrumentState& in, const Command& command,
                  OrderIndex& other) {
    if (!has_flag(command, CommandFlags::k_linked)) return Reason::none;
    other = engine.store.find(command.instrument, command.new_order_id);
    if (other == 0) return Reason::invalid_link;
    const Order& named = engine.store.order(other);
    if (engine.owner_of(named) != command.participant || !may_be_linked(engine, named))
        return Reason::invalid_link;
    const bool both_limits =
        command.order_type == OrderType::limit && named.terms().type() == OrderType::limit;
    const bool fits = command.order.contingency == Contingency::one_triggers_other ||
                      !both_limits || are_apart(command.side, in.tick_of(command.price), named);
    return fits ? Reason::none : Reason::invalid_link;
}

Reason check_change(const EngineState& engine, const Order& order, Tick limit) {
    if (order.extension == 0) return Reason::none;
    const OrderExtension& extension = engine.store.extension(order.extension);
    if (extension.listing == Listing::quote) return Reason::invalid_quote;
    if (extension.listing != Listing::one_cancels_other) return Reason::none;
    const Order& other = engine.store.order(extension.next);
    const bool both_limits =
        order.terms().type() == OrderType::limit && other.terms().type() == OrderType::limit;
    return !both_limits || are_apart(order.terms().side(), limit, other) ? Reason::none
                                                                         : Reason::invalid_link;
}

void link(EngineState& engine, OrderIndex other, OrderIndex index, Contingency contingency) {
    const bool waits = contingency == Contingency::one_triggers_other;
    OrderExtension& mine = extension_of(engine, index);
    mine.listing = waits ? Listing::waits_for_other : Listing::one_cancels_other;
    mine.next = other;
    mine.set_other(engine.store.order(other).id);
    rehash(engine, other, [&] {
        Order& order = engine.store.order(other);
        if (order.extension == 0) {
            order.extension = engine.store.extension_pool.take();
            engine.store.extension(order.extension) = {};
            engine.store.extension(order.extension).public_id = order.id;
        }
        OrderExtension& theirs = engine.store.extension(order.extension);
        theirs.listing = waits ? Listing::triggers_other : Listing::one_cancels_other;
        theirs.next = index;
        theirs.set_other(engine.store.order(index).id);
    });
}

void cut_other(EngineState& engine, OrderIndex index, Quantity traded) {
    const OrderExtension& extension = extension_of(engine, index);
    if (extension.listing != Listing::one_cancels_other || traded.value == 0) return;
    const OrderIndex other = extension.next;
    const Order& order = engine.store.order(other);
    if (traded < open_of(engine, order))
        return cancel_part(engine, engine.instrument_of(order), other, traded,
                           Reason::linked_order);
    remove_link(engine, index);
    make_due(engine, other, Listing::ends_with_other);
}

void end_other(EngineState& engine, OrderIndex index) {
    OrderExtension& extension = extension_of(engine, index);
    const OrderIndex other = extension.next;
    extension.listing = Listing::none;
    rehash(engine, other, [&] { remove_link(engine, other); });
    const Order& order = engine.store.order(other);
    end_order(engine, engine.instrument_of(order), other, EventKind::cancelled,
              Reason::linked_order, engine.key_of(order));
}

void tell_other(EngineState& engine, OrderIndex index) {
    const OrderExtension& extension = extension_of(engine, index);
    if (!is_link(extension.listing)) return;
    rehash(engine, extension.next,
           [&] { extension_of(engine, extension.next).set_other(engine.store.order(index).id); });
}

// From now on both end, as if each cancelled the other.
void note_end(EngineState& engine, OrderIndex index) {
    Listing& listing = extension_of(engine, index).listing;
    if (listing == Listing::triggers_other) listing = Listing::one_cancels_other;
}

void detach(EngineState& engine, OrderIndex index) {
    const Order& order = engine.store.order(index);
    OrderExtension& extension = engine.store.extension(order.extension);
    switch (extension.listing) {
        case Listing::quote:
            engine.accounts.account(order.account)
                .quotes[static_cast<std::size_t>(order.terms().side())] = 0;
            break;
        case Listing::one_cancels_other:
            make_due(engine, extension.next, Listing::ends_with_other);
            break;
        case Listing::triggers_other:
            make_due(engine, extension.next, Listing::triggered);
            break;
        case Listing::waits_for_other:
            rehash(engine, extension.next, [&] { remove_link(engine, extension.next); });
            break;
        case Listing::awake:
            break;
        default:
            return delist(engine, index);
    }
    extension.listing = Listing::none;
}

void make_due(EngineState& engine, OrderIndex index, Listing how) {
    rehash(engine, index, [&] { enlist(engine, index, how); });
}

bool settle_due(EngineState& engine, InstrumentState& in) {
    while (const OrderIndex index = engine.progress.due.first) {
        if (engine.events_left() < k_event_margin) return false;
        const Listing how = extension_of(engine, index).listing;
        const Order& order = engine.store.order(index);
        if (how == Listing::triggered)
            elect_due(engine, index);
        else
            end_order(
                engine, engine.instrument_of(order), index, EventKind::cancelled,
                how == Listing::ends_with_quote ? Reason::quote_protection : Reason::linked_order,
                engine.key_of(order));
    }
    note_lists(engine, in);
    return true;
}

}  // namespace damrak::detail
