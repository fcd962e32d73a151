// Several engines together doing what one would, beside the commands themselves: see shares.hpp.
#include <tuple>

#include <damrak/engine/detail/admin.hpp>
#include <damrak/engine/detail/cascade.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

StateDigest Engine::digest() const {
    StateDigest digest{.positions = accounts_.positions_hash(),
                       .rules = accounts_.rules_hash(),
                       .accounts = accounts_.account_count()};
    for (const InstrumentState& in : instruments_)
        if (in.exists()) digest.instruments += in.hash();
    return digest;
}

PoolPlaces Engine::used() const {
    return {.orders = store_.order_pool.used(),
            .extensions = store_.extension_pool.used(),
            .levels = store_.level_pool.used(),
            .nodes = store_.nodes.pool().used(),
            .accounts = accounts_.account_count()};
}

OpenTally Engine::open_tally(ParticipantId id) const {
    if (!accounts_.is_valid(id)) return {};
    const Participant& participant = accounts_.participant(id);
    return {.orders = participant.open_orders, .notional = participant.open_notional};
}

std::uint32_t Engine::waiting_stops() const {
    std::uint32_t count = 0;
    for (const InstrumentState& in : instruments_)
        if (in.exists())
            in.stops.for_each(store_, [&](OrderIndex) {
                ++count;
                return true;
            });
    return count;
}

void Engine::keep_only(const std::vector<bool>& wanted) {
    for (InstrumentState& in : instruments_) {
        if (!in.exists() || wanted[in.id().value - 1U]) continue;
        std::ignore = visit_orders(in, [&](OrderIndex index) {
            unqueue(in, index);
            forget(index, key_of(store_.order(index)));
            return true;
        });
        in = {};
    }
    accounts_.keep_only([&](InstrumentId id) { return wanted[id.value - 1U]; });
}

}  // namespace damrak
