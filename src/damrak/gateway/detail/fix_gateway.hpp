// Parts of gateway::FixGateway; included by its header alone.
#pragma once

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <damrak/gateway/fix_gateway.hpp>

namespace damrak::gateway {

// The node comes first, so that a node is found to be its connection.
template <class Network, class Exchange, class Store>
struct FixGateway<Network, Exchange, Store>::Connection : session::ActivityList::Node {
    Connection(std::size_t input_bytes, std::size_t output_bytes)
        // Not initialised: only what is used of the buffers takes memory.
        : input(new std::byte[input_bytes]), output_memory(new std::byte[output_bytes]) {}

    [[nodiscard]] bool open() const { return socket.open(); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {input.get(), used}; }

    std::unique_ptr<std::byte[]> input;
    std::unique_ptr<std::byte[]> output_memory;
    std::size_t used = 0;  ///< of the input
    typename Network::Socket socket;
    std::optional<session::OutputBuffer> output;
    typename Desk::Client* client = nullptr;
    bool queued_read = false;
    bool waits = false;
    bool closed_by_peer = false;
    bool peer_ended = false;  ///< there is an end to be read, behind whatever waits before it
};

template <class Network, class Exchange, class Store>
FixGateway<Network, Exchange, Store>::FixGateway(FixGatewayConfig config, Desk& desk,
                                                 Network network)
    : config_(std::move(config)), desk_(&desk), network_(std::move(network)) {
    for (Connections* list : {&to_read_, &reading_, &waiting_})
        list->reserve(config_.maximum_connections);
    slots_.reserve(config_.maximum_connections);
}

template <class Network, class Exchange, class Store>
FixGateway<Network, Exchange, Store>::~FixGateway() = default;

template <class Network, class Exchange, class Store>
std::expected<void, std::string> FixGateway<Network, Exchange, Store>::listen() {
    const auto port = network_.open(config_.address, config_.port);
    if (!port) return std::unexpected{port.error()};
    port_ = *port;
    return {};
}

template <class Network, class Exchange, class Store>
std::size_t FixGateway<Network, Exchange, Store>::poll(int wait_ms) {
    messages_ = 0;
    network_.wait(busy() ? 0 : wait_ms,
                  [&](void* owner, bool readable, bool /*writable*/, bool ended) {
                      if (neighbours_.signal(owner)) return;
                      auto* const connection = static_cast<Connection*>(owner);
                      if (connection == nullptr) {
                          accept_more_ = true;
                      } else if (connection->open()) {
                          connection->peer_ended |= ended;
                          if (readable) queue_read(*connection);
                          // What could not be sent at once can be now.
                          desk_->touched().push_back(connection);
                      }
                  });
    if (accept_more_) accept_waiting();
    for (Connection* const connection : waiting_) {
        connection->waits = false;
        if (connection->open()) queue_read(*connection);
    }
    waiting_.clear();
    // Whoever is not done joins the next turn, behind the others.
    std::swap(to_read_, reading_);
    for (Connection* const connection : reading_) {
        connection->queued_read = false;
        if (connection->open()) serve(*connection);
    }
    reading_.clear();
    time_ = now();
    keep_time();
    return messages_;
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::accept_waiting() {
    for (std::size_t i = 0; i < k_accepts_a_turn; ++i) {
        typename Network::Socket socket = network_.accept();
        if (!socket.open()) {
            accept_more_ = false;
            return;
        }
        if (connections_ < config_.maximum_connections) open(std::move(socket));
    }
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::open(typename Network::Socket socket) {
    Connection& connection = slots_.take(config_.input_bytes, config_.output_bytes);
    ++connections_;
    connection.socket = std::move(socket);
    connection.output.emplace(std::span{connection.output_memory.get(), config_.output_bytes});
    connection.used = 0;
    connection.client = nullptr;
    connection.closed_by_peer = false;
    connection.peer_ended = false;
    strangers_.add(connection, now());
    if (network_.watch(connection.socket, &connection))
        queue_read(connection);
    else
        end(connection, {});
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::serve(Connection& connection) {
    const std::span room{connection.input.get() + connection.used,
                         config_.input_bytes - connection.used};
    bool more = false;
    if (!room.empty()) {
        const auto got = network_.receive(connection.socket, room);
        if (desk_->probe() != nullptr) desk_->probe()->on_read(got.bytes);
        connection.used += got.bytes;
        connection.closed_by_peer |= got.closed;
        // The end is told once, with the bytes before it: it has to be read to be found.
        more = got.bytes == room.size() || (connection.peer_ended && !got.closed);
    }
    if (connection.client == nullptr) admit(connection);
    if (!connection.open()) return;
    if (connection.client != nullptr) take(connection);
    // One that is longer than the buffer is none that we take.
    const bool stuck = connection.used == config_.input_bytes && !connection.waits;
    if (stuck) return end(connection, "a message is too long");
    if (more) queue_read(connection);
    // A client that only stopped sending still hears its answers.
    desk_->touched().push_back(&connection);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::admit(Connection& connection) {
    std::string_view why;
    typename Desk::Client* const client = desk_->admit(connection.bytes(), why);
    if (!why.empty()) return end(connection, why);
    if (client == nullptr) return;
    connection.client = client;
    strangers_.remove(connection);
    tell_opened(connection);
    desk_->connect(*client, *connection.output, &connection, now());
}

// Once it is known whose it is. A network that has no addresses tells none.
template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::tell_opened(const Connection& connection) {
    telemetry::Probe* const probe = desk_->probe();
    if (probe == nullptr) return;
    telemetry::Peer from;
    if constexpr (requires { network_.peer(connection.socket); }) {
        if (probe->logging()) {
            const auto peer = network_.peer(connection.socket);
            from = {connection.socket.number(), peer.port, peer.address};
        }
    }
    probe->on_opened(connection.client->id, from, now());
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::take(Connection& connection) {
    session::Received done{.consumed_bytes = 0, .messages = 0, .blocked = true};
    if (exchange_->ready()) done = desk_->receive(*connection.client, connection.bytes(), now());
    messages_ += done.messages;
    if (done.blocked && !std::exchange(connection.waits, true)) waiting_.push_back(&connection);
    connection.used -= done.consumed_bytes;
    if (done.consumed_bytes > 0 && connection.used > 0)
        std::memmove(connection.input.get(), connection.input.get() + done.consumed_bytes,
                     connection.used);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::flush() {
    // A connection that ends may touch others.
    auto& touched = desk_->touched();
    for (std::size_t i = 0; i < touched.size(); ++i) {
        auto* const connection = static_cast<Connection*>(touched[i]);
        if (connection->client != nullptr) connection->client->touched = false;
        if (connection->open()) flush(*connection);
    }
    touched.clear();
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::flush(Connection& connection) {
    if (const auto bytes = connection.output->readable(); !bytes.empty()) {
        const auto sent = network_.send(connection.socket, bytes);
        connection.output->consume(sent.bytes);
        connection.closed_by_peer |= sent.closed;
        if (desk_->probe() != nullptr && connection.client != nullptr)
            desk_->probe()->on_written(connection.client->id, 0, 0, sent.bytes, time_,
                                       connection.client->unwritten);
    }
    using session::fix::Ended;
    const Ended ended =
        connection.client == nullptr ? Ended::no : connection.client->session.ended();
    if (ended != Ended::no)
        return end(connection, ended == Ended::logged_out ? std::string_view{} : text(ended));
    if (connection.closed_by_peer && !connection.waits) end(connection, {});
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::end(Connection& connection, std::string_view reason) {
    if (!reason.empty() && config_.on_disconnect)
        config_.on_disconnect(
            connection.client == nullptr ? session_at(Door::fix, 0) : connection.client->id,
            reason);
    if (connection.listed()) strangers_.remove(connection);
    if (connection.client != nullptr) {
        if (desk_->probe() != nullptr)
            desk_->probe()->on_closed(connection.client->id, reason, now(),
                                      connection.client->unwritten);
        desk_->leave(*connection.client, now());
    }
    connection.client = nullptr;
    connection.socket.reset();
    connection.used = 0;
    --connections_;
    slots_.give_back(connection);
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::keep_time() {
    if (time_ < timers_due_) return;
    timers_due_ = {time_.value + k_timers_ns};
    desk_->on_time(time_);
    desk_->administer(time_);
    strangers_.expire({time_.value - config_.logon_timeout_ns},
                      [&](session::ActivityList::Node& node) {
                          end(static_cast<Connection&>(node), "no Logon came");
                      });
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::close() {
    desk_->admin().close();
    for (const auto& slot : slots_.all()) {
        if (!slot->open()) continue;
        if (slot->client != nullptr) slot->client->session.logout("the exchange closes", now());
        flush(*slot);
        if (slot->open()) end(*slot, {});
    }
    network_.close();
}

template <class Network, class Exchange, class Store>
void FixGateway<Network, Exchange, Store>::queue_read(Connection& connection) {
    if (!std::exchange(connection.queued_read, true)) to_read_.push_back(&connection);
}

}  // namespace damrak::gateway
