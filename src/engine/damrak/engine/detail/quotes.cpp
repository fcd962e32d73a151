#include <damrak/engine/detail/quotes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <damrak/engine/detail/amend.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/new_order.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

// One side of a quote as a new order, and the order that the last quote left there.
struct QuoteSide {
    Command order;  ///< quantity zero: the quote has no such side
    Tick tick = 0;
    OrderIndex old = 0;
    bool stays = false;  ///< the old order does not lose its place

    [[nodiscard]] bool exists() const { return order.quantity != Quantity{}; }
    [[nodiscard]] bool enters() const { return exists() && !stays; }
    [[nodiscard]] bool ends() const { return old != 0 && !stays; }
};
using QuoteSides = std::array<QuoteSide, 2>;

Command order_of(const Command& quote, Side side) {
    Command order{};
    order.kind = CommandKind::new_order;
    order.side = side;
    order.self_trade_prevention = quote.self_trade_prevention;
    order.instrument = quote.instrument;
    order.participant = quote.participant;
    order.client_order_id = quote.client_order_id;
    const bool buy = side == Side::buy;
    order.order_id = buy ? quote.order_id : quote.new_order_id;
    order.price = buy ? quote.price : quote.quote.ask_price;
    order.quantity = buy ? quote.quantity : quote.quote.ask_quantity;
    return order;
}

std::array<OrderIndex, 2>& quotes_of(EngineState& engine, AccountIndex account) {
    return engine.accounts.account(account).quotes;
}

Reason check_quote_prices(const EngineState& engine, const InstrumentState& in, QuoteSides& sides) {
    for (QuoteSide& side : sides) {
        const Command& order = side.order;
        if (!side.exists()) {
            if (order.price != Price{}) return Reason::invalid_quote;
            continue;
        }
        if (const Reason reason = in.check_quantity(order.quantity); reason != Reason::none)
            return reason;
        if (const Reason reason = in.check_price(order.price, Reason::invalid_price, side.tick);
            reason != Reason::none)
            return reason;
        side.stays = side.old != 0 && engine.store.order(side.old).tick == side.tick &&
                     order.quantity <= open_of(engine, engine.store.order(side.old));
    }
    const auto& [bid, ask] = sides;
    if (bid.exists() && ask.exists() && bid.tick >= ask.tick) return Reason::invalid_quote;
    const bool nothing = !bid.exists() && !ask.exists() && (bid.old | ask.old) == 0;
    return nothing ? Reason::unknown_order : Reason::none;
}

// Where commands give ids, a side may take that of the order that it replaces.
Reason check_quote_ids(const EngineState& engine, const QuoteSides& sides) {
    for (const QuoteSide& side : sides) {
        const OrderId id = side.order.order_id;
        if (engine.config.allocates_ids()) {
            if (id) return Reason::invalid_order_id;
            continue;
        }
        if (!side.exists()) continue;
        if (!id) return Reason::invalid_order_id;
        const OrderIndex found = engine.store.find(side.order.instrument, id);
        if (found != 0 && found != side.old) return Reason::duplicate_order_id;
    }
    const bool same = sides[0].exists() && sides[1].exists() &&
                      sides[0].order.order_id == sides[1].order.order_id;
    return same && sides[0].order.order_id ? Reason::duplicate_order_id : Reason::none;
}

// As if the last quote was gone, and both sides were new.
Reason check_quote_limits(const EngineState& engine, const InstrumentState& in, ParticipantId owner,
                          AccountIndex account, const QuoteSides& sides) {
    const Participant& participant = engine.accounts.participant(owner);
    std::array<Quantity, 2> released{};
    std::int64_t value = 0;
    std::int64_t orders = participant.open_orders;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        orders += sides[i].exists() ? 1 : 0;
        if (sides[i].old == 0) continue;
        const Order& old = engine.store.order(sides[i].old);
        --orders;
        released[i] = open_of(engine, old);
        value += value_of(engine, in, old, released[i]);
    }
    if (orders > engine.accounts.limits_of(participant).open_orders)
        return Reason::limit_open_orders;
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (!sides[i].exists()) continue;
        const Command& order = sides[i].order;
        const std::int64_t wanted = value_at(order.price, order.quantity);
        if (const Reason reason = engine.accounts.check(
                owner, account, order.side, {order.quantity, wanted, 0}, {released[i], value, 0});
            reason != Reason::none)
            return reason;
        value -= wanted;
    }
    return Reason::none;
}

// Room for the sides that enter, once those that end have left.
Reason check_quote_room(const EngineState& engine, ParticipantId owner, AccountIndex account,
                        const QuoteSides& sides) {
    const auto& [bid, ask] = sides;
    const std::uint32_t enter = (bid.enters() ? 1U : 0U) + (ask.enters() ? 1U : 0U);
    const std::uint32_t end = (bid.ends() ? 1U : 0U) + (ask.ends() ? 1U : 0U);
    if (enter == 0) return Reason::none;
    const std::uint32_t orders = engine.store.order_pool.available() + end;
    const std::uint32_t extensions = engine.store.extension_pool.available() + end;
    if (orders < enter) return Reason::orders_full;
    if (extensions < enter) return Reason::extensions_full;
    if (account == 0 && engine.accounts.full()) return Reason::accounts_full;
    if (!engine.store.has_room_for_prices(enter)) return Reason::levels_full;
    return check_share(
        engine, owner,
        orders < engine.kept_free.orders + enter - 1 ||
            extensions < engine.kept_free.extensions + enter - 1 || is_short_of_prices(engine) ||
            (account == 0 && engine.accounts.available() < engine.kept_free.accounts));
}

Reason check_quote(const EngineState& engine, const InstrumentState& in, const Command& command,
                   AccountIndex account, QuoteSides& sides) {
    const bool changes = (sides[0].old | sides[1].old) != 0;
    if (changes && (in.restrictions & PhaseRestrictions::k_changes) != 0)
        return Reason::not_in_phase;
    if (const Reason reason = check_quote_prices(engine, in, sides); reason != Reason::none)
        return reason;
    if (const Reason reason = check_quote_ids(engine, sides); reason != Reason::none) return reason;
    if (const Reason reason = check_quote_limits(engine, in, command.participant, account, sides);
        reason != Reason::none)
        return reason;
    if (const Reason reason = check_quote_room(engine, command.participant, account, sides);
        reason != Reason::none)
        return reason;
    for (const QuoteSide& side : sides) {
        if (!side.exists()) continue;
        const PriceTerms terms{.side = side.order.side, .limit = side.order.price};
        if (const Reason reason = check_price_limits(in, terms); reason != Reason::none)
            return reason;
    }
    return Reason::none;
}

// An order of the last quote that is still there stays.
void apply_side(EngineState& engine, InstrumentState& in, const Command& quote, Side side) {
    const Command command = order_of(quote, side);
    if (command.quantity == Quantity{}) return;
    AccountIndex account = find_account(engine, in, command.participant);
    const auto number = static_cast<std::size_t>(side);
    if (const OrderIndex old = quotes_of(engine, account)[number]; old != 0)
        return replace_in_place(engine, in, old, command.quantity);
    OrderIdMap::Key key = engine.key_of(command);
    const OrderId id = admit(engine, in, command, key, account, true);
    Incoming order{&in,
                   id,
                   {side, OrderType::limit, TimeInForce::day, command.self_trade_prevention},
                   account,
                   command.participant,
                   command.quantity};
    order.key = key;
    order.set_limit(in.tick_of(command.price));
    prepare(engine, order).listing = Listing::quote;
    quotes_of(engine, account)[number] = order.index;
    enter(engine, order, EventKind::accepted, command.client_order_id.value);
}

// Whether only participants with limits of their own may have one more in the instrument.
bool is_short_of_protections(const EngineState& engine, const Command& command) {
    const std::size_t left =
        QuoteProtection::k_most - engine.quote_protections.count(command.instrument);
    return left < QuoteProtection::k_most * (100 - engine.anonymous_share) / 100;
}

}  // namespace

Reason quote(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_valid(command.self_trade_prevention)) return Reason::invalid_self_trade_prevention;
    if (command.flags != 0) return Reason::invalid_flags;
    if (const Reason reason = check_standing(engine, command, *in); reason != Reason::none)
        return reason;
    if (in->combination == CombinationKind::basket) return Reason::not_tradable;
    const AccountIndex account = find_account(engine, *in, command.participant);
    const auto& old = quotes_of(engine, account);
    QuoteSides sides{{{.order = order_of(command, Side::buy), .old = old[0]},
                      {.order = order_of(command, Side::sell), .old = old[1]}}};
    if (const Reason reason = check_quote(engine, *in, command, account, sides);
        reason != Reason::none)
        return reason;
    for (const QuoteSide& side : sides)
        if (side.ends())
            end_order(engine, *in, side.old, EventKind::cancelled, Reason::quote_replaced,
                      engine.key_of(engine.store.order(side.old)));
    apply_side(engine, *in, command, Side::buy);
    engine.progress.suspended.command = command;
    if (engine.progress.work != Work::none)
        engine.progress.behind = Work::quote;
    else
        go_on_with_quote(engine);
    return Reason::none;
}

void go_on_with_quote(EngineState& engine) {
    const Command& command = engine.progress.suspended.command;
    InstrumentState& in = *engine.find_instrument(command.instrument);
    apply_side(engine, in, command, Side::sell);
    cascade(engine, in);
}

Reason set_quote_protection(EngineState& engine, const Command& command) {
    if (engine.find_instrument(command.instrument) == nullptr) return Reason::unknown_instrument;
    if (!engine.accounts.is_valid(command.participant)) return Reason::unknown_participant;
    const QuoteProtectionDetails& wanted = command.quote_protection;
    const bool protects = wanted.maximum.value != 0;
    if (wanted.maximum.value < 0 || (protects ? wanted.window <= 0 : wanted.window != 0))
        return Reason::invalid_rules;
    const QuoteProtection protection{command.participant, command.instrument, wanted};
    if (!protects) {
        engine.quote_protections.remove_if(
            [&](const QuoteProtection& each) { return each.key() == protection.key(); });
    } else {
        const bool is_new = engine.quote_protections.find(protection.key()) == nullptr;
        if (is_new && engine.quote_protections.full(command.instrument))
            return Reason::quote_protections_full;
        if (const Reason reason = check_share(engine, command.participant,
                                              is_new && is_short_of_protections(engine, command));
            reason != Reason::none)
            return reason;
        engine.quote_protections.set(protection);
    }
    emit_plain(engine, EventKind::quote_protection_set, command.instrument, command.participant, 0);
    return Reason::none;
}

void begin_fill_of_extended(EngineState& engine, InstrumentState& in, const Order& order,
                            Quantity fill) {
    const bool quoted = engine.store.extension(order.extension).listing == Listing::quote;
    QuoteProtection* const protection = quoted
                                            ? engine.quote_protections.find(QuoteProtection::key_of(
                                                  engine.owner_of(order), in.id()))
                                            : nullptr;
    if (protection != nullptr && protection->reached_by(fill, engine.progress.now))
        for (OrderIndex& index : quotes_of(engine, order.account))
            if (const OrderIndex side = std::exchange(index, 0); side != 0)
                make_due(engine, side, Listing::ends_with_quote);
    in.orders_hash -= hash_of(engine, order);
}

}  // namespace damrak::detail
