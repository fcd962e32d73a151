// The connections of the FIX door: joins TCP, the sessions of FixApplication and with them the
// exchange. One of the doors that Doors polls, on its thread; the owner of a TcpDoor.
//
// A class template over the network, as BinaryGateway is. A message costs no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <damrak/domain/origin.hpp>
#include <damrak/fix_gateway/fix_application.hpp>
#include <damrak/gateway/tcp_door.hpp>
#include <damrak/session/received.hpp>

namespace damrak::gateway {

struct FixGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 9878;  ///< zero takes a free one
    std::uint32_t maximum_connections = 4'096;
    std::size_t read_bytes = 8'192;    ///< of a connection in one turn: some 40 new orders
    std::size_t input_bytes = 65'536;  ///< the longest message that is taken
    std::size_t output_bytes = 1'048'576;
    /// Without a Logon.
    std::int64_t logon_timeout_ns = 10'000'000'000;
    /// Called for each connection that the exchange ends.
    std::function<void(SessionId, std::string_view reason)> on_disconnect{};
    /// For people: who came, from where, and why it did not stay. `trouble`: not as it should be.
    /// Nothing of the line outlives the call.
    std::function<void(std::string_view line, bool trouble)> on_news{};
};

template <class Network, class Exchange, class Store>
class FixGateway {
  public:
    using Application = FixApplication<Exchange, Store>;

    FixGateway(FixGatewayConfig config, Application& application, Network network = {});
    ~FixGateway();
    FixGateway(const FixGateway&) = delete;
    FixGateway& operator=(const FixGateway&) = delete;

    void attach(Exchange& exchange) { exchange_ = &exchange; }
    [[nodiscard]] std::expected<void, std::string> listen() { return door_.listen(); }
    [[nodiscard]] std::uint16_t port() const { return door_.port(); }

    /// Connections from now on have TLS of that context, where the network has any.
    template <class Context>
    void use_tls(Context context) {
        door_.network().use(std::move(context));
    }

    /// There is work that does not wait for the network.
    [[nodiscard]] bool busy() const { return door_.busy(); }
    /// It wants to be polled though its network may have nothing to tell.
    [[nodiscard]] bool is_due(Timestamp now) const {
        return busy() || door_.has_blocked() || application_->sessions().awaits_disk() ||
               now >= timers_due_;
    }
    /// poll() also wakes up for what becomes readable there, and then sets `signalled`.
    [[nodiscard]] bool wake_up_for(int descriptor, bool& signalled) {
        return door_.wake_up_for(descriptor, signalled);
    }
    /// Waits for at most that long, lets clients in and takes what they send. Returns the messages.
    std::size_t poll(int wait_ms);
    /// When it was done with that.
    [[nodiscard]] Timestamp time() const { return door_.time(); }
    /// Sends what was told; all of it is kept.
    void flush();
    /// Says goodbye to everybody and closes the door.
    void close();

    [[nodiscard]] const Network& network() const { return door_.network(); }
    [[nodiscard]] std::size_t connections() const { return door_.connections(); }

    // Of the owner of a TcpDoor.
    struct Client;
    using Connection = typename TcpDoor<Network, FixGateway>::Connection;
    void on_opened(Connection& /*connection*/) {}
    void on_read(std::size_t bytes);
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    [[nodiscard]] bool ready() const { return !application_->stopped() && exchange_->ready(); }
    [[nodiscard]] bool may_end(const Connection& connection) const;
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const;
    void on_written(Connection& connection, std::span<const std::byte> offered, std::size_t sent);
    void on_ended(Connection& connection, std::string_view reason);
    void on_silent(Connection& connection);

  private:
    static constexpr std::int64_t k_timers_ns = 10'000'000;

    void admit(Connection& connection, std::span<const std::byte> bytes);
    void let_in(Connection& connection, typename Application::Client& counterparty);
    void take_arrived();
    void tell_news(const Connection& connection, std::string_view what, bool trouble);
    void tell_end(const Connection& connection, std::string_view reason);

    FixGatewayConfig config_;
    Application* application_;
    Exchange* exchange_ = nullptr;
    TcpDoor<Network, FixGateway> door_;
    std::string sender_;  ///< whose connection is about to be refused
    Timestamp timers_due_{};
};

}  // namespace damrak::gateway

#include <damrak/fix_gateway/detail/fix_gateway.hpp>
