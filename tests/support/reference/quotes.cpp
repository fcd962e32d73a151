// docs/rule-book/quotes.md.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

__extension__ using Wide = __int128;

struct SideOfQuote {
    OrderId id{};
    Price price{};
    Quantity quantity{};
    [[nodiscard]] bool exists() const { return quantity.value != 0; }
};

SideOfQuote side_of(const Command& quote, Side side) {
    if (side == Side::buy) return {quote.order_id, quote.price, quote.quantity};
    return {quote.new_order_id, quote.quote.ask_price, quote.quote.ask_quantity};
}

constexpr auto k_both = {Side::buy, Side::sell};

}  // namespace

/// The order that the last quote of the participant left on a side.
std::optional<Found> ReferenceEngine::old_side(const Command& command, Side side) {
    Instrument& market = instrument(command.instrument);
    std::optional<OrderId> id;
    visit(market, [&](const Order& order) {
        if (order.quoted && order.participant == command.participant && order.side == side)
            id = order.id;
        return true;
    });
    return id ? find(market, *id) : std::nullopt;
}

/// Whether it keeps its place.
bool ReferenceEngine::stays(const Command& command, Side side) {
    const auto old = old_side(command, side);
    const SideOfQuote wanted = side_of(command, side);
    return old && wanted.exists() && old->at->price == wanted.price &&
           wanted.quantity <= old->at->open;
}

Reason ReferenceEngine::check_quote_prices(const Command& command) {
    const Instrument& market = instrument(command.instrument);
    const SideOfQuote bid = side_of(command, Side::buy);
    const SideOfQuote ask = side_of(command, Side::sell);
    for (const SideOfQuote& side : {bid, ask}) {
        if (!side.exists() && side.price.value != 0) return Reason::invalid_quote;
        if (!side.exists()) continue;
        if (const Reason r = check_quantity(market, side.quantity); r != Reason::none) return r;
        if (const Reason r = check_price(market, side.price, Reason::invalid_price);
            r != Reason::none)
            return r;
    }
    if (bid.exists() && ask.exists() && bid.price >= ask.price) return Reason::invalid_quote;
    const bool nothing = !bid.exists() && !ask.exists() && !old_side(command, Side::buy) &&
                         !old_side(command, Side::sell);
    return nothing ? Reason::unknown_order : Reason::none;
}

/// As if the old quote did not exist.
Reason ReferenceEngine::check_quote_limits(const Command& command) {
    auto holder = state_.participants.find(command.participant);
    if (holder == state_.participants.end() || !holder->second.has_own_limits)
        holder = state_.participants.find(ParticipantId{});
    const LimitDetails limits =
        holder == state_.participants.end() ? LimitDetails{} : holder->second.limits;
    std::int64_t orders = 0;
    Wide open_value = 0;
    Wide open[2] = {0, 0};
    for (const auto& [id, market] : state_.instruments)
        visit(market, [&](const Order& order) {
            const bool here = order.instrument == command.instrument;
            if (order.participant != command.participant || (here && order.quoted)) return true;
            orders += 1;
            open_value += value(order);
            if (here) open[order.side == Side::buy ? 0 : 1] += order.open.value;
            return true;
        });
    for (const Side side : k_both) orders += side_of(command, side).exists() ? 1 : 0;
    if (orders > limits.open_orders) return Reason::limit_open_orders;
    const auto account = state_.accounts.find({command.instrument, command.participant});
    const Wide position = account == state_.accounts.end() ? 0 : account->second.value;
    for (const Side side : k_both) {
        const SideOfQuote wanted = side_of(command, side);
        if (!wanted.exists()) continue;
        const Wide worth = Wide{wanted.quantity.value} * std::abs(wanted.price.value);
        open_value = std::min<Wide>(open_value, LimitDetails::k_unlimited) + worth;
        const Wide reach =
            (side == Side::buy ? position + open[0] : open[1] - position) + wanted.quantity.value;
        if (wanted.quantity > limits.order_quantity) return Reason::limit_order_quantity;
        if (worth > limits.order_notional) return Reason::limit_order_notional;
        if (open_value > limits.open_notional) return Reason::limit_open_notional;
        if (reach > limits.position.value) return Reason::limit_position;
    }
    return Reason::none;
}

Reason ReferenceEngine::check_quote_room(const Command& command) {
    std::size_t entering = 0;
    std::size_t ending = 0;
    for (const Side side : k_both) {
        const bool kept = stays(command, side);
        entering += side_of(command, side).exists() && !kept ? 1U : 0U;
        ending += old_side(command, side) && !kept ? 1U : 0U;
    }
    if (entering == 0) return Reason::none;
    const std::size_t orders = state_.count_orders([](const Order&) { return true; });
    if (orders + entering > settings_.maximum_orders + ending) return Reason::orders_full;
    if (state_.count_orders(is_extended) + entering > settings_.maximum_extensions + ending)
        return Reason::extensions_full;
    const bool has_account = state_.accounts.contains({command.instrument, command.participant});
    return !has_account && state_.accounts.size() >= settings_.maximum_accounts
               ? Reason::accounts_full
               : Reason::none;
}

Reason ReferenceEngine::check_quote(const Command& command) {
    if (!knows(command.instrument)) return Reason::unknown_instrument;
    if (!is_valid(command.self_trade_prevention)) return Reason::invalid_self_trade_prevention;
    if (command.flags != 0) return Reason::invalid_flags;
    if (!knows(command.participant)) return Reason::unknown_participant;
    if (state_.participants[command.participant].state == ParticipantState::blocked)
        return Reason::participant_blocked;
    Instrument& market = instrument(command.instrument);
    if (const Reason r = check_phase(market, command); r != Reason::none) return r;
    if (market.combination && market.combination->kind == CombinationKind::basket)
        return Reason::not_tradable;
    const bool changes = old_side(command, Side::buy) || old_side(command, Side::sell);
    if (changes && (market.restrictions & PhaseRestrictions::k_changes) != 0)
        return Reason::not_in_phase;
    if (const Reason r = check_quote_prices(command); r != Reason::none) return r;
    for (const Side side : k_both) {
        const SideOfQuote wanted = side_of(command, side);
        if (!settings_.ids_in_commands && wanted.id) return Reason::invalid_order_id;
        if (!settings_.ids_in_commands || !wanted.exists()) continue;
        if (!wanted.id) return Reason::invalid_order_id;
        const auto used = find(market, wanted.id);
        const auto old = old_side(command, side);
        if (used && !(old && old->at == used->at)) return Reason::duplicate_order_id;
    }
    if (settings_.ids_in_commands && command.quantity.value != 0 &&
        command.quote.ask_quantity.value != 0 && command.order_id == command.new_order_id)
        return Reason::duplicate_order_id;
    if (const Reason r = check_quote_limits(command); r != Reason::none) return r;
    if (const Reason r = check_quote_room(command); r != Reason::none) return r;
    for (const Side side : k_both) {
        const SideOfQuote wanted = side_of(command, side);
        Order order;
        order.instrument = command.instrument;
        order.side = side;
        order.price = wanted.price;
        if (!wanted.exists()) continue;
        if (const Reason r = check_price_limits(order); r != Reason::none) return r;
    }
    return Reason::none;
}

void ReferenceEngine::quote(const Command& command) {
    if (const Reason r = check_quote(command); r != Reason::none) return reject(command, r);
    Instrument& market = instrument(command.instrument);
    for (const Side side : k_both) {
        const auto old = old_side(command, side);
        if (!old || stays(command, side)) continue;
        take_away(*old->at, old->at->open, Reason::quote_replaced);
        old->queue->erase(old->at);
        remove_empty_levels(market);
    }
    for (const Side side : k_both) apply_side(command, side);
    cascade(command.instrument);
}

void ReferenceEngine::apply_side(const Command& command, Side side) {
    const SideOfQuote wanted = side_of(command, side);
    if (!wanted.exists()) return;
    if (const auto old = old_side(command, side))
        return replace_in_place(*old->at, wanted.quantity);
    Instrument& market = instrument(command.instrument);
    Order order;
    order.instrument = command.instrument;
    order.participant = command.participant;
    order.side = side;
    order.self_trade_prevention = command.self_trade_prevention;
    order.price = wanted.price;
    order.open = wanted.quantity;
    order.quoted = true;
    order.id = settings_.ids_in_commands ? wanted.id : next_id(order);
    order.public_id = order.id.value;
    market.had_orders = true;
    state_.accounts.try_emplace({order.instrument, order.participant});
    enter(order, {.kind = EventKind::accepted,
                  .reference = command.client_order_id.value,
                  .quantity = wanted.quantity});
}

void ReferenceEngine::set_quote_protection(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    if (!knows(command.participant)) return reject(command, Reason::unknown_participant);
    const auto [maximum, window] = command.quote_protection;
    const bool none = maximum.value == 0 && window == 0;
    if (!none && (maximum.value <= 0 || window <= 0)) return reject(command, Reason::invalid_rules);
    const std::pair key{command.instrument, command.participant};
    const auto others = std::ranges::count_if(state_.protections, [&](const auto& each) {
        return each.first.first == command.instrument && each.first != key;
    });
    if (!none && others >= 32) return reject(command, Reason::quote_protections_full);
    state_.protections.erase(key);
    if (!none) state_.protections[key].rule = {maximum, window};
    emit_notice(command, EventKind::quote_protection_set, 0);
}

/// Once the quotes have traded their maximum within the window, both sides are due.
void ReferenceEngine::note_quote_trade(const Order& order, Quantity quantity) {
    const auto found = state_.protections.find({order.instrument, order.participant});
    if (!order.quoted || found == state_.protections.end()) return;
    Protection& protection = found->second;
    const bool over = now_.value - protection.begin.value >= protection.rule.window;
    if (protection.traded.value == 0 || over) {
        protection.begin = now_;
        protection.traded = {};
    }
    protection.traded += quantity;
    if (protection.traded < protection.rule.maximum) return;
    protection.traded = {};
    Command owner{};
    owner.instrument = order.instrument;
    owner.participant = order.participant;
    for (const Side side : k_both) {
        const auto mine = old_side(owner, side);
        if (!mine) continue;
        mine->at->quoted = false;
        consequences_.push_back({.instrument = order.instrument,
                                 .id = mine->at->id,
                                 .reason = Reason::quote_protection});
    }
}

}  // namespace damrak::reference
