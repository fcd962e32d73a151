// Parts of gateway::BinaryGateway; included by its header alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <optional>
#include <thread>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/gateway/binary_gateway.hpp>
#include <damrak/gateway/detail/binary_connection.hpp>

namespace damrak::gateway {

template <class Network, class Exchange>
BinaryGateway<Network, Exchange>::BinaryGateway(BinaryGatewayConfig config,
                                                const EngineConfig& engine,
                                                Participants& participants, Network network)
    : config_(std::move(config)),
      names_(engine.maximum_orders),
      network_(std::move(network)),
      logins_(engine.maximum_participants),
      behind_(std::make_unique<Behind>()),
      participants_(&participants) {
    static_assert(ExchangeSide<Exchange>);
    for (Connections* list : {&to_read_, &reading_, &to_write_, &writing_})
        list->reserve(config_.maximum_connections);
    slots_.reserve(config_.maximum_connections);
    by_session_.reserve(config_.maximum_connections);
}

template <class Network, class Exchange>
BinaryGateway<Network, Exchange>::~BinaryGateway() = default;

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::attach(Exchange& exchange) {
    exchange_ = &exchange;
    last_session_ = exchange.last_session();
    participants_->note_given_out(exchange.last_participant());
}

template <class Network, class Exchange>
std::expected<void, std::string> BinaryGateway<Network, Exchange>::listen() {
    const auto port = network_.open(config_.address, config_.port);
    if (!port) return std::unexpected{port.error()};
    port_ = *port;
    return {};
}

template <class Network, class Exchange>
std::size_t BinaryGateway<Network, Exchange>::do_work(int wait_ms) {
    constexpr std::chrono::microseconds k_pause{20};
    // Answers that wait for the disk hold up the next turn: all of one turn are kept together.
    if (answers_wait_ && !flush_kept()) {
        if (wait_ms != 0) std::this_thread::sleep_for(k_pause);
        return 0;
    }
    poll(wait_ms);
    if (!stopped_ && !exchange_->do_work(time_)) stopped_ = true;
    answers_wait_ = !flush_kept();
    return end_turn();
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::poll(int wait_ms) {
    messages_ = 0;
    const bool busy =
        accept_more_ || !to_read_.empty() || behind_->size() > 0 || exchange_->awaits_answers();
    network_.wait(busy ? 0 : wait_ms, [&](void* owner, bool readable, bool writable, bool ended) {
        if (neighbours_.signal(owner)) [[unlikely]]
            return;
        auto* const connection = static_cast<Connection*>(owner);
        if (connection == nullptr) {
            accept_more_ = true;
        } else if (connection->open()) {
            connection->peer_ended |= ended;
            // One that ended is written to, and closed, when its turn to be read comes.
            if (readable || ended) queue_read(*connection);
            if (writable && !ended) queue_write(*connection);
        }
    });
    if (accept_more_) accept_waiting();
    serve_waiting();
    time_ = now();
    end_silent(time_);
}

template <class Network, class Exchange>
std::size_t BinaryGateway<Network, Exchange>::end_turn(std::size_t of_others) {
    probe_.on_turn(messages_ + of_others > 0);
    return messages_ + of_others;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::serve_waiting() {
    // Whoever is not done joins the next turn, behind the others.
    std::size_t left_behind = std::min(behind_->size(), k_served_behind_a_turn);
    std::swap(to_read_, reading_);
    for (std::size_t i = 0; i < reading_.size(); ++i) {
        Connection& connection = *reading_[i];
        // While this one is served, the next is fetched: of many, most are in no cache.
        if (i + 1 < reading_.size()) reading_[i + 1]->prefetch();
        connection.queued_read = false;
        if (connection.open()) serve(connection);
    }
    reading_.clear();
    // One that brings orders is the last: everybody's answers of this turn wait for them.
    for (const std::size_t before = messages_; left_behind > 0 && messages_ == before;
         --left_behind) {
        Connection& connection = behind_->pop();
        connection.queued_read = false;
        if (connection.open()) serve(connection);
    }
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::end_silent(Timestamp time) {
    activity_.expire({time.value - config_.session_timeout_ns},
                     [&](session::ActivityList::Node& n) {
                         auto& silent = static_cast<Connection&>(n);
                         if (!silent.session->is_supervised() && !silent.peer_ended)
                             return activity_.add(silent, time);
                         silent.session->time_out(time);
                         queue_write(silent);
                     });
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::accept_waiting() {
    for (std::size_t i = 0; i < k_accepts_a_turn; ++i) {
        typename Network::Socket socket = network_.accept();
        if (!socket.open()) {
            accept_more_ = false;
            return;
        }
        if (by_session_.size() < config_.maximum_connections) open(std::move(socket));
    }
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::open(typename Network::Socket socket) {
    Connection& connection = slots_.take(config_.input_bytes, config_.output_bytes);
    ++last_session_.value;
    connection.socket = std::move(socket);
    connection.output.emplace(std::span{connection.output_memory.get(), connection.output_size});
    connection.session.emplace(*this, *connection.output, config_.rules, last_session_,
                               wire::binary::ClientId{last_session_.value});
    connection.input_used = 0;
    connection.own_participant = {};
    connection.has_ordered = false;
    connection.burdens = true;
    connection.closed_by_peer = false;
    connection.broken = false;
    connection.peer_ended = false;
    by_session_[last_session_.value] = &connection;
    activity_.add(connection, now());
    connection.half_written = false;
    tell_opened(connection);
    // What has come already is told like what comes later.
    if (!network_.watch(connection.socket, &connection)) end(connection);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::serve(Connection& connection) {
    if (connection.is_choked()) return queue_write(connection);
    const std::span<std::byte> room = connection.room();
    bool filled = false;
    bool more = false;
    if (!room.empty()) {
        const auto got = network_.receive(connection.socket, room);
        probe_.on_read(got.bytes);
        connection.input_used += got.bytes;
        connection.closed_by_peer |= got.closed;
        connection.peer_ended |= got.closed;
        // The end is told once, with the bytes before it: it has to be read to be found.
        filled = got.bytes == room.size();
        more = filled || (connection.peer_ended && !got.closed);
    }
    time_ = now();
    current_ = &connection;
    const session::Received done =
        connection.session->receive({connection.input.get(), connection.input_used}, time_);
    current_ = nullptr;
    if (done.consumed_bytes > 0) {
        connection.input_used -= done.consumed_bytes;
        std::memmove(connection.input.get(), connection.input.get() + done.consumed_bytes,
                     connection.input_used);
    }
    messages_ += done.messages;
    if (!done.blocked) connection.burdens = filled || done.messages == 0;
    if (done.messages > 0 && connection.listed()) activity_.touch(connection, time_);
    if (connection.session->disconnect() != session::Disconnect::none)
        return queue_write(connection);
    // What the session refused by itself: no event tells of it.
    if (!connection.output->readable().empty()) queue_write(connection);
    if (more || (done.blocked && !stopped_)) return queue_read(connection);
    // A client that only stopped sending still hears its answers.
    if (connection.closed_by_peer) queue_write(connection);
}

// Nothing is told before it is kept.
template <class Network, class Exchange>
bool BinaryGateway<Network, Exchange>::flush_kept() {
    const journal::Kept kept = exchange_->kept();
    if (kept == journal::Kept::refused) stopped_ = true;
    if (kept != journal::Kept::all) return stopped_;
    std::swap(to_write_, writing_);
    for (std::size_t i = 0; i < writing_.size(); ++i) {
        Connection& connection = *writing_[i];
        if (i + 1 < writing_.size()) writing_[i + 1]->prefetch();
        connection.queued_write = false;
        if (connection.open()) flush(connection);
    }
    writing_.clear();
    return true;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::flush(Connection& connection) {
    const bool was_choked = connection.is_choked();
    if (const auto bytes = connection.output->readable(); !bytes.empty()) {
        const auto sent = network_.send(connection.socket, bytes);
        tell_written(connection, bytes, sent.bytes);
        connection.output->consume(sent.bytes);
        connection.broken = sent.closed;
    }
    if (was_choked && !connection.is_choked()) queue_read(connection);
    const session::Disconnect reason = connection.session->disconnect();
    if (reason != session::Disconnect::none && config_.on_disconnect)
        config_.on_disconnect(connection.session->id(), text(reason));
    if (reason != session::Disconnect::none || connection.is_over()) end(connection);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::end(Connection& connection) {
    connection.session->close();
    const session::Disconnect reason = connection.session->disconnect();
    probe_.on_closed(connection.session->id(),
                     reason == session::Disconnect::none ? "" : name(reason), now(),
                     connection.unwritten);
    by_session_.erase(connection.session->id().value);
    logins_.remove(connection);
    if (connection.own_participant && !connection.has_ordered)
        participants_->give_back(connection.own_participant);
    if (connection.listed()) activity_.remove(connection);
    connection.socket.reset();
    slots_.give_back(connection);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::close() {
    while (!flush_kept()) std::this_thread::yield();
    for (const auto& slot : slots_.all())
        if (slot->open()) end(*slot);
    network_.close();
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::queue_read(Connection& connection) {
    if (std::exchange(connection.queued_read, true)) return;
    if (connection.waits_behind())
        behind_->push(connection);
    else
        to_read_.push_back(&connection);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::queue_write(Connection& connection) {
    if (!std::exchange(connection.queued_write, true)) to_write_.push_back(&connection);
}

template <class Network, class Exchange>
typename BinaryGateway<Network, Exchange>::Connection* BinaryGateway<Network, Exchange>::find(
    SessionId session) {
    if (current_ != nullptr && current_->session->id() == session) [[likely]]
        return current_;
    const auto found = by_session_.find(session.value);
    return found == by_session_.end() ? nullptr : found->second;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::submit(const Command& command, const Origin& origin) {
    if (command.kind == CommandKind::new_order)
        if (Connection* const asker = find(origin.session)) asker->has_ordered = true;
    probe_.on_submit();
    if (stopped_ || !exchange_->submit(command, origin, time_)) stopped_ = true;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_handled(SessionId session,
                                                  const wire::binary::Header& header,
                                                  Timestamp now) {
    probe_.on_handled(session, detail::request_kind(header), header.type, header.client_sequence,
                      now, current_->unwritten);
}

// A network that has no addresses tells none.
template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::tell_opened(Connection& connection) {
    telemetry::Peer from;
    if constexpr (requires { network_.peer(connection.socket); }) {
        if (probe_.logging()) {
            const auto peer = network_.peer(connection.socket);
            from = {connection.socket.number(), peer.port, peer.address};
        }
    }
    probe_.on_opened(connection.session->id(), from, now());
}

// What the write carried begins with a message, unless the last one left half of one.
template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::tell_written(Connection& connection,
                                                    std::span<const std::byte> offered,
                                                    std::size_t sent) {
    wire::binary::Header first{};
    if (probe_.logging() && !connection.half_written &&
        offered.size() >= wire::binary::k_header_length)
        first = wire::binary::decode_header(offered.data());
    connection.half_written = sent < offered.size();
    probe_.on_written(connection.session->id(), first.type, first.client_sequence, sent,
                      probe_.logging() ? now() : Timestamp{}, connection.unwritten);
}

template <class Network, class Exchange>
ParticipantId BinaryGateway<Network, Exchange>::authenticate(SessionId session,
                                                             std::span<const std::byte> key) {
    const Identities::Answer who = participants_->identities().of_key(key);
    if (!who) return {};
    if (*who) return *who;
    Connection& connection = *find(session);
    if (!connection.own_participant) connection.own_participant = participants_->take();
    return connection.own_participant;
}

// Not at its request: what happened before the login is in the journal is not for this connection.
template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_login(SessionId session, ParticipantId participant) {
    Connection* const connection = find(session);
    if (connection != nullptr && connection->session->logged_in())
        logins_.add(*connection, participant);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_logout(SessionId session) {
    if (Connection* const connection = find(session)) logins_.remove(*connection);
}

// An execution is for the session that entered the order, or, once that one is gone, for the latest
// login of its participant; everything else answers a request.
template <class Network, class Exchange>
typename BinaryGateway<Network, Exchange>::Connection*
BinaryGateway<Network, Exchange>::listener_of(const Event& event, const Origin& origin) {
    const bool executed = event.kind == EventKind::executed;
    const SessionId session = executed ? names_.owner(event.order_id) : origin.session;
    if (!session || door_of(session) != Door::binary) return nullptr;
    Connection* const own = find(session);
    if (own != nullptr && own->session->participant() == event.participant) [[likely]]
        return own;
    return executed ? logins_.latest(event.participant) : nullptr;
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_event(const Event& event, const Origin& origin,
                                                const CommandStamp& stamp) {
    probe_.on_event(event, origin, stamp);
    if (Connection* const to = listener_of(event, origin)) {
        to->session->on_event(event, origin, stamp);
        queue_write(*to);
    }
    names_.on_event(event, origin);
    probe_.on_told(origin);
}

template <class Network, class Exchange>
void BinaryGateway<Network, Exchange>::on_command_end(const Origin& origin) {
    if (!origin.session || door_of(origin.session) != Door::binary) return;
    if (Connection* const asker = find(origin.session)) {
        probe_.on_command_end(origin);
        asker->session->on_command_end(origin);
        queue_write(*asker);
        probe_.on_answered(origin, asker->unwritten);
    }
}

}  // namespace damrak::gateway
