// Parts of gateway::TcpGateway; only its header includes them.
#pragma once

#include <fmt/format.h>

#include <damrak/gateway/tcp_gateway.hpp>

namespace damrak::gateway {

// The node is the first base, so that a node converts to its connection.
template <class Network, class Owner>
struct TcpGateway<Network, Owner>::Connection : session::ActivityList::Node {
    Connection(ConnectionNumber its_number, std::size_t input_bytes, std::size_t output_bytes)
        : number(its_number),
          input_size(input_bytes),
          output_size(output_bytes),
          // Not initialised: only the used part of the buffers takes physical memory.
          input(new std::byte[input_bytes]),
          output_memory(new std::byte[output_bytes]) {}

    [[nodiscard]] bool open() const { return socket.open(); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {input.get(), input_used}; }
    /// Whether it is served after the others: its last read had no complete message or filled its
    /// quota, or the peer has closed.
    [[nodiscard]] bool is_deferred() const { return burdens_others || peer_ended; }
    /// The peer has closed and does not read its answers: more requests would only add to them.
    [[nodiscard]] bool is_choked() const { return peer_ended && output->size() > output_size / 2; }
    [[nodiscard]] std::span<std::byte> room(std::size_t most) const {
        return {input.get() + input_used, std::min(most, input_size - input_used)};
    }
    void prefetch() const {
        constexpr std::size_t k_line_bytes = 64;
        const auto* const first = reinterpret_cast<const std::byte*>(this);
        for (std::size_t at = 0; at < sizeof *this; at += k_line_bytes)
            __builtin_prefetch(first + at);
    }
    void consume(std::size_t count) {
        input_used -= count;
        if (count > 0 && input_used > 0) std::memmove(input.get(), input.get() + count, input_used);
    }

    ConnectionNumber number;
    std::size_t input_size;
    std::size_t output_size;
    std::unique_ptr<std::byte[]> input;
    std::unique_ptr<std::byte[]> output_memory;
    std::size_t input_used = 0;
    typename Network::Socket socket;
    std::optional<session::OutputBuffer> output;
    std::optional<typename Owner::Client> client;
    budget::Row::Place place;
    struct Waiting : session::ActivityList::Node {
        Connection* connection = nullptr;
    } waiting{};
    bool queued_read = false;
    bool queued_write = false;
    bool blocked = false;         ///< its messages must wait
    bool burdens_others = true;   ///< its last read brought no whole message, or filled its quota
    bool closed_by_peer = false;  ///< the peer sends nothing more, but may still read
    bool broken = false;          ///< nothing can be sent any more
    bool peer_ended = false;      ///< the end of the input can be read, after any waiting bytes
    Connection* next_behind = nullptr;
};

template <class Network, class Owner>
TcpGateway<Network, Owner>::TcpGateway(TcpGatewayConfig config, Owner& owner, Network network)
    : config_(std::move(config)), owner_(&owner), network_(std::move(network)), row_(parts(100)) {
    for (Connections* list : {&to_read_, &reading_, &blocked_, &to_write_, &writing_})
        list->reserve(config_.maximum_connections);
    slots_.reserve(config_.maximum_connections);
}

template <class Network, class Owner>
TcpGateway<Network, Owner>::~TcpGateway() = default;

template <class Network, class Owner>
std::expected<void, std::string> TcpGateway<Network, Owner>::listen() {
    const auto port = network_.open(config_.address, config_.port);
    if (!port) return std::unexpected{port.error()};
    port_ = *port;
    return {};
}

template <class Network, class Owner>
std::size_t TcpGateway<Network, Owner>::poll(int wait_ms) {
    messages_ = 0;
    wait(busy() ? 0 : wait_ms);
    if (accept_more_) accept_waiting();
    serve_waiting();
    time_ = now();
    end_silent();
    return messages_;
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::wait(int wait_ms) {
    using Kind = net::WatchHandle::Kind;
    network_.wait(wait_ms, [&](net::WatchHandle handle, bool readable, bool writable, bool ended) {
        if (handle.kind == Kind::listener) {
            accept_more_ = true;
        } else if (handle.kind == Kind::other) {
            *signalled_[handle.number - 1] = true;
        } else if (Connection& connection = slots_.at({handle.number}); connection.open()) {
            connection.peer_ended |= ended;
            // An ended connection is written to, and closed, when its turn to be read comes.
            if (readable || ended) queue_read(connection);
            if (writable && !ended) queue_write(connection);
        }
    });
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::accept_waiting() {
    for (std::size_t i = 0; i < k_accepts_a_turn; ++i) {
        typename Network::Socket socket = network_.accept();
        if (!socket.open()) {
            accept_more_ = false;
            return;
        }
        budget::Row::Place place = take_place();
        if (place && is_for_client(socket))
            open(std::move(socket), std::move(place));
        else
            refuse(socket);
    }
}

// Idle connections keep nobody out: who has waited longest without a login makes room.
template <class Network, class Owner>
budget::Row::Place TcpGateway<Network, Owner>::take_place() {
    auto place = row_.wait();
    if (auto* const longest = static_cast<typename Connection::Waiting*>(waiting_.oldest());
        !place && longest != nullptr) {
        end(*longest->connection, "another client came, and this one had not logged in");
        place = row_.wait();
    }
    return place ? *std::move(place) : budget::Row::Place{};
}

template <class Network, class Owner>
std::expected<void, budget::Refusal> TcpGateway<Network, Owner>::settle(Connection& connection,
                                                                        ParticipantId identity) {
    auto settled = connection.place.pass_to({.identity = identity, .host = host_of(connection)});
    if (settled && connection.waiting.listed()) waiting_.remove(connection.waiting);
    return settled;
}

template <class Network, class Owner>
net::ClientAddress TcpGateway<Network, Owner>::host_of(const Connection& connection) const {
    if constexpr (requires { Network::host_of(connection.socket); })
        return Network::host_of(connection.socket);
    else
        return {};
}

template <class Network, class Owner>
bool TcpGateway<Network, Owner>::is_for_client(const typename Network::Socket& socket) const {
    if constexpr (requires { Network::is_for_client(socket); })
        return Network::is_for_client(socket);
    else
        return true;
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::refuse(const typename Network::Socket& socket) {
    if constexpr (requires { owner_->on_no_room(std::string_view{}); })
        owner_->on_no_room(fmt::format(
            "a client was refused: {} connections are open, {}", connections(),
            is_for_client(socket) ? "the maximum" : "and the limit of open files allows no more"));
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::open(typename Network::Socket socket, budget::Row::Place place) {
    Connection& connection = slots_.take(config_.input_bytes, config_.output_bytes);
    connection.place = std::move(place);
    connection.waiting.connection = &connection;
    connection.socket = std::move(socket);
    connection.output.emplace(std::span{connection.output_memory.get(), connection.output_size});
    connection.input_used = 0;
    connection.burdens_others = true;
    connection.closed_by_peer = false;
    connection.broken = false;
    connection.peer_ended = false;
    connection.client.emplace();
    activity_.add(connection, now());
    waiting_.add(connection.waiting, now());
    owner_->on_opened(connection);
    // Data that has arrived already is reported like later data.
    const net::WatchHandle handle{.kind = net::WatchHandle::Kind::connection,
                                  .number = connection.number.value};
    if (!network_.watch(connection.socket, handle)) end(connection, {});
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::serve_waiting() {
    for (Connection* const connection : blocked_) {
        connection->blocked = false;
        if (connection->open()) queue_read(*connection);
    }
    blocked_.clear();
    // Connections that are not finished join the next turn, after the others.
    std::size_t left_behind = std::min(deferred_.size(), k_served_behind_a_turn);
    std::swap(to_read_, reading_);
    for (std::size_t i = 0; i < reading_.size(); ++i) {
        Connection& connection = *reading_[i];
        // Prefetches the next connection while this one is served: with many clients most are in no
        // cache.
        if (i + 1 < reading_.size()) reading_[i + 1]->prefetch();
        connection.queued_read = false;
        if (connection.open()) serve(connection);
    }
    reading_.clear();
    // Stops after one that brings orders: all answers of this turn wait for them.
    for (const std::size_t before = messages_; left_behind > 0 && messages_ == before;
         --left_behind) {
        Connection& connection = deferred_.pop();
        connection.queued_read = false;
        if (connection.open()) serve(connection);
    }
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::serve(Connection& connection) {
    if (connection.is_choked()) return queue_write(connection);
    const std::span<std::byte> room = connection.room(config_.read_bytes);
    bool filled = false;
    // A client with a full buffer may have more data in the socket: no readiness event reports
    // that.
    bool more = room.empty();
    if (!room.empty()) {
        const auto got = network_.receive(connection.socket, room);
        owner_->on_read(got.bytes);
        connection.input_used += got.bytes;
        connection.closed_by_peer |= got.closed;
        connection.peer_ended |= got.closed;
        // The end of input is reported once, with the bytes before it; only a read finds it.
        filled = got.bytes == room.size();
        more = filled || (connection.peer_ended && !got.closed);
        if constexpr (requires { got.again; }) more |= got.again;
    }
    time_ = now();
    const session::Received done = owner_->on_bytes(connection, connection.bytes());
    connection.consume(done.consumed_bytes);
    messages_ += done.messages;
    if (!done.blocked) connection.burdens_others = filled || done.messages == 0;
    if (done.messages > 0 && connection.listed()) activity_.touch(connection, time_);
    if (owner_->end_reason(connection)) return queue_write(connection);
    // An answer without a command: no event follows.
    if (!connection.output->readable().empty()) queue_write(connection);
    if (done.blocked) {
        if (!std::exchange(connection.blocked, true)) blocked_.push_back(&connection);
        return;
    }
    if (more) return queue_read(connection);
    // A client that only shut down its sending side still gets its answers.
    if (connection.closed_by_peer) queue_write(connection);
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::end_silent() {
    activity_.expire({time_.value - config_.silence_ns}, [&](session::ActivityList::Node& node) {
        owner_->on_silent(static_cast<Connection&>(node));
    });
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::flush() {
    std::swap(to_write_, writing_);
    for (std::size_t i = 0; i < writing_.size(); ++i) {
        Connection& connection = *writing_[i];
        if (i + 1 < writing_.size()) writing_[i + 1]->prefetch();
        connection.queued_write = false;
        if (connection.open()) flush(connection);
    }
    writing_.clear();
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::flush(Connection& connection) {
    const bool was_choked = connection.is_choked();
    if (const auto bytes = connection.output->readable(); !bytes.empty()) {
        const auto sent = network_.send(connection.socket, bytes);
        owner_->on_written(connection, bytes, sent.bytes);
        connection.output->consume(sent.bytes);
        connection.broken = sent.closed;
    }
    if (was_choked && !connection.is_choked()) queue_read(connection);
    if (const auto reason = owner_->end_reason(connection)) return end(connection, *reason);
    // All answers were sent, or can no longer be sent.
    const bool is_over = connection.closed_by_peer && !connection.queued_read &&
                         !connection.blocked && connection.output->size() == 0 &&
                         owner_->may_end(connection);
    if (connection.broken || is_over) end(connection, {});
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::end(Connection& connection, std::string_view reason) {
    forget_activity(connection);
    if (connection.waiting.listed()) waiting_.remove(connection.waiting);
    // Answers that are still there may not be durable yet.
    const bool may_speak = connection.output->size() == 0 && !connection.broken;
    owner_->on_ended(connection, reason);
    if (may_speak && connection.output->size() > 0)
        static_cast<void>(network_.send(connection.socket, connection.output->readable()));
    connection.socket.reset();
    connection.place.give_back();
    slots_.give_back(connection);
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::close() {
    for_each([this](Connection& connection) {
        flush(connection);
        if (connection.open()) end(connection, {});
    });
    network_.close();
}

template <class Network, class Owner>
void TcpGateway<Network, Owner>::queue_read(Connection& connection) {
    if (connection.blocked || std::exchange(connection.queued_read, true)) return;
    if (connection.is_deferred())
        deferred_.push(connection);
    else
        to_read_.push_back(&connection);
}

template <class Network, class Owner>
telemetry::Peer TcpGateway<Network, Owner>::peer_of(const Connection& connection) const {
    telemetry::Peer from;
    if constexpr (requires { network_.peer(connection.socket); }) {
        const auto peer = network_.peer(connection.socket);
        from = {connection.socket.number(), peer.port, peer.address};
    }
    return from;
}

}  // namespace damrak::gateway
