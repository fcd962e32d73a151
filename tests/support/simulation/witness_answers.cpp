// Messages that clients are owed for a command, from docs/protocols/binary.md and the events of the
// reference engine.
#include <utility>

#include "support/simulation/witness.hpp"

namespace damrak::simulation {

namespace {

using namespace wire::binary;

constexpr std::uint8_t k_accepted = 1;
constexpr std::uint8_t k_refused = 2;
constexpr std::uint8_t k_not_found = 3;
// Order status of version 2.
constexpr std::uint8_t k_partially_filled = 3;
constexpr std::uint8_t k_filled = 4;
constexpr std::uint8_t k_cancelled = 5;

std::uint8_t cancel_status(Version version, Reason reason) {
    if (version == Version::v2) return k_refused;
    return reason == Reason::unknown_order || reason == Reason::not_owner ||
                   reason == Reason::unknown_instrument
               ? k_not_found
               : k_refused;
}

std::uint8_t modify_status(Version version, Reason reason) {
    const bool none = reason == Reason::unknown_order ||
                      (version == Version::v1 && reason == Reason::unknown_instrument);
    return none ? k_not_found : k_refused;
}

std::uint64_t count(Quantity quantity) { return static_cast<std::uint64_t>(quantity.value); }

}  // namespace

void Witness::tell_answers(const journal::Record& record) {
    Conversation* const asker = find({record.head.session});
    const Request* request = nullptr;
    if (asker != nullptr && record.command.kind != CommandKind::mass_cancel)
        request = asker->find_request(record.head.inbound_sequence);
    open_ack_.reset();
    for (const Event& event : events_) {
        if (event.kind == EventKind::executed) {
            trades_ += has_flag(event, EventFlags::k_aggressor) ? 1U : 0U;
            tell_trade(event, record);
        }
        if (request != nullptr) tell_own(event, record, *asker, *request);
        if (event.kind == EventKind::accepted)
            state_->entered[event.order_id] = {event.client_order_id(), {record.head.session}};
        if (event.kind == EventKind::replaced)
            state_->entered[event.new_order_id()] = state_->entered[event.order_id];
    }
}

// To the connection that entered the order, else to the latest login. A connection may have ended
// before the journal says so, or after a logout, about which the journal says nothing more: then to
// another login.
void Witness::tell_trade(const Event& event, const journal::Record& record) {
    const Entered& entered = state_->entered[event.order_id];
    const std::vector<Conversation*>& logins = logins_[event.participant];
    Conversation* first = find(entered.session);
    if (first == nullptr && !logins.empty()) first = logins.back();
    const auto told = std::make_shared<bool>(false);
    const auto tell = [&](Conversation& hearer) {
        const bool v2 = hearer.version() == Version::v2;
        hearer.tell({.message = Trade{.client_id = {hearer.session.value},
                                      .order_id = event.order_id,
                                      .client_order_id = v2 ? entered.name : ClientOrderId{},
                                      .trade_id = v2 ? event.reference : 0,
                                      .quantity = count(event.quantity),
                                      .price_e2 = price_e2_of(event.price),
                                      .timestamp_us = microseconds_of(record.command.timestamp)},
                     .record = record.head.sequence,
                     .instead = &hearer != first,
                     .told = told});
    };
    if (first != nullptr) tell(*first);
    for (Conversation* const login : logins)
        if (login != first) tell(*login);
}

// Events of an order that its owner requested; in version 2 the acknowledgement reports their sum.
void Witness::tell_own(const Event& event, const journal::Record& record, Conversation& asker,
                       const Request& request) {
    const bool v2 = asker.version() == Version::v2;
    const std::uint64_t time_us = microseconds_of(record.command.timestamp);
    const ClientId client{asker.session.value};
    const auto tell = [&](const Message& message) {
        return asker.tell({.message = message,
                           .record = record.head.sequence,
                           .request = record.head.inbound_sequence});
    };
    const NewOrder& order = request.order;
    const ModifyOrder& target = request.target;
    const auto modified = [&](OrderId id, Quantity quantity, std::uint8_t status) {
        tell(ModifyAck{client, target.order_id, id, target.client_order_id, count(quantity),
                       target.price_e2, target.instrument, status});
    };
    const auto cancelled = [&](std::uint8_t status) {
        tell(CancelAck{client, target.order_id, target.client_order_id, target.instrument, status});
    };
    const auto held = [&]() { return std::get_if<OrderAck>(&asker.answer(*open_ack_).message); };
    // The answer does not report trades of other orders that take a turn after this command.
    const auto is_acknowledged = [&] {
        return v2 && open_ack_ && held()->order_id == event.order_id;
    };
    const bool limit = order.order_type == 0;
    switch (event.kind) {
        case EventKind::accepted:
            open_ack_ = tell(OrderAck{client, event.order_id, order.client_order_id, order.price_e2,
                                      v2 || limit ? order.quantity : 0, time_us, order.instrument,
                                      k_accepted});
            return;
        case EventKind::rejected:
            if (request.asked == Asked::new_order)
                tell(OrderAck{client,
                              {},
                              order.client_order_id,
                              0,
                              v2 || limit ? order.quantity : 0,
                              time_us,
                              order.instrument,
                              k_refused});
            if (request.asked == Asked::cancel)
                cancelled(cancel_status(asker.version(), event.reason));
            if (request.asked == Asked::modify)
                modified({}, {static_cast<std::int64_t>(target.quantity)},
                         modify_status(asker.version(), event.reason));
            return;
        case EventKind::executed:
            if (!is_acknowledged() || !has_flag(event, EventFlags::k_aggressor)) return;
            held()->quantity = count(event.remaining);
            held()->status = event.remaining.value == 0 ? k_filled : k_partially_filled;
            return;
        case EventKind::replaced:
            return modified(event.new_order_id(), event.remaining, k_accepted);
        case EventKind::cancelled:
            if (is_acknowledged() && held()->status == k_accepted) held()->status = k_cancelled;
            if (event.command != CommandKind::cancel_order) return;
            if (request.asked == Asked::cancel) cancelled(k_accepted);
            if (request.asked == Asked::modify) modified(event.order_id, {}, k_accepted);
            return;
        default:
            return;
    }
}

}  // namespace damrak::simulation
