// The order-by-order feed of an exchange: follows the journal as an observer, publishes events as
// ITCH messages, and keeps these in the file of the feed session. Each trading day has a session. A
// further session begins if published messages turn out to be wrong or are lost.
//
// The following thread writes the file; a thread of the feed syncs it once a second. Servers of the
// messages read from any thread and are called when there are new ones. A restart continues with
// the same numbers and the same bytes: the book is rebuilt from the engine, events that the file
// already has are applied without being published, and later ones are published. A file that cannot
// be opened or written refuses the start. Later it stops the feed, not the exchange: the feed tries
// again, and fills the gap from the journal at the next start.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <damrak/base/nap.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/message_block.hpp>

namespace damrak::feed {

/// The market between two messages of a session, as messages that bring a new receiver up to date.
struct FeedSnapshot {
    FeedSessionId session{};
    std::uint64_t next = 1;  ///< the first message of the session after the snapshot
    MessageBlock messages;
};

class ItchFeed final : public MarketObserver {
  public:
    /// Where the feed is kept, and what it shows.
    struct Config {
        std::filesystem::path folder;
        ItchSettings itch{};
        std::function<void(const std::string&)> on_notice{};  ///< called on the following thread
    };

    [[nodiscard]] static std::expected<std::unique_ptr<ItchFeed>, std::string> open(
        Config config, const EngineConfig& engine);
    ~ItchFeed() override;

    /// Called on the following thread when there are new messages or a snapshot. Set it before the
    /// feed begins.
    void on_change(std::function<void()> called) { on_change_ = std::move(called); }

    // For any thread:

    /// The current session, or the last one; null if there was none yet.
    [[nodiscard]] std::shared_ptr<const FeedSession> session() const;
    /// Of the files of all sessions.
    [[nodiscard]] const std::filesystem::path& folder() const { return config_.folder; }
    /// The snapshot that answers a request; null if it is not ready.
    [[nodiscard]] std::shared_ptr<const FeedSnapshot> snapshot(std::uint64_t ticket) const;
    /// Requests a snapshot. The answer is a new one or, if many are still being read, the newest of
    /// these. on_change() is called when it is ready.
    [[nodiscard]] std::uint64_t request_snapshot() {
        return snapshots_wanted_.fetch_add(1, std::memory_order_acq_rel) + 1;
    }
    /// The file cannot be opened or written: events are not published.
    [[nodiscard]] bool is_failing() const { return failing_.load(std::memory_order_relaxed); }

    // Interface of an observer:
    void ask_about_orders(const std::function<bool(OrderId)>& is_anonymous) override {
        publisher_.ask_about_orders(is_anonymous);
    }
    [[nodiscard]] std::optional<std::uint64_t> kept() const override;
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t last) override;
    [[nodiscard]] bool wants_new_session() const override { return wants_new_session_; }
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_other_record(std::uint64_t sequence) override;
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_batch_end(bool caught_up) override;
    void on_turn(std::int64_t now_ns) override;

  private:
    ItchFeed(Config config, const EngineConfig& engine);
    /// The last command has no further events.
    void end_command();
    void on_engine_command(const Command& command, const CommandStamp& stamp);
    void begin_session(const TradingDay& day, const CommandStamp& stamp);
    void end_session(const CommandStamp& stamp);
    void set_levels(const BreakerLevels& levels, const CommandStamp& stamp);
    /// Forgets a session that cannot be continued.
    void drop_session();
    /// Opens the wanted session, if it is not open yet. Returns whether it is.
    [[nodiscard]] bool has_wanted();
    /// All messages that wait, which are those up to this record.
    void write(std::uint64_t record);
    /// Publishes nothing until the next start.
    void lose();
    void tell_failure(const std::string& what);
    [[nodiscard]] bool may_make_snapshot() const;
    void make_snapshot();
    void set_session(std::shared_ptr<FeedSession> session);
    void sync_often(const std::stop_token& stop);
    void sync(FeedSession& session);

    Config config_;
    std::function<void()> on_change_;
    ItchPublisher publisher_;
    MessageBlock block_;
    /// A session that has begun but whose file could not be opened yet.
    struct Wanted {
        FeedSessionId id{};
        std::uint64_t after = 0;  ///< it begins after this record
    };

    std::shared_ptr<FeedSession> session_;  ///< of the following thread
    std::optional<Wanted> wanted_;
    std::string failure_;        ///< why the file cannot be used; of the last failure
    std::uint64_t written_ = 0;  ///< last journal record whose messages are in the file
    std::uint64_t heard_ = 0;
    Timestamp time_{};
    bool wants_new_session_ = false;
    bool is_lost_ = false;  ///< too many messages wait: the rest comes after a restart

    mutable std::mutex shared_mutex_;
    std::shared_ptr<FeedSession> shared_session_;
    std::shared_ptr<const FeedSnapshot> shared_snapshot_;
    std::uint64_t shared_ticket_ = 0;  ///< the last of the requests that it answers
    std::atomic<std::uint64_t> snapshots_wanted_{0};
    std::uint64_t snapshots_answered_ = 0;
    std::vector<std::weak_ptr<const FeedSnapshot>> made_;  ///< some may still be read
    std::int64_t next_snapshot_ns_ = 0;
    std::int64_t next_try_ns_ = 0;  ///< of a failing file
    std::atomic<bool> failing_{false};
    Nap nap_;
    std::jthread syncer_;
};

}  // namespace damrak::feed
