// Parts of BinaryGateway; only its header includes them.
#pragma once

#include <optional>
#include <utility>

#include <damrak/gateway/binary/binary_gateway.hpp>

namespace damrak::gateway::binary {

// The gateway's data of a connection.
template <class Network, class Exchange>
struct BinaryGateway<Network, Exchange>::Client : detail::LoginLinks<Client> {
    Connection* connection = nullptr;
    std::optional<session::BinarySession<BinaryGateway>> session;
    ParticipantId own_participant{};  ///< assigned to this connection alone
    bool leaves_traces = false;       ///< in the engine, under its participant
    bool half_written = false;        ///< the output begins within a message
    telemetry::Unwritten unwritten;
};

template <class Network, class Exchange>
BinaryGateway<Network, Exchange>::BinaryGateway(Setup setup, const House& house)
    : Tcp({.address = setup.config.address,
           .port = setup.config.port,
           .maximum_connections = setup.config.maximum_connections,
           .read_bytes = setup.config.input_bytes,
           .input_bytes = setup.config.input_bytes,
           .output_bytes = setup.config.output_bytes,
           .silence_ns = setup.config.session_timeout_ns},
          *this, std::move(setup.network)),
      config_(std::move(setup.config)),
      names_(house.engine),
      logins_(house.engine.maximum_participants),
      participants_(&house.participants),
      probe_(&house.probe) {
    by_session_.reserve(config_.maximum_connections);
}

template <class Network, class Exchange>
BinaryGateway<Network, Exchange>::~BinaryGateway() = default;

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::attach(Exchange& exchange) {
    static_assert(ExchangeSide<Exchange>);
    exchange_ = &exchange;
    last_session_ = exchange.last_session();
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_opened(Connection& connection) {
    ++last_session_.value;
    connection.client->connection = &connection;
    connection.client->session.emplace(*this, *connection.output, config_.rules, last_session_,
                                       wire::binary::ClientId{last_session_.value});
    by_session_[last_session_.value] = &connection;
    probe_->on_opened(last_session_,
                      probe_->logging() ? tcp_.peer_of(connection) : telemetry::Peer{}, tcp_.now());
}

template <class Network, class Exchange>
session::Received BinaryGateway<Network, Exchange>::on_bytes(Connection& connection,
                                                             std::span<const std::byte> bytes) {
    current_ = &connection;
    const session::Received done = connection.client->session->receive(bytes, time());
    current_ = nullptr;
    return done;
}

template <class Network, class Exchange>
bool BinaryGateway<Network, Exchange>::may_end(const Connection& connection) const {
    return connection.client->session->pending() == 0;
}

template <class Network, class Exchange>
std::optional<std::string_view> BinaryGateway<Network, Exchange>::end_reason(
    const Connection& connection) const {
    const session::Disconnect reason = connection.client->session->disconnect();
    if (reason == session::Disconnect::none) return std::nullopt;
    return text(reason);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_silent(Connection& connection) {
    if (!connection.client->session->is_supervised() && !connection.peer_ended)
        return tcp_.watch_activity(connection, time());
    connection.client->session->time_out(time());
    tcp_.queue_write(connection);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_ended(Connection& connection, std::string_view reason) {
    Client& client = *connection.client;
    if (!reason.empty() && config_.on_disconnect)
        config_.on_disconnect(client.session->id(), reason);
    const session::Disconnect why = client.session->disconnect();
    client.session->close();
    probe_->on_closed(client.session->id(), why == session::Disconnect::none ? "" : name(why),
                      tcp_.now(), client.unwritten);
    by_session_.erase(client.session->id().value);
    logins_.remove(client);
    const ParticipantId own = client.own_participant;
    if (own && client.leaves_traces)
        participants_->leave(own, names_.open_orders(own));
    else if (own)
        participants_->give_back(own);
}

template <class Network, class Exchange>
auto BinaryGateway<Network, Exchange>::find(SessionId session) -> Connection* {
    if (current_ != nullptr && current_->client->session->id() == session) [[likely]]
        return current_;
    const auto found = by_session_.find(session.value);
    return found == by_session_.end() ? nullptr : found->second;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::submit(const Command& command, const Origin& origin) {
    const bool leaves_traces = command.kind == CommandKind::new_order ||
                               command.kind == CommandKind::quote ||
                               command.kind == CommandKind::set_quote_protection;
    if (leaves_traces)
        if (Connection* const asker = find(origin.session)) asker->client->leaves_traces = true;
    probe_->on_submit();
    if (stopped_ || !exchange_->submit(command, origin, time())) stopped_ = true;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_handled(SessionId session,
                                                  const wire::binary::Header& header,
                                                  Timestamp now) {
    probe_->on_handled(session, detail::request_kind(header), header.type, header.client_sequence,
                       now, current_->client->unwritten);
}

// The written bytes begin with a message, unless the last write ended within one.
template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_written(Connection& connection,
                                                  std::span<const std::byte> offered,
                                                  std::size_t sent) {
    wire::binary::Header first{};
    if (probe_->logging() && !connection.client->half_written &&
        offered.size() >= wire::binary::k_header_length)
        first = wire::binary::decode_header(offered.data());
    connection.client->half_written = sent < offered.size();
    probe_->on_written(connection.client->session->id(), first.type, first.client_sequence, sent,
                       probe_->logging() ? tcp_.now() : Timestamp{}, connection.client->unwritten);
}

template <class Network, class Exchange>
auto BinaryGateway<Network, Exchange>::authenticate(SessionId session,
                                                    std::span<const std::byte> key)
    -> std::expected<ParticipantId, session::binary::HelloStatus> {
    using session::binary::HelloStatus;
    const Identities::Answer who = participants_->identities().of_key(key);
    if (!who) return std::unexpected{HelloStatus::invalid_api_key};
    Connection& connection = *find(session);
    if (!tcp_.settle(connection, *who)) return std::unexpected{HelloStatus::no_room};
    if (*who) return *who;
    Client& client = *connection.client;
    if (!client.own_participant)
        client.own_participant = participants_->take(tcp_.host_of(connection));
    if (!client.own_participant) return std::unexpected{HelloStatus::no_room};
    return client.own_participant;
}

// Not at the client's request: this connection does not get answers from before its login.
template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_login(SessionId session, ParticipantId participant) {
    if (Connection* const connection = find(session)) logins_.add(*connection->client, participant);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_logout(SessionId session) {
    if (Connection* const connection = find(session)) logins_.remove(*connection->client);
}

// An execution, and a change that nobody asked for, go to the session that entered the order or, if
// that is gone, to the latest login of its participant. Every other event answers a request.
template <class Network, class Exchange>
auto BinaryGateway<Network, Exchange>::listener_of(const Event& event, const Origin& origin)
    -> Connection* {
    const bool by_order = event.kind == EventKind::executed || unasked_(event);
    const SessionId session = by_order ? names_.owner(event.order_id) : origin.session;
    if (!session || gateway_of(session) != k_binary_gateway) return nullptr;
    Connection* const own = find(session);
    if (own != nullptr && own->client->session->participant() == event.participant) [[likely]]
        return own;
    Client* const latest = by_order ? logins_.latest(event.participant) : nullptr;
    return latest == nullptr ? nullptr : latest->connection;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_event(const Event& event, const Origin& origin,
                                                const CommandStamp& stamp) {
    if (Connection* const to = listener_of(event, origin)) {
        to->client->session->on_event(event, origin, stamp);
        tcp_.queue_write(*to);
    }
    if (names_.on_event(event, origin)) participants_->note_closed(event.participant);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_command_end(const Origin& origin) {
    if (!origin.session || gateway_of(origin.session) != k_binary_gateway) return;
    if (Connection* const asker = find(origin.session)) {
        probe_->on_command_end(origin);
        asker->client->session->on_command_end(origin);
        tcp_.queue_write(*asker);
        probe_->on_answered(origin, asker->client->unwritten);
    }
}

}  // namespace damrak::gateway::binary
