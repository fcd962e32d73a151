// Saves and loads the state of an engine: see engine.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/engine/detail/administration.hpp>
#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

/// The target engine must be at least as large.
template <class State, class Archive>
void transfer_state(State& engine, Archive& archive) {
    static_assert(std::is_trivially_copyable_v<InstrumentState>);
    BookStore::transfer(engine.store, archive);
    Accounts::transfer(engine.accounts, archive);
    ExpiryQueue::transfer(engine.expiries, archive);
    ChangedTrades::transfer(engine.changed_trades, archive);
    QuoteProtections::transfer(engine.quote_protections, archive);
    Combinations::transfer(engine.combinations, archive);
    std::uint64_t instruments = engine.instruments.size();
    archive.count(instruments, engine.instruments.size());
    for (std::uint64_t i = 0; i < instruments; ++i) {
        auto exists = static_cast<std::uint8_t>(engine.instruments[i].exists());
        archive.value(exists);
        if (exists == 0) continue;
        archive.value(engine.instruments[i]);
        archive.value(engine.private_order_numbers[i]);
    }
}

template <class State, class Archive>
void transfer(State& engine, Archive& archive) {
    CapacityDetails capacities = engine.capacities();
    archive.value(capacities);
    if constexpr (!std::is_const_v<State>)
        if (capacities != engine.capacities()) reserve(engine, capacities);
    transfer_state(engine, archive);
}

/// The sizes detect most changes of layout; increase the number for any other change.
[[nodiscard]] constexpr std::uint32_t state_layout() {
    constexpr std::uint32_t k_version = 14;
    std::uint32_t layout = k_version;
    for (const std::size_t size :
         {sizeof(Order), sizeof(OrderExtension), sizeof(Level), sizeof(LadderNodes::Head),
          sizeof(LadderNodes::Children), sizeof(Account), sizeof(Participant),
          sizeof(InstrumentState), sizeof(PriceLadder), sizeof(InstrumentDefinition),
          sizeof(Combination)})
        layout = layout * 16'777'619 ^ static_cast<std::uint32_t>(size);
    return layout;
}

}  // namespace damrak::detail
