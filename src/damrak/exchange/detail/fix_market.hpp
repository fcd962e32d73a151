// The market as FIX clients see it: fed by the thread that follows the journal, looked at by that
// of the doors. Neither waits for the other, and matching for neither.
#pragma once

#include <damrak/exchange/follower.hpp>
#include <damrak/feed/market_snapshots.hpp>

namespace damrak::exchange {

class FixMarket final : public feed::MarketObserver {
  public:
    /// Of the state whose events it will hear.
    FixMarket(const EngineConfig& engine, const FollowedState& state)
        : state_(&state), snapshots_(engine.maximum_instruments), writer_(snapshots_) {}

    void on_event(const Event& event, const CommandStamp& stamp) override {
        writer_.on_event(event, stamp);
    }
    void on_batch_end(bool caught_up) override { caught_up_ = caught_up; }
    void on_turn(std::int64_t now_ns) override {
        writer_.on_turn(state_->engine(), caught_up_, now_ns);
    }

    [[nodiscard]] feed::MarketSnapshots& snapshots() { return snapshots_; }

  private:
    const FollowedState* state_;
    feed::MarketSnapshots snapshots_;
    feed::MarketSnapshotWriter writer_;
    bool caught_up_ = true;
};

}  // namespace damrak::exchange
