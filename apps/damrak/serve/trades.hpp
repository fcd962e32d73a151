// What the HTTP door tells of the trades of the market, for clients of doors that tell of their own
// only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/feed/trade_tape.hpp>

#include "serve/follower.hpp"

namespace damrak::app {

inline constexpr std::string_view k_trades_path = "/trades";

/// Keeps the last trades, on the thread that follows the journal.
class TradeRecorder final : public MarketObserver {
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

/// As JSON, behind the number that the query names ("after=17"; left out: all that are kept).
[[nodiscard]] std::string trades_json(const feed::TradeTape& tape, std::string_view query);

}  // namespace damrak::app
