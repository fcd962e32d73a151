// The checks of a command: returns the first reason to reject it, in the order of the rule book,
// section 2.
#pragma once

#include <algorithm>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/auction_orders.hpp>
#include <damrak/engine/detail/combinations.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/market_to_limit.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/detail/pegs.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/trailing_stops.hpp>

namespace damrak::detail {

// Zero if there is none. The instrument caches the accounts found last.
DAMRAK_HOT AccountIndex find_account(const EngineState& engine, InstrumentState& in,
                                     ParticipantId participant) {
    AccountIndex& recent = in.recent_account(participant);
    if (engine.accounts.account(recent).participant != participant) [[unlikely]]
        recent = engine.accounts.find(participant, in.id());
    return recent;
}

// Whether this is an order of that type, market or limit, without anything that check_details()
// checks. Compares its terms as one word: all bits of the head are fixed, except side, time in
// force and self-trade prevention.
template <OrderType k_type>
DAMRAK_HOT bool is_plain(const Command& command, OrderAttributes terms) {
    constexpr std::uint64_t k_free = 0x0000'0707'0001'0000;
    constexpr std::uint64_t k_given = static_cast<std::uint64_t>(CommandKind::new_order) |
                                      std::uint64_t{k_command_schema_version} << 8U |
                                      static_cast<std::uint64_t>(k_type) << 24U;
    // One bit for each pair of time in force and self-trade prevention.
    constexpr std::uint64_t k_valid_pairs = [] {
        std::uint64_t pairs = 0;
        for (unsigned rule = 0; is_valid(SelfTradePrevention(rule)); ++rule)
            for (const TimeInForce tif :
                 {TimeInForce::day, TimeInForce::gtc, TimeInForce::ioc, TimeInForce::fok})
                pairs |= std::uint64_t{1} << (rule * 8 + static_cast<unsigned>(tif));
        return pairs;
    }();
    return (head_of(command) & ~k_free) == k_given && (k_valid_pairs >> terms.rules() & 1U) != 0 &&
           command.order.empty();
}

// Whether an instrument that does not trade continuously takes the command. The table is in
// docs/rule-book/phases.md.
DAMRAK_COLD inline Reason check_phase(const InstrumentState& in, const Command& command) {
    if (in.state == TradingState::halted) return Reason::instrument_halted;
    if (!in.collects()) return Reason::none;
    if (in.phase == Phase::closed || command.kind == CommandKind::recorded_trade)
        return Reason::not_in_phase;
    if (command.kind != CommandKind::new_order) return Reason::none;
    const bool conditional = command.order.minimum_quantity != Quantity{};
    const bool lives_a_batch = in.sealed && command.time_in_force == TimeInForce::ioc &&
                               !is_stop(command.order_type) && !conditional;
    const bool refused = (is_immediate(command.time_in_force) && !lives_a_batch) ||
                         (command.order_type == OrderType::market && conditional) ||
                         (in.sealed && has_flag(command, CommandFlags::k_hidden));
    return refused ? Reason::not_in_phase : Reason::none;
}

DAMRAK_HOT Reason check_participant(const EngineState& engine, const Command& command) {
    if (!engine.accounts.is_valid(command.participant)) return Reason::unknown_participant;
    if (engine.accounts.participant(command.participant).state != ParticipantState::active)
        return Reason::participant_blocked;
    return Reason::none;
}

// Whether the participant may enter or replace orders in the instrument now.
DAMRAK_HOT Reason check_standing(const EngineState& engine, const Command& command,
                                 const InstrumentState& in) {
    if (const Reason reason = check_participant(engine, command); reason != Reason::none)
        return reason;
    return in.is_ordinary() ? Reason::none : check_phase(in, command);
}

// Limit and stop price: an order must have them or must not, depending on its type.
DAMRAK_COLD inline Reason check_prices(const InstrumentState& in, const Command& command,
                                       OrderType type, bool has_stop) {
    const auto check = [&](Price price, bool wanted, Reason if_wrong) {
        if (!wanted) return price == Price{} ? Reason::none : if_wrong;
        Tick tick = 0;
        return in.check_price(price, if_wrong, tick);
    };
    const Reason limit = check(command.price, has_limit(type), Reason::invalid_price);
    if (limit != Reason::none) return limit;
    return check(command.order.stop_price, has_stop, Reason::invalid_stop_price);
}

// Whether the iceberg stays within the maximum number of slices: each slice costs the incoming
// order a separate trade.
inline bool may_show(Quantity display, Quantity quantity) {
    constexpr std::int64_t k_most_slices = 1'000;
    const std::int64_t least =
        quantity.value / k_most_slices + (quantity.value % k_most_slices != 0 ? 1 : 0);
    return display.value == 0 || display.value >= least;
}

// Attributes that a plain limit order does not have.
DAMRAK_COLD inline Reason check_details(const Command& command, const InstrumentState& in) {
    constexpr auto k_post_only_bits = CommandFlags::k_post_only | CommandFlags::k_post_only_reprice;
    const OrderDetails& order = command.order;
    const bool post_only = (command.flags & k_post_only_bits) != 0;
    const bool hidden = has_flag(command, CommandFlags::k_hidden);
    const bool iceberg = order.display_quantity != Quantity{};
    const bool must_rest = post_only || hidden || iceberg;
    const bool may_rest =
        (command.order_type == OrderType::limit || has_flag(command, CommandFlags::k_pegged)) &&
        !is_immediate(command.time_in_force);
    const bool conditional = order.minimum_quantity != Quantity{};
    if ((command.flags & k_post_only_bits) == k_post_only_bits || (must_rest && !may_rest) ||
        (hidden && iceberg))
        return Reason::invalid_combination;
    if (conditional && (is_stop(command.order_type) || iceberg || post_only ||
                        command.time_in_force == TimeInForce::fok))
        return Reason::invalid_combination;
    if (order.display_quantity.value < 0 || order.display_quantity > command.quantity ||
        !in.on_lot(order.display_quantity) || !may_show(order.display_quantity, command.quantity))
        return Reason::invalid_display_quantity;
    if (order.minimum_quantity.value < 0 || order.minimum_quantity > command.quantity)
        return Reason::invalid_minimum_quantity;
    const bool dated = command.time_in_force == TimeInForce::gtd;
    if (dated ? order.expire_time <= command.timestamp : order.expire_time != Timestamp{})
        return Reason::invalid_expire_time;
    return Reason::none;
}

// Checks an order that is not plain, except for its id.
DAMRAK_COLD inline Reason check_special(const EngineState& engine, const Command& command,
                                        const InstrumentState& in) {
    if (!is_valid(command.side)) return Reason::invalid_side;
    if (!is_valid(command.order_type)) return Reason::invalid_order_type;
    if (!is_valid(command.time_in_force)) return Reason::invalid_time_in_force;
    if (!is_valid(command.self_trade_prevention)) return Reason::invalid_self_trade_prevention;
    if ((command.flags & ~CommandFlags::k_new_order_bits) != 0) return Reason::invalid_flags;
    if (const Reason reason = check_standing(engine, command, in); reason != Reason::none)
        return reason;
    if (const Reason reason = check_auction_phase(in, command); reason != Reason::none)
        return reason;
    if (const Reason reason = in.check_quantity(command.quantity); reason != Reason::none)
        return reason;
    const bool trails =
        has_flag(command, CommandFlags::k_trailing) && command.order.stop_price == Price{};
    if (const Reason reason =
            check_prices(in, command, command.order_type, is_stop(command.order_type) && !trails);
        reason != Reason::none)
        return reason;
    if (const Reason reason = check_auction_terms(command); reason != Reason::none) return reason;
    if (const Reason reason = check_details(command, in); reason != Reason::none) return reason;
    for (const auto check : {&check_peg, &check_to_limit, &check_trail, &check_link})
        if (const Reason reason = check(in, command); reason != Reason::none) return reason;
    return Reason::none;
}

DAMRAK_HOT Reason check_id(const EngineState& engine, const Command& command, OrderIdMap::Key key) {
    if (engine.config.allocates_ids())
        return command.order_id ? Reason::invalid_order_id : Reason::none;
    if (!command.order_id) return Reason::invalid_order_id;
    return engine.store.find(key, command.instrument, command.order_id) != 0
               ? Reason::duplicate_order_id
               : Reason::none;
}

// Participants without their own limits must leave a part of each pool to the others.
DAMRAK_HOT Reason check_share(const EngineState& engine, ParticipantId participant, bool is_short) {
    return is_short && !engine.accounts.participant(participant).configured
               ? Reason::anonymous_share
               : Reason::none;
}

DAMRAK_HOT bool is_short_of_prices(const EngineState& engine) {
    return engine.store.level_pool.available() < engine.kept_free.levels ||
           engine.store.nodes.pool().available() < engine.kept_free.nodes;
}

DAMRAK_HOT Reason check_room(const EngineState& engine, AccountIndex account,
                             ParticipantId participant) {
    if (engine.store.order_pool.empty()) return Reason::orders_full;
    if (account == 0 && engine.accounts.full()) return Reason::accounts_full;
    if (!engine.store.has_room_for_price()) return Reason::levels_full;
    return check_share(
        engine, participant,
        engine.store.order_pool.available() < engine.kept_free.orders ||
            is_short_of_prices(engine) ||
            (account == 0 && engine.accounts.available() < engine.kept_free.accounts));
}

DAMRAK_COLD inline Reason check_room_special(const EngineState& engine, const InstrumentState& in,
                                             const Command& command, AccountIndex account,
                                             OrderIndex other) {
    const bool extends_other = other != 0 && engine.store.order(other).extension == 0;
    const bool extended =
        other != 0 || is_stop(command.order_type) || command.time_in_force == TimeInForce::gtd ||
        is_for_auctions(command.time_in_force) || command.order.display_quantity != Quantity{} ||
        command.order.minimum_quantity != Quantity{} || has_flag(command, CommandFlags::k_pegged) ||
        (has_flag(command, CommandFlags::k_to_limit) &&
         (in.collects() || engine.config.order_id_source == OrderIdSource::engine_apart));
    const std::uint32_t extensions = (extended ? 1U : 0U) + (extends_other ? 1U : 0U);
    if (!engine.store.order_pool.empty() && engine.store.extension_pool.available() < extensions)
        return Reason::extensions_full;
    if (const Reason reason = check_room(engine, account, command.participant);
        reason != Reason::none)
        return reason;
    return check_share(engine, command.participant,
                       extended && engine.store.extension_pool.available() <
                                       engine.kept_free.extensions + extensions - 1);
}

// Bounds the held orders of one participant, so that nobody can fill the store.
inline bool may_be_held(const EngineState& engine, const Command& command, AccountIndex account) {
    return command.order.minimum_quantity == Quantity{} || is_immediate(command.time_in_force) ||
           command.order_type != OrderType::limit ||
           engine.accounts.account(account).held_orders < k_most_held_orders;
}

// Bounds the pegged orders and trailing stops of one participant, as each change of a best price,
// or each trade, costs them all.
inline bool may_follow(const EngineState& engine, const Command& command, AccountIndex account) {
    constexpr auto k_follows = CommandFlags::k_pegged | CommandFlags::k_trailing;
    return (command.flags & k_follows) == 0 ||
           engine.accounts.account(account).following_orders < k_most_pegged_orders;
}

// The order that a command names, if the participant owns it.
DAMRAK_HOT Reason find_own(const EngineState& engine, const Command& command, OrderIdMap::Key key,
                           OrderIndex& index) {
    index = engine.store.find(key, command.instrument, command.order_id);
    if (index != 0 && engine.owner_of(engine.store.order(index)) == command.participant) [[likely]]
        return Reason::none;
    if (!engine.accounts.is_valid(command.participant)) return Reason::unknown_participant;
    return index == 0 ? Reason::unknown_order : Reason::not_owner;
}

// The price at which pre-trade limits value a quantity (section 9).
DAMRAK_HOT Price reference_price(const InstrumentState& in, OrderType type, Price limit,
                                 Price stop) {
    if (has_limit(type)) return limit;
    return type == OrderType::stop ? stop : in.price_of(in.last_trade);
}

// Section 8: rejects the order while orders collect or if it would trade, or moves it behind the
// best price of the other side.
DAMRAK_COLD inline Reason check_post_only(const EngineState& engine, const InstrumentState& in,
                                          OrderAttributes terms, Quantity open, Tick& tick,
                                          bool& repriced) {
    if (!terms.has(OrderAttributes::k_post_only | OrderAttributes::k_post_only_reprice))
        return Reason::none;
    if (in.collects()) return Reason::not_in_phase;
    const Side resting = opposite(terms.side());
    const PriceKey best =
        std::min(touch(engine, in, resting, open), implied_touch(engine, {&in, terms.side(), {}}));
    if (best > price_key(resting, tick)) return Reason::none;
    if (terms.has(OrderAttributes::k_post_only)) return Reason::post_only_would_trade;
    const Price touch = in.price_of(tick_of(resting, best));
    const InstrumentDefinition& definition = in.definition();
    const Price behind = terms.side() == Side::buy ? definition.next_price_below(touch)
                                                   : definition.next_price_above(touch);
    if (!definition.in_range(behind)) return Reason::post_only_would_trade;
    tick = in.tick_of(behind);
    repriced = true;
    return Reason::none;
}

// The stop price that a replace asks for: a trailing stop keeps its own if it names none.
inline Price stop_price_of(const InstrumentState& in, const Order& order, const Command& command) {
    const bool keeps =
        order.terms().waiting() && command.order.stop_price == Price{} && !in.below_zero();
    return keeps ? in.price_of(order.tick) : command.order.stop_price;
}

// Checks the owner's limits as if this quantity were open at this price instead of the replaced
// order.
template <Shape k_shape = Shape::any>
inline Reason check_exposure(const EngineState& engine, const InstrumentState& in,
                             const Order& order, Quantity open, Price at) {
    const Quantity before = open_of<k_shape>(engine, order);
    return engine.accounts.check(engine.owner_of(order), order.account, order.terms().side(),
                                 {open, value_at(at, open), 0},
                                 {before, value_of<k_shape>(engine, in, order, before), 0}, false);
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT Reason check_replace(const EngineState& engine, const Command& command,
                                const InstrumentState& in, const Order& order, Quantity& open,
                                Tick& tick) {
    const OrderAttributes terms = order.terms();
    if (const Reason reason = check_standing(engine, command, in); reason != Reason::none)
        return reason;
    if (k_shape == Shape::any)
        if (const Reason reason = check_changes(in, order); reason != Reason::none) return reason;
    if (k_shape == Shape::any && terms.has(OrderAttributes::k_elected))
        return Reason::invalid_state;
    if (const Reason reason = in.check_quantity(command.quantity); reason != Reason::none)
        return reason;
    open = command.quantity;
    if (has_flag(command, CommandFlags::k_quantity_is_total)) open -= order.executed;
    if (open.value <= 0) return Reason::invalid_quantity;
    if (k_shape == Shape::any) {
        const bool keeps_stop = command.order.stop_price == Price{} && is_trailing(engine, order);
        if (const Reason reason =
                check_prices(in, command, terms.type(), is_stop(terms.type()) && !keeps_stop);
            reason != Reason::none)
            return reason;
        if (order.extension != 0 &&
            !may_show(engine.store.extension(order.extension).display_quantity, open))
            return Reason::invalid_display_quantity;
        tick = in.limit_of(terms.type(), command.price);
    } else {
        if (const Reason reason = in.check_price(command.price, Reason::invalid_price, tick);
            reason != Reason::none)
            return reason;
        if (command.order.stop_price != Price{}) return Reason::invalid_stop_price;
    }
    const OrderId wanted = command.new_order_id;
    const bool ids_given = engine.config.order_id_source == OrderIdSource::command;
    if (ids_given ? !wanted : wanted && wanted != order.id) return Reason::invalid_order_id;
    if (wanted && wanted != order.id && engine.store.find(command.instrument, wanted) != 0)
        return Reason::duplicate_order_id;
    const Price at =
        k_shape == Shape::plain ? command.price
        : terms.type() == OrderType::market
            ? market_value_price(engine, {.in = &in,
                                          .side = terms.side(),
                                          .rule = terms.self_trade_prevention(),
                                          .account = order.account,
                                          .open = open})
            : reference_price(in, terms.type(), command.price, stop_price_of(in, order, command));
    return check_exposure<k_shape>(engine, in, order, open, at);
}

}  // namespace damrak::detail
