// The market for FIX clients: written by the thread that follows the journal, read by the gateways'
// thread. Neither waits for the other, and matching waits for neither.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <damrak/feed/market_observer.hpp>
#include <damrak/feed/market_snapshots.hpp>

namespace damrak::gateway::fix {

class FixMarket final : public feed::MarketObserver {
  public:
    explicit FixMarket(const EngineConfig& engine)
        : snapshots_(engine.maximum_instruments), writer_(snapshots_) {}

    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return k_any; }
    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t /*position*/) override {
        engine_ = &engine;
        return {};
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        writer_.on_event(event, stamp);
    }
    void on_batch_end(bool caught_up) override { caught_up_ = caught_up; }
    void on_turn(std::int64_t now_ns) override { writer_.on_turn(*engine_, caught_up_, now_ns); }

    [[nodiscard]] feed::MarketSnapshots& snapshots() { return snapshots_; }

  private:
    const Engine* engine_ = nullptr;
    feed::MarketSnapshots snapshots_;
    feed::MarketSnapshotWriter writer_;
    bool caught_up_ = true;
};

}  // namespace damrak::gateway::fix
