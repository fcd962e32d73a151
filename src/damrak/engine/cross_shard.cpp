// Several engines together doing what one would, beside the commands themselves: see
// cross_shard.hpp.
#include <tuple>
#include <utility>
#include <vector>

#include <damrak/base/archive.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/touched_memory.hpp>
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

Holding Engine::holding(ParticipantId id) const {
    Holding held{.accounts = accounts_.participant(id).accounts};
    for (std::uint32_t i = 0, left = held.accounts; left > 0; ++i) {
        const AccountIndex index =
            instruments_[i].exists() ? accounts_.find(id, instruments_[i].id()) : 0;
        if (index == 0) continue;
        if (accounts_.account(index).position.value != 0) ++held.positions;
        --left;
    }
    return held;
}

void Engine::release(ParticipantId id) {
    for (InstrumentState& in : instruments_) {
        if (accounts_.participant(id).accounts == 0) break;
        const AccountIndex index = in.exists() ? accounts_.find(id, in.id()) : 0;
        if (index == 0) continue;
        if (in.recent_account(id) == index) in.recent_account(id) = 0;
        accounts_.close(index);
    }
    accounts_.begin_generation(id);
}

void Engine::keep_free(std::uint32_t anonymous_share) {
    anonymous_share_ = anonymous_share;
    const auto rest_of = [anonymous_share](std::uint32_t capacity) {
        return static_cast<std::uint32_t>(std::uint64_t{capacity} * (100 - anonymous_share) / 100);
    };
    kept_free_ = {.orders = rest_of(config_.maximum_orders),
                  .extensions = rest_of(config_.maximum_extensions),
                  .levels = rest_of(config_.maximum_levels),
                  .nodes = rest_of(config_.maximum_ladder_nodes),
                  .accounts = rest_of(config_.maximum_accounts)};
}

// As new, with these.
void Engine::reserve(const CapacityDetails& capacities) {
    config_ = config_.with(capacities);
    store_ = BookStore{config_.book_capacity()};
    accounts_ =
        Accounts{config_.maximum_participants, config_.maximum_accounts, config_.rules_version > 1};
    expiries_ = ExpiryQueue{config_.maximum_extensions};
    instruments_ = std::vector<InstrumentState>(config_.maximum_instruments);
    keep_free(capacities.anonymous_share);
}

void Engine::grow(const CapacityDetails& capacities) {
    const TouchedMemory touched;
    const std::vector<std::byte> state =
        saved_bytes([this](auto& archive) { transfer_state(std::as_const(*this), archive); });
    reserve(capacities);
    LoadArchive loaded{state};
    transfer_state(*this, loaded);
    DAMRAK_ASSERT(loaded.complete());
}

std::uint32_t Engine::waiting_orders() const {
    std::uint32_t count = 0;
    for (const InstrumentState& in : instruments_) {
        if (!in.exists()) continue;
        count += in.aside_orders;
        in.stops.for_each(store_, [&](OrderIndex) {
            ++count;
            return true;
        });
    }
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
