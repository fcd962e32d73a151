// A market in virtual time: participants, the delays between them and the exchange, and the
// exchange itself, which is the sequencer and the engine of `damrak serve` in a third wiring. A
// discrete-event simulation: time jumps from one event to the next.
//
//   Market market{std::move(setup)};
//   market.run_until(end);
//
// The way of an order: its participant sends it; it is in flight for the order latency, waits in
// the queue of the gateway and behind the speed bump, is stamped, journaled and matched; its
// reports are in flight for the report latency. What the public learns goes into one log
// (public_log.hpp), which each participant sees with its own data latency.
//
// The same setup gives the same events on every machine. One thread; markets beside each other do
// not share anything. A message costs some hundred nanoseconds; memory is what the pools of orders
// and of messages in flight grow to.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/feed/market_observer.hpp>
#include <damrak/market_kernel/detail/journal.hpp>
#include <damrak/market_kernel/detail/public_log.hpp>
#include <damrak/market_kernel/market_setup.hpp>

namespace damrak::market_kernel {

/// Sees the whole truth, in order: for measures, records and charts, never for participants.
class MarketWatcher : public feed::MarketObserver {
  public:
    void on_event(const Event& /*event*/, const CommandStamp& /*stamp*/) override {}
    /// After the events of the command that caused it.
    virtual void on_change(InstrumentId /*instrument*/, const views::PublicChange& /*change*/) {}
    /// A participant has sent a request, which is in flight.
    virtual void on_sent(ParticipantId /*participant*/, const Command& /*command*/,
                         Timestamp /*time*/) {}
};

/// What happened in a market so far.
struct MarketCounts {
    std::uint64_t messages = 0;  ///< sent by participants: new orders, cancels, replaces
    std::uint64_t commands = 0;  ///< that the engine applied
    std::uint64_t events = 0;    ///< of the engine
    std::uint64_t trades = 0;
    std::uint64_t rejects = 0;
    std::uint64_t steps = 0;  ///< of the simulation: arrivals, reports, timers, news
};

/// A participant that was isolated, or that ended the run.
struct MarketFault {
    ParticipantId participant{};
    Timestamp time{};
    std::string what;
};

/// Of one participant, by the trades themselves, not by the reports in flight.
struct Account {
    std::int64_t cash = 0;  ///< received less paid, fees included, in price units times quantity
    std::int64_t fees = 0;  ///< paid, part of cash
    std::uint64_t messages = 0;
    std::uint64_t trades = 0;
    std::uint64_t volume = 0;
};

/// Of the engine of a market with this setup: what the identity of its journal names.
[[nodiscard]] EngineConfig engine_config_of(const MarketSetup& setup);

class Market {
  public:
    /// `watchers` must outlive the market; each hears of everything.
    explicit Market(MarketSetup setup, std::vector<MarketWatcher*> watchers = {},
                    OptionalJournal journal = {});
    ~Market();
    Market(const Market&) = delete;
    Market& operator=(const Market&) = delete;

    /// Everything that happens before or at this time, which is not before the last one. False: a
    /// fault ended the run, see faults(), or the journal takes nothing more.
    bool run_until(Timestamp end);

    // For scenarios, between two calls of run_until():

    /// A command of the exchange itself, such as a halt, or of a background seat; at the
    /// current moment. The watchers get its events before this returns.
    void submit(const Command& command);
    /// All latencies of a participant times this, from now on.
    void scale_latency(ParticipantId participant, double factor);
    /// Other delays of the exchange, for messages that arrive from now on.
    void set_service_time(std::int64_t service_ns);
    void set_taker_bump(std::int64_t bump_ns);
    /// A participant without sight of the market keeps the last view it had.
    void set_data_outage(ParticipantId participant, bool is_out);
    /// A participant without connection sends nothing and hears nothing; its orders are cancelled
    /// as by cancel on disconnect. It is connected again by false.
    void set_disconnected(ParticipantId participant, bool is_out);
    [[nodiscard]] Fundamentals& fundamentals();

    [[nodiscard]] Timestamp now() const;
    [[nodiscard]] const MarketCounts& counts() const;
    [[nodiscard]] const std::vector<MarketFault>& faults() const;
    /// Participants have the ids from 1, in the order of their seats.
    [[nodiscard]] std::uint32_t participants() const;
    [[nodiscard]] const Seat& seat(ParticipantId participant) const;
    [[nodiscard]] const Account& account(ParticipantId participant) const;
    [[nodiscard]] Quantity position(ParticipantId participant, InstrumentId instrument) const;
    [[nodiscard]] const std::vector<InstrumentDefinition>& instruments() const;
    /// The latest public change: the market as nobody in it sees it yet.
    [[nodiscard]] const views::PublicChange& latest(InstrumentId instrument) const;
    [[nodiscard]] const Engine& engine() const;
    /// Over all events so far and the state that they led to.
    [[nodiscard]] std::uint64_t hash() const;

  private:
    class Kernel;
    std::unique_ptr<Kernel> kernel_;
};

}  // namespace damrak::market_kernel
