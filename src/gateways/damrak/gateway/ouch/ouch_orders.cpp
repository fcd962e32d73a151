#include <damrak/gateway/ouch/ouch_orders.hpp>

#include <algorithm>
#include <utility>

#include <damrak/gateway/ouch/detail/past_executions.hpp>

namespace damrak::gateway::ouch {

namespace {

using session::ouch::cancel_code;
using session::ouch::Refusal;
using session::ouch::refusal_of;
using session::ouch::Request;
using session::ouch::RequestKind;
using session::ouch::Version;

// The request as decoded on arrival; an invalid record gives an empty one.
Request request_in(Version version, std::string_view bytes) {
    return session::ouch::read_request(version, std::as_bytes(std::span{bytes}))
        .value_or(Request{});
}

CallKind call_of(const Event& uncrossed) {
    return static_cast<CallKind>(uncrossed.displayed.value);
}

}  // namespace

OuchOrders::OuchOrders(const EngineConfig& engine)
    : users_(1),
      orders_capacity_(engine.maximum_orders),
      names_capacity_(engine.maximum_orders + k_past_tokens),
      decimals_(engine.maximum_instruments + std::size_t{1}) {}

std::uint32_t OuchOrders::open_orders(ParticipantId participant) const {
    std::uint32_t open = 0;
    for (const Entry& entry : users_)
        if (entry.user.participant == participant) open += entry.user.open_orders;
    return open;
}

const OuchOrders::Order* OuchOrders::find(std::uint32_t user, const Token& token) const {
    const std::uint32_t name = name_of(user, token);
    const std::uint32_t order = name == 0 ? 0 : open_->names.order_of(name);
    return order == 0 ? nullptr : &open_->orders[order];
}

bool OuchOrders::is_taken(std::uint32_t user, const Token& token) const {
    if (users_[user].user.version == Version::v50)
        return session::ouch::ref_of(token) <= users_[user].user.last_ref;
    return name_of(user, token) != 0;
}

std::int64_t OuchOrders::scale(InstrumentId id) const {
    constexpr unsigned k_decimals = 4;
    const unsigned known = id.value < decimals_.size() ? decimals_[id.value] : 0U;
    if (known == 0 || known - 1 > k_decimals) return 0;
    std::int64_t scale = 1;
    for (unsigned i = known - 1; i < k_decimals; ++i) scale *= 10;
    return scale;
}

std::uint64_t OuchOrders::price_e4(const Order& order, Price price) const {
    return static_cast<std::uint64_t>(price.value * scale(order.instrument));
}

Price OuchOrders::limit_of(const Order& order) const {
    if (order.terms.market) return {};
    return {static_cast<std::int64_t>(order.terms.price_e4) / scale(order.instrument)};
}

void OuchOrders::set_price(Order& order, const Event& event) {
    order.price = event.price;
    if (order.terms.peg != PegReference::none)
        order.price = limit_of(order);  // it stands elsewhere
    else if (!order.terms.market)
        order.terms.price_e4 = price_e4(order, event.price);
}

void OuchOrders::note_own(const Command& command, const Origin& origin) {
    std::uint32_t index = find(origin.session);
    if (command.kind == CommandKind::session_opened) {
        const Version version = OuchTag::of(origin.tag).version;
        if (index == 0) {
            index = add_user(origin.session);
            if (index == 0) return;
            users_[index].user.version = version;
        }
        Entry& entry = users_[index];
        // A login at the end of the day joins the session that ends: the exchange and the
        // followers of its journal hear of it in different orders.
        if (entry.user.version != version || entry.user.ended) begin_session(entry);
        entry.user.version = version;
        entry.user.participant = command.participant;
    }
    if (index != 0)
        users_[index].user.last_request =
            std::max(users_[index].user.last_request, origin.inbound_sequence);
}

void OuchOrders::take_token(std::uint32_t user, const Request& request, std::uint32_t order) {
    OuchUser& known = users_[user].user;
    known.last_ref = std::max(known.last_ref, request.user_ref);
    // In 5.0 the last reference number shows which references are taken.
    if (order == 0 && request.version == Version::v50) return;
    const std::uint32_t name =
        open_->names.add(owner_of(user, known.session), request.token.text(), order);
    ++names_used_;
    ++known.tokens;
    if (order != 0) open_->orders[order].name = name;
}

// The token of the order stays in use for the day.
void OuchOrders::let_go(Order& order) {
    if (order.terms.version == Version::v50) {
        open_->names.forget(order.name);
        --names_used_;
        --users_[order.user].user.tokens;
    } else {
        open_->names.part(order.name);
    }
}

void OuchOrders::link(std::uint32_t index) {
    Order& order = open_->orders[index];
    std::uint32_t& newest = users_[order.user].user.newest_order;
    order.next = newest;
    order.previous = 0;
    if (newest != 0) open_->orders[newest].previous = index;
    newest = index;
}

void OuchOrders::unlink(const Order& order) {
    if (order.next != 0) open_->orders[order.next].previous = order.previous;
    if (order.previous != 0)
        open_->orders[order.previous].next = order.next;
    else
        users_[order.user].user.newest_order = order.next;
}

std::uint32_t OuchOrders::apply_for_users(const Event& event, const Origin& origin,
                                          std::string_view request, const CommandStamp& stamp) {
    if (event.kind == EventKind::day_ended) {
        if (event.instrument || event.remaining.value != 0) return 0;
        end_day();
        return 0;
    }
    if (event.kind == EventKind::participant_released) {
        release(event.participant);
        return 0;
    }
    if (event.kind == EventKind::trade_busted || event.kind == EventKind::trade_corrected)
        return on_broken(event, stamp);
    const bool own = gateway_of(origin.session) == k_ouch_gateway;
    if (!own && (open_ == nullptr || open_->orders.used() == 0)) [[likely]]
        return 0;
    if (event.kind == EventKind::uncrossed) call_ = call_of(event);
    if (own) {
        const std::uint32_t user = find(origin.session);
        const OuchTag tag = OuchTag::of(origin.tag);
        if (user == 0) return 0;
        if (event.kind == EventKind::accepted)
            return tag.kind == RequestKind::enter_anew ? on_entered_anew(event, stamp)
                                                       : on_accepted(user, event, request, stamp);
        if (event.kind == EventKind::rejected) return on_refused(user, event, tag, request, stamp);
        if (event.kind == EventKind::mass_cancelled)
            return on_mass_cancelled(user, tag, request, stamp);
    }
    if (event.kind == EventKind::cancelled && event.reason == Reason::self_trade) [[unlikely]]
        note_prevented(event, stamp);
    return on_order(event, origin, request, stamp);
}

void OuchOrders::note_prevented(const Event& event, const CommandStamp& stamp) {
    if (incoming_.command == stamp.sequence && incoming_.order == event.order_id) return;
    met_ = {.command = stamp.sequence, .quantity = event.quantity.value, .price = event.price};
}

// It would have been at the price of the resting order, whose cancel comes first if it is
// cancelled. What the other one had is only known of orders of OUCH.
session::ouch::PreventedTrade OuchOrders::prevented_trade(const Order& order, const Event& event,
                                                          const OuchTag& tag,
                                                          const CommandStamp& stamp) const {
    const bool knows_incoming = incoming_.command == stamp.sequence;
    const bool was_incoming = knows_incoming && incoming_.order == order.id;
    session::ouch::PreventedTrade trade{.was_incoming = was_incoming, .rule = tag.self_trade};
    if (met_.command != stamp.sequence) return trade;
    std::int64_t other = was_incoming ? met_.quantity : 0;
    if (knows_incoming && !was_incoming)
        if (const std::uint32_t index = open_->orders.find(incoming_.order))
            other = open_->orders[index].open;
    if (other == 0) return trade;
    trade.quantity = std::min(event.quantity.value, other);
    trade.price_e4 = price_e4(order, met_.price);
    return trade;
}

std::uint32_t OuchOrders::on_accepted(std::uint32_t user, const Event& event,
                                      std::string_view request, const CommandStamp& stamp) {
    const std::uint32_t index = open_->orders.take();
    Order& order = open_->orders[index];
    order = {.id = event.order_id,
             .user = user,
             .instrument = event.instrument,
             .price = event.price,
             .open = event.remaining.value,
             .terms = request_in(users_[user].user.version, request)};
    // The first message begins the session, and the token belongs to that session.
    if (users_[user].user.ended) begin_session(users_[user]);
    set_price(order, event);
    open_->orders.file(index);
    link(index);
    ++users_[user].user.open_orders;
    take_token(user, order.terms, index);
    incoming_ = {.command = stamp.sequence, .order = order.id};
    Reports reports{stamp};
    send(user, stamp, reports.accepted(order));
    return user;
}

std::uint32_t OuchOrders::on_refused(std::uint32_t user, const Event& event, const OuchTag& tag,
                                     std::string_view bytes, const CommandStamp& stamp) {
    const Request request = request_in(users_[user].user.version, bytes);
    Reports reports{stamp};
    switch (tag.kind) {
        case RequestKind::enter:
        case RequestKind::mass_cancel:
        case RequestKind::disable:
            if (users_[user].user.ended) begin_session(users_[user]);
            take_token(user, request, 0);
            send(
                user, stamp,
                reports.rejected(request, tag.refusal != Refusal::none ? tag.refusal
                                                                       : refusal_of(event.reason)));
            return user;
        case RequestKind::enable:
            take_token(user, request, 0);
            users_[user].user.disabled = false;
            send(user, stamp, reports.entry_enabled(request));
            return user;
        case RequestKind::query:
            send(user, stamp, reports.account(users_[user].user.last_ref + 1));
            return user;
        case RequestKind::end_session:
            end_session(user, stamp);
            return user;
        case RequestKind::end_order:
            return 0;
        case RequestKind::enter_anew:
            return on_not_entered_anew(event, stamp);
        default:
            return on_kept(user, event, tag, request, stamp);
    }
}

// A change that the phase does not take leaves the order as it is. For any other reason the order
// is gone, and its end was reported, or it will be cancelled.
std::uint32_t OuchOrders::on_kept(std::uint32_t user, const Event& event, const OuchTag& tag,
                                  const Request& request, const CommandStamp& stamp) {
    const std::uint32_t index = open_->orders.find(event.order_id);
    if (event.reason != Reason::not_in_phase || index == 0) return 0;
    const Order& order = open_->orders[index];
    Reports reports{stamp};
    if (tag.kind == RequestKind::replace || tag.kind == RequestKind::withdraw) {
        take_token(user, request, 0);
        send(user, stamp, reports.rejected(request, Refusal::closed));
    } else {
        send(user, stamp, reports.cancel_rejected(order));
    }
    return user;
}

std::uint32_t OuchOrders::on_broken(const Event& event, const CommandStamp& stamp) {
    for (std::uint32_t i = 1; i < users_.size(); ++i) {
        const Entry& entry = users_[i];
        if (entry.user.participant != event.participant) continue;
        const auto found =
            detail::find_execution(entry.messages, entry.user.version, event.trade_id().value,
                                   has_flag(event, EventFlags::k_aggressor));
        if (!found) continue;
        Reports reports{stamp};
        send(i, stamp,
             reports.broken(found->token, found->cl_ord_id, entry.user.version,
                            event.trade_id().value));
        return i;
    }
    return 0;
}

std::uint32_t OuchOrders::on_mass_cancelled(std::uint32_t user, const OuchTag& tag,
                                            std::string_view bytes, const CommandStamp& stamp) {
    const Request request = request_in(users_[user].user.version, bytes);
    Reports reports{stamp};
    if (tag.kind == RequestKind::mass_cancel) {
        take_token(user, request, 0);
        send(user, stamp, reports.mass_canceled(request));
        return user;
    }
    if (tag.kind != RequestKind::disable) return 0;  // sent for a lost connection
    take_token(user, request, 0);
    users_[user].user.disabled = true;
    send(user, stamp, reports.entry_disabled(request));
    return user;
}

std::uint32_t OuchOrders::on_order(const Event& event, const Origin& origin,
                                   std::string_view request, const CommandStamp& stamp) {
    const std::uint32_t index = open_->orders.find(event.order_id);
    if (index == 0) return 0;
    Order& order = open_->orders[index];
    const std::uint32_t user = order.user;
    const bool own = gateway_of(origin.session) == k_ouch_gateway;
    const OuchTag tag = own ? OuchTag::of(origin.tag) : OuchTag{};
    Reports reports{stamp};
    switch (event.kind) {
        case EventKind::executed:
            order.open = event.remaining.value;
            order.executed += event.quantity.value;
            send(user, stamp, reports.executed(order, event, price_e4(order, event.price), call_));
            break;
        case EventKind::cancelled:
        case EventKind::expired:
            if (tag.kind == RequestKind::withdraw && event.reason == Reason::requested &&
                withdraw(order, request))
                return 0;
            order.open = event.remaining.value;
            if (event.reason == Reason::self_trade)
                send(user, stamp,
                     reports.aiq_canceled(order, event.quantity.value,
                                          prevented_trade(order, event, tag, stamp)));
            else
                send(user, stamp,
                     reports.canceled(
                         order, event.quantity.value,
                         tag.kind == RequestKind::end_order ? 'E' : cancel_code(event.reason)));
            break;
        case EventKind::replaced:
            on_replaced(order, event, tag, request, stamp);
            return user;
        case EventKind::rested:
            if (event.public_id() == event.order_id) return 0;
            [[fallthrough]];
        case EventKind::refreshed:
            if (order.terms.version != Version::v50) return 0;
            send(user, stamp, reports.restated(order, event));
            return user;
        default:
            return 0;
    }
    if (order.open == 0) close(index);
    return user;
}

void OuchOrders::close(std::uint32_t index) {
    Order& order = open_->orders[index];
    let_go(order);
    unlink(order);
    --users_[order.user].user.open_orders;
    order.user = 0;
    open_->orders.unfile(index);
    open_->orders.give_back(index);
}

void OuchOrders::on_replaced(Order& order, const Event& event, const OuchTag& tag,
                             std::string_view bytes, const CommandStamp& stamp) {
    const std::uint32_t user = order.user;
    const std::int64_t less = order.open - event.remaining.value;
    const bool pegged = order.terms.peg != PegReference::none;
    const bool moved = event.new_order_id() != order.id || (!pegged && event.price != order.price);
    order.open = event.remaining.value;
    if (!pegged) order.price = event.price;
    if (event.new_order_id() != order.id)
        open_->orders.change_id(open_->orders.index_of(order), event.new_order_id());
    Reports reports{stamp};
    if (tag.kind == RequestKind::replace) {
        const Request request = request_in(users_[user].user.version, bytes);
        const Request before = order.terms;
        let_go(order);
        order.terms = session::ouch::replaced_terms(before, request);
        set_price(order, event);
        take_token(user, order.terms, open_->orders.index_of(order));
        incoming_ = {.command = stamp.sequence, .order = order.id};
        return send(user, stamp, reports.replaced(order, before.token));
    }
    if (tag.kind == RequestKind::modify) {
        order.terms.side = request_in(users_[user].user.version, bytes).side;
        return send(user, stamp, reports.modified(order));
    }
    // A smaller size, requested by the user or by another session of the participant.
    if (!order.terms.market && !pegged) order.terms.price_e4 = price_e4(order, event.price);
    if (moved) send(user, stamp, reports.priority(order));
    if (less > 0) send(user, stamp, reports.canceled(order, less, 'U'));
}

}  // namespace damrak::gateway::ouch
