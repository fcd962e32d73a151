// The supervisor of the exchange's venue: it hears events on the thread that follows the journal,
// so trading does not wait for it, and the trading thread asks it for due commands. An observer
// that keeps nothing: it continues from the state of the market.
//
// Under a supervisor each event takes a lock and for each request, both short; the trading
// thread asks only when something is due. Without one an event costs a comparison.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <damrak/feed/market_observer.hpp>
#include <damrak/venue/supervisor.hpp>

namespace damrak::exchange {

class VenueWatch final : public feed::MarketObserver {
  public:
    // On the following thread, and on the trading thread before that runs:

    [[nodiscard]] std::expected<void, std::string> begin(const Engine& engine,
                                                         std::uint64_t /*position*/) override {
        engine_ = &engine;
        return {};
    }
    void on_event(const Event& event, const CommandStamp& stamp) override {
        if (!supervises_) return;
        const std::lock_guard lock{mutex_};
        if (!supervisor_ || is_wanted_) return;
        supervisor_->on_event(event, stamp.timestamp, *engine_);
        note_next();
    }
    /// Begins with the venue that was wanted.
    void on_turn(std::int64_t /*now_ns*/) override {
        if (!is_wanted_) return;
        const std::lock_guard lock{mutex_};
        is_wanted_ = false;
        supervises_ = supervisor_ != nullptr;
        if (supervises_) supervisor_->begin(*engine_, wanted_at_);
        note_next();
    }

    // On the trading thread:

    /// Supervises by these rules from the next turn of the following thread on; null: not.
    void want(std::unique_ptr<venue::Supervisor> supervisor, Timestamp now) {
        const std::lock_guard lock{mutex_};
        supervisor_ = std::move(supervisor);
        wanted_at_ = now;
        next_ns_ = std::numeric_limits<std::int64_t>::max();
        is_wanted_ = true;
    }
    [[nodiscard]] Timestamp next() const { return {next_ns_}; }
    [[nodiscard]] std::vector<Command> due(Timestamp now) {
        const std::lock_guard lock{mutex_};
        std::vector<Command> commands = supervisor_->due(now);
        if (const auto levels = supervisor_->take_levels()) {
            Command command{};
            command.kind = CommandKind::breaker_levels;
            command.breaker_levels = *levels;
            commands.push_back(command);
        }
        note_next();
        return commands;
    }
    [[nodiscard]] std::vector<venue::Supervisor::Refusal> take_refusals() {
        const std::lock_guard lock{mutex_};
        return supervisor_->take_refusals();
    }

  private:
    void note_next() {
        next_ns_ = supervisor_ && !is_wanted_ ? supervisor_->next().value
                                              : std::numeric_limits<std::int64_t>::max();
    }

    std::mutex mutex_;
    const Engine* engine_ = nullptr;
    bool supervises_ = false;  ///< the following thread's: there was a supervisor at its last turn
    std::unique_ptr<venue::Supervisor> supervisor_;
    Timestamp wanted_at_{};
    std::atomic<bool> is_wanted_ = false;
    std::atomic<std::int64_t> next_ns_{std::numeric_limits<std::int64_t>::max()};
};

}  // namespace damrak::exchange
