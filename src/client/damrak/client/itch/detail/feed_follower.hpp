// A receiver of MoldUDP64 that recovers from any gap, without I/O. It takes the datagrams of all
// lines, and passes on every message once and in order. It requests missing messages again. If
// nobody answers, or at the start, it takes a GLIMPSE snapshot and joins after it. One thread;
// memory is bounded and allocated at the start. FeedReceiver adds the sockets.
//
//   FeedFollower follower{handler, settings};
//   follower.on_datagram(datagram, now);                 // of any line, or an answer
//   while (auto request = follower.next_request(now)) …  // send it to the retransmission server
//   if (auto gateway = follower.wants(now)) …               // connect to the snapshot server
//
// connection_rules.hpp and detail/soup_link.hpp serve that connection.
//
// The handler is that of FeedArbiter. Before each snapshot it gets on_session() and must clear its
// state. The messages of a snapshot have a number of zero. on_joined(next), which is optional,
// follows.
#pragma once

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

struct FeedSettings {
    ArbiterSettings arbiter{};
    /// There is a snapshot server. Without one, missing messages are requested forever.
    bool has_snapshots = true;
    /// Begins with a snapshot, not with the first message of the session.
    bool begins_with_snapshot = true;
    session::SoupCredentials login{};
    session::SoupClientConfig soup{};
    RetryPauses pauses{};
};

template <class Handler>
class FeedFollower {
  public:
    FeedFollower(Handler& handler, const FeedSettings& settings)
        : handler_(&handler),
          settings_(settings),
          arbiter_(*this, arbiter_settings(settings)),
          snapshot_(handler, out_, settings.soup, settings.login),
          retry_(settings.pauses) {
        static_assert(FeedHandler<Handler>);
    }
    FeedFollower(const FeedFollower&) = delete;
    FeedFollower& operator=(const FeedFollower&) = delete;

    void on_datagram(std::span<const std::byte> datagram, Timestamp now) {
        arbiter_.on_datagram(datagram, now);
    }
    [[nodiscard]] std::optional<wire::moldudp::Request> next_request(Timestamp now) {
        return arbiter_.next_request(now);
    }
    void on_time(Timestamp now) {
        if (connected_) {
            if (wants_close_) return;
            snapshot_.on_time(now);
            after_bytes(now);
        } else if (!settings_.has_snapshots && arbiter_.needs_snapshot()) {
            arbiter_.ask_again(now);
        }
    }
    /// When on_time(), next_request() and wants() are due if nothing arrives.
    [[nodiscard]] std::optional<Timestamp> deadline() const {
        if (connected_ && !wants_close_) return snapshot_.deadline();
        if (arbiter_.needs_snapshot()) return retry_.at();
        return arbiter_.deadline();
    }

    // The connection to the snapshot server:

    /// Which server to connect to now.
    [[nodiscard]] std::optional<SoupGateway> wants(Timestamp now) const {
        if (!settings_.has_snapshots || !arbiter_.needs_snapshot() || !retry_.due(now)) return {};
        return SoupGateway::snapshots;
    }
    void on_connected(Timestamp now) {
        connected_ = true;
        wants_close_ = !arbiter_.needs_snapshot();  // the messages arrived meanwhile
        if (wants_close_) return;
        arbiter_.wait_for_join();
        snapshot_.connect(now);
    }
    session::Received on_bytes(std::span<const std::byte> bytes, Timestamp now) {
        const session::Received done = snapshot_.on_bytes(bytes, now);
        after_bytes(now);
        return done;
    }
    /// The connection was lost or could not be made.
    void on_lost(std::string_view why, Timestamp now) {
        connected_ = false;
        if (std::exchange(wants_close_, false)) return;
        trouble_ = why;
        retry_.fail(now);
        // The snapshot server is gone, but the retransmission server may be there.
        if (!arbiter_.waits_for_join()) arbiter_.ask_again(now);
    }
    [[nodiscard]] std::span<const std::byte> unsent() const { return out_.readable(); }
    void sent(std::size_t bytes) { out_.consume(bytes); }
    /// The connection is no longer needed: close it, then call on_lost().
    [[nodiscard]] bool wants_close() const { return wants_close_; }

    [[nodiscard]] const FeedArbiter<FeedFollower>& arbiter() const { return arbiter_; }
    /// Number of snapshots taken.
    [[nodiscard]] std::uint64_t snapshots() const { return snapshots_; }
    /// Why the last attempt to take a snapshot failed; empty if it did not.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }

    // Called by its arbiter:
    void on_session(const wire::moldudp::SessionName& session) {
        if (!joining_) handler_->on_session(session);
    }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        handler_->on_message(number, message);
    }
    void on_messages(std::uint64_t first, std::span<const std::byte> blocks)
        requires BlockHandler<Handler>
    {
        handler_->on_messages(first, blocks);
    }
    void on_end_of_session() { handler_->on_end_of_session(); }

  private:
    static ArbiterSettings arbiter_settings(const FeedSettings& settings) {
        ArbiterSettings arbiter = settings.arbiter;
        arbiter.waits_for_join = settings.has_snapshots && settings.begins_with_snapshot;
        return arbiter;
    }

    void after_bytes(Timestamp now) {
        if (wants_close_) return;
        if (snapshot_.done()) {
            wants_close_ = true;
            trouble_.clear();
            retry_.succeed();
            ++snapshots_;
            tell_joined(*handler_, snapshot_.next());
            joining_ = true;  // the handler has the session and its state
            arbiter_.join(snapshot_.session(), snapshot_.next(), now);
            joining_ = false;
        } else if (snapshot_.failed()) {
            wants_close_ = true;
            trouble_ = snapshot_.fault();
            retry_.fail(now);
        }
    }

    Handler* handler_;
    FeedSettings settings_;
    std::array<std::byte, 256> memory_{};
    session::OutputBuffer out_{memory_};
    FeedArbiter<FeedFollower> arbiter_;
    SnapshotClient<Handler> snapshot_;
    Retry retry_;
    std::string trouble_;
    std::uint64_t snapshots_ = 0;
    bool connected_ = false;
    bool wants_close_ = false;
    bool joining_ = false;
};

}  // namespace damrak::client
