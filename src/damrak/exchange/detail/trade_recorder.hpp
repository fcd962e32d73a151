// Keeps the last trades of the market, on the thread that follows the journal.
#pragma once

#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/trade_tape.hpp>

namespace damrak::exchange {

class TradeRecorder final : public feed::MarketObserver {
  public:
    void on_event(const Event& event, const CommandStamp& stamp) override {
        tape_.on_event(event, stamp);
    }
    void on_batch_end(bool) override {}
    void on_turn(std::int64_t) override {}

    [[nodiscard]] const feed::TradeTape& tape() const { return tape_; }

  private:
    feed::TradeTape tape_;
};

}  // namespace damrak::exchange
