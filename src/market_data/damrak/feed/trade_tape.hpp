// The last trades of all instruments, for occasional readers on another thread. A follower of the
// journal adds them, so that matching waits for no reader.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include <damrak/domain/event.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::feed {

/// A trade on the tape.
struct TapeTrade {
    Timestamp time{};
    InstrumentId instrument{};
    Price price{};  ///< in units of the instrument
    Quantity quantity{};
    Side aggressor{};
};

class TradeTape {
  public:
    static constexpr std::size_t k_trades = 500;

    /// Takes any event. A trade takes a lock, other events cost nothing.
    void on_event(const Event& event, const CommandStamp& stamp) {
        // Of the two events of a trade, uses that of the resting order.
        if (event.kind != EventKind::executed || !adds_to_volume(event)) return;
        const std::scoped_lock lock{mutex_};
        trades_[traded_++ % k_trades] = {
            .time = stamp.timestamp,
            .instrument = event.instrument,
            .price = event.price,
            .quantity = event.quantity,
            .aggressor = is_taker(event) ? event.side : opposite(event.side)};
    }

    /// Calls f(trade) for the retained trades after the first `after`, oldest first, and returns
    /// the number of trades so far. A result below `after` means another run; f then gets all
    /// retained trades. Any thread.
    template <class F>
    std::uint64_t for_each_after(std::uint64_t after, F&& f) const {
        const std::scoped_lock lock{mutex_};
        const std::uint64_t oldest = traded_ - std::min<std::uint64_t>(traded_, k_trades);
        for (std::uint64_t i = after > traded_ ? oldest : std::max(after, oldest); i < traded_; ++i)
            f(trades_[i % k_trades]);
        return traded_;
    }

  private:
    mutable std::mutex mutex_;
    std::array<TapeTrade, k_trades> trades_{};
    std::uint64_t traded_ = 0;  ///< since the start
};

}  // namespace damrak::feed
