// An exchange: doors, sequencer, journal and its helpers, put together as its settings say. What
// `damrak serve` runs, and what a program that embeds an exchange starts:
//
//   auto exchange = exchange::Exchange::start(settings);  // or why not
//   std::jthread trading{[&](const std::stop_token& stop) { (*exchange)->run(stop); }};
//   … clients connect to (*exchange)->ports() …
//   trading.request_stop(); trading.join(); (*exchange)->stop();
//
// Threads: one thread at a time steps it, the one that started it or another; in the inline wiring
// it matches. Its own threads prefault and sync the journal, follow it for snapshots and market
// data, keep FIX messages and tell notices; a pipelined one sequences and matches on more of them.
// Cost: start() reads what the journal has behind the newest snapshot and makes all pools, whose
// sizes are in settings.capacity. Errors: a start that cannot be says what, where and what to do,
// and opens nothing; while it runs, only a journal that cannot be written ends it, see failed().
// Signals and the limit of open files are the program's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <damrak/exchange/assembly.hpp>
#include <damrak/exchange/day_clock.hpp>
#include <damrak/exchange/feeds.hpp>
#include <damrak/exchange/follower.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/exchange/trading.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/trade_tape.hpp>
#include <damrak/journal/journal.hpp>

namespace damrak::exchange {

class FixMarket;
class JournalHelpers;
class TradeRecorder;

using Observers = std::vector<feed::MarketObserver*>;

class Exchange {
  public:
    /// Recovers from the journal in settings.data, or begins one there, and opens the doors.
    /// The observers (docs/how-to/add-a-feed.md) must live until stop(). `make` brings other doors
    /// than those of `damrak serve` (docs/how-to/add-a-door.md).
    [[nodiscard]] static journal::Result<std::unique_ptr<Exchange>> start(
        Settings settings, const Observers& observers = {},
        const MakeTrading& make = trade_at_standard_doors);

    /// The first half of start(), for whoever tells what was recovered before the doors open. The
    /// settings are complete, see check.hpp.
    [[nodiscard]] static journal::Result<std::unique_ptr<Exchange>> recover(
        Settings settings, const Observers& observers = {},
        const MakeTrading& make = trade_at_standard_doors);
    /// The second half: ends what the last run left open, makes of the market what the settings ask
    /// for, and opens the doors.
    [[nodiscard]] journal::Result<void> open();

    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    /// Without stop() it is left as by a kill: what was acknowledged is kept, and the next start
    /// recovers it.
    ~Exchange();

    /// One turn, which waits some milliseconds for something to do unless settings.spin; how many
    /// messages there were.
    std::size_t step();
    /// Turns until somebody asks to stop or the journal takes nothing more, on the first of
    /// settings.cores.
    void run(const std::stop_token& stop);
    /// New instruments, other limits, other keys: all of it, or nothing and why. Says what it did.
    [[nodiscard]] journal::Result<std::string> reload(const Settings& wanted);
    /// The journal takes nothing any more: failure() says why.
    [[nodiscard]] bool failed() const { return trading_->stopped(); }
    [[nodiscard]] std::string failure() const { return journal().writer().refusal(); }
    /// Sends what can be sent, ends all sessions, brings everything to the disk, and writes a
    /// snapshot of the end. Nothing where it failed, or once it was called.
    void stop();

    /// Of the doors that are open.
    [[nodiscard]] const Ports& ports() const { return ports_; }
    /// As it runs with them, the numeric address and its own key included.
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] const Recovered& recovered() const { return assembly_->recovered(); }
    [[nodiscard]] Trading& trading() { return *trading_; }
    [[nodiscard]] const Trading& trading() const { return *trading_; }
    [[nodiscard]] journal::Journal& journal() { return *assembly_->journal(); }
    [[nodiscard]] const journal::Journal& journal() const { return *assembly_->journal(); }
    [[nodiscard]] Follower& follower() { return *follower_; }
    [[nodiscard]] const Follower& follower() const { return *follower_; }
    /// The session of the order-by-order feed; null: there is none, or no such feed. Any thread.
    [[nodiscard]] std::shared_ptr<const feed::FeedSession> feed_session() const;
    /// There is an order-by-order feed, whose session may be yet to come.
    [[nodiscard]] bool has_order_feed() const;
    /// Null: it has no archive.
    [[nodiscard]] const archive::Archiver* archiver() const;
    /// Null: events are not kept.
    [[nodiscard]] const archive::EventLog* event_log() const;
    /// The last trades; any thread.
    [[nodiscard]] const feed::TradeTape& trades() const;

  private:
    Exchange(Settings settings, const MakeTrading& make);

    [[nodiscard]] journal::Result<void> restore();
    [[nodiscard]] journal::Result<void> open_feeds(const Observers& observers);
    [[nodiscard]] journal::Result<std::size_t> apply(const Settings& wanted);
    [[nodiscard]] int patience_ms() const;
    [[nodiscard]] Timestamp market_time(Timestamp system) const;
    /// What the calendar asks for by now. False: the journal takes nothing any more.
    bool turn_day(Timestamp now);

    Settings settings_;
    Ports ports_;
    std::unique_ptr<Assembly> assembly_;  // and the journal
    std::unique_ptr<FixMarket> fix_market_;
    std::unique_ptr<TradeRecorder> trades_;
    std::vector<OpenFeed> feeds_;
    std::unique_ptr<Trading> trading_;    // its threads end before the journal does,
    std::unique_ptr<Follower> follower_;  // and so does this one's
    std::unique_ptr<JournalHelpers> helpers_;
    std::optional<DayClock> day_clock_;
    std::uint64_t idle_turns_ = 0;
    bool is_open_ = false;
};

}  // namespace damrak::exchange
