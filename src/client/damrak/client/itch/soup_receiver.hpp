// Receives the order-by-order feed over TCP (SoupBinTCP 3.00): from any message of the session, or
// from a snapshot (GLIMPSE 5.0). After a lost connection it continues with the next message. Every
// message once and in order. It has no thread: the caller calls poll().
//
//   FeedBooks books;
//   SoupReceiver receiver{{.feed = {.port = 26401}}, books};
//   while (!receiver.over()) receiver.poll(1'000);
//
// The handler is described in soup_follower.hpp; FeedBooks is one.
#pragma once

#include <utility>

#include <poll.h>

#include <damrak/base/system_time.hpp>
#include <damrak/client/itch/detail/soup_link.hpp>
#include <damrak/client/itch/soup_follower.hpp>

namespace damrak::client {

/// The addresses of a feed over SoupBinTCP and of its snapshots.
struct SoupReceiverConfig {
    FeedAddress feed{.port = 26'401};
    FeedAddress snapshots{.port = 26'405};
    SoupSettings settings{};
};

template <class Handler>
class SoupReceiver {
  public:
    SoupReceiver(const SoupReceiverConfig& config, Handler& handler)
        : follower_(handler, config.settings), link_(config.feed, config.snapshots) {}
    SoupReceiver(const SoupReceiver&) = delete;
    SoupReceiver& operator=(const SoupReceiver&) = delete;

    /// Handles what has arrived, or else waits at most that long for something (zero: does not
    /// wait; negative: no limit).
    void poll(int timeout_ms) {
        if (turn()) return;
        pollfd waits = waits_for();
        if (::poll(&waits, 1, link_.wait_ms(timeout_ms, follower_.deadline(), now())) > 0) turn();
    }

    /// The descriptor that poll() waits for, for callers that wait for several.
    [[nodiscard]] pollfd waits_for() const { return link_.waits_for(!follower_.unsent().empty()); }

    /// Nothing more will arrive: see trouble().
    [[nodiscard]] bool over() const { return follower_.over(); }
    [[nodiscard]] bool is_live() const { return follower_.is_live(); }
    /// Why there is no connection; empty while there is one.
    [[nodiscard]] const std::string& trouble() const { return follower_.trouble(); }
    [[nodiscard]] const SoupFollower<Handler>& follower() const { return follower_; }

  private:
    bool turn() {
        const Timestamp time = now();
        follower_.on_time(time);
        return link_.turn(follower_, time);
    }
    [[nodiscard]] Timestamp now() { return {clock_.now_ns()}; }

    SoupFollower<Handler> follower_;
    detail::SoupLink link_;
    ForwardClock clock_;
};

}  // namespace damrak::client
