// Holds what an OrderWatch counts against the queues of the engine, while a market runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/engine/engine.hpp>
#include <damrak/explain/order_watch.hpp>

namespace damrak::explain {

/// Compares after every seventh command.
class QueueChecker final : public market_kernel::MarketWatcher {
  public:
    explicit QueueChecker(const OrderWatch& watch) : watch_(&watch) {}

    std::expected<void, std::string> begin(const Engine& engine, std::uint64_t) override {
        engine_ = &engine;
        return {};
    }
    void on_command(const Command& /*command*/, const CommandStamp& /*stamp*/) override {
        if (++commands_ % 7 != 0) return;
        for (const Fate& fate : watch_->fates())
            if (fate.ending == Ending::open && !fate.stays.empty()) check(fate);
    }
    std::size_t checked = 0;
    std::size_t different = 0;

  private:
    void check(const Fate& fate) {
        const InstrumentState& in = *engine_->instrument(fate.terms.instrument);
        Crowd ahead;
        bool found = false;
        in.book.for_each_order(engine_->store(), fate.terms.side, [&](OrderIndex index) {
            const Order& order = engine_->store().order(index);
            found = order.id == fate.id;
            if (!found && !order.terms().undisplayed()) ahead.add(1, order.quantity.value);
            return !found;
        });
        if (!found) return;
        ++checked;
        if (ahead != fate.stays.back().ahead()) ++different;
    }

    const OrderWatch* watch_;
    const Engine* engine_ = nullptr;
    std::uint64_t commands_ = 0;
};

}  // namespace damrak::explain
