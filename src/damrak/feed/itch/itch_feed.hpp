// The order-by-order feed of an exchange: follows the journal as an observer, publishes what
// happens as ITCH messages, and keeps them in the file of the feed session. Each trading day has a
// session, and another one begins where what was published is not true or not there any more.
//
// The thread that follows writes; a thread of its own brings the file to the disk once a second.
// Those that serve the messages read from any thread, and are called when there is something new.
// A restart goes on with the same numbers and the same bytes: the book is rebuilt from the engine,
// events up to what the file has are followed without being published, and later ones follow. A
// file that cannot be written stops the feed, not the exchange: what is missing is tried again, and
// comes from the journal at the next start.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <damrak/base/nap.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/message_block.hpp>

namespace damrak::feed {

/// The market between two messages of a session, as the messages that bring a new receiver there.
struct FeedSnapshot {
    FeedSessionId session{};
    std::uint64_t next = 1;  ///< the first message of the session that is not in it
    MessageBlock messages;
};

class ItchFeed final : public MarketObserver {
  public:
    struct Config {
        std::filesystem::path folder;
        ItchSettings itch{};
        std::function<void(const std::string&)> on_notice{};  ///< of the thread that follows
    };

    [[nodiscard]] static std::expected<std::unique_ptr<ItchFeed>, std::string> open(
        Config config, const EngineConfig& engine);
    ~ItchFeed() override;

    /// Called by the thread that follows where there are new messages, or a snapshot. Before that
    /// begins.
    void on_change(std::function<void()> called) { on_change_ = std::move(called); }

    // Of any thread.

    /// The session that is under way, or the last one; null: there was none yet.
    [[nodiscard]] std::shared_ptr<const FeedSession> session() const;
    /// The one that answers a request; null: not yet.
    [[nodiscard]] std::shared_ptr<const FeedSnapshot> snapshot(std::uint64_t ticket) const;
    /// It is answered soon, with a new one or, where many are still being read, the newest there
    /// is; on_change() is called then.
    [[nodiscard]] std::uint64_t request_snapshot() {
        return snapshots_wanted_.fetch_add(1, std::memory_order_acq_rel) + 1;
    }
    /// The file cannot be written: what happens is not published.
    [[nodiscard]] bool is_failing() const { return failing_.load(std::memory_order_relaxed); }

    // Of an observer.
    [[nodiscard]] std::optional<std::uint64_t> kept() const override;
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t last) override;
    [[nodiscard]] bool wants_new_session() const override { return wants_new_session_; }
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_batch_end(bool caught_up) override;
    void on_turn(std::int64_t now_ns) override;

  private:
    ItchFeed(Config config, const EngineConfig& engine);
    void begin_session(const TradingDay& day, const CommandStamp& stamp);
    void end_session(const CommandStamp& stamp);
    /// Forgets the session: it cannot be gone on with.
    void drop_session();
    void write();
    [[nodiscard]] bool may_make_snapshot() const;
    void make_snapshot();
    void set_session(std::shared_ptr<FeedSession> session);
    void sync_often(const std::stop_token& stop);
    void sync(FeedSession& session);

    Config config_;
    std::function<void()> on_change_;
    ItchPublisher publisher_;
    MessageBlock block_;
    std::shared_ptr<FeedSession> session_;  ///< of this thread
    std::uint64_t written_ = 0;             ///< the last record of which the file has the messages
    std::uint64_t heard_ = 0;
    Timestamp time_{};
    bool wants_new_session_ = false;
    bool is_lost_ = false;  ///< too much could not be written: the rest comes after a restart

    mutable std::mutex shared_mutex_;
    std::shared_ptr<FeedSession> shared_session_;
    std::shared_ptr<const FeedSnapshot> shared_snapshot_;
    std::uint64_t shared_ticket_ = 0;  ///< of the requests that it answers, the last
    std::atomic<std::uint64_t> snapshots_wanted_{0};
    std::uint64_t snapshots_answered_ = 0;
    std::vector<std::weak_ptr<const FeedSnapshot>> made_;  ///< and perhaps still read
    std::int64_t next_snapshot_ns_ = 0;
    std::atomic<bool> failing_{false};
    Nap nap_;
    std::jthread syncer_;
};

}  // namespace damrak::feed
