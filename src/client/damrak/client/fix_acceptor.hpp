// Many FIX sessions of one application behind one port: a small server for programs that accept
// connections, and the counterparty in tests. (The exchange's own gateway is gateway/fix/.)
//
//   auto acceptor = FixAcceptor<Market>::make(market, {.port = 9878, .sessions = {…}});
//   (*acceptor)->run([] { return false; });   calls the market with the session
//
// Sessions are distinguished by version and comp ids (session/fix/directory.hpp); a target of "*"
// makes a template for unknown clients. One thread, plain sockets polled in turn: a turn costs one
// receive per connection. Only new connections and sessions allocate. Network and clock are
// parameters: tests run the same class in virtual time.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/base/waiting.hpp>
#include <damrak/client/detail/fix_connection.hpp>
#include <damrak/net/plain_tcp.hpp>
#include <damrak/session/fix/directory.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::client {

/// Where an acceptor listens, and the sessions that it accepts.
struct FixAcceptorSettings {
    std::string address = "127.0.0.1";
    std::uint16_t port = 9'878;  ///< zero: any free port
    std::vector<session::fix::SessionSettings> sessions{};
    std::size_t maximum_connections = 1'024;
    std::size_t output_bytes = std::size_t{1} << 20U;  ///< waiting to be sent, per connection
};

template <class App, session::fix::Store St = session::fix::MemoryStore,
          class Network = net::PlainTcp>
class FixAcceptor {
  public:
    using Session = session::fix::Session<App, St>;
    using OpenStore = std::function<std::expected<std::unique_ptr<St>, std::string>(
        const session::fix::SessionName& name, Timestamp now)>;

    /// Listens on return. Calls `open_store` once per session.
    [[nodiscard]] static std::expected<std::unique_ptr<FixAcceptor>, std::string> make(
        App& application, FixAcceptorSettings settings, OpenStore open_store = in_memory,
        Network network = {}) {
        auto directory = session::fix::SessionDirectory::make(settings.sessions);
        if (!directory) return std::unexpected{std::move(directory.error())};
        for (const auto& session : settings.sessions)
            if (settings.output_bytes < 2 * session.maximum_message_bytes)
                return std::unexpected{std::string{"output_bytes must take two messages"}};
        const auto port = network.listen(settings.address, settings.port);
        if (!port) return std::unexpected{port.error()};
        settings.port = *port;
        std::unique_ptr<FixAcceptor> made{
            new FixAcceptor{application, std::move(settings), *std::move(directory),
                            std::move(open_store), std::move(network)}};
        if (!made->seat_sessions(made->now())) return std::unexpected{made->trouble()};
        return made;
    }
    FixAcceptor(const FixAcceptor&) = delete;
    FixAcceptor& operator=(const FixAcceptor&) = delete;
    ~FixAcceptor() = default;

    /// One turn of every connection. Returns the work done; zero if there was none.
    std::size_t poll() { return poll(now()); }
    std::size_t poll(Timestamp now) {
        std::size_t work = 0;
        for (std::size_t i = 0; i < connections_.size();) {
            bool stays = true;
            work += turn(*connections_[i], now, stays);
            if (stays) {
                ++i;
            } else {
                end(*connections_[i], now);
                connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        for (const auto& seat : seats_)
            if (!seat->session.connected()) seat->session.on_time(now);
        // Under load, a new connection waits for a few turns.
        if (work == 0 || ++turns_ % k_turns_an_accept == 0) work += accept(now);
        return work;
    }
    /// Polls until `done()` returns true.
    template <class Done>
    void run(Done&& done, Waiting waiting = Waiting::backoff) {
        for (Waiter waiter{waiting}; !done();) waiter.after(poll());
    }
    /// Sends what applications passed to sessions between two polls.
    void flush() {
        for (const auto& connection : connections_) connection->link.flush(network_);
    }

    [[nodiscard]] std::uint16_t port() const { return settings_.port; }
    [[nodiscard]] std::size_t connections() const { return connections_.size(); }
    /// Sessions of the settings first, in their order; then sessions made from templates.
    [[nodiscard]] std::size_t sessions() const { return seats_.size(); }
    [[nodiscard]] Session& session(std::size_t index) { return seats_[index]->session; }
    /// The last error of a connection that never became a session, or of a store.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    [[nodiscard]] Timestamp now() { return Timestamp{network_.now_ns()}; }

    [[nodiscard]] static std::expected<std::unique_ptr<St>, std::string> in_memory(
        const session::fix::SessionName& /*name*/, Timestamp now)
        requires std::same_as<St, session::fix::MemoryStore>
    {
        return std::make_unique<St>(session::fix::MemoryStoreSettings{}, now);
    }

  private:
    static constexpr std::size_t k_message_bytes = session::fix::SessionTools::k_message_bytes;
    static constexpr unsigned k_turns_an_accept = 64;
    static constexpr std::int64_t k_logon_patience_ns = 10'000'000'000;

    struct Seat {
        Seat(FixAcceptor& acceptor, std::unique_ptr<St> kept,
             const session::fix::SessionSettings& settings)
            : store(std::move(kept)),
              session(*acceptor.application_, *store, acceptor.tools_, settings) {}
        std::unique_ptr<St> store;
        Session session;
    };
    struct Connection {
        explicit Connection(std::size_t output_bytes) : link(2 * k_message_bytes, output_bytes) {}
        detail::FixConnection<Network> link;
        std::optional<std::size_t> session{};
        Timestamp since{};
    };

    FixAcceptor(App& application, FixAcceptorSettings settings,
                session::fix::SessionDirectory directory, OpenStore open_store, Network network)
        : application_(&application),
          settings_(std::move(settings)),
          directory_(std::move(directory)),
          open_store_(std::move(open_store)),
          network_(std::move(network)) {}

    std::size_t accept(Timestamp now) {
        if (connections_.size() >= settings_.maximum_connections) return 0;
        auto socket = network_.accept();
        if (!socket.open()) return 0;
        auto& connection =
            *connections_.emplace_back(std::make_unique<Connection>(settings_.output_bytes));
        connection.link.open(std::move(socket));
        connection.since = now;
        return 1;
    }

    std::size_t turn(Connection& connection, Timestamp now, bool& stays) {
        if (connection.session)
            return connection.link.turn(network_, session(*connection.session), now, stays);
        const std::size_t work = connection.link.read(network_);
        stays = admit(connection, now);
        return work;
    }

    /// The first message identifies the peer. Returns false if the connection is refused.
    bool admit(Connection& connection, Timestamp now) {
        using session::fix::Admission;
        const Admission admission = directory_.admit(connection.link.unread(), tools_.decoder);
        switch (admission.status) {
            case Admission::Status::need_more:
                return !connection.link.closed() &&
                       (now - connection.since).value < k_logon_patience_ns;
            case Admission::Status::refused:
                trouble_ = session::fix::text(admission.why);
                return false;
            case Admission::Status::admitted:
                break;
        }
        if (!seat_sessions(now)) {
            directory_.leave(admission.session);
            return false;
        }
        connection.session = admission.session;
        session(admission.session).connect(connection.link.out(), now);
        return true;
    }

    void end(Connection& connection, Timestamp now) {
        if (!connection.session) return;
        session(*connection.session).close(now);
        directory_.leave(*connection.session);
    }

    /// Opens stores for new sessions of the directory.
    bool seat_sessions(Timestamp now) {
        while (seats_.size() < directory_.size()) {
            const auto& settings = directory_.settings(seats_.size());
            auto store = open_store_(settings.name, now);
            if (!store) {
                trouble_ = std::move(store.error());
                return false;
            }
            seats_.push_back(std::make_unique<Seat>(*this, std::move(*store), settings));
        }
        return true;
    }

    App* application_;
    FixAcceptorSettings settings_;
    session::fix::SessionDirectory directory_;
    OpenStore open_store_;
    Network network_;
    session::fix::SessionTools tools_;
    std::vector<std::unique_ptr<Seat>> seats_;  ///< by the directory's index
    std::vector<std::unique_ptr<Connection>> connections_;
    unsigned turns_ = 0;
    std::string trouble_;
};

}  // namespace damrak::client
