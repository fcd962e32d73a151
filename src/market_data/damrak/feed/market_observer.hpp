// Interface of everything that follows the market: feeds, archives, the market data of FIX clients,
// the list of trades. A thread that follows the journal calls it (exchange/detail/follower.hpp), so
// trading does not wait for it. One virtual call per event. docs/how-to/add-a-feed.md shows how to
// write one.
//
//   class Feed : public feed::MarketObserver { ... };
//   auto exchange = exchange::Exchange::start(settings, {&feed});
//
// An observer that keeps no output begins with the market at the start of the exchange. One that
// keeps its output over restarts returns its last record from kept(). The exchange then starts from
// a snapshot no later than that record and replays the journal from there, so the observer misses
// nothing:
//
//   keeps nothing   begin(engine, last), go_live(last), then new records
//   keeps           begin(engine, snapshot), the records after it, go_live(last), then new records
//
// The replay may repeat records that it has kept: it skips them by sequence number. State that must
// follow from the journal alone, such as a feed's message numbers, belongs beside the states of the
// gateways (standard_exchange/gateway_states.hpp), which snapshots contain.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak::feed {

/// Called on one thread at a time: first the one that starts the exchange, then the following one.
class MarketObserver {
  public:
    /// The observer receives the replay, but does not need a particular record.
    static constexpr std::uint64_t k_any = UINT64_MAX;

    virtual ~MarketObserver() = default;
    MarketObserver(const MarketObserver&) = delete;
    MarketObserver& operator=(const MarketObserver&) = delete;

    /// The last record whose output survives a kill; none if the observer keeps nothing. The
    /// journal keeps later records, whatever its retention. Any thread.
    [[nodiscard]] virtual std::optional<std::uint64_t> kept() const { return std::nullopt; }

    /// Called before begin(), for what names the owners of orders: whether an open order is to be
    /// anonymous. The answer is that of the last event, on the thread that calls the observer.
    virtual void ask_about_orders(const std::function<bool(OrderId)>& /*is_anonymous*/) {}
    /// The engine has applied everything up to this record. It stays the same object until the end
    /// and shows the current market in every call. An error refuses the start.
    [[nodiscard]] virtual std::expected<void, std::string> begin(const Engine& /*engine*/,
                                                                 std::uint64_t /*position*/) {
        return {};
    }
    /// The journal ends with this record and all of it was passed on; what follows is new. A
    /// journal that ends before kept() has lost records. An error refuses the start.
    [[nodiscard]] virtual std::expected<void, std::string> go_live(std::uint64_t /*last*/) {
        return {};
    }

    /// Asked after go_live(): whether the message numbers must start from the beginning. The
    /// exchange then opens the trading day with another feed session.
    [[nodiscard]] virtual bool wants_new_session() const { return false; }

    /// Each command of the engine, each that opens or closes a day, and the levels of the breaker,
    /// in order and before its events. Event i of the command with sequence number s never changes.
    virtual void on_command(const Command& /*command*/, const CommandStamp& /*stamp*/) {}
    /// Each other record, in order: of sessions or of the journal, without events. For what keeps
    /// its output: without it, kept() would stay behind a journal that ends with such records.
    virtual void on_other_record(std::uint64_t /*sequence*/) {}
    /// Each event, in order. The engine has applied the whole slice already.
    virtual void on_event(const Event& event, const CommandStamp& stamp) = 0;
    /// Some commands were applied; `caught_up` if none are left. Time to write the collected
    /// output.
    virtual void on_batch_end(bool /*caught_up*/) {}
    /// Every turn of the thread, even if nothing happened, for timers. The last call comes after
    /// the last record, at the end.
    virtual void on_turn(std::int64_t /*now_ns*/) {}

  protected:
    MarketObserver() = default;
};

}  // namespace damrak::feed
