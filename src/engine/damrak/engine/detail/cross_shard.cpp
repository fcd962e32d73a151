#include <damrak/engine/detail/cross_shard.hpp>

#include <tuple>

#include <damrak/base/wide_integer.hpp>
#include <damrak/engine/detail/allocation.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

namespace {

// A participant that does not exist has nothing open.
void count_open(EngineState& engine, ParticipantId id, std::uint32_t orders, Int128 notional) {
    if (!engine.accounts.is_valid(id)) return;
    engine.accounts.participant(id).open_orders += orders;
    engine.accounts.move_open(id, notional);
}

}  // namespace

void lend(EngineState& engine, const OtherShards& others, ParticipantId participant) {
    engine.store.order_pool.withhold(others.used.orders);
    engine.store.extension_pool.withhold(others.used.extensions);
    engine.store.level_pool.withhold(others.used.levels);
    engine.store.nodes.withhold(others.used.nodes);
    engine.accounts.withhold(others.used.accounts);
    count_open(engine, participant, others.open.orders, others.open.notional);
    engine.progress.lent = {.others = others, .participant = participant};
}

void take_back(EngineState& engine) {
    const PoolPlaces& used = engine.progress.lent->others.used;
    engine.store.order_pool.restore(used.orders);
    engine.store.extension_pool.restore(used.extensions);
    engine.store.level_pool.restore(used.levels);
    engine.store.nodes.restore(used.nodes);
    engine.accounts.restore(used.accounts);
    const OpenTally& open = engine.progress.lent->others.open;
    count_open(engine, engine.progress.lent->participant, 0U - open.orders, -open.notional);
    engine.progress.lent.reset();
}

StateDigest digest(const EngineState& engine) {
    StateDigest digest{.positions = engine.accounts.positions_hash(),
                       .rules = engine.accounts.rules_hash(),
                       .accounts = engine.accounts.account_count()};
    for (const InstrumentState& in : engine.instruments) {
        if (!in.exists()) continue;
        digest.instruments += in.hash();
        if (const std::uint64_t n = engine.private_order_numbers[in.id().value - 1]; n != 0)
            digest.instruments += mix(n, in.id().value ^ 0xA0761D6478BD642FU);
        if (in.combination != CombinationKind::none)
            digest.instruments += engine.combinations.hash(in.id());
    }
    for (const ChangedTrade& one : engine.changed_trades.all()) digest.instruments += one.hash();
    for (const QuoteProtection& one : engine.quote_protections.all())
        digest.instruments += one.hash();
    return digest;
}

PoolPlaces used(const EngineState& engine) {
    return {.orders = engine.store.order_pool.used(),
            .extensions = engine.store.extension_pool.used(),
            .levels = engine.store.level_pool.used(),
            .nodes = engine.store.nodes.pool().used(),
            .accounts = engine.accounts.account_count()};
}

OpenTally open_tally(const EngineState& engine, ParticipantId id) {
    if (!engine.accounts.is_valid(id)) return {};
    const Participant& participant = engine.accounts.participant(id);
    return {.orders = participant.open_orders, .notional = engine.accounts.open_notional(id)};
}

Holding holding(const EngineState& engine, ParticipantId id) {
    Holding held{.accounts = engine.accounts.participant(id).accounts};
    for (std::uint32_t i = 0, left = held.accounts; left > 0; ++i) {
        const AccountIndex index = engine.instruments[i].exists()
                                       ? engine.accounts.find(id, engine.instruments[i].id())
                                       : 0;
        if (index == 0) continue;
        if (engine.accounts.account(index).position.value != 0) ++held.positions;
        --left;
    }
    return held;
}

void release(EngineState& engine, ParticipantId id) {
    for (InstrumentState& in : engine.instruments) {
        if (engine.accounts.participant(id).accounts == 0) break;
        const AccountIndex index = in.exists() ? engine.accounts.find(id, in.id()) : 0;
        if (index == 0) continue;
        if (in.recent_account(id) == index) in.recent_account(id) = 0;
        engine.accounts.close(index);
    }
    forget_lead_maker(engine, id);
    engine.quote_protections.remove_if(
        [&](const QuoteProtection& each) { return each.participant == id; });
    engine.accounts.begin_generation(id);
}

std::uint32_t waiting_orders(const EngineState& engine) {
    std::uint32_t count = 0;
    for (const InstrumentState& in : engine.instruments) {
        if (!in.exists()) continue;
        count += in.aside_orders;
        for (OrderIndex index = in.pegs.first; index != 0; ++count)
            index = engine.store.extension(engine.store.order(index).extension).next;
        in.stops.for_each(engine.store, [&](OrderIndex) {
            ++count;
            return true;
        });
        for_each_auction_order(engine, in, [&](OrderIndex index) {
            count += awaits_auction(engine.store.order(index)) ? 1U : 0U;
            return true;
        });
    }
    return count;
}

void keep_only(EngineState& engine, const std::vector<bool>& wanted) {
    for (InstrumentState& in : engine.instruments) {
        if (!in.exists() || wanted[in.id().value - 1U]) continue;
        std::ignore = visit_orders(engine, in, [&](OrderIndex index) {
            unqueue(engine, in, index);
            forget(engine, index, engine.key_of(engine.store.order(index)));
            return true;
        });
        in = {};
    }
    const auto of_another = [&](const auto& entry) {
        return !wanted[entry.instrument().value - 1U];
    };
    engine.changed_trades.remove_if(of_another);
    engine.quote_protections.remove_if(of_another);
    engine.accounts.keep_only([&](InstrumentId id) { return wanted[id.value - 1U]; });
}

}  // namespace damrak::detail
