// The gateway for clients of OUCH 4.2 and 5.0: joins SoupBinTCP connections, their users and the
// exchange. One of the gateways of an exchange (gateway/gateway.hpp), on their thread. TcpGateway
// does reading, writing and fairness; SoupServer does the packets. Every message to a client comes
// from the state (ouch_orders.hpp), so a client gets the same messages whenever it connects.
//
// `Network` and `Exchange` are those of BinaryGateway. A request costs a look-up of its order and
// no allocation. A client that does not read costs its buffer, but loses no messages.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/token_bucket.hpp>
#include <damrak/budget/row.hpp>
#include <damrak/domain/attachment.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/ended_connections.hpp>
#include <damrak/gateway/exchange_side.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/ouch/detail/ouch_quotas.hpp>
#include <damrak/gateway/ouch/detail/ouch_requests.hpp>
#include <damrak/gateway/ouch/ouch_orders.hpp>
#include <damrak/gateway/ouch/settings.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/gateway/tcp_gateway.hpp>
#include <damrak/session/ouch/request.hpp>
#include <damrak/session/soupbin/soup_server.hpp>

namespace damrak::gateway::ouch {

struct OuchGatewayConfig {
    std::string address = "127.0.0.1";
    std::uint16_t port = 26'400;  ///< zero: any free port
    std::uint32_t maximum_connections = 4'096;
    std::size_t output_bytes = 65'536;
    session::SoupServerConfig soup{};
    /// For users that the configuration does not name.
    session::ouch::Version version = session::ouch::Version::v50;
    std::uint64_t most_message_bytes = std::uint64_t{1} << 30U;  ///< per day, all users together
    SelfTradePrevention self_trade_prevention{};                 ///< of all orders
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;  ///< per user, others wait; zero: no limit
    std::uint32_t burst_messages = 0;
    /// The last midnight in the time zone of the messages' times.
    std::function<Timestamp(Timestamp)> midnight_before{};
    /// Told of each connection that the exchange ends or refuses, and why. The line does not
    /// outlive the call.
    std::function<void(std::string_view line)> on_end{};
};

template <class Network, class Exchange>
class OuchGateway : public OverTcp<Network, OuchGateway<Network, Exchange>> {
    using Tcp = OverTcp<Network, OuchGateway>;
    using Tcp::tcp_;

  public:
    using Tcp::time;
    static constexpr GatewayNumber k_gateway = k_ouch_gateway;
    static constexpr std::string_view k_name = "ouch";
    using State = OuchOrders;
    struct Setup {
        OuchGatewayConfig config{};
        Network network;
        bool open = true;
    };

    OuchGateway(Setup setup, const House& house);
    ~OuchGateway();

    // Interface of a gateway, see gateway/gateway.hpp.
    void attach(Exchange& exchange);
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] State& state() { return orders_; }
    template <class F>
    static void each_participant(const State& state, const F& f) {
        state.each_participant(f);
    }
    [[nodiscard]] std::uint32_t open_orders(ParticipantId id) const {
        return orders_.open_orders(id);
    }
    [[nodiscard]] bool busy() const { return tcp_.busy() || !due_.empty() || !ends_.empty(); }
    [[nodiscard]] bool is_due(Timestamp now) const {
        return busy() || tcp_.has_blocked() || (tcp_.connections() > 0 && now >= next_round_);
    }
    [[nodiscard]] int patience_ms(int wait_ms) const {
        return tcp_.connections() == 0 ? wait_ms : std::min(wait_ms, k_round_ms);
    }
    void set_anonymous_share(std::uint32_t percent) {
        quotas_.set_anonymous_share(percent);
        users_.set(budget::Row::Parts::of(OuchOrders::k_maximum_users,
                                          OuchOrders::k_maximum_users * percent / 100));
    }
    /// Memory of the users' messages; any thread.
    [[nodiscard]] std::uint64_t message_bytes() const { return quotas_.message_bytes(); }
    /// For the operator; any thread.
    static void add_usages(const OuchGateway* gateway, const Settings& settings, Usages& all) {
        const bool is_there = gateway != nullptr;
        const std::uint64_t bytes = settings.of<OuchSettings>().message_bytes();
        all.push_back(Usage::of_row("ouch_connections",
                                    is_there ? gateway->places() : budget::Row::Figures{}));
        all.push_back(Usage::of_row("ouch_users",
                                    is_there ? gateway->users_.figures() : budget::Row::Figures{}));
        all.push_back(Usage::of_pool("ouch_message_bytes", is_there ? gateway->message_bytes() : 0,
                                     bytes, bytes * settings.anonymous_share / 100));
    }
    /// Any thread.
    [[nodiscard]] std::string metrics() const { return ended_.metrics(k_name); }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);
    void on_turn_end(Timestamp now, Exchange& exchange);

    // Called by the TcpGateway:
    struct Client;
    using Connection = typename TcpGateway<Network, OuchGateway>::Connection;
    void on_opened(Connection& connection);
    void on_read(std::size_t bytes) { probe_->on_read(bytes); }
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    [[nodiscard]] bool ready() const { return !stopped_ && exchange_->ready(); }
    [[nodiscard]] bool may_end(const Connection& connection) const;
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const;
    void on_written(Connection& connection, std::span<const std::byte> offered, std::size_t sent);
    void on_ended(Connection& connection, std::string_view reason);
    void on_silent(Connection& /*connection*/) {}  // the session counts silence itself
    void on_no_room(std::string_view what);

  private:
    using Request = session::ouch::Request;
    using Token = session::ouch::Token;

    /// Data of a user that is not in the state.
    struct Link {
        Connection* connection = nullptr;
        detail::OuchRequests requests;
        budget::Row::Place place;
        std::uint32_t opening = 0;            ///< logins whose commands are not kept yet
        ParticipantId leaving{};              ///< its release is pending
        bool ends = false;                    ///< the end of its session was submitted
        std::optional<TokenBucket> bucket{};  ///< kept over logins, so that another one
                                              ///< does not refill it
    };
    static constexpr int k_round_ms = 100;

    // Called by the SoupServer, and sending to it.
    [[nodiscard]] std::optional<session::LoginAnswer> log_in(
        Client& client, const wire::soupbin::LoginRequest& request);
    [[nodiscard]] session::LoginAnswer let_in(Client& client,
                                              const wire::soupbin::LoginRequest& request);
    [[nodiscard]] bool choose_session(Client& client, std::string_view wanted);
    [[nodiscard]] bool has_place(Client& client);
    static void refuse(Client& client, std::string_view what, budget::Refusal why);
    [[nodiscard]] bool begin(Client& client);
    [[nodiscard]] bool on_message(Client& client, std::span<const std::byte> message);
    void send_messages(Client& client, Timestamp now);
    [[nodiscard]] bool has_ended(const Client& client) const;
    [[nodiscard]] bool at_end(const Client& client) const;

    void report(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void handle(Client& client, Request& request, std::string_view bytes);
    void enter(Client& client, Request& request, std::string_view bytes);
    void replace(Client& client, Request& request, std::string_view bytes);
    void withdraw(Client& client, const session::ouch::Order& order, const Request& request,
                  std::string_view bytes);
    void enter_anew(const OuchOrders::Withdrawn& one);
    void enter_withdrawn();
    void reduce(Client& client, const Request& request, std::string_view bytes);
    void cancel_many(Client& client, Request& request, std::string_view bytes);
    [[nodiscard]] bool fill(Command& command, Request& request, InstrumentId instrument) const;
    [[nodiscard]] bool set_peg(Command& command, Request& request) const;
    [[nodiscard]] bool set_terms(Command& command, Request& request);

    void ask(Client& client, const Command& command, const Request& request,
             std::string_view bytes);
    /// Journals a request that needs no command of the engine, so that its report is in the state.
    void ask_nothing(Client& client, const Request& request, std::string_view bytes);
    /// `quantity`: this much of it; zero: all.
    void cancel(std::uint32_t user, const session::ouch::Order& order, std::int64_t quantity = 0,
                OuchTag tag = {});
    void submit(const Command& command, const Origin& origin);
    void end_session(Client& client, bool cancels);
    void tell_end(Connection& connection, std::string_view reason);

    /// What the end of a day leaves open, and behind it the end of its session (no token).
    struct End {
        std::uint32_t user = 0;
        Token token{};
    };
    void begin_ends();
    void submit_end(const End& end);

    void release_users();
    [[nodiscard]] bool is_released(std::uint32_t user, bool crowded) const;
    void on_release(const Event& event);

    void note_instrument(InstrumentId id);
    void note_due(Connection& connection);
    void poll_client(Connection& connection, Timestamp now);
    [[nodiscard]] Link& link(std::uint32_t user);
    [[nodiscard]] std::uint64_t time_of_day(std::uint64_t time_ns);

    OuchGatewayConfig config_;
    Exchange* exchange_ = nullptr;
    OuchOrders orders_;
    OuchQuotas quotas_;
    budget::Row users_{
        budget::Row::Parts::of(OuchOrders::k_maximum_users, OuchOrders::k_maximum_users)};
    std::uint32_t leaving_ = 0;  ///< users whose release is pending
    std::uint32_t most_instruments_;
    std::unordered_map<std::string, InstrumentId> instruments_;  ///< by symbol
    std::vector<Link> links_;                                    ///< by user
    std::vector<Connection*> due_;                               ///< with reports to send
    std::vector<std::pair<std::uint32_t, Token>> to_cancel_;
    std::vector<OrderId> entering_;  ///< of what is withdrawn: entered again, not answered yet
    std::vector<OuchOrders::Withdrawn> to_enter_;
    std::deque<End> ends_;
    bool day_over_ = true;  ///< sessions may have to be ended, as after a kill
    Timestamp next_round_{};
    Timestamp midnight_{};
    Participants* participants_;
    telemetry::Probe* probe_;
    EndedConnections ended_;
    bool stopped_ = false;
};

}  // namespace damrak::gateway::ouch

#include <damrak/gateway/ouch/detail/connections.hpp>
#include <damrak/gateway/ouch/detail/logins.hpp>
#include <damrak/gateway/ouch/detail/replaces.hpp>
#include <damrak/gateway/ouch/detail/requests.hpp>
