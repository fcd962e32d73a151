// The state of an engine as a snapshot keeps it: all pools, then the instruments that exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Sink>
template <class Self, class Archive>
void Engine<Sink>::transfer(Self& self, Archive& archive) {
    static_assert(std::is_trivially_copyable_v<InstrumentState>);
    BookStore::transfer(self.store_, archive);
    Accounts::transfer(self.accounts_, archive);
    ExpiryQueue::transfer(self.expiries_, archive);
    for (auto& instrument : self.instruments_) {
        auto exists = static_cast<std::uint8_t>(instrument.exists());
        archive.value(exists);
        if (exists != 0) archive.value(instrument);
    }
}

// The sizes catch most changes of layout by themselves; any other one raises the number.
template <class Sink>
constexpr std::uint32_t Engine<Sink>::state_layout() {
    constexpr std::uint32_t k_version = 2;
    std::uint32_t layout = k_version;
    for (const std::size_t size :
         {sizeof(Order), sizeof(OrderExtension), sizeof(Level), sizeof(LadderNodes::Head),
          sizeof(LadderNodes::Children), sizeof(Account), sizeof(Participant),
          sizeof(InstrumentState), sizeof(PriceLadder), sizeof(InstrumentDefinition)})
        layout = layout * 16'777'619 ^ static_cast<std::uint32_t>(size);
    return layout;
}

}  // namespace damrak
