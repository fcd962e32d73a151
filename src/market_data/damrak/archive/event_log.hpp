// Keeps every event of an exchange, with owners, hidden quantities and stop orders, which no feed
// shows, in FOLDER/2026112300.events beside the archived day 2026112300.dar. Only the user who runs
// the exchange can read it. Follows the journal as an observer. Its own thread compresses and
// writes a block after 16,384 events, and once a minute if there are fewer.
//
// A restart continues after the last complete block; the journal keeps the records after it. While
// less than the configured space is free, or a write fails, events are left out: this is reported,
// this file or the next shows the gap, and the journal need not keep the records.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <damrak/archive/detail/event_format.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/feed/market_observer.hpp>

namespace damrak::archive {

class EventLog final : public feed::MarketObserver {
  public:
    using JournalInstance = std::array<std::uint64_t, 2>;

    /// Where the log is kept, and what it asks of the exchange.
    struct Config {
        std::filesystem::path folder;
        /// Returns the identity of the journal, once there is one. Any thread.
        std::function<std::optional<JournalInstance>()> journal;
        /// The current session, for events that come before the next one begins.
        std::optional<feed::FeedSessionId> session;
        std::uint64_t free_bytes = 0;                       ///< disk space that it leaves free
        std::function<void(const std::string&)> on_notice;  ///< called on any thread
    };

    [[nodiscard]] static std::expected<std::unique_ptr<EventLog>, std::string> open(Config config);
    ~EventLog() override;

    // Of any thread.

    /// Records whose events were left out since the start.
    [[nodiscard]] std::uint64_t missing_records() const { return missing_.load(); }
    /// Events are left out now.
    [[nodiscard]] bool leaves_out() const { return leaves_out_.load(); }
    /// Everything that was heard by now comes into the file, in some hundredths of a second and not
    /// in a minute. The result is for is_written(). Costs a block of its own.
    [[nodiscard]] std::uint64_t want_written() { return ++wanted_; }
    [[nodiscard]] bool is_written(std::uint64_t wanted) const;

    // Interface of an observer:
    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return kept_.load(); }
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t position) override;
    [[nodiscard]] std::expected<void, std::string> go_live(std::uint64_t last) override;
    [[nodiscard]] bool wants_new_session() const override { return wants_new_session_; }
    void on_command(const Command& command, const CommandStamp& stamp) override;
    void on_other_record(std::uint64_t sequence) override { heard_ = sequence; }
    void on_event(const Event& event, const CommandStamp& stamp) override;
    void on_turn(std::int64_t now_ns) override;

  private:
    /// The content of a block.
    struct Batch {
        feed::FeedSessionId day{};
        std::uint64_t first_record = 0;
        std::uint64_t last_record = 0;
        std::vector<LoggedInstrument> instruments{};
        std::vector<LoggedEvent> events{};
    };

    explicit EventLog(Config config) : config_(std::move(config)) {}
    [[nodiscard]] std::expected<void, std::string> resume();
    /// Returns whether the file has events of this journal.
    [[nodiscard]] std::expected<bool, std::string> resume_file(feed::FeedSessionId day,
                                                               const JournalInstance& journal);
    void begin_day(feed::FeedSessionId day);
    void note_instrument(InstrumentId id);
    void hand_over();
    void answer(std::uint64_t wanted);

    // For the writing thread:
    void write_all(const std::stop_token& stop);
    void write(const Batch& batch);
    [[nodiscard]] std::expected<void, std::string> open_file(feed::FeedSessionId day);
    [[nodiscard]] std::expected<void, std::string> append(const Batch& batch);
    void put_events(std::span<const LoggedEvent> events, std::uint64_t first_record,
                    std::uint64_t last_record);
    void put_block(EventBlockHeader header, std::span<const std::byte> bytes);
    void put_missing(std::uint64_t first_record, std::uint64_t last_record);
    void close_file();

    Config config_;
    const Engine* engine_ = nullptr;
    std::uint32_t most_instruments_ = 0;
    std::uint64_t heard_ = 0;
    std::uint64_t passed_ = 0;  ///< records up to here are in the files or were handed over
    std::int64_t handed_ns_ = 0;
    std::uint64_t answered_ = 0;  ///< of those that wanted it written
    bool wants_new_session_ = false;
    Batch batch_;

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Batch> waiting_;
    std::uint64_t handed_ = 0;   ///< batches
    std::uint64_t written_ = 0;  ///< of these; or left out
    std::uint64_t shown_ = 0;    ///< who wanted it written: the last that has an answer, and
    std::uint64_t needed_ = 0;   ///< how many batches it needs

    std::optional<JournalInstance> journal_;
    int file_ = -1;
    feed::FeedSessionId day_{};  ///< of the file; a date of zero: no file
    std::uint64_t size_ = 0;     ///< size of its complete blocks
    std::uint64_t last_ = 0;     ///< record of this journal that the files have, or begin after
    std::vector<std::byte> bytes_;
    std::string failure_;  ///< why events are left out; empty: they are not
    std::atomic<std::uint64_t> kept_{k_any};
    std::atomic<std::uint64_t> missing_{0};
    std::atomic<bool> leaves_out_{false};
    std::atomic<std::uint64_t> wanted_{0};
    std::jthread writer_;
};

}  // namespace damrak::archive
