// Receives the order-by-order feed over multicast (MoldUDP64): arbitrates its lines, requests what
// both lost, and takes a snapshot (GLIMPSE 5.0) at the start and if nobody answers. Every message
// once and in order. It has no thread: the caller calls poll().
//
//   FeedBooks books;
//   auto receiver = FeedReceiver<FeedBooks>::open({}, books);  // of an exchange on this machine
//   while (…) (*receiver)->poll(1'000);
//
// The handler is described in feed_follower.hpp; FeedBooks is one.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/base/system_time.hpp>
#include <damrak/client/itch/detail/feed_follower.hpp>
#include <damrak/client/itch/detail/feed_sockets.hpp>
#include <damrak/client/itch/detail/soup_link.hpp>

namespace damrak::client {

/// The multicast lines of a feed, and where missed messages are requested.
struct FeedReceiverConfig {
    /// Lines A and B; one alone is enough.
    std::vector<net::MulticastGroup> lines{{.address = "239.192.0.1", .port = 26'403},
                                           {.address = "239.192.0.2", .port = 26'403}};
    std::optional<FeedAddress> retransmissions = FeedAddress{.port = 26'404};
    std::optional<FeedAddress> snapshots = FeedAddress{.port = 26'405};
    /// `has_snapshots` is set from the address.
    FeedSettings settings{};
};

template <class Handler>
class FeedReceiver {
  public:
    [[nodiscard]] static std::expected<std::unique_ptr<FeedReceiver>, std::string> open(
        const FeedReceiverConfig& config, Handler& handler) {
        auto sockets = FeedSockets::open(config.lines, config.retransmissions);
        if (!sockets) return std::unexpected{std::move(sockets.error())};
        return std::unique_ptr<FeedReceiver>{
            new FeedReceiver{config, *std::move(sockets), handler}};
    }
    FeedReceiver(const FeedReceiver&) = delete;
    FeedReceiver& operator=(const FeedReceiver&) = delete;

    /// Handles what has arrived, or else waits at most that long for something (zero: does not
    /// wait; negative: no limit).
    void poll(int timeout_ms) {
        if (turn()) return;
        sockets_.wait(link_.waits_for(!follower_.unsent().empty()),
                      link_.wait_ms(timeout_ms, follower_.deadline(), now()));
        turn();
    }

    [[nodiscard]] const FeedFollower<Handler>& follower() const { return follower_; }

  private:
    FeedReceiver(const FeedReceiverConfig& config, FeedSockets sockets, Handler& handler)
        : sockets_(std::move(sockets)),
          follower_(handler, settings_of(config)),
          link_({}, config.snapshots.value_or(FeedAddress{})) {}

    static FeedSettings settings_of(const FeedReceiverConfig& config) {
        FeedSettings settings = config.settings;
        settings.has_snapshots = config.snapshots.has_value();
        return settings;
    }

    bool turn() {
        const Timestamp time = now();
        bool moved = sockets_.receive(
            [&](std::span<const std::byte> datagram) { follower_.on_datagram(datagram, time); });
        follower_.on_time(time);
        while (const auto request = follower_.next_request(time)) sockets_.ask(*request);
        moved |= link_.turn(follower_, time);
        return moved;
    }
    [[nodiscard]] Timestamp now() { return {clock_.now_ns()}; }

    FeedSockets sockets_;
    FeedFollower<Handler> follower_;
    detail::SoupLink link_;
    ForwardClock clock_;
};

}  // namespace damrak::client
