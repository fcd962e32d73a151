// New orders: checked, admitted, entered (rule book, sections 2 and 4).
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

// The order is accepted from here on: opens its account, and allocates its id if the engine does.
// Of an order that does not come in displayed, it is a private one.
DAMRAK_HOT OrderId admit(EngineState& engine, InstrumentState& in, const Command& command,
                         OrderIdMap::Key& key, AccountIndex& account, bool is_shown) {
    if (account == 0) [[unlikely]] {
        in.ever_used = true;
        account = engine.accounts.open(command.participant, command.instrument);
    }
    if (engine.config.order_id_source == OrderIdSource::command) return command.order_id;
    const bool is_counted = is_shown || engine.config.order_id_source == OrderIdSource::engine;
    const OrderId id = is_counted ? in.next_public_id(command.instrument)
                                  : engine.next_private_id(command.instrument);
    key = engine.store.ids.key_of(command.instrument, id);
    return id;
}

// What the checks of a plain order find.
struct PlainOrder {
    Tick tick = 0;  ///< limit; zero for market orders
    AccountIndex account = 0;
    std::int64_t value = 0;  ///< in limits
};

template <OrderType k_type>
DAMRAK_HOT Reason check_plain(const EngineState& engine, InstrumentState& in,
                              const Command& command, OrderIdMap::Key key, PlainOrder& found) {
    if (const Reason reason = check_participant(engine, command); reason != Reason::none)
        return reason;
    if (const Reason reason = in.check_quantity(command.quantity); reason != Reason::none)
        return reason;
    if constexpr (has_limit(k_type)) {
        if (const Reason reason = in.check_price(command.price, Reason::invalid_price, found.tick);
            reason != Reason::none)
            return reason;
    } else if (command.price != Price{}) {
        return Reason::invalid_price;
    }
    if (const Reason reason = check_id(engine, command, key); reason != Reason::none) return reason;
    found.account = find_account(engine, in, command.participant);
    found.value = reference_price(in, k_type, command.price, {}).value * command.quantity.value;
    if (const Reason reason =
            engine.accounts.check(command.participant, found.account, command.side,
                                  {command.quantity, found.value, 1}, {});
        reason != Reason::none)
        return reason;
    return check_room(engine, found.account, command.participant);
}

// With Shape::any the order may be hidden.
template <Shape k_shape = Shape::plain>
DAMRAK_HOT void rest_plain(EngineState& engine, InstrumentState& in, const Command& command,
                           OrderAttributes terms, OrderId id, OrderIdMap::Key key,
                           const PlainOrder& found) {
    const ParticipantId participant = command.participant;
    const Quantity quantity = command.quantity;
    engine.accounts.add_checked(participant, found.account, terms.side(), quantity, found.value);
    const OrderIndex index = engine.store.order_pool.take();
    engine.store.ids.insert(key, index);
    const Order& order = engine.store.order(index) = {.id = id,
                                                      .quantity = quantity,
                                                      .executed = Quantity{0},
                                                      .tick = found.tick,
                                                      .rank = in.book.next_rank(terms),
                                                      .next = 0,
                                                      .previous = 0,
                                                      .level = 0,
                                                      .account = found.account,
                                                      .extension = 0,
                                                      .instrument = command.instrument};
    in.orders_hash += hash_of<Shape::plain>(engine, order);
    in.book.add_ranked<k_shape>(engine.store, index, terms, found.tick);
    const bool hidden = k_shape == Shape::any && terms.has(OrderAttributes::k_hidden);
    const auto flags = static_cast<EventFlags::Bits>(
        EventFlags::k_on_book | (hidden ? EventFlags::k_hidden : EventFlags::Bits{0}));
    engine.emit(make_event(
        EventHead::of(EventKind::accepted, CommandKind::new_order, terms, Reason::none, flags),
        {.instrument = command.instrument,
         .participant = participant,
         .order_id = id,
         .reference = command.client_order_id.value,
         .price = command.price,
         .quantity = quantity,
         .remaining = quantity,
         .displayed = hidden ? Quantity{0} : quantity}));
}

DAMRAK_COLD inline void enter_plain(EngineState& engine, InstrumentState& in,
                                    const Command& command, OrderAttributes terms, OrderId id,
                                    OrderIdMap::Key key, AccountIndex account, Tick tick) {
    Incoming order{&in, id, terms, account, command.participant, command.quantity};
    order.key = key;
    order.set_limit(tick);
    enter<Shape::plain>(engine, order, EventKind::accepted, command.client_order_id.value);
}

// The limits of the participant, if the order is valued at this price.
inline Reason check_exposure(const EngineState& engine, const Command& command,
                             AccountIndex account, Price at) {
    return engine.accounts.check(command.participant, account, command.side,
                                 {command.quantity, value_at(at, command.quantity), 1}, {});
}

// The prices of a new order that is not plain.
struct EntryPrices {
    Tick tick = 0;           ///< limit; zero for market orders
    Tick stop = 0;           ///< of stop orders
    bool by_market = false;  ///< whether the market gave the limit
    Peg peg{};
};

DAMRAK_COLD inline Reason find_prices(const EngineState& engine, const InstrumentState& in,
                                      const Command& command, EntryPrices& prices) {
    prices.tick = in.limit_of(command.order_type, command.price);
    prices.peg = peg_of(in, command);
    if (const Reason reason = check_peg_price(engine, in, prices.peg, prices.tick);
        reason != Reason::none)
        return reason;
    if (const Reason reason = check_first_price(engine, in, command, prices.tick);
        reason != Reason::none)
        return reason;
    const bool to_limit = has_flag(command, CommandFlags::k_to_limit) && !in.collects();
    prices.by_market = to_limit || prices.peg.follows != PegReference::none;
    return check_stop_price(in, command, prices.stop);
}

// Whether the new order waits for the one that it names.
inline bool waits_for_other(const Command& command) {
    return has_flag(command, CommandFlags::k_linked) &&
           command.order.contingency == Contingency::one_triggers_other;
}

// Whether the terms of the order let it come in displayed.
inline bool comes_in_shown(const Command& command) {
    const bool has_price =
        command.order_type == OrderType::limit || has_flag(command, CommandFlags::k_pegged);
    return has_price && command.time_in_force < TimeInForce::ioc &&
           !has_flag(command, CommandFlags::k_hidden) &&
           command.order.minimum_quantity == Quantity{} && !waits_for_other(command);
}

// Enters an accepted order; `other` is the one that it is linked to, or zero.
inline void enter_special(EngineState& engine, Incoming& order, const Command& command, Tick stop,
                          OrderIndex other) {
    const std::uint64_t reference = command.client_order_id.value;
    order.display = command.order.display_quantity;
    order.minimum = command.order.minimum_quantity;
    order.expire_time = command.order.expire_time;
    if (has_flag(command, CommandFlags::k_trailing))
        order.trail = order.in->tick_of(command.order.offset);
    order.imbalance_only = has_flag(command, CommandFlags::k_imbalance_only);
    if (other != 0) {
        prepare(engine, order);
        link(engine, other, order.index, command.order.contingency);
    }
    if (waits_for_other(command))
        wait_for_other(engine, order, EventKind::accepted, reference, stop);
    else if (is_for_auctions(command.time_in_force))
        enter_auction_order(engine, order, EventKind::accepted, reference);
    else if (is_stop(command.order_type))
        enter_stop(engine, order, EventKind::accepted, reference, stop);
    else
        enter(engine, order, EventKind::accepted, reference);
}

DAMRAK_COLD inline Reason new_special_order(EngineState& engine, InstrumentState& in,
                                            const Command& command, OrderIdMap::Key key) {
    if (const Reason reason = check_special(engine, command, in); reason != Reason::none)
        return reason;
    if (in.combination == CombinationKind::basket && !suits_basket(command))
        return Reason::not_tradable;
    if (const Reason reason = check_id(engine, command, key); reason != Reason::none) return reason;
    OrderIndex other = 0;
    if (const Reason reason = find_other(engine, in, command, other); reason != Reason::none)
        return reason;
    EntryPrices prices;
    if (const Reason reason = find_prices(engine, in, command, prices); reason != Reason::none)
        return reason;
    Tick tick = prices.tick;
    AccountIndex account = find_account(engine, in, command.participant);
    const Price at =
        prices.by_market ? in.price_of(tick)
        : command.order_type == OrderType::market
            ? market_value_price(engine, {.in = &in,
                                          .side = command.side,
                                          .rule = command.self_trade_prevention,
                                          .account = account,
                                          .open = command.quantity})
            : reference_price(in, command.order_type, command.price, in.price_of(prices.stop));
    if (const Reason reason = check_exposure(engine, command, account, at); reason != Reason::none)
        return reason;
    if (!may_be_held(engine, command, account)) return Reason::limit_held_orders;
    if (!may_follow(engine, command, account)) return Reason::limit_pegged_orders;
    if (const Reason reason = check_room_special(engine, in, command, account, other);
        reason != Reason::none)
        return reason;

    OrderAttributes terms = OrderAttributes::of_head(head_of(command));
    if (has_flag(command, CommandFlags::k_hidden)) terms.set(OrderAttributes::k_hidden);
    if (has_flag(command, CommandFlags::k_post_only)) terms.set(OrderAttributes::k_post_only);
    if (has_flag(command, CommandFlags::k_post_only_reprice))
        terms.set(OrderAttributes::k_post_only_reprice);
    if (prices.by_market) terms.set_type(OrderType::limit);
    bool repriced = false;
    if (const Reason reason = check_post_only(engine, in, terms, command.quantity, tick, repriced);
        reason != Reason::none)
        return reason;
    const PriceTerms asked{.side = command.side,
                           .type = terms.type(),
                           .waits = is_stop(command.order_type) && !waits_for_other(command),
                           .limit = prices.by_market ? in.price_of(tick) : command.price,
                           .stop = in.price_of(prices.stop)};
    if (const Reason reason = check_price_limits(in, asked); reason != Reason::none) return reason;
    if (repriced)
        if (const Reason reason = check_exposure(engine, command, account, in.price_of(tick));
            reason != Reason::none)
            return reason;

    const OrderId id = admit(engine, in, command, key, account, comes_in_shown(command));
    Incoming order{&in, id, terms, account, command.participant, command.quantity};
    order.key = key;
    order.repriced = repriced;
    order.set_limit(tick);
    order.peg = prices.peg;
    order.to_limit = has_flag(command, CommandFlags::k_to_limit) && !prices.by_market;
    enter_special(engine, order, command, prices.stop, other);
    cascade(engine, in);
    return Reason::none;
}

// A plain limit order while the instrument collects and nothing else is special: it rests, hidden
// if the call is sealed.
DAMRAK_COLD inline Reason collect_plain_order(EngineState& engine, InstrumentState& in,
                                              const Command& command, OrderAttributes terms,
                                              OrderIdMap::Key key) {
    PlainOrder found;
    if (const Reason reason = check_plain<OrderType::limit>(engine, in, command, key, found);
        reason != Reason::none)
        return reason;
    const bool is_shown = terms.time_in_force() < TimeInForce::ioc;
    const OrderId id = admit(engine, in, command, key, found.account, is_shown);
    if (in.sealed) terms.set(OrderAttributes::k_hidden);
    rest_plain<Shape::any>(engine, in, command, terms, id, key, found);
    return Reason::none;
}

template <OrderType k_type>
DAMRAK_HOT Reason new_plain_order(EngineState& engine, InstrumentState& in, const Command& command,
                                  OrderAttributes terms, OrderIdMap::Key key) {
    constexpr bool k_limit = k_type == OrderType::limit;
    if (!in.is_ordinary()) [[unlikely]] {
        const bool collected =
            k_limit && in.only_collects() &&
            terms.time_in_force() < (in.sealed ? TimeInForce::fok : TimeInForce::ioc);
        return collected ? collect_plain_order(engine, in, command, terms, key)
                         : new_special_order(engine, in, command, key);
    }
    PlainOrder found;
    if (const Reason reason = check_plain<k_type>(engine, in, command, key, found);
        reason != Reason::none)
        return reason;
    // A plain order is not for auctions, so that one comparison tells whether it is immediate.
    const bool may_stay = k_limit && terms.time_in_force() < TimeInForce::ioc;
    const OrderId id = admit(engine, in, command, key, found.account, may_stay);
    const Side resting = opposite(terms.side());
    const bool rests = may_stay &&
                       in.book.side(resting).best_key() > price_key(resting, found.tick) &&
                       !in.unusual();
    if (rests) [[likely]] {
        rest_plain(engine, in, command, terms, id, key, found);
    } else {
        enter_plain(engine, in, command, terms, id, key, found.account, found.tick);
        cascade(engine, in);
    }
    return Reason::none;
}

// Nearly all orders are plain limit orders, and nearly all of those come to rest: they take a short
// path. Plain market orders and orders that cross take it too, up to the construction of an
// Incoming.
inline Reason new_order(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const OrderAttributes terms = OrderAttributes::of_head(head_of(command));
    if (is_plain<OrderType::limit>(command, terms)) [[likely]]
        return new_plain_order<OrderType::limit>(engine, *in, command, terms, key);
    if (is_plain<OrderType::market>(command, terms))
        return new_plain_order<OrderType::market>(engine, *in, command, terms, key);
    return new_special_order(engine, *in, command, key);
}

}  // namespace damrak::detail
