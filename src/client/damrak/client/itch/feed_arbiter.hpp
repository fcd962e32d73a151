// The receiver of a MoldUDP64 feed, without I/O. It takes datagrams of any number of lines in any
// order, and passes on each message once and in order. It requests missing messages again, and
// reports when only a snapshot can help. One thread; memory is bounded and allocated at the start.
// A message in order costs a check of its number; an early one costs a copy of its packet.
//
//   FeedArbiter arbiter{handler, settings};            // from message 1 of the first session
//   arbiter.on_datagram(datagram, now);                // of line A, of line B, or an answer
//   while (auto request = arbiter.next_request(now))   // after datagrams, and at deadline()
//       send it to the retransmission server
//   if (arbiter.needs_snapshot())                      // no answer: the messages are lost
//       take a snapshot, then arbiter.join(session, next number)
//
// To begin with a snapshot, set `waits_for_join`: packets are kept until join().
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include <damrak/client/itch/detail/packet_store.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/wire/moldudp/decode.hpp>

namespace damrak::client {

/// How many packets an arbiter keeps, and how long it waits for a missing one.
struct ArbiterSettings {
    /// Packets kept while earlier messages are missing.
    std::size_t packets = 4'096;
    /// How long a gap may close by itself, by another line or a late packet.
    std::int64_t patience_ns = 1'000'000;
    /// After this time the request or its answer counts as lost.
    std::int64_t retry_ns = 50'000'000;
    /// Requests for the same message before only a snapshot helps.
    std::uint32_t attempts = 10;
    bool waits_for_join = false;
};

/// Handler of an arbiter's messages.
template <class H>
concept FeedHandler = requires(H& handler, const wire::moldudp::SessionName& session,
                               std::uint64_t number, std::span<const std::byte> message) {
    /// The next messages belong to this session.
    handler.on_session(session);
    handler.on_message(number, message);
    /// All messages of the session were passed on.
    handler.on_end_of_session();
};

/// A handler that takes the messages of a packet together: from number `first` on, each after its
/// length in two bytes.
template <class H>
concept BlockHandler =
    requires(H& handler, std::uint64_t first, std::span<const std::byte> blocks) {
        handler.on_messages(first, blocks);
    };

template <class Handler>
class FeedArbiter {
  public:
    using SessionName = wire::moldudp::SessionName;

    /// What the arbiter has seen so far.
    struct Counters {
        std::uint64_t messages = 0;    ///< passed to the handler
        std::uint64_t duplicates = 0;  ///< packets without a new message
        std::uint64_t early = 0;       ///< packets that arrived before their turn
        std::uint64_t dropped = 0;     ///< early packets without room
        std::uint64_t gaps = 0;
        std::uint64_t requests = 0;
        std::uint64_t other_session = 0;  ///< packets of an earlier session
        std::uint64_t faults = 0;         ///< invalid datagrams
    };

    FeedArbiter(Handler& handler, const ArbiterSettings& settings)
        : handler_(&handler),
          settings_(settings),
          store_(settings.packets),
          waiting_(settings.waits_for_join) {
        static_assert(FeedHandler<Handler>);
    }
    FeedArbiter(const FeedArbiter&) = delete;
    FeedArbiter& operator=(const FeedArbiter&) = delete;

    void on_datagram(std::span<const std::byte> datagram, Timestamp now);
    /// The request to send now, if any.
    [[nodiscard]] std::optional<wire::moldudp::Request> next_request(Timestamp now);
    /// When next_request() is due; nothing if no message is missing.
    [[nodiscard]] std::optional<Timestamp> deadline() const {
        if (!has_gap() || needs_snapshot()) return std::nullopt;
        return due_;
    }

    /// Continues at this message, after a snapshot, whatever was missing. Another session starts
    /// from its beginning.
    void join(const SessionName& session, std::uint64_t next, Timestamp now);
    /// Passes on nothing until join(): a snapshot is about to replace the current state.
    void wait_for_join() { waiting_ = true; }
    [[nodiscard]] bool waits_for_join() const { return waiting_; }
    /// Requests the missing messages again: the server may answer by now.
    void ask_again(Timestamp now) {
        given_up_ = false;
        attempts_ = 0;
        due_ = now;
    }
    /// Requests were not answered. Packets are kept, while there is room, until join().
    [[nodiscard]] bool needs_snapshot() const { return waiting_ || given_up_; }

    [[nodiscard]] const std::optional<SessionName>& session() const { return session_; }
    /// The number of the next message to pass on.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// Missing messages from next() on that are known to exist.
    [[nodiscard]] std::uint64_t missing() const {
        if (!has_gap()) return 0;
        return (store_.empty() ? known_ : std::min(known_, store_.front().first)) - next_;
    }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] const Counters& counters() const { return counters_; }

  private:
    [[nodiscard]] bool has_gap() const { return !waiting_ && known_ > next_; }
    /// Returns false for packets of a session that is not to be followed.
    [[nodiscard]] bool follows(const SessionName& session);
    void begin(const SessionName& session);
    void take(const wire::moldudp::Scan& packet);
    void give(std::uint64_t first, std::uint64_t end, std::span<const std::byte> blocks);
    void give_kept();
    void after_progress(std::uint64_t before, Timestamp now);

    Handler* handler_;
    ArbiterSettings settings_;
    PacketStore store_;
    std::optional<SessionName> session_;
    std::uint64_t next_ = 1;
    std::uint64_t known_ = 1;           ///< one past the last message known to exist
    std::optional<std::uint64_t> end_;  ///< of the session: one past its last message
    Timestamp due_{};                   ///< time of the next request
    std::uint32_t attempts_ = 0;        ///< requests for next_
    bool gap_open_ = false;
    bool given_up_ = false;
    bool waiting_ = false;  ///< for join()
    bool ended_ = false;
    Counters counters_;
};

}  // namespace damrak::client

#include <damrak/client/itch/detail/feed_arbiter.hpp>
