// How the state of an engine is saved and loaded: see engine.hpp, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Self, class Archive>
void Engine::transfer(Self& self, Archive& archive) {
    CapacityDetails capacities = self.capacities();
    archive.value(capacities);
    if constexpr (!std::is_const_v<Self>)
        if (capacities != self.capacities()) self.reserve(capacities);
    transfer_state(self, archive);
}

// Into at least as large an engine.
template <class Self, class Archive>
void Engine::transfer_state(Self& self, Archive& archive) {
    static_assert(std::is_trivially_copyable_v<InstrumentState>);
    BookStore::transfer(self.store_, archive);
    Accounts::transfer(self.accounts_, archive);
    ExpiryQueue::transfer(self.expiries_, archive);
    std::uint64_t instruments = self.instruments_.size();
    archive.count(instruments, self.instruments_.size());
    for (std::uint64_t i = 0; i < instruments; ++i) {
        auto exists = static_cast<std::uint8_t>(self.instruments_[i].exists());
        archive.value(exists);
        if (exists != 0) archive.value(self.instruments_[i]);
    }
}

// The sizes catch most changes of layout by themselves; any other one raises the number.
constexpr std::uint32_t Engine::state_layout() {
    constexpr std::uint32_t k_version = 5;
    std::uint32_t layout = k_version;
    for (const std::size_t size :
         {sizeof(Order), sizeof(OrderExtension), sizeof(Level), sizeof(LadderNodes::Head),
          sizeof(LadderNodes::Children), sizeof(Account), sizeof(Participant),
          sizeof(InstrumentState), sizeof(PriceLadder), sizeof(InstrumentDefinition)})
        layout = layout * 16'777'619 ^ static_cast<std::uint32_t>(size);
    return layout;
}

}  // namespace damrak
