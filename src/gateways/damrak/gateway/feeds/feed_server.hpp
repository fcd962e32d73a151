// Serves the order-by-order feed on its own thread: subscribers by SoupBinTCP and GLIMPSE,
// multicast by MoldUDP64, and retransmission. It only reads what the feed has written, so no
// subscriber, slow or hostile, costs the exchange or the feed anything.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <damrak/feed/itch/itch_feed.hpp>
#include <damrak/gateway/ended_connections.hpp>
#include <damrak/gateway/feeds/detail/feed_status.hpp>
#include <damrak/gateway/feeds/detail/mold_lines.hpp>
#include <damrak/gateway/feeds/detail/soup_feed.hpp>
#include <damrak/gateway/health.hpp>

namespace damrak::gateway::feeds {

/// Where the feed is served, and how many may follow it.
struct FeedServerConfig {
    std::string address = "127.0.0.1";
    static constexpr std::uint32_t k_subscribers = 1'024;
    std::uint32_t maximum_itch = k_subscribers;
    std::uint32_t maximum_glimpse = k_subscribers;
    // Ports. Nothing: the service is off. Zero: any free port.
    std::optional<std::uint16_t> itch;
    std::optional<std::uint16_t> glimpse;
    std::optional<std::uint16_t> mold;  ///< of the groups of both lines
    std::optional<std::uint16_t> retransmit;
    std::int64_t mold_delay_ns = 0;  ///< how long a message waits for others to share its packet
    /// Unicast receivers of MoldUDP64 by line, A and B.
    std::array<std::vector<net::HostAndPort>, 2> mold_unicast;
    feed::LineFaults faults{};
    /// Told, at most twice a second for each service, of a subscriber that was ended, and why.
    std::function<void(const std::string& line)> on_notice{};
};

class FeedServer {
  public:
    /// Listens and serves until it is destroyed. The feed must outlive it.
    [[nodiscard]] static std::expected<std::unique_ptr<FeedServer>, std::string> start(
        const FeedServerConfig& config, feed::ItchFeed& feed);
    FeedServer(const FeedServer&) = delete;
    FeedServer& operator=(const FeedServer&) = delete;
    ~FeedServer();

    /// Actual ports by service.
    [[nodiscard]] const std::map<std::string, std::uint16_t>& ports() const { return ports_; }
    /// Reports new messages in the feed. Any thread; while the server is busy it costs one load.
    void wake();
    /// Any thread.
    [[nodiscard]] const EndedConnections& ended() const { return ended_; }
    /// Of its services over TCP, and of both if there is no server. Any thread.
    static void add_usages(const FeedServer* server, Usages& all);
    /// Of less than a second ago. Any thread.
    [[nodiscard]] FeedStatus status() const {
        const std::lock_guard lock{status_mutex_};
        return status_;
    }

  private:
    FeedServer() = default;
    [[nodiscard]] std::expected<void, std::string> open(const FeedServerConfig& config,
                                                        feed::ItchFeed& feed);
    void run(const std::stop_token& stop);
    [[nodiscard]] bool serve();
    [[nodiscard]] int patience_ms();
    void tell_status();

    std::map<std::string, std::uint16_t> ports_;
    EndedConnections ended_;
    std::function<void(const std::string& line)> on_notice_;
    std::optional<feed::EarlierSessions> earlier_;
    std::vector<std::unique_ptr<SoupFeed>> gateways_;
    std::unique_ptr<MoldLines> lines_;
    std::unique_ptr<MoldRetransmission> retransmission_;
    ForwardClock clock_;
    std::optional<net::Poller> poller_;
    int woken_ = -1;  ///< event descriptor: readable if there are new messages
    std::atomic<bool> sleeps_{false};
    std::int64_t next_status_ns_ = 0;
    mutable std::mutex status_mutex_;
    FeedStatus status_;
    std::jthread thread_;
};

}  // namespace damrak::gateway::feeds
