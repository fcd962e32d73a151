// A FIX initiator: one session with its application, its message store and the address of the other
// side, kept connected over plain sockets.
//
//   MemoryStore store;                        or a MessageStore, to keep numbers over restarts
//   auto client = FixClient<Trader>::make(trader, store, {.port = 9878, .session = …});
//   while (…) (*client)->poll();              calls the trader: on_logon, on_message, on_logout
//   (*client)->send("D", [&](MessageWriter& order) { order.put(tag::cl_ord_id, "1")…; });
//
// All work happens in poll(), which never waits, on the caller's thread. The caller may poll
// without pause; run() polls with a given patience. An idle poll costs one receive and one clock
// read; nothing is allocated after make(). Network and clock are parameters: tests run the same
// class in virtual time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/waiting.hpp>
#include <damrak/client/detail/fix_connection.hpp>
#include <damrak/net/plain_tcp.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::client {

/// Where and how a FIX client connects, and its session.
struct FixClientSettings {
    std::string host = "127.0.0.1";
    std::uint16_t port = 9'878;
    session::fix::SessionSettings session{};  ///< its role is always initiator
    /// After a loss, reconnects every session.reconnect_interval_s while its schedule is open.
    /// Otherwise the client is then finished().
    bool reconnect = true;
    std::size_t output_bytes = std::size_t{1} << 20U;  ///< waiting to be sent
};

template <class App, session::fix::Store St = session::fix::MemoryStore,
          class Network = net::PlainTcp>
class FixClient {
  public:
    using Session = session::fix::Session<App, St>;

    enum class State : std::uint8_t {
        waiting,     ///< until the next attempt to connect
        connecting,  ///< connection not established yet
        connected,   ///< see session().logged_on()
        finished,    ///< logged out on request, or lost without reconnect
    };

    /// Connects at the first poll. Application and store must outlive the client.
    [[nodiscard]] static std::expected<std::unique_ptr<FixClient>, std::string> make(
        App& application, St& store, FixClientSettings settings, Network network = {}) {
        settings.session.role = session::fix::Role::initiator;
        auto session = session::fix::checked(std::move(settings.session));
        if (!session) return std::unexpected{std::move(session.error())};
        settings.session = *std::move(session);
        if (settings.output_bytes < 2 * settings.session.maximum_message_bytes)
            return std::unexpected{fmt::format("output_bytes must be at least {}: two messages",
                                               2 * settings.session.maximum_message_bytes)};
        return std::unique_ptr<FixClient>{
            new FixClient{application, store, std::move(settings), std::move(network)}};
    }
    FixClient(const FixClient&) = delete;
    FixClient& operator=(const FixClient&) = delete;
    ~FixClient() = default;

    /// One turn: connects, reads, calls the application, writes. Returns the work done; zero if
    /// there was none.
    std::size_t poll() { return poll(now()); }
    std::size_t poll(Timestamp now) {
        switch (state_) {
            case State::waiting:
                return wait(now);
            case State::connecting:
                return finish_connect(now);
            case State::connected:
                return move(now);
            case State::finished:
                return 0;
        }
        std::unreachable();
    }
    /// Polls until it has finished or `done()` returns true.
    template <class Done>
    void run(Done&& done, Waiting waiting = Waiting::backoff) {
        for (Waiter waiter{waiting}; !finished() && !done();) waiter.after(poll());
    }

    /// As Session::send; on return the kernel has taken as much of the output as it accepts.
    template <class Fill>
    bool send(std::string_view msg_type, Fill&& fill) {
        const bool kept = session_.send(msg_type, now(), std::forward<Fill>(fill));
        flush();
        return kept;
    }
    /// For callers that passed several messages to the session directly.
    void flush() {
        if (state_ == State::connected) link_.flush(network_);
    }
    /// Sends Logout; finished() after the other side's answer or a timeout.
    void logout(std::string_view text = {}) {
        leaving_ = true;
        if (state_ == State::connected) {
            session_.logout(text, now());
            return flush();
        }
        link_.close();
        state_ = State::finished;
    }

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool finished() const { return state_ == State::finished; }
    [[nodiscard]] bool logged_on() const { return session_.logged_on(); }
    /// Why there is no connection, or why the previous attempt failed.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] const typename Network::Socket& socket() const { return link_.socket(); }
    [[nodiscard]] Timestamp now() { return Timestamp{network_.now_ns()}; }
    /// Time of the next attempt to connect.
    [[nodiscard]] Timestamp retry_at() const { return retry_at_; }

  private:
    static constexpr std::size_t k_message_bytes = session::fix::SessionTools::k_message_bytes;

    FixClient(App& application, St& store, FixClientSettings settings, Network network)
        : settings_(std::move(settings)),
          network_(std::move(network)),
          link_(2 * k_message_bytes, settings_.output_bytes),
          session_(application, store, tools_, settings_.session) {}

    std::size_t wait(Timestamp now) {
        session_.on_time(now);
        if (now < retry_at_ || !session_.is_open(now)) return 0;
        auto socket = network_.connect(settings_.host, settings_.port);
        if (!socket) return lose(now, std::move(socket.error()));
        link_.open(std::move(*socket));
        state_ = State::connecting;
        retry_at_ = after(now, settings_.session.logon_timeout_s);
        return finish_connect(now) + 1;
    }

    std::size_t finish_connect(Timestamp now) {
        const auto there = network_.connected(link_.socket());
        if (!there) return lose(now, cannot_connect(there.error()));
        if (!*there) return now < retry_at_ ? 0 : lose(now, cannot_connect("no answer"));
        state_ = State::connected;
        session_.connect(link_.out(), now);
        link_.flush(network_);
        return 1;
    }

    std::size_t move(Timestamp now) {
        bool stays = true;
        const std::size_t work = link_.turn(network_, session_, now, stays);
        if (stays) return work;
        const bool cut = session_.ended() == session::fix::Ended::no;
        std::string why{cut ? "the other side closed the connection"
                            : session::fix::text(session_.ended())};
        if constexpr (requires { network_.trouble(link_.socket()); })
            if (const auto tls = network_.trouble(link_.socket()); cut && !tls.empty())
                why += fmt::format(": TLS: {}", tls);
        if (!session_.ended_text().empty()) why += fmt::format(": {}", session_.ended_text());
        session_.close(now);
        return work + lose(now, std::move(why));
    }

    std::size_t lose(Timestamp now, std::string why) {
        link_.close();
        trouble_ = std::move(why);
        retry_at_ = after(now, settings_.session.reconnect_interval_s);
        state_ = leaving_ || !settings_.reconnect ? State::finished : State::waiting;
        return 1;
    }

    [[nodiscard]] std::string cannot_connect(std::string_view why) const {
        return fmt::format("cannot connect to {}:{}: {}", settings_.host, settings_.port, why);
    }
    [[nodiscard]] static Timestamp after(Timestamp now, std::uint32_t seconds) {
        return Timestamp{now.value + std::int64_t{seconds} * 1'000'000'000};
    }

    FixClientSettings settings_;
    Network network_;
    session::fix::SessionTools tools_;
    detail::FixConnection<Network> link_;
    Session session_;
    State state_ = State::waiting;
    bool leaving_ = false;
    Timestamp retry_at_{INT64_MIN};
    std::string trouble_;
};

}  // namespace damrak::client
