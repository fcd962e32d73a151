#include <support/simulation/network.hpp>

#include <algorithm>

namespace damrak::simulation {

std::size_t ClientSocket::send(std::span<const std::byte> bytes) {
    if (!open()) return 0;
    return connection_->to_host.write(bytes, connection_->rules, network_->clock_->elapsed_ns(),
                                      *network_->random_);
}

Moved ClientSocket::receive(std::span<std::byte> into) {
    if (!open()) return {.closed = true};
    Stream& from = connection_->to_client;
    if (from.unread() == 0) return {.closed = from.ended()};
    const Moved got{.bytes = from.read(into, connection_->rules, *network_->random_)};
    if (from.take_room_made(connection_->rules)) connection_->writable = true;
    return got;
}

void ClientSocket::finish() {
    if (open()) network_->end(connection_->to_host, *connection_, Ending::orderly);
}

void ClientSocket::close() {
    if (!open()) return;
    const bool unread = connection_->to_client.unread() > 0;
    network_->end(connection_->to_host, *connection_, unread ? Ending::reset : Ending::orderly);
    connection_->client_open = false;
}

void ClientSocket::reset() {
    if (!open()) return;
    network_->end(connection_->to_host, *connection_, Ending::reset);
    connection_->client_open = false;
}

void ClientSocket::vanish() {
    if (!open()) return;
    connection_->to_host.cut();
    connection_->to_client.cut();
    connection_->client_open = false;
}

void HostSocket::reset() {
    if (connection_ == nullptr) return;
    network_->host_close(*connection_);
    connection_ = nullptr;
}

ClientSocket Network::connect(const LinkRules& rules, net::ClientAddress from) {
    auto connection = std::make_shared<Connection>();
    connection->rules = rules;
    connection->host = from;
    connection->arrives_ns =
        clock_->elapsed_ns() + rules.least_delay_ns + random_->below(rules.most_delay_ns);
    connections_.push_back(connection);
    return {*this, std::move(connection)};
}

void Network::end(Stream& stream, const Connection& connection, Ending how) {
    stream.end(how, connection.rules, clock_->elapsed_ns(), *random_);
}

void Network::arrive_at_gateway(const Shared& connection) {
    connection->at_gateway = true;
    connection->refused = !listening_ || gateway_.size() >= backlog;
    if (connection->refused) {
        end(connection->to_client, *connection, Ending::reset);
        return;
    }
    gateway_.push_back(connection);
    gateway_changed_ = true;
}

void Network::advance() {
    const std::int64_t now_ns = clock_->elapsed_ns();
    for (const Shared& each : connections_) {
        Connection& connection = *each;
        if (!connection.at_gateway && connection.arrives_ns <= now_ns) arrive_at_gateway(each);
        if (!connection.at_gateway) continue;
        if (connection.to_host.arrive(now_ns, *random_)) connection.readable = true;
        const bool heard = connection.to_client.arrive(now_ns, *random_);
        // Data to a closed peer causes a reset.
        if (heard && !connection.client_open && !connection.to_client.ended())
            end(connection.to_host, connection, Ending::reset);
        const bool host_gone = connection.accepted_as != 0 && !connection.host_open;
        if (host_gone && connection.to_host.unread() > 0 && !connection.to_client.was_reset())
            end(connection.to_client, connection, Ending::reset);
    }
    std::erase_if(connections_, [](const Shared& each) {
        const bool at_host = each->host_open || (each->accepted_as == 0 && !each->refused);
        return !each->client_open && !at_host;
    });
}

void Network::stop_listening() {
    listening_ = false;
    for (const Shared& waiting : gateway_) {
        waiting->refused = true;
        end(waiting->to_client, *waiting, Ending::reset);
    }
    gateway_.clear();
}

HostSocket Network::accept() {
    if (gateway_.empty()) return {};
    Shared connection = std::move(gateway_.front());
    gateway_.pop_front();
    connection->host_open = true;
    connection->accepted_as = ++accepted_;
    return {*this, std::move(connection)};
}

Moved Network::host_receive(Connection& connection, std::span<std::byte> into) {
    Stream& from = connection.to_host;
    if (from.unread() == 0) return {.closed = from.ended()};
    const Moved got{.bytes = from.read(into, connection.rules, *random_)};
    // The read had room but left bytes: they arrived later, so they count as a new readiness
    // change.
    if (got.bytes < into.size() && from.unread() > 0) connection.readable = true;
    return got;
}

Moved Network::host_send(Connection& connection, std::span<const std::byte> bytes) {
    if (connection.to_host.was_reset()) return {.closed = true};
    const Moved sent{.bytes = connection.to_client.write(bytes, connection.rules,
                                                         clock_->elapsed_ns(), *random_)};
    // The write took less than there is room for now: the room was made later, so it counts as a
    // new readiness change.
    if (connection.to_client.take_room_made(connection.rules)) connection.writable = true;
    return sent;
}

void Network::host_close(Connection& connection) {
    connection.host_open = false;
    connection.watched = false;
    const bool unread = connection.to_host.unread() > 0;
    end(connection.to_client, connection, unread ? Ending::reset : Ending::orderly);
}

std::vector<Network::Shared> Network::take_changed() {
    std::vector<Shared> changed;
    const std::size_t count = connections_.size();
    const std::size_t first = count == 0 ? 0 : random_->below(static_cast<std::uint32_t>(count));
    for (std::size_t i = 0; i < count && changed.size() < changes_a_wait; ++i) {
        const Shared& each = connections_[(first + i) % count];
        if (each->watched && (each->readable || each->writable)) changed.push_back(each);
    }
    return changed;
}

void Network::lose_power() {
    stop_listening();
    for (const Shared& each : connections_) {
        if (each->accepted_as == 0) continue;
        each->to_client.lose_tail(*random_);
        end(each->to_client, *each, Ending::reset);
    }
}

std::size_t Network::host_sockets() const {
    return static_cast<std::size_t>(
        std::ranges::count(connections_, true, [](const Shared& each) { return each->host_open; }));
}

std::expected<std::uint16_t, std::string> HostNetwork::open(const std::string& /*address*/,
                                                            std::uint16_t port) {
    call();
    network_->listen();
    return port;
}

void HostNetwork::close() {
    if (network_ != nullptr) network_->stop_listening();
}

HostSocket HostNetwork::accept() {
    call();
    return network_->accept();
}

bool HostNetwork::watch(const HostSocket& socket, net::WatchHandle handle) {
    call();
    Connection& connection = *socket.connection_;
    connection.handle = handle;
    connection.watched = true;
    connection.readable = connection.to_host.unread() > 0 || connection.to_host.ended();
    connection.writable = true;
    return true;
}

Moved HostNetwork::receive(const HostSocket& socket, std::span<std::byte> into) {
    call();
    return network_->host_receive(*socket.connection_, into);
}

Moved HostNetwork::send(const HostSocket& socket, std::span<const std::byte> bytes) {
    call();
    return network_->host_send(*socket.connection_, bytes);
}

std::int64_t HostNetwork::now_ns() {
    call();
    last_ns_ = std::max(last_ns_, network_->clock_->time_of_day_ns());
    return last_ns_;
}

}  // namespace damrak::simulation
