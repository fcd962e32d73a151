// Who watches the market: feeds, archives, the market data of FIX clients, the record of trades.
// Fed by a thread that follows the journal (exchange/follower.hpp), so that nobody who trades waits
// for it; a virtual call each. docs/how-to/add-a-feed.md shows how to write one.
//
//   class Feed : public feed::MarketObserver { ... };
//   auto exchange = exchange::Exchange::start(settings, {&feed});
//
// An observer that keeps nothing begins with the market as it is when the exchange starts. One that
// keeps its output over restarts says up to which record in kept(). The exchange then starts from a
// snapshot no later than that and replays the journal from there, so that nothing is missed:
//
//   keeps nothing   begin(engine, last), go_live(last), then new records
//   keeps           begin(engine, snapshot), the records after it, go_live(last), then new records
//
// Records that it has kept may come again in the replay: it passes over them by their sequence.
// What must follow from the journal alone, as the numbers of a feed's messages, is a state beside
// those of the doors (exchange/door_states.hpp), which is in the snapshots.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak::feed {

/// Called on one thread at a time: the one that starts the exchange, then the one that follows.
class MarketObserver {
  public:
    /// Hears what is replayed, but needs no record in particular.
    static constexpr std::uint64_t k_any = UINT64_MAX;

    virtual ~MarketObserver() = default;
    MarketObserver(const MarketObserver&) = delete;
    MarketObserver& operator=(const MarketObserver&) = delete;

    /// The last record of whose events the output is kept for good, also over a kill; none: it
    /// keeps nothing. The journal keeps the records after it, whatever its retention. Any thread.
    [[nodiscard]] virtual std::optional<std::uint64_t> kept() const { return std::nullopt; }

    /// Everything up to this record is in the engine, which is the same one until the end: in each
    /// call it shows the market as the call finds it. An error refuses the start.
    [[nodiscard]] virtual std::expected<void, std::string> begin(const Engine& /*engine*/,
                                                                 std::uint64_t /*position*/) {
        return {};
    }
    /// The journal ends with this record, all of it was reported, and what follows is new. A
    /// journal that ends before what is kept has lost records. An error refuses the start.
    [[nodiscard]] virtual std::expected<void, std::string> go_live(std::uint64_t /*last*/) {
        return {};
    }

    /// After go_live(): the numbers of what it publishes have to begin anew. The exchange then
    /// opens the trading day with another feed session.
    [[nodiscard]] virtual bool wants_new_session() const { return false; }

    /// Each command of the engine and each that opens or closes a day, in order, before its events.
    /// Event i of the command with sequence number s is the same event for ever.
    virtual void on_command(const Command& /*command*/, const CommandStamp& /*stamp*/) {}
    /// Each event, in order; the engine has all events of the slice in it already.
    virtual void on_event(const Event& event, const CommandStamp& stamp) = 0;
    /// Some commands were applied; true: all that there were. Time to write what was gathered.
    virtual void on_batch_end(bool /*caught_up*/) {}
    /// Every turn of the thread, also when nothing happens: for what is due by the clock. The last
    /// call is the one after the last record, at the end.
    virtual void on_turn(std::int64_t /*now_ns*/) {}

  protected:
    MarketObserver() = default;
};

}  // namespace damrak::feed
