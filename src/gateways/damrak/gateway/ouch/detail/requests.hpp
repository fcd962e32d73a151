// Parts of OuchGateway: requests and their reports. Only its header includes them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

namespace damrak::gateway::ouch {

// False: the request must wait, for pending answers or for the message rate limit.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::on_message(Client& client,
                                                std::span<const std::byte> message) {
    using session::ouch::Version;
    if (client.reads_only || !client.trouble.empty()) return true;
    // Nothing that is asked behind the end of the day is done on this connection.
    if (has_ended(client) || orders_.user(client.user).ending) return true;
    if (!ready()) return false;
    TokenBucket& bucket = *link(client.user).bucket;
    const detail::OuchRequests& waiting = link(client.user).requests;
    if (waiting.full() || !bucket.allows(time().value)) return false;
    if (orders_.has_withdrawn(client.user)) return false;
    auto request = session::ouch::read_request(client.version, message);
    if (!request) {
        client.trouble = "no OUCH " + std::string{name(client.version)} +
                         " message: " + wire::ouch::describe(request.error());
        client.cause = session::EndCause::protocol;
        return true;
    }
    const bool cancels_whole =
        request->kind == session::ouch::RequestKind::cancel && request->quantity == 0;
    if (!cancels_whole &&
        quotas_.access(orders_, *participants_, client.user) == OuchAccess::only_cancels) {
        client.trouble = "it has used up its messages or tokens of the day: it may only cancel";
        client.cause = session::EndCause::limit;
        return true;
    }
    if (waiting.concerns(request->token) || waiting.concerns(request->replaces)) return false;
    if (client.version == Version::v50 && request->user_ref <= waiting.highest_ref() &&
        request->user_ref > orders_.user(client.user).last_ref)
        return false;
    bucket.take();
    handle(client, *request, {reinterpret_cast<const char*>(message.data()), message.size()});
    return true;
}

// A request whose token is taken, or names no open order, is a repeated one: ignored.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::handle(Client& client, Request& request,
                                            std::string_view bytes) {
    using session::ouch::Refusal;
    using session::ouch::RequestKind;
    // An attachment holds the longest request that the exchange supports.
    if (bytes.size() > Attachment::k_capacity && request.refusal == Refusal::none)
        request.refusal = Refusal::other;
    const bool taken = orders_.is_taken(client.user, request.token);
    switch (request.kind) {
        case RequestKind::enter:
            if (!taken) enter(client, request, bytes);
            return;
        case RequestKind::replace:
            if (!taken) replace(client, request, bytes);
            return;
        case RequestKind::cancel:
        case RequestKind::modify:
            return reduce(client, request, bytes);
        case RequestKind::mass_cancel:
        case RequestKind::disable:
            if (!taken) cancel_many(client, request, bytes);
            return;
        case RequestKind::enable:
            if (!taken) ask_nothing(client, request, bytes);
            return;
        case RequestKind::query:
            return ask_nothing(client, request, bytes);
        case RequestKind::trade_now:  // no order of this exchange waits for it
        case RequestKind::withdraw:   // the gateway's own
        case RequestKind::enter_anew:
        case RequestKind::end_order:
        case RequestKind::end_session:
            return;
    }
}

// The terms that orders and replaces share. False: the request holds the reason for refusal.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::fill(Command& command, Request& request,
                                          InstrumentId instrument) const {
    using session::ouch::Refusal;
    if (request.refusal != Refusal::none) return false;
    const std::int64_t scale = orders_.scale(instrument);
    if (scale == 0) {
        request.refusal = Refusal::symbol;
        return false;
    }
    command.instrument = instrument;
    command.quantity = {request.quantity};
    if (request.market) return true;
    const auto price = static_cast<std::int64_t>(request.price_e4);
    if (price % scale != 0) {
        request.refusal = Refusal::price;
        return false;
    }
    command.price = {price / scale};
    return true;
}

// Here an offset only leads away from the market.
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::set_peg(Command& command, Request& request) const {
    if (request.peg == PegReference::none) return true;
    const std::int64_t offset = request.peg_offset_e4;
    const std::int64_t away = command.side == Side::buy ? -offset : offset;
    const std::int64_t scale = orders_.scale(command.instrument);
    if (away < 0 || away % scale != 0) {
        request.refusal = session::ouch::Refusal::pegging;
        return false;
    }
    command.flags |= CommandFlags::k_pegged;
    command.order.peg = request.peg;
    command.order.offset = {away / scale};
    return true;
}

[[nodiscard]] constexpr TimeInForce in_auction(char cross_type) {
    if (cross_type == 'O') return TimeInForce::at_open;
    return cross_type == 'C' ? TimeInForce::at_close : TimeInForce::at_auction;
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::enter(Client& client, Request& request,
                                           std::string_view bytes) {
    using session::ouch::Refusal;
    if (orders_.user(client.user).disabled) request.refusal = Refusal::firm;
    if (quotas_.access(orders_, *participants_, client.user) != OuchAccess::all)
        request.refusal = Refusal::other;
    const auto known = instruments_.find(std::string{request.symbol.text()});
    Command command{};
    command.participant = client.participant;
    if (!fill(command, request, known == instruments_.end() ? InstrumentId{} : known->second) ||
        !set_terms(command, request))
        return ask_nothing(client, request, bytes);
    ask(client, command, request, bytes);
}

// The terms of an order that enters, behind fill().
template <class Network, class Exchange>
bool OuchGateway<Network, Exchange>::set_terms(Command& command, Request& request) {
    using session::ouch::Life;
    command.kind = CommandKind::new_order;
    command.side = request.side == 'B' ? Side::buy : Side::sell;
    if (request.market) command.order_type = OrderType::market;
    if (request.hidden) command.flags |= CommandFlags::k_hidden;
    if (request.post_only) command.flags |= CommandFlags::k_post_only_reprice;
    if (request.imbalance_only) command.flags |= CommandFlags::k_imbalance_only;
    if (!set_peg(command, request)) return false;
    if (request.life == Life::immediate) command.time_in_force = TimeInForce::ioc;
    if (request.life == Life::seconds) {
        command.time_in_force = TimeInForce::gtd;
        command.order.expire_time = {time().value + std::int64_t{request.seconds} * 1'000'000'000};
    }
    if (request.cross_type != 'N') command.time_in_force = in_auction(request.cross_type);
    command.self_trade_prevention = config_.self_trade_prevention;
    command.order.display_quantity = {request.displayed_quantity};
    command.order.minimum_quantity = {request.minimum_quantity};
    return true;
}

// The quantity is the total size of the order, including what has traded.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::reduce(Client& client, const Request& request,
                                            std::string_view bytes) {
    using session::ouch::RequestKind;
    const session::ouch::Order* const order = orders_.find(client.user, request.token);
    if (order == nullptr) return;
    const bool modifies = request.kind == RequestKind::modify;
    const std::int64_t size = order->executed + order->open;
    if (modifies &&
        !session::ouch::may_become(order->terms.side, request.side, order->terms.version))
        return;
    if (request.quantity > size || (!modifies && request.quantity == size)) return;
    if (request.quantity <= order->executed) return cancel(client.user, *order);
    // A replace of a pegged order states a limit, which this one does not have.
    if (order->terms.peg != PegReference::none && order->terms.market) {
        if (modifies) return;
        return cancel(client.user, *order, size - request.quantity);
    }
    Command command{};
    command.participant = client.participant;
    command.kind = CommandKind::replace_order;
    command.instrument = order->instrument;
    command.order_id = order->id;
    command.price = order->price;
    command.quantity = {request.quantity - order->before};
    command.flags = CommandFlags::k_quantity_is_total;
    ask(client, command, request, bytes);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::cancel_many(Client& client, Request& request,
                                                 std::string_view bytes) {
    using session::ouch::Refusal;
    using session::ouch::RequestKind;
    Command command{};
    command.participant = client.participant;
    command.kind = CommandKind::mass_cancel;
    const std::string symbol{request.kind == RequestKind::disable ? std::string_view{}
                                                                  : request.symbol.text()};
    if (!symbol.empty()) {
        const auto known = instruments_.find(symbol);
        if (known == instruments_.end() && request.refusal == Refusal::none)
            request.refusal = Refusal::symbol;
        else if (known != instruments_.end())
            command.instrument = known->second;
    }
    if (request.refusal != Refusal::none) return ask_nothing(client, request, bytes);
    if (request.side == ' ')
        command.flags = CommandFlags::k_both_sides;
    else
        command.side = request.side == 'B' ? Side::buy : Side::sell;
    ask(client, command, request, bytes);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::ask_nothing(Client& client, const Request& request,
                                                 std::string_view bytes) {
    Command command{};
    command.participant = client.participant;
    command.kind = CommandKind::new_order;  // carries no instrument
    ask(client, command, request, bytes);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::ask(Client& client, const Command& command,
                                         const Request& request, std::string_view bytes) {
    Link& own = link(client.user);
    detail::OuchRequests::Asked& asked = own.requests.add();
    const Origin origin{.session = client.id,
                        .inbound_sequence = orders_.user(client.user).last_request + 1,
                        .tag = OuchTag{.kind = request.kind,
                                       .refusal = request.refusal,
                                       .self_trade = config_.self_trade_prevention}
                                   .tag()};
    asked.number = origin.inbound_sequence;
    asked.token = request.token;
    asked.replaces = request.replaces;
    asked.concerns_all = request.kind == session::ouch::RequestKind::disable ||
                         request.kind == session::ouch::RequestKind::enable ||
                         request.kind == session::ouch::RequestKind::withdraw;
    std::array<char, wire::ouch::k_longest_message> shorter;
    if (bytes.size() > Attachment::k_capacity) {
        // Unknown options can make it longer than any message.
        bytes = bytes.substr(0, shorter.size());
        std::ranges::copy(bytes, shorter.begin());
        const auto whole = std::span{shorter}.first(bytes.size());
        bytes = {shorter.data(), session::ouch::shorten(std::as_writable_bytes(whole))};
    }
    asked.bytes.append(bytes);
    orders_.note_record(command, origin);
    const Attachment attachment = asked.bytes;  // copied: the answer may come at once
    if (!exchange_->attach(attachment, origin, time())) stopped_ = true;
    submit(command, origin);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::cancel(std::uint32_t user, const session::ouch::Order& order,
                                            std::int64_t quantity, OuchTag tag) {
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = order.instrument;
    command.participant = orders_.user(user).participant;
    command.order_id = order.id;
    command.quantity = {quantity};
    submit(command, {.session = orders_.user(user).id, .tag = tag.tag()});
}

// A session ends behind the answers to all that its user asked for, and with all of its orders: the
// next one gives out the same tokens again.
template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::begin_ends() {
    day_over_ = false;
    for (std::uint32_t user = 1; user <= orders_.highest_user(); ++user) {
        Link& own = link(user);
        if (!orders_.user(user).ending) {
            own.ends = false;
            continue;
        }
        day_over_ = true;
        if (own.ends || !own.requests.empty() || own.opening > 0 || orders_.has_withdrawn(user))
            continue;
        own.ends = true;
        orders_.each_order(user, [&](const session::ouch::Order& order) {
            ends_.push_back({.user = user, .token = order.terms.token});
        });
        ends_.push_back({.user = user});
    }
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::submit_end(const End& end) {
    using session::ouch::RequestKind;
    if (end.token != Token{}) {
        if (const auto* const order = orders_.find(end.user, end.token))
            cancel(end.user, *order, 0, {.kind = RequestKind::end_order});
        return;
    }
    Command command{};
    command.participant = orders_.user(end.user).participant;
    command.kind = CommandKind::new_order;  // carries no instrument
    submit(command, {.session = orders_.user(end.user).id,
                     .tag = OuchTag{.kind = RequestKind::end_session}.tag()});
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::submit(const Command& command, const Origin& origin) {
    stopped_ |= stopped_ || !exchange_->submit(command, origin, time());
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_event(const Event& event, const Origin& origin,
                                              const CommandStamp& stamp) {
    if (event.kind == EventKind::instrument_added) note_instrument(event.instrument);
    if (orders_.has_users()) report(event, origin, stamp);
    if (leaving_ > 0 && event.command == CommandKind::release_participant) on_release(event);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::report(const Event& event, const Origin& origin,
                                            const CommandStamp& stamp) {
    const detail::OuchRequests::Asked* asked = nullptr;
    std::uint32_t asker = 0;
    if (gateway_of(origin.session) == k_ouch_gateway && origin.inbound_sequence != 0) {
        asker = orders_.find(origin.session);
        asked = link(asker).requests.find(origin.inbound_sequence);
    }
    const std::uint32_t user = orders_.apply(
        event, origin, asked == nullptr ? std::string_view{} : asked->bytes.view(), stamp);
    if (event.kind == EventKind::day_ended) day_over_ = true;
    if (user != 0 && link(user).connection != nullptr) note_due(*link(user).connection);
    if (!entering_.empty() && gateway_of(origin.session) == k_ouch_gateway &&
        OuchTag::of(origin.tag).kind == session::ouch::RequestKind::enter_anew &&
        (event.kind == EventKind::accepted || event.kind == EventKind::rejected))
        std::erase(entering_, OrderId{event.client_order_id().value});
    if (asked == nullptr || event.kind != EventKind::rejected) return;
    if (event.reason == Reason::unknown_order || event.reason == Reason::not_owner ||
        event.reason == Reason::not_in_phase)
        return;
    // The order has become smaller, or cannot be replaced as requested: it ends.
    using session::ouch::RequestKind;
    const RequestKind kind = OuchTag::of(origin.tag).kind;
    if (kind == RequestKind::replace) to_cancel_.emplace_back(asker, asked->replaces);
    if (kind == RequestKind::cancel) to_cancel_.emplace_back(asker, asked->token);
}

template <class Network, class Exchange>
void OuchGateway<Network, Exchange>::on_command_end(const Origin& origin) {
    if (gateway_of(origin.session) != k_ouch_gateway) return;
    if (origin.inbound_sequence != 0)
        return link(orders_.find(origin.session)).requests.end(origin.inbound_sequence);
    if (OuchTag::of(origin.tag).version == session::ouch::Version::none) return;
    --link(orders_.find(origin.session)).opening;
}

}  // namespace damrak::gateway::ouch
