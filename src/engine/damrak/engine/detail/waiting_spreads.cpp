// Orders at rest of spreads that trade at implied prices (docs/rule-book/combinations.md, CB-17).
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/engine/detail/across.hpp>
#include <damrak/engine/detail/combinations.hpp>

namespace damrak::detail {

namespace {

// How many orders at rest of a side may be looked at, as their owners stand in their way.
constexpr std::uint32_t k_most_waiting = 100;

// The order at rest that waited trades in its place.
void end_waiting(EngineState& engine) {
    TradeAcross& trade = engine.progress.across;
    const OrderIndex index = std::exchange(trade.waiting, 0);
    const Order& order = engine.store.order(index);
    InstrumentState& in = engine.instrument_of(order);
    trade.end = 0;
    fill_across(engine, in, index, trade.units,
                in.tick_of(price_across(trade, order.terms().side())));
}

// An order at rest, and what it could trade with.
struct Waiting {
    Across across;
    OrderIndex order = 0;  ///< zero: none
};

// The first of the side by priority that could trade.
OrderIndex first_to_trade(const EngineState& engine, const InstrumentState& in, Side side,
                          const Across& across) {
    const auto may = [&](OrderIndex index) {
        const Order& order = engine.store.order(index);
        if (order.terms().self_trade_prevention() == SelfTradePrevention::none) return true;
        const ParticipantId owner = engine.owner_of(order);
        return std::ranges::none_of(
            std::span{across.parts}.first(across.count),
            [&](const Part& part) { return has_orders(engine, owner, part); });
    };
    std::uint32_t looked_at = 0;
    OrderIndex found = 0;
    const auto look = [&](OrderIndex index) {
        if (may(index)) found = index;
        return found == 0 && ++looked_at < k_most_waiting;
    };
    const PriceLadder& ladder = in.book.side(side);
    for (auto at = ladder.best(); at.level != 0; at = ladder.next(engine.store.nodes, at.key)) {
        if (across.key > price_key(opposite(side), tick_of(side, at.key))) break;
        const LevelIndex hidden = engine.store.level(at.level).companion;
        if (!for_each_in_queue(engine.store, at.level, look) ||
            (hidden != 0 && !for_each_in_queue(engine.store, hidden, look)))
            break;
    }
    return found;
}

Waiting find_waiting(const EngineState& engine, const InstrumentState& spread) {
    Waiting waiting{};
    if (!is_open(spread)) return waiting;
    for (const Side side : {Side::buy, Side::sell}) {
        if (spread.book.side(side).best_key() == k_no_price) continue;
        waiting.across = look_across(engine, {.in = &spread, .side = side}, spread.id());
        if (waiting.across.key == k_no_price) continue;
        waiting.order = first_to_trade(engine, spread, side, waiting.across);
        if (waiting.order != 0) break;
    }
    return waiting;
}

// Of the spreads that the instrument is part of.
Waiting next_waiting(const EngineState& engine, const InstrumentState& in) {
    if (in.combination == CombinationKind::spread) return find_waiting(engine, in);
    for (CombinationUse use = in.first_use; use != 0; use = engine.combinations.next_use(use)) {
        const InstrumentState& spread = state_of(engine, Combinations::instrument_of(use));
        if (spread.combination != CombinationKind::spread) continue;
        if (const Waiting waiting = find_waiting(engine, spread); waiting.order != 0)
            return waiting;
    }
    return {};
}

}  // namespace

bool trade_waiting(EngineState& engine, const InstrumentState& in) {
    TradeAcross& trade = engine.progress.across;
    for (;;) {
        if (trade.waiting != 0) {
            if (!trade_parts(engine)) return false;
            end_waiting(engine);
        }
        const Waiting waiting = next_waiting(engine, in);
        if (waiting.order == 0) return true;
        const Quantity slice = engine.store.order(waiting.order).quantity;
        begin_across(engine, waiting.across, std::min(waiting.across.units, slice.value));
        trade.waiting = waiting.order;
    }
}

}  // namespace damrak::detail
