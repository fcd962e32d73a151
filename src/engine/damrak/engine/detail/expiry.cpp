#include <damrak/engine/detail/expiry.hpp>

#include <limits>
#include <tuple>

#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

ExpiryQueue::Rank next_expiry_rank(const EngineState& engine) {
    if (engine.expiries.empty()) return {{std::numeric_limits<std::int64_t>::max()}, {}, {}};
    return ExpiryQueue::rank(engine.store, engine.expiries.first());
}

Timestamp next_expiry(const EngineState& engine) {
    return std::get<Timestamp>(next_expiry_rank(engine));
}

void expire(EngineState& engine) {
    while (next_expiry(engine) <= engine.progress.suspended.command.timestamp &&
           !engine.expiries.empty()) {
        const OrderIndex index = engine.expiries.first();
        const Order& order = engine.store.order(index);
        InstrumentState& in = engine.instrument_of(order);
        if (engine.events_left() == 0) {
            engine.suspend(Work::expiry, in);
            return;
        }
        end_order(engine, in, index, EventKind::expired, Reason::good_till_date,
                  engine.key_of(order));
        if (!release_stopped(engine, in, Work::expiry)) return;
        if (engine.progress.in_steps != nullptr) return;  // the next order may be in another engine
    }
}

Reason tick(EngineState& engine, const Command& command) {
    engine.progress.suspended.command = command;
    if (engine.tells(CommandInSteps::Step::orders)) expire(engine);
    return Reason::none;
}

}  // namespace damrak::detail
