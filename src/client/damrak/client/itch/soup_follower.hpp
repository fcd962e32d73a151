// A reconnecting subscriber of the feed by SoupBinTCP, without I/O: every message once and in
// order, from the start of the session, from any number, or from a snapshot on. After a lost
// connection it logs in again at the next number; when the session has ended or no longer exists it
// follows the next one. One thread. SoupReceiver adds the socket; detail/soup_link.hpp shows the
// calls.
//
// The handler is that of FeedArbiter: on_session() means that it must clear its state, the messages
// of a snapshot have a number of zero, and on_joined(next) is optional.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <damrak/client/itch/detail/connection_rules.hpp>
#include <damrak/client/itch/detail/snapshot_client.hpp>
#include <damrak/client/itch/feed_arbiter.hpp>

namespace damrak::client {

/// How to log in to a feed over SoupBinTCP, and where to begin.
struct SoupSettings {
    /// The session and its first message to receive.
    session::SoupCredentials login{};
    /// Takes a snapshot and continues after it, whatever `login` says.
    bool begins_with_snapshot = false;
    /// Continues with the next session after the end of one.
    bool follows_sessions = true;
    /// Pause after the end of a session, before it looks for the next one.
    std::int64_t session_pause_ns = k_second_ns;
    session::SoupClientConfig soup{};
    RetryPauses pauses{};
};

template <class Handler>
class SoupFollower {
  public:
    SoupFollower(Handler& handler, const SoupSettings& settings)
        : handler_(&handler),
          settings_(settings),
          login_(settings.login),
          snapshot_(handler, out_, settings.soup, settings.login),
          retry_(settings.pauses),
          takes_snapshot_(settings.begins_with_snapshot) {
        static_assert(FeedHandler<Handler>);
    }
    SoupFollower(const SoupFollower&) = delete;
    SoupFollower& operator=(const SoupFollower&) = delete;

    /// Which server to connect to now; nothing: not yet, or never again.
    [[nodiscard]] std::optional<SoupGateway> wants(Timestamp now) const {
        if (over_ || !retry_.due(now)) return {};
        return takes_snapshot_ ? SoupGateway::snapshots : SoupGateway::feed;
    }
    void on_connected(Timestamp now);
    /// Handles the complete packets at the front of `bytes`. The caller passes the rest again.
    session::Received on_bytes(std::span<const std::byte> bytes, Timestamp now);
    /// The connection was lost or could not be made.
    void on_lost(std::string_view why, Timestamp now);
    void on_time(Timestamp now);
    /// When on_time() and wants() are due if nothing arrives.
    [[nodiscard]] std::optional<Timestamp> deadline() const {
        if (over_) return {};
        if (!connected_ || wants_close_) return retry_.at();
        return takes_snapshot_ ? snapshot_.deadline() : client_->deadline();
    }
    [[nodiscard]] std::span<const std::byte> unsent() const { return out_.readable(); }
    void sent(std::size_t bytes) { out_.consume(bytes); }
    /// The connection is no longer needed: close it, then call on_lost().
    [[nodiscard]] bool wants_close() const { return wants_close_; }

    /// It is logged in and receives the feed.
    [[nodiscard]] bool is_live() const {
        return connected_ && !takes_snapshot_ && client_ &&
               client_->state() == session::SoupState::logged_in;
    }
    /// The number of the next message.
    [[nodiscard]] std::uint64_t next() const { return client_ ? client_->next() : login_.next; }
    /// Nothing more will arrive: see trouble(), which is empty after the end of a session.
    [[nodiscard]] bool over() const { return over_; }
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    /// Logins so far.
    [[nodiscard]] std::uint64_t logins() const { return logins_; }

    // Called by its SoupClient:
    void on_accepted(std::string_view session, std::uint64_t next);
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        if (!is_old_) handler_->on_message(number, message);
    }
    void on_unsequenced(std::span<const std::byte> /*message*/) {}

  private:
    using Client = session::SoupClient<SoupFollower>;

    void after_bytes(Timestamp now);
    void after_snapshot(Timestamp now);
    void after_feed(Timestamp now);
    void on_rejected(Timestamp now);
    void on_ended(Timestamp now);
    /// The next login is to the current session, from its start.
    void begin_anew() {
        client_.reset();
        login_.session = {};
        login_.next = 1;
        is_anew_ = true;
    }
    void close(std::string_view why) {
        wants_close_ = true;
        trouble_ = why;
    }

    Handler* handler_;
    SoupSettings settings_;
    session::SoupCredentials login_;
    std::array<std::byte, 256> memory_{};
    session::OutputBuffer out_{memory_};
    SnapshotClient<Handler> snapshot_;
    std::optional<Client> client_;
    Retry retry_;
    std::string trouble_;
    std::optional<wire::moldudp::SessionName> ended_;  ///< the last session that ended
    std::uint64_t logins_ = 0;
    bool takes_snapshot_;
    bool connected_ = false;
    bool wants_close_ = false;
    bool is_anew_ = true;  ///< the handler has no session yet
    bool is_old_ = false;  ///< the session has ended before
    bool over_ = false;
};

}  // namespace damrak::client

#include <damrak/client/itch/detail/soup_follower.hpp>
