// The connections of the FIX door: joins TCP, the sessions of FixDesk and with them the exchange.
// One of the doors that Doors polls, on its thread. Each turn reads a quota from every connection
// that has something and writes once to every client that has answers.
//
// A class template over the network, as BinaryGateway is. A connection costs its buffers when it is
// accepted, a message no allocation. What one client does wrong ends its own connection only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/origin.hpp>
#include <damrak/gateway/detail/connection_slots.hpp>
#include <damrak/gateway/detail/neighbours.hpp>
#include <damrak/gateway/fix_desk.hpp>
#include <damrak/session/activity_list.hpp>
#include <damrak/session/output_buffer.hpp>

namespace damrak::gateway {

struct FixGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 9878;  ///< zero takes a free one
    std::uint32_t maximum_connections = 4'096;
    /// The longest message that is taken, and what is read of a connection in one turn.
    std::size_t input_bytes = 65'536;
    std::size_t output_bytes = 1'048'576;
    /// Without a Logon.
    std::int64_t logon_timeout_ns = 10'000'000'000;
    /// Called for each connection that the exchange ends.
    std::function<void(SessionId, std::string_view reason)> on_disconnect{};
};

template <class Network, class Exchange, class Store>
class FixGateway {
  public:
    using Desk = FixDesk<Exchange, Store>;

    FixGateway(FixGatewayConfig config, Desk& desk, Network network = {});
    ~FixGateway();
    FixGateway(const FixGateway&) = delete;
    FixGateway& operator=(const FixGateway&) = delete;

    void attach(Exchange& exchange) { exchange_ = &exchange; }
    [[nodiscard]] std::expected<void, std::string> listen();
    [[nodiscard]] std::uint16_t port() const { return port_; }

    /// There is work that does not wait for the network.
    [[nodiscard]] bool busy() const { return accept_more_ || !to_read_.empty(); }
    /// It wants to be polled though its network may have nothing to tell.
    [[nodiscard]] bool is_due(Timestamp now) const {
        return busy() || !waiting_.empty() || now >= timers_due_;
    }
    /// poll() also wakes up for what becomes readable there, and then sets `signalled`.
    [[nodiscard]] bool wake_up_for(int descriptor, bool& signalled) {
        neighbours_.add(signalled);
        return network_.watch_also(descriptor, &signalled);
    }
    /// Waits for at most that long, lets clients in and takes what they send. Returns the messages.
    std::size_t poll(int wait_ms);
    /// When it was done with that.
    [[nodiscard]] Timestamp time() const { return time_; }
    /// Sends what was told; all of it is kept.
    void flush();
    /// Says goodbye to everybody and closes the door.
    void close();

    [[nodiscard]] const Network& network() const { return network_; }
    [[nodiscard]] std::size_t connections() const { return connections_; }

  private:
    struct Connection;
    using Connections = std::vector<Connection*>;

    static constexpr std::size_t k_accepts_a_turn = 4;
    static constexpr std::int64_t k_timers_ns = 10'000'000;

    void accept_waiting();
    void open(typename Network::Socket socket);
    void serve(Connection& connection);
    void admit(Connection& connection);
    void tell_opened(const Connection& connection);
    void take(Connection& connection);
    void flush(Connection& connection);
    void end(Connection& connection, std::string_view reason);
    void keep_time();
    void queue_read(Connection& connection);
    [[nodiscard]] Timestamp now() { return {network_.now_ns()}; }

    FixGatewayConfig config_;
    Desk* desk_;
    Network network_;
    Exchange* exchange_ = nullptr;
    std::uint16_t port_ = 0;
    detail::ConnectionSlots<Connection> slots_;
    Connections to_read_;
    Connections reading_;
    Connections waiting_;              ///< with bytes that could not be taken yet
    session::ActivityList strangers_;  ///< who did not log on yet
    std::size_t connections_ = 0;
    detail::Neighbours neighbours_;
    std::size_t messages_ = 0;  ///< of this turn
    Timestamp time_{};
    Timestamp timers_due_{};
    bool accept_more_ = false;
};

}  // namespace damrak::gateway

#include <damrak/gateway/detail/fix_gateway.hpp>
