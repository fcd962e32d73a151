// The gateway for clients of the binary protocol: joins TCP connections, their sessions and the
// exchange. One of the gateways of an exchange (gateway/gateway.hpp), on their thread. TcpGateway
// does the reading, writing and fairness.
//
// `Network` is net::TcpNetwork or the simulated one. `Exchange` takes the commands
// (gateway/exchange_side.hpp); it may be an incomplete type, as the two refer to each other.
//
// A client costs its buffers; a message costs no allocation. A client's mistake ends its own
// connection only; `on_disconnect` reports the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/binary/detail/logins.hpp>
#include <damrak/gateway/binary/detail/request_kind.hpp>
#include <damrak/gateway/binary/order_names.hpp>
#include <damrak/gateway/exchange_side.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/gateway/tcp_gateway.hpp>
#include <damrak/session/binary_session.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::gateway::binary {

/// Where the gateway listens, and its limits.
struct BinaryGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 12345;  ///< zero takes a free one
    std::uint32_t maximum_connections = 20'000;
    /// Bytes read from a connection in one turn: 36 new orders. This bounds the delay that a
    /// flooding client causes to others. A client with more data is served again in the next turn.
    std::size_t input_bytes = 2'048;
    std::size_t output_bytes = 524'288;
    std::int64_t session_timeout_ns = 1'000'000'000'000;
    session::BinaryRules rules{};
    /// Called for each connection that the exchange closes.
    std::function<void(SessionId, std::string_view reason)> on_disconnect{};
};

template <class Network, class Exchange>
class BinaryGateway : public OverTcp<Network, BinaryGateway<Network, Exchange>> {
    using Tcp = OverTcp<Network, BinaryGateway>;
    using Tcp::tcp_;

  public:
    using Tcp::time;
    static constexpr GatewayNumber k_gateway = k_binary_gateway;
    static constexpr std::string_view k_name = "binary";
    using State = OrderNames;
    /// What a gateway is made of.
    struct Setup {
        BinaryGatewayConfig config{};
        Network network;
        bool open = true;
    };

    BinaryGateway(Setup setup, const House& house);
    ~BinaryGateway();

    // Interface of a gateway, see gateway/gateway.hpp.
    void attach(Exchange& exchange);
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] State& state() { return names_; }
    [[nodiscard]] std::uint32_t open_orders(ParticipantId id) const {
        return names_.open_orders(id);
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);
    void on_replayed(const Event& event, const Origin& origin) { names_.on_event(event, origin); }

    /// For the operator; any thread.
    static void add_usages(const BinaryGateway* gateway, const Settings& /*settings*/,
                           Usages& all) {
        all.push_back(Usage::of_row(
            "binary_connections", gateway == nullptr ? budget::Row::Figures{} : gateway->places()));
    }

    // Called by the session:
    void submit(const Command& command, const Origin& origin);
    [[nodiscard]] bool ready() const {
        return !stopped_ && exchange_->ready() &&
               has_room_for(*exchange_,
                            current_ == nullptr ? 0 : current_->client->session->pending());
    }
    [[nodiscard]] std::expected<ParticipantId, session::binary::HelloStatus> authenticate(
        SessionId session, std::span<const std::byte> key);
    void on_login(SessionId session, ParticipantId participant);
    void on_logout(SessionId session);
    [[nodiscard]] bool has_instrument(InstrumentId id) const {
        return exchange_->has_instrument(id);
    }
    [[nodiscard]] bool below_zero(InstrumentId id) const { return exchange_->below_zero(id); }
    [[nodiscard]] ClientOrderId client_order_id(OrderId id) const {
        return names_.client_order_id(id);
    }

    void on_message(SessionId session, const wire::binary::Header& header) {
        probe_->on_message(session, detail::request_kind(header), header.type,
                           header.client_sequence);
    }
    void on_handled(SessionId session, const wire::binary::Header& header, Timestamp now);
    void on_postponed() { probe_->on_postponed(); }
    template <class M>
    void on_refused(SessionId session, const wire::binary::Header& header, const M& answer) {
        if (probe_->logging()) probe_->on_refused(detail::refusal(session, header, answer, time()));
    }
    void on_good_till(SessionId session, const wire::binary::Header& header, std::uint64_t date) {
        probe_->on_good_till(
            {.sequence = header.client_sequence, .time = time(), .session = session, .date = date});
    }

    // Called by the TcpGateway:
    struct Client;
    using Connection = typename TcpGateway<Network, BinaryGateway>::Connection;
    void on_opened(Connection& connection);
    void on_read(std::size_t bytes) { probe_->on_read(bytes); }
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    [[nodiscard]] bool may_end(const Connection& connection) const;
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const;
    void on_written(Connection& connection, std::span<const std::byte> offered, std::size_t sent);
    void on_ended(Connection& connection, std::string_view reason);
    void on_silent(Connection& connection);

  private:
    [[nodiscard]] Connection* find(SessionId session);
    [[nodiscard]] Connection* listener_of(const Event& event, const Origin& origin);

    BinaryGatewayConfig config_;
    Exchange* exchange_ = nullptr;
    OrderNames names_;

    std::unordered_map<std::uint64_t, Connection*> by_session_;
    detail::Logins<Client> logins_;
    Connection* current_ = nullptr;  ///< the one whose bytes are handled
    session::binary::Unasked unasked_;
    SessionId last_session_{};
    Participants* participants_;
    telemetry::Probe* probe_;
    bool stopped_ = false;
};

}  // namespace damrak::gateway::binary

#include <damrak/gateway/binary/detail/binary_gateway.hpp>
