// Who watches the market: feeds, the market data of FIX clients, the record of trades. Fed by a
// thread that follows the journal, so that nobody who trades waits for it; a virtual call each.
//
//   class Feed : public feed::MarketObserver { ... };
//   exchange->follower().add(feed);
#pragma once

#include <cstdint>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>

namespace damrak::feed {

/// Called on the thread of the market only, from the start of the exchange to its end.
class MarketObserver {
  public:
    virtual ~MarketObserver() = default;
    MarketObserver(const MarketObserver&) = delete;
    MarketObserver& operator=(const MarketObserver&) = delete;

    /// Each event of the exchange, in order; the state has it in it already.
    virtual void on_event(const Event& event, const CommandStamp& stamp) = 0;
    /// Some commands were applied; true: all that there were.
    virtual void on_batch_end(bool caught_up) = 0;
    /// Every turn of the thread, also when nothing happens: for what is due by the clock.
    virtual void on_turn(std::int64_t now_ns) = 0;

  protected:
    MarketObserver() = default;
};

}  // namespace damrak::feed
