// Keeps the archive of an exchange up to date with its feed: each feed session becomes an archived
// day, FOLDER/2026112300.dar, while it lasts. A helper thread of low priority follows the
// file of the session; nothing waits for it. A restart continues where the archive ends.
//
// A block is written after 16,384 messages, once a minute if there are fewer, and at the end. Ended
// sessions are read back, compared, and removed from the feed's folder; the archive then has every
// byte of them. If less than the configured space is free, archiving waits and reports so; the
// sessions stay until it continues.
//
// The journal keeps its records until the archive has their messages on the disk (see kept()),
// unless space is short or archiving fails: trading continues, and the notice reports it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <damrak/archive/day_writer.hpp>
#include <damrak/feed/feed_session.hpp>

namespace damrak::archive {

/// Where the archiver reads and writes, and what it keeps.
struct ArchiverConfig {
    std::filesystem::path sessions;   ///< folder of the feed sessions
    std::filesystem::path folder;     ///< of the days
    std::uint32_t keep_days = 0;      ///< trading days to keep, the current one included; zero: all
    std::uint32_t keep_sessions = 0;  ///< trading days whose archived sessions stay in `sessions`
    std::uint64_t free_bytes = 0;     ///< disk space that archiving leaves free
    std::function<void(const std::string&)> on_notice{};  ///< called on the archiver's thread
};

/// State of the session that is being archived.
struct ArchiverState {
    std::uint64_t messages = 0;    ///< in the archive
    std::uint64_t waiting = 0;     ///< published, but not yet in the archive
    std::uint64_t days = 0;        ///< completed since the start
    bool waits_for_space = false;  ///< too little disk space is free
    bool is_failing = false;       ///< the last write or read failed
};

class Archiver {
  public:
    /// The current session; null if there is none. Called from any thread.
    using PresentSession = std::function<std::shared_ptr<const feed::FeedSession>()>;

    [[nodiscard]] static std::expected<std::unique_ptr<Archiver>, std::string> start(
        ArchiverConfig config, PresentSession present);
    Archiver(const Archiver&) = delete;
    Archiver& operator=(const Archiver&) = delete;
    /// Archives what was published so far, up to a limit.
    ~Archiver();

    [[nodiscard]] const std::filesystem::path& folder() const { return config_.folder; }
    /// The archive file of a session.
    [[nodiscard]] std::filesystem::path file_of(feed::FeedSessionId id) const {
        return config_.folder / (id.text() + ".dar");
    }
    /// Any thread.
    [[nodiscard]] ArchiverState state() const;
    /// Everything may go: archiving waits for space, or fails.
    static constexpr std::uint64_t k_any = UINT64_MAX;
    /// The last record of the journal up to which the archive has all messages on the disk. Any
    /// thread.
    [[nodiscard]] std::uint64_t kept() const { return kept_.load(); }

  private:
    using Session = std::shared_ptr<const feed::FeedSession>;

    Archiver(ArchiverConfig config, PresentSession present);
    void run(const std::stop_token& stop);
    /// Archives sessions that ended while no archiver ran, then returns the current one.
    Session archive_all(const std::stop_token& stop);
    /// Runs until the session is complete or a stop is requested.
    void archive(const Session& session, const std::stop_token& stop);
    [[nodiscard]] std::expected<DayWriter, std::string> writer_of(const Session& session);
    /// Adds the available messages. Returns whether all were added.
    [[nodiscard]] bool add(DayWriter& writer, feed::FeedReader& reader,
                           const std::stop_token& stop);
    void complete(DayWriter& writer, const Session& session, const std::stop_token& stop);
    [[nodiscard]] bool is_archived(const Session& session);
    void keep_sessions(const std::vector<feed::FeedSessionId>& all);
    void remove_session(feed::FeedSessionId id) const;
    void remove_old_days() const;
    [[nodiscard]] bool has_space();
    void fail(const std::string& why);
    void notice(const std::string& what) const;
    /// Returns false if a stop is requested.
    bool pause(const std::stop_token& stop, std::chrono::milliseconds length);
    void show(const DayWriter& writer, const feed::FeedSession& session);
    /// Brings to the disk what was written, and lets the journal go up to there.
    void keep(DayWriter& writer);

    ArchiverConfig config_;
    PresentSession present_;
    std::int32_t keeps_from_ = 0;             ///< date of the first session that stays
    std::set<feed::FeedSessionId> archived_;  ///< sessions that are completely archived
    std::string reported_;                    ///< the last reported failure
    /// Positions of the current session that the archive has not reached, earliest first.
    std::deque<feed::FeedSession::Position> ahead_;
    std::uint64_t synced_ = 0;   ///< messages of the current file that are on the disk
    std::uint64_t reached_ = 0;  ///< record of the journal up to which the archive has messages
    std::atomic<std::uint64_t> kept_{0};
    std::atomic<std::uint64_t> messages_{0};
    std::atomic<std::uint64_t> waiting_{0};
    std::atomic<std::uint64_t> days_{0};
    std::atomic<bool> waits_for_space_{false};
    std::atomic<bool> failing_{false};
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;
};

}  // namespace damrak::archive
