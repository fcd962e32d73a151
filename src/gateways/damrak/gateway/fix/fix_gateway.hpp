// The FIX gateway: joins TCP, the sessions of FixApplication and with them the exchange. One of the
// gateways of an exchange (gateway/gateway.hpp), on their thread; reading, fairness and writing are
// those of TcpGateway.
//
// A class template over the network, as BinaryGateway is. A message costs no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <damrak/domain/origin.hpp>
#include <damrak/gateway/fix/admin.hpp>
#include <damrak/gateway/fix/detail/fix_application.hpp>
#include <damrak/gateway/fix/detail/fix_market.hpp>
#include <damrak/gateway/fix/detail/message_stores.hpp>
#include <damrak/gateway/fix/detail/metrics.hpp>
#include <damrak/gateway/fix/missing_reports.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/gateway/tcp_gateway.hpp>
#include <damrak/session/received.hpp>

namespace damrak::gateway::fix {

/// Where the gateway listens, and its limits.
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
    static constexpr GatewayNumber k_gateway = k_fix_gateway;
    static constexpr std::string_view k_name = "fix";
    using State = FixOrders;
    using Application = FixApplication<Exchange, Store>;
    /// What a gateway is made of.
    struct Setup {
        FixGatewayConfig config{};
        FixApplicationConfig application{};
        typename Application::Storing storing{};
        Network network;
        bool open = true;
        std::shared_ptr<FixStores> stores{};  ///< null: nobody waits for the disk in its place
    };

    FixGateway(Setup setup, const House& house);
    ~FixGateway();
    FixGateway(const FixGateway&) = delete;
    FixGateway& operator=(const FixGateway&) = delete;

    /// Its clients of earlier days are known again, and what happens to their orders is kept for
    /// them, whether or not the gateway is open. Before anything else; not where there never were
    /// any.
    [[nodiscard]] std::expected<void, std::string> open_application(journal::FileSystem& files,
                                                                    Timestamp now) {
        has_application_ = true;
        return application_.open(files, now);
    }
    /// The same with real files, in its place in an exchange.
    [[nodiscard]] std::expected<void, std::string> open_files();
    [[nodiscard]] Application& application() { return application_; }
    [[nodiscard]] const Application& application() const { return application_; }

    // Of a gateway, see gateway/gateway.hpp.
    void attach(Exchange& exchange) {
        exchange_ = &exchange;
        if (has_application_) application_.attach(exchange);
    }
    [[nodiscard]] std::expected<void, std::string> listen() { return gateway_.listen(); }
    [[nodiscard]] std::uint16_t port() const { return gateway_.port(); }

    /// Connections from now on have TLS, where there is a certificate.
    [[nodiscard]] std::expected<void, std::string> use_certificates(const Settings& settings);

    // The reports of executions to clients, over restarts as well.
    void set_fees(const Fees& fees) {
        if (has_application_) application_.set_fees(fees);
    }
    [[nodiscard]] std::uint64_t reported_position() const {
        return has_application_ ? application_.reported_position() : UINT64_MAX;
    }
    void note_reported(std::uint64_t sequence) {
        if (has_application_) application_.note_reported(sequence);
    }
    [[nodiscard]] std::expected<void, std::string> check_new_journal(
        const std::filesystem::path& data) const;
    template <class State>
    [[nodiscard]] std::expected<void, std::string> check_replayed(const State& state) const {
        if (!has_application_) return {};
        return check_sessions(state.template gateway<FixOrders>().highest_session());
    }
    template <class State>
    void follow_replay(State& state) {
        if (has_application_) report_what_is_missing(application_, state);
    }
    void note_records(std::span<const journal::Record> records) {
        if (!has_application_) return;
        for (const journal::Record& record : records) application_.note_record(record);
    }
    /// Of the market, for what clients ask.
    [[nodiscard]] feed::MarketObserver& observer(const EngineConfig& engine) {
        application_.show(market_.emplace(engine).snapshots());
        return *market_;
    }

    // For the operator; any thread.
    [[nodiscard]] FixAdmin& admin() { return application_.sessions().admin(); }
    [[nodiscard]] std::string metrics() { return fix_metrics(admin()); }
    static void add_usages(const FixGateway* gateway, const Settings& /*settings*/, Usages& all) {
        const bool is_there = gateway != nullptr;
        all.push_back(Usage::of_row(
            "fix_connections", is_there ? gateway->gateway_.places() : budget::Row::Figures{}));
        all.push_back(Usage::of_row(
            "fix_unknown_sessions",
            is_there ? gateway->application_.sessions().places() : budget::Row::Figures{}));
        all.push_back(Usage::of_row("fix_market_data", is_there
                                                           ? gateway->application_.watched_places()
                                                           : budget::Row::Figures{}));
    }
    [[nodiscard]] Health health() const {
        const bool fails =
            application_.sessions().cannot_keep() || (stores_ && stores_->is_failing());
        return {.failure = {},
                .warning = fails ? "FIX sessions cannot be stored: the disk is full or cannot be "
                                   "written"
                                 : ""};
    }

    [[nodiscard]] int wake_source() const { return gateway_.wake_source(); }
    [[nodiscard]] bool busy() const { return gateway_.busy(); }
    [[nodiscard]] bool is_due(Timestamp now) const {
        return busy() || gateway_.has_blocked() || application_.sessions().awaits_disk() ||
               now >= timers_due_;
    }
    /// Who waits for the disk waits no longer than for that.
    [[nodiscard]] int patience_ms(int wait_ms) const {
        return application_.sessions().awaits_disk() ? 1 : wait_ms;
    }
    [[nodiscard]] bool wake_up_for(int descriptor, bool& signalled) {
        return gateway_.wake_up_for(descriptor, signalled);
    }
    std::size_t poll(int wait_ms);
    [[nodiscard]] Timestamp time() const { return gateway_.time(); }
    void on_turn_end(Timestamp now, const Exchange& exchange) {
        if (!has_application_) return;
        application_.tell_market(now);
        application_.note_reported(exchange.reported_position());
    }
    void on_messages() {
        if (stores_) stores_->call();
    }
    void flush();
    [[nodiscard]] bool stopped() const { return application_.stopped(); }
    [[nodiscard]] State& state() { return application_.orders(); }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        if (has_application_) application_.reports().on_event(event, origin, stamp);
    }
    void on_command_end(const Origin& origin) { application_.on_command_end(origin); }
    /// Says goodbye to everybody and closes the gateway.
    void close();

    [[nodiscard]] const Network& network() const { return gateway_.network(); }
    [[nodiscard]] std::size_t connections() const { return gateway_.connections(); }
    void set_strangers_share(std::uint32_t percent) {
        gateway_.set_strangers_share(percent);
        application_.market().set_strangers_share(percent);
    }

    // Of the owner of a TcpGateway.
    struct Client;
    using Connection = typename TcpGateway<Network, FixGateway>::Connection;
    void on_opened(Connection& /*connection*/) {}
    void on_no_room(std::string_view what);
    void on_read(std::size_t bytes);
    [[nodiscard]] session::Received on_bytes(Connection& connection,
                                             std::span<const std::byte> bytes);
    [[nodiscard]] bool ready() const { return !application_.stopped() && exchange_->ready(); }
    [[nodiscard]] bool may_end(const Connection& connection) const;
    [[nodiscard]] std::optional<std::string_view> end_reason(const Connection& connection) const;
    void on_written(Connection& connection, std::span<const std::byte> offered, std::size_t sent);
    void on_ended(Connection& connection, std::string_view reason);
    void on_silent(Connection& connection);

  private:
    static constexpr std::int64_t k_timers_ns = 10'000'000;

    [[nodiscard]] std::expected<void, std::string> check_sessions(std::uint32_t highest) const;
    [[nodiscard]] typename Application::Sessions::Comer comer(const Connection& connection) {
        return {
            .connection = connection.number, .host = gateway_.host_of(connection), .now = time()};
    }
    void admit(Connection& connection, std::span<const std::byte> bytes);
    void let_in(Connection& connection, typename Application::Client& counterparty);
    void take_arrived();
    void tell_news(const Connection& connection, std::string_view what, bool trouble);
    void tell_end(const Connection& connection, std::string_view reason);

    FixGatewayConfig config_;
    Application application_;
    Exchange* exchange_ = nullptr;
    TcpGateway<Network, FixGateway> gateway_;
    std::string sender_;  ///< whose connection is about to be refused
    Timestamp timers_due_{};
    bool has_application_ = false;
    bool open_;
    std::shared_ptr<FixStores> stores_;
    std::optional<FixMarket> market_;
};

}  // namespace damrak::gateway::fix

#include <damrak/gateway/fix/detail/fix_gateway.hpp>
