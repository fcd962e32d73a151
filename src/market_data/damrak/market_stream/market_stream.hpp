// The live stream of the market over WebSockets: /v1/stream of the HTTP service. It reads the
// messages of the order-by-order feed, keeps the market that they describe, and sends each viewer
// what it subscribed to: a snapshot, then changes. See docs/protocols/stream.md.
//
// Everything runs on the HTTP server's thread. A tick takes a bounded time; if that is not enough,
// topics take turns and are published less often. A viewer that reads too slowly is left out and
// later gets a new snapshot. Nothing of this costs the exchange anything: it only reads the file of
// the feed session.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/feed/feed_session.hpp>
#include <damrak/http/server.hpp>
#include <damrak/market_stream/detail/market_state.hpp>
#include <damrak/market_stream/detail/topic_feed.hpp>
#include <damrak/market_stream/request.hpp>
#include <damrak/market_stream/trading.hpp>

namespace damrak::market_stream {

/// Where the stream takes its market from, and what viewers may do.
struct StreamConfig {
    /// The current session of the feed; null: there is none yet. Empty: the exchange has no feed.
    std::function<std::shared_ptr<const feed::FeedSession>()> session{};
    /// Members of an `exchange` message, each with a comma before it, with the figures that only
    /// the operator may see or without. Empty: there is no exchange, and no such message.
    std::function<std::string(bool has_figures)> operations{};
    /// For viewers who may trade; null: nobody can. Must outlive the stream.
    ViewerTrading* trading = nullptr;
    // Of a tick:
    std::chrono::microseconds reading_time{20'000};
    std::chrono::microseconds publishing_time{20'000};
};

/// What a viewer may see and do.
struct ViewerRights {
    bool may_trade = false;     ///< the request has shown the token
    bool sees_figures = false;  ///< of the exchange
};

class MarketStream {
  public:
    static constexpr std::chrono::milliseconds k_tick{50};
    static constexpr std::size_t k_maximum_subscriptions = 64;  ///< of a connection
    static constexpr std::size_t k_maximum_levels_of_viewer = 8'000;
    /// While more of a viewer's output waits, nothing is added to it.
    static constexpr std::size_t k_maximum_unsent_bytes = 262'144;

    explicit MarketStream(StreamConfig config);
    MarketStream(const MarketStream&) = delete;
    MarketStream& operator=(const MarketStream&) = delete;
    /// After the HTTP server, whose connections are the viewers.
    ~MarketStream();

    // On the server's thread:

    /// Takes a viewer, or answers why not. The origin of a page must be the service itself.
    [[nodiscard]] std::expected<http::WebSocketWelcome, http::Answer> welcome(
        const http::Request& request, ViewerRights rights = {});
    /// Reads new messages of the feed and publishes; to be called every k_tick.
    void tick();
    /// A viewer that reads too slowly, by its number since the start.
    struct SlowViewer {
        std::uint64_t number = 0;
        std::size_t unsent_bytes = 0;
    };
    [[nodiscard]] std::vector<SlowViewer> slow() const;

    // For any thread:
    [[nodiscard]] std::uint64_t viewers() const {
        return viewers_count_.load(std::memory_order_relaxed);
    }
    /// Those that read too slowly now.
    [[nodiscard]] std::uint64_t slow_viewers() const {
        return slow_viewers_.load(std::memory_order_relaxed);
    }
    /// Changes that were not sent to those.
    [[nodiscard]] std::uint64_t left_out() const {
        return left_out_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] std::string metrics() const;

  private:
    class Viewer;
    struct Subscription {
        Viewer* viewer = nullptr;
        bool is_in_step = false;  ///< it has the published state
    };
    struct TopicEntry {
        explicit TopicEntry(const Topic& topic) : feed(topic) {}
        TopicFeed feed;
        std::vector<Subscription> subscriptions{};
        std::uint64_t due = 0;  ///< tick of the next changes
    };

    void follow_session();
    void read_messages();
    void publish();
    void publish(TopicEntry& entry);
    [[nodiscard]] TopicFeed::Message next_message(TopicEntry& entry);
    void greet_all();
    [[nodiscard]] std::string hello(bool may_trade) const;

    [[nodiscard]] RequestResult<void> subscribe(Viewer& viewer, const Topic& topic);
    void leave(Viewer& viewer, const Topic& topic);
    void tell_reports();

    StreamConfig config_;
    std::optional<feed::FeedReader> reader_;
    std::vector<std::byte> memory_;
    MarketState market_;
    std::size_t told_instruments_ = 0;  ///< in the last hello
    std::map<Topic, TopicEntry> topics_;
    std::optional<Topic> next_topic_;  ///< where publishing continues
    std::vector<Viewer*> viewers_;
    std::uint64_t viewers_so_far_ = 0;
    struct Asked {
        Viewer* viewer = nullptr;
        std::uint64_t request = 0;
    };
    std::map<std::uint32_t, Asked> asked_;  ///< the last request about an order, not yet answered
    std::uint64_t ticks_ = 0;
    std::atomic<std::uint64_t> viewers_count_{0};
    std::atomic<std::uint64_t> slow_viewers_{0};
    std::atomic<std::uint64_t> messages_{0};
    std::atomic<std::uint64_t> left_out_{0};
};

}  // namespace damrak::market_stream
