// A simulated network with one listening host and any number of clients. It replaces
// net::TcpNetwork: readiness is reported once per change, as by an edge-triggered poller; reads and
// writes may be partial; connections fail in every way in which TCP connections fail. Everything
// follows from a random stream and the clock of the world. One thread.
//
//   Network network{clock, random};
//   ClientSocket client = network.connect({});          a client's end
//   BinaryGateway<HostNetwork, …> gateway{config, engine, HostNetwork{network}};
//   clock.advance(…); network.advance(); gateway.do_work(0); client.receive(…);
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <support/simulation/stream.hpp>
#include <support/simulation/virtual_clock.hpp>

#include <damrak/base/random.hpp>
#include <damrak/net/client_address.hpp>
#include <damrak/net/watch_handle.hpp>

namespace damrak::simulation {

class Network;

/// Both directions of a connection.
struct Connection {
    LinkRules rules;
    net::ClientAddress host;  ///< of the client
    Stream to_host;
    Stream to_client;
    std::uint64_t accepted_as = 0;  ///< from 1; zero: not (yet) accepted by the host
    std::int64_t arrives_ns = 0;    ///< time of arrival at the host
    net::WatchHandle handle{};      ///< the host's handle of it
    bool at_gateway = false;
    bool client_open = true;
    bool host_open = false;
    bool refused = false;
    bool watched = false;
    bool readable = false;  ///< a change not yet reported to the host
    bool writable = false;
};

/// The client's end of a connection.
class ClientSocket {
  public:
    ClientSocket() = default;

    [[nodiscard]] bool open() const { return connection_ != nullptr && connection_->client_open; }
    [[nodiscard]] std::size_t send(std::span<const std::byte> bytes);
    [[nodiscard]] Moved receive(std::span<std::byte> into);
    /// Closes the sending direction; reading still works.
    void finish();
    void close();
    void reset();
    /// The client disappears without notifying the host.
    void vanish();
    /// The host's number of this connection, from 1 since the start of the world; zero: not
    /// accepted.
    [[nodiscard]] std::uint64_t accepted_as() const {
        return connection_ == nullptr ? 0 : connection_->accepted_as;
    }
    /// Bytes that the host has not read yet.
    [[nodiscard]] std::size_t unread_by_host() const { return connection_->to_host.outstanding(); }

  private:
    friend class Network;
    ClientSocket(Network& network, std::shared_ptr<Connection> connection)
        : network_(&network), connection_(std::move(connection)) {}

    Network* network_ = nullptr;
    std::shared_ptr<Connection> connection_;
};

/// The host's end of a connection. It closes with its owner, as the system closes the sockets of a
/// process.
class HostSocket {
  public:
    HostSocket() = default;
    HostSocket(HostSocket&& other) noexcept
        : network_(other.network_), connection_(std::exchange(other.connection_, nullptr)) {}
    HostSocket& operator=(HostSocket&& other) noexcept {
        std::swap(network_, other.network_);
        std::swap(connection_, other.connection_);
        return *this;
    }
    HostSocket(const HostSocket&) = delete;
    HostSocket& operator=(const HostSocket&) = delete;
    ~HostSocket() { reset(); }

    void reset();
    [[nodiscard]] bool open() const { return connection_ != nullptr; }

  private:
    friend class Network;
    friend class HostNetwork;
    HostSocket(Network& network, std::shared_ptr<Connection> connection)
        : network_(&network), connection_(std::move(connection)) {}

    Network* network_ = nullptr;
    std::shared_ptr<Connection> connection_;
};

class Network {
  public:
    Network(VirtualClock& clock, RandomStream& random) : clock_(&clock), random_(&random) {}
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    /// `from`: the client's host.
    [[nodiscard]] ClientSocket connect(const LinkRules& rules, net::ClientAddress from = {});
    /// Delivers everything that is due.
    void advance();
    /// The host loses power: clients find out later, by a reset or not at all.
    void lose_power();

    /// Called at the start of each call of the host. It may throw, which ends the process there.
    std::function<void()> on_host_call{};
    /// Connections that may wait to be accepted; further ones are refused.
    std::size_t backlog = 16;
    /// Maximum number of changes per wait().
    std::size_t changes_a_wait = 8;

    [[nodiscard]] std::size_t host_sockets() const;
    [[nodiscard]] std::uint64_t accepted() const { return accepted_; }

  private:
    friend class ClientSocket;
    friend class HostSocket;
    friend class HostNetwork;
    using Shared = std::shared_ptr<Connection>;

    // Called by the host:
    void listen() { listening_ = true; }
    void stop_listening();
    [[nodiscard]] HostSocket accept();
    [[nodiscard]] Moved host_receive(Connection& connection, std::span<std::byte> into);
    [[nodiscard]] Moved host_send(Connection& connection, std::span<const std::byte> bytes);
    void host_close(Connection& connection);
    [[nodiscard]] std::vector<Shared> take_changed();

    void arrive_at_gateway(const Shared& connection);
    void end(Stream& stream, const Connection& connection, Ending how);

    VirtualClock* clock_;
    RandomStream* random_;
    std::vector<Shared> connections_;
    std::deque<Shared> gateway_;
    std::uint64_t accepted_ = 0;
    bool listening_ = false;
    bool gateway_changed_ = false;
};

/// Replaces net::TcpNetwork in a gateway.
class HostNetwork {
  public:
    using Socket = HostSocket;

    explicit HostNetwork(Network& network) : network_(&network) {}
    HostNetwork(HostNetwork&& other) noexcept
        : network_(std::exchange(other.network_, nullptr)), last_ns_(other.last_ns_) {}
    HostNetwork& operator=(HostNetwork&&) = delete;
    ~HostNetwork() { close(); }

    [[nodiscard]] std::expected<std::uint16_t, std::string> open(const std::string& address,
                                                                 std::uint16_t port);
    void close();
    [[nodiscard]] HostSocket accept();
    [[nodiscard]] static net::ClientAddress host_of(const HostSocket& socket) {
        return socket.connection_->host;
    }
    [[nodiscard]] bool watch(const HostSocket& socket, net::WatchHandle handle);
    [[nodiscard]] Moved receive(const HostSocket& socket, std::span<std::byte> into);
    [[nodiscard]] Moved send(const HostSocket& socket, std::span<const std::byte> bytes);

    /// Never waits: time stands still during a call.
    template <class OnReady>
    void wait(int /*wait_ms*/, OnReady&& on_ready) {
        call();
        if (std::exchange(network_->gateway_changed_, false))
            on_ready(net::WatchHandle{}, true, false, false);
        for (const auto& changed : network_->take_changed())
            on_ready(changed->handle, std::exchange(changed->readable, false),
                     std::exchange(changed->writable, false), changed->to_host.ended());
    }

    /// Nothing ever waits, so there is no descriptor to wait for.
    [[nodiscard]] static int descriptor() { return -1; }
    [[nodiscard]] static bool watch_also(int /*descriptor*/, net::WatchHandle /*handle*/) {
        return false;
    }

    /// The time of day; never decreases.
    [[nodiscard]] std::int64_t now_ns();

  private:
    void call() const {
        if (network_->on_host_call) network_->on_host_call();
    }

    Network* network_;
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak::simulation
