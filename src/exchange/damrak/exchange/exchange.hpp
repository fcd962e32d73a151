// An exchange: gateways, sequencer, journal and helpers, assembled by its settings. `damrak serve`
// runs one, and a program can embed one:
//
//   auto exchange = exchange::Exchange::start(settings);  // or an error
//   std::jthread trading{[&](const std::stop_token& stop) { (*exchange)->run(stop); }};
//   … clients connect to (*exchange)->ports() …
//   trading.request_stop(); trading.join(); (*exchange)->stop();
//
// Threads: one thread at a time steps it, the one that started it or another; in the inline wiring
// this thread matches. Own threads prefault and sync the journal, follow it for snapshots and
// market data, store messages of sessions and report notices. The pipelined wiring sequences and
// matches on further threads. Cost: start() reads the journal after the newest snapshot and
// allocates all pools, whose sizes are in settings.capacity. Errors: a failed start says what,
// where and what to do, and opens nothing; a running exchange ends only if the journal cannot be
// written, see failed(). The program handles signals and the limit of open files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <damrak/exchange/detail/assembly.hpp>
#include <damrak/exchange/detail/day_clock.hpp>
#include <damrak/exchange/detail/follower.hpp>
#include <damrak/exchange/detail/operator_desk.hpp>
#include <damrak/exchange/detail/trading.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/status_board.hpp>
#include <damrak/feed/trade_tape.hpp>
#include <damrak/gateway/feeds/open_feed.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/venue/phase_clock.hpp>

namespace damrak::exchange {

class JournalHelpers;
class TradeRecorder;
class VenueWatch;

using Observers = std::vector<feed::MarketObserver*>;

class Exchange {
  public:
    /// Recovers from the journal in settings.data, or begins one there, and opens the gateways. The
    /// observers (docs/how-to/add-a-feed.md) must live until stop(). `make` selects other gateways
    /// than those of `damrak serve` (docs/how-to/add-a-gateway.md).
    [[nodiscard]] static journal::Result<std::unique_ptr<Exchange>> start(
        Settings settings, const Observers& observers = {},
        const MakeTrading& make = trade_at_standard_gateways);

    /// The first half of start(), for callers that report the recovery before the gateways open.
    /// The settings must be complete, see check.hpp.
    [[nodiscard]] static journal::Result<std::unique_ptr<Exchange>> recover(
        Settings settings, const Observers& observers = {},
        const MakeTrading& make = trade_at_standard_gateways);
    /// The second half: ends what the last run left open, applies the settings to the market, and
    /// opens the gateways.
    [[nodiscard]] journal::Result<void> open();

    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    /// Without stop() the data is left as after a kill: acknowledged commands are durable, and the
    /// next start recovers them.
    ~Exchange();

    /// One turn, which waits some milliseconds for input unless settings.spin. Returns the number
    /// of messages.
    std::size_t step();
    /// Makes turns until a stop is requested or the journal fails, on the first of settings.cores.
    void run(const std::stop_token& stop);
    /// Applies new instruments, limits and keys: all of them, or none and an error. Returns what it
    /// did.
    [[nodiscard]] journal::Result<std::string> reload(const Settings& wanted);
    /// The journal accepts no more records: failure() gives the reason.
    [[nodiscard]] bool failed() const { return trading_->stopped(); }
    [[nodiscard]] std::string failure() const { return journal().writer().refusal(); }
    /// Sends what it can, ends all sessions, syncs everything to disk, and writes a final snapshot.
    /// Does nothing after a failure or a second time.
    void stop();

    /// Ports of the open gateways.
    [[nodiscard]] const Ports& ports() const { return ports_; }
    /// The effective settings, including the numeric address and its own key.
    [[nodiscard]] const Settings& settings() const { return settings_; }
    [[nodiscard]] const Recovered& recovered() const { return assembly_->recovered(); }
    [[nodiscard]] Trading& trading() { return *trading_; }
    [[nodiscard]] const Trading& trading() const { return *trading_; }
    [[nodiscard]] journal::Journal& journal() { return *assembly_->journal(); }
    [[nodiscard]] const journal::Journal& journal() const { return *assembly_->journal(); }
    [[nodiscard]] Follower& follower() { return *follower_; }
    [[nodiscard]] const Follower& follower() const { return *follower_; }
    /// The session of the order-by-order feed; null if there is none yet, or no such feed. Any
    /// thread.
    [[nodiscard]] std::shared_ptr<const feed::FeedSession> feed_session() const;
    /// It has an order-by-order feed, whose session may not have begun.
    [[nodiscard]] bool has_order_feed() const;
    /// That feed with its server and archive; empty if there is none.
    [[nodiscard]] const gateway::feeds::OpenFeed& order_feed() const;
    /// Takes commands of the operator from other threads.
    [[nodiscard]] OperatorDesk& operator_desk() { return operator_desk_; }
    /// The last trades; any thread. Late in a burst if nobody watches, see Follower::keep_up().
    [[nodiscard]] const feed::TradeTape& trades() const;
    /// What the instruments do now, as late as that; any thread.
    [[nodiscard]] const feed::StatusBoard& statuses() const;

  private:
    Exchange(Settings settings, const MakeTrading& make);

    [[nodiscard]] journal::Result<void> restore();
    [[nodiscard]] journal::Result<void> open_feeds(const Observers& observers);
    [[nodiscard]] journal::Result<std::size_t> apply(const Settings& wanted);
    [[nodiscard]] int patience_ms();
    [[nodiscard]] Timestamp market_time(Timestamp system) const;
    /// False: the journal accepts no more.
    bool submit(const std::vector<Command>& commands);
    /// Submits the due commands of the calendar. False as above.
    bool turn_day(Timestamp now);
    /// The same at the start, where the feed must be able to open its files.
    [[nodiscard]] journal::Result<void> begin_day();
    /// Likewise of the operator.
    bool serve_operator();
    /// Likewise of the venue's timetable and of its supervisor.
    bool turn_phases(Timestamp now);
    bool obey_supervisor(Timestamp now);
    [[nodiscard]] journal::Result<void> follow_venue();

    Settings settings_;
    Ports ports_;
    std::unique_ptr<Assembly> assembly_;  // includes the journal
    std::unique_ptr<TradeRecorder> trades_;
    std::unique_ptr<VenueWatch> watch_;
    std::vector<gateway::feeds::OpenFeed> feeds_;
    std::unique_ptr<Trading> trading_;    // its threads end before the journal does,
    std::unique_ptr<Follower> follower_;  // and so does this one's
    std::unique_ptr<JournalHelpers> helpers_;
    std::optional<DayClock> day_clock_;
    std::optional<venue::PhaseClock> phase_clock_;
    OperatorDesk operator_desk_;
    std::uint64_t idle_turns_ = 0;
    bool is_open_ = false;
};

}  // namespace damrak::exchange
