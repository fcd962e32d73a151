// The exchange that `damrak serve` runs: doors, sequencer, journal and its helpers, put together.
// Made, recovered, started, stepped and closed by the main thread.
//
//   Exchange exchange{settings};
//   exchange.recover(); exchange.start(); while (…) exchange.do_work(wait); exchange.close();
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/journal/journal.hpp>

#include "serve/fix_market.hpp"
#include "serve/follower.hpp"
#include "serve/helpers.hpp"
#include "serve/settings.hpp"
#include "serve/trades.hpp"
#include "serve/trading.hpp"

namespace damrak::app {

struct Recovered {
    journal::Recovery journal;
    std::uint64_t snapshot = 0;      ///< from which the records were applied; zero: from the first
    std::vector<std::string> notes;  ///< why other snapshots were passed over
    double seconds = 0;
};

class Exchange {
  public:
    explicit Exchange(const ServeSettings& settings);

    /// Takes the newest snapshot that is sound, reads what the journal has behind it, and makes the
    /// journal go on.
    [[nodiscard]] journal::Result<void> recover();
    /// Ends what the last run left open, makes of the market what the settings ask for, and opens
    /// the doors.
    [[nodiscard]] journal::Result<void> start();
    /// New instruments, other limits, other keys: all of it, or nothing and why. Says what it did.
    [[nodiscard]] journal::Result<std::string> reload(const ServeSettings& wanted);
    /// One turn, which waits at most so long for something to do; how many messages there were.
    std::size_t do_work(int wait_ms) {
        const std::size_t messages = trading_->do_work(wait_ms);
        if (messages > 0) {
            helpers_->call();
            follower_->wake();
        }
        return messages;
    }
    /// The journal takes nothing any more; its writer says why.
    [[nodiscard]] bool stopped() const { return trading_->stopped(); }
    /// Sends what can be sent, ends all sessions, brings everything to the disk, and writes a
    /// snapshot of the end.
    void close();

    [[nodiscard]] Trading& trading() { return *trading_; }
    [[nodiscard]] const Trading& trading() const { return *trading_; }
    [[nodiscard]] journal::Journal& journal() { return *journal_; }
    [[nodiscard]] const journal::Journal& journal() const { return *journal_; }
    [[nodiscard]] Follower& follower() { return *follower_; }
    [[nodiscard]] const Follower& follower() const { return *follower_; }
    [[nodiscard]] const Recovered& recovered() const { return recovered_; }
    /// The last trades; any thread.
    [[nodiscard]] const feed::TradeTape& trades() const { return trades_.tape(); }

  private:
    [[nodiscard]] journal::Result<std::size_t> apply(const ServeSettings& wanted);

    ServeSettings settings_;
    Recovered recovered_;
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<FixMarket> fix_market_;
    TradeRecorder trades_;
    std::unique_ptr<Trading> trading_;    // its threads end before the journal does,
    std::unique_ptr<Follower> follower_;  // and so does this one's
    std::optional<JournalHelpers> helpers_;
};

}  // namespace damrak::app
