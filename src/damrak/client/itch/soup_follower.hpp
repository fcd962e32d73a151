// A subscriber of the feed by SoupBinTCP that stays one, without I/O: every message once and in
// order, from the begin of the session, from any number, or from a snapshot on. It logs in again
// where a connection was lost, at the next number; where the session is over or gone it follows
// the next one. One thread. SoupReceiver gives it sockets; detail/soup_link.hpp shows the calls.
//
// The handler is one of FeedArbiter: on_session() comes where what it has is to be forgotten, the
// messages of a snapshot have a number of zero, and on_joined(next) may be left out.
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

#include <damrak/client/itch/connection_rules.hpp>
#include <damrak/client/itch/feed_arbiter.hpp>
#include <damrak/client/itch/snapshot_client.hpp>

namespace damrak::client {

struct SoupSettings {
    /// The session and the message to begin with.
    session::SoupCredentials login{};
    /// Takes a snapshot and goes on behind it, whatever `login` says.
    bool begins_with_snapshot = false;
    /// Goes on with the next session behind the end of one.
    bool follows_sessions = true;
    /// After the end of a session, until the next one is looked for.
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

    /// Where to connect to now; nothing: not yet, or never more.
    [[nodiscard]] std::optional<SoupDoor> wants(Timestamp now) const {
        if (over_ || !retry_.due(now)) return {};
        return takes_snapshot_ ? SoupDoor::snapshots : SoupDoor::feed;
    }
    void on_connected(Timestamp now);
    /// Handles the whole packets at the front of `bytes`. The caller passes the others again.
    session::Received on_bytes(std::span<const std::byte> bytes, Timestamp now);
    /// The connection is gone, or there was none.
    void on_lost(std::string_view why, Timestamp now);
    void on_time(Timestamp now);
    /// When on_time() and wants() are due if nothing comes.
    [[nodiscard]] std::optional<Timestamp> deadline() const {
        if (over_) return {};
        if (!connected_ || wants_close_) return retry_.at();
        return takes_snapshot_ ? snapshot_.deadline() : client_->deadline();
    }
    [[nodiscard]] std::span<const std::byte> unsent() const { return out_.readable(); }
    void sent(std::size_t bytes) { out_.consume(bytes); }
    /// The connection is of no use any more: close it, then call on_lost().
    [[nodiscard]] bool wants_close() const { return wants_close_; }

    /// It is logged in, and what comes is the feed.
    [[nodiscard]] bool is_live() const {
        return connected_ && !takes_snapshot_ && client_ &&
               client_->state() == session::SoupState::logged_in;
    }
    /// The message that comes next.
    [[nodiscard]] std::uint64_t next() const { return client_ ? client_->next() : login_.next; }
    /// It will get nothing more: see trouble(), which is empty behind the end of a session.
    [[nodiscard]] bool over() const { return over_; }
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    /// Logins so far.
    [[nodiscard]] std::uint64_t logins() const { return logins_; }

    // Of the handler of its SoupClient.
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
    /// Logs in to whatever session there is next time, from its begin.
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
    std::optional<wire::moldudp::SessionName> ended_;  ///< the session that ended last
    std::uint64_t logins_ = 0;
    bool takes_snapshot_;
    bool connected_ = false;
    bool wants_close_ = false;
    bool is_anew_ = true;  ///< the handler does not know the session
    bool is_old_ = false;  ///< the session is the one that ended
    bool over_ = false;
};

}  // namespace damrak::client

#include <damrak/client/itch/detail/soup_follower.hpp>
