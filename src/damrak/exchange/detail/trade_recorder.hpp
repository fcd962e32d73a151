// Collects the last trades of the market, on the thread that follows the journal.
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/trade_tape.hpp>

namespace damrak::exchange {

class TradeRecorder final : public feed::MarketObserver {
  public:
    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return k_any; }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        tape_.on_event(event, stamp);
    }

    [[nodiscard]] const feed::TradeTape& tape() const { return tape_; }

  private:
    feed::TradeTape tape_;
};

}  // namespace damrak::exchange
