// The public market of single instruments for a reader on another thread: the best prices of both
// sides, the last trades and the phase, as of one journal record. The reader requests instruments.
// It is the FIX gateway (gateway/fix/detail/market_data.hpp); the writer follows the journal behind
// the exchange with its own state, so matching waits for neither.
//
// The reader gets the newest state: an infrequent reader sees fewer states, and only the last of
// many trades. A read never waits: while the writer is busy it returns nothing new. It costs a copy
// of the levels that changed.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/views/market_depth.hpp>

namespace damrak::feed {

/// A trade in a market snapshot.
struct SnapshotTrade {
    TradeId id{};
    Price price{};
    Quantity quantity{};
    Timestamp time{};
};

/// What an instrument does with its orders.
struct TradingStatus {
    TradingState state{};
    Phase phase{};
    CallKind call{};  ///< zero unless the phase is a call
    HaltCause cause{};
    friend bool operator==(const TradingStatus&, const TradingStatus&) = default;
};

/// The market of one instrument.
struct MarketSnapshot {
    /// Levels per side, best first.
    static constexpr std::size_t k_levels = 500;
    static constexpr std::size_t k_trades = 256;

    std::array<std::vector<views::PublicLevel>, 2> sides;  ///< best first
    std::vector<SnapshotTrade> trades;  ///< trade i since the start of the watch is at i % k_trades
    std::uint64_t traded = 0;
    TradingStatus status;
    std::uint64_t position = 0;  ///< includes every record up to this one
    std::uint64_t version = 0;   ///< counts from 1
    Timestamp time{};            ///< of the last event of the instrument, or of the market so far

    [[nodiscard]] const SnapshotTrade& trade(std::uint64_t i) const { return trades[i % k_trades]; }
    void add(const SnapshotTrade& trade) {
        trades.resize(k_trades);
        trades[traded++ % k_trades] = trade;
    }
};

class MarketSnapshots {
  public:
    explicit MarketSnapshots(std::uint32_t maximum_instruments);

    // For the one reading thread:

    /// Requests snapshots of the instrument, the first as of this record or a later one.
    void want(InstrumentId id, std::uint64_t position);
    void forget(InstrumentId id);
    /// Changes with every write.
    [[nodiscard]] std::uint64_t version() const { return version_.load(std::memory_order_acquire); }
    /// Brings `view`, which must be of this instrument, up to date. Returns false if the writer is
    /// busy: try again soon.
    [[nodiscard]] bool look(InstrumentId id, MarketSnapshot& view);

    // For the one writing thread:

    /// Changes when instruments are requested or released.
    [[nodiscard]] std::uint64_t requests() const {
        return requests_.load(std::memory_order_acquire);
    }
    /// The record whose state was requested, plus one; zero: not requested.
    [[nodiscard]] std::uint64_t wanted(InstrumentId id) const {
        return slots_[id.value - 1].wanted.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::uint32_t instruments() const { return instruments_; }
    /// `change(MarketSnapshot&)` writes; waits while the reader copies.
    template <class F>
    void write(InstrumentId id, F&& change) {
        Slot& slot = slots_[id.value - 1];
        {
            const std::scoped_lock lock{slot.mutex};
            change(slot.view);
            ++slot.view.version;
        }
        version_.fetch_add(1, std::memory_order_release);
    }

  private:
    struct Slot {
        std::atomic<std::uint64_t> wanted{0};
        std::mutex mutex;
        MarketSnapshot view;
    };

    std::uint32_t instruments_;
    std::unique_ptr<Slot[]> slots_;  // NOLINT(modernize-avoid-c-arrays): slots cannot move
    std::atomic<std::uint64_t> version_{0};
    std::atomic<std::uint64_t> requests_{0};
};

/// Follows the events of a replica's state and writes the requested snapshots. An event costs a
/// comparison or two; a requested instrument that changed costs a walk over its levels once an
/// interval.
class MarketSnapshotWriter {
  public:
    static constexpr std::int64_t k_interval_ns = 1'000'000;

    explicit MarketSnapshotWriter(MarketSnapshots& snapshots,
                                  std::int64_t interval_ns = k_interval_ns)
        : snapshots_(&snapshots),
          interval_ns_(interval_ns),
          last_trades_(snapshots.instruments()),
          watched_(snapshots.instruments()) {}

    /// Each event, in order.
    void on_event(const Event& event, const CommandStamp& stamp);
    /// Between two commands. `caught_up`: the state includes everything that the journal had at the
    /// check after the last call.
    void on_turn(const Engine& engine, bool caught_up, std::int64_t now_ns);

  private:
    struct Watched {
        std::uint64_t asked_after = 0;
        Timestamp time{};
        std::vector<SnapshotTrade> trades;  ///< not written yet
        bool wanted = false;
        bool asked = false;  ///< and not yet answered
        bool changed = false;
    };

    [[nodiscard]] Watched& watched(InstrumentId id) { return watched_[id.value - 1]; }
    void touch(InstrumentId id);
    void note_requests();
    void write(const Engine& engine, InstrumentId id, bool caught_up);

    MarketSnapshots* snapshots_;
    std::int64_t interval_ns_;
    std::vector<SnapshotTrade> last_trades_;  ///< by instrument, including those not requested
    std::vector<Watched> watched_;
    std::vector<InstrumentId> changed_;
    std::vector<InstrumentId> asked_;
    std::array<std::vector<views::PublicLevel>, 2> levels_;  ///< about to be written
    std::uint64_t requests_ = 0;                             ///< requests handled so far
    bool ask_again_ = false;                                 ///< an instrument was requested again
    std::uint64_t position_ = 0;
    Timestamp time_{};
    std::int64_t next_ns_ = INT64_MIN;
};

inline void MarketSnapshotWriter::on_turn(const Engine& engine, bool caught_up,
                                          std::int64_t now_ns) {
    std::erase_if(asked_, [&](InstrumentId id) {
        const bool answered = caught_up || position_ >= watched(id).asked_after;
        if (answered && watched(id).asked) write(engine, id, caught_up);
        return answered;
    });
    if (!changed_.empty() && now_ns >= next_ns_) {
        for (const InstrumentId id : changed_)
            if (watched(id).changed) write(engine, id, false);
        changed_.clear();
        next_ns_ = now_ns + interval_ns_;
    }
    note_requests();
}

[[nodiscard]] inline TradingStatus status_of(const InstrumentState& in) {
    return {.state = in.state,
            .phase = in.phase,
            .call = in.phase == Phase::call ? in.call : CallKind{},
            .cause = in.cause};
}

inline void MarketSnapshotWriter::write(const Engine& engine, InstrumentId id, bool caught_up) {
    Watched& of = watched(id);
    const InstrumentState* const in = engine.instrument(id);
    for (const Side side : {Side::buy, Side::sell}) {
        auto& levels = levels_[static_cast<std::size_t>(side)];
        levels.clear();
        if (in == nullptr) continue;
        in->book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
            if (levels.size() == MarketSnapshot::k_levels) return false;
            levels.push_back({in->price_of(level.tick), level.quantity, level.orders});
            return true;
        });
    }
    snapshots_->write(id, [&](MarketSnapshot& view) {
        std::swap(view.sides, levels_);
        for (const SnapshotTrade& trade : of.trades) view.add(trade);
        if (in != nullptr) view.status = status_of(*in);
        view.position = std::max(view.position, position_);
        if (caught_up) view.position = std::max(view.position, of.asked_after);
        view.time = of.time.value != 0 ? of.time : time_;
    });
    of.changed = false;
    if (caught_up || position_ >= of.asked_after) of.asked = false;
    of.trades.clear();
}

}  // namespace damrak::feed
