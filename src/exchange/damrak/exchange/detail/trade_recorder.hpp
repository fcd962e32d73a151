// Collects the last trades of the market and the status of its instruments, on the thread that
// follows the journal.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/status_board.hpp>
#include <damrak/feed/trade_tape.hpp>

namespace damrak::exchange {

class TradeRecorder final : public feed::MarketObserver {
  public:
    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return k_any; }
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t /*position*/) override {
        engine_ = &engine;
        statuses_.load(engine);
        return {};
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        tape_.on_event(event, stamp);
        statuses_.on_event(event, *engine_);
    }

    [[nodiscard]] const feed::TradeTape& tape() const { return tape_; }
    [[nodiscard]] const feed::StatusBoard& statuses() const { return statuses_; }

  private:
    const Engine* engine_ = nullptr;
    feed::TradeTape tape_;
    feed::StatusBoard statuses_;
};

}  // namespace damrak::exchange
