// How many places each of some owners has, by a number of the owner that is not zero. A hash table
// of a fixed size, so a count costs no allocation; owners without places take no room. One thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <damrak/base/reserved_array.hpp>

namespace damrak::budget {

class Counts {
  public:
    Counts() = default;
    /// Of at most this many owners at a time.
    explicit Counts(std::uint32_t most)
        : slots_(std::bit_ceil(2 * std::size_t{most} + 2)), mask_(slots_.size() - 1) {}

    [[nodiscard]] std::uint32_t of(std::uint64_t owner) const {
        return slots_.size() == 0 ? 0 : slots_[place_of(owner)].count;
    }
    void add(std::uint64_t owner) {
        Slot& slot = slots_[place_of(owner)];
        slot.owner = owner;
        ++slot.count;
    }
    void drop(std::uint64_t owner) {
        std::size_t hole = place_of(owner);
        if (--slots_[hole].count > 0) return;
        // Those behind move up, so that each is found from where it belongs.
        for (std::size_t at = next(hole); slots_[at].count > 0; at = next(at)) {
            const std::size_t from_home = (at - home_of(slots_[at].owner)) & mask_;
            if (from_home < ((at - hole) & mask_)) continue;
            slots_[hole] = std::exchange(slots_[at], Slot{});
            hole = at;
        }
    }
    /// Counts the same for more owners.
    void grow(std::uint32_t most) {
        Counts larger{most};
        if (larger.slots_.size() <= slots_.size()) return;
        for (std::size_t i = 0; i < slots_.size(); ++i)
            if (slots_[i].count > 0) larger.slots_[larger.place_of(slots_[i].owner)] = slots_[i];
        *this = std::move(larger);
    }

  private:
    struct Slot {
        std::uint64_t owner = 0;
        std::uint32_t count = 0;  ///< zero: nobody's
    };

    [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
    [[nodiscard]] std::size_t home_of(std::uint64_t owner) const {
        constexpr std::uint64_t k_odd = 0x9E37'79B9'7F4A'7C15;
        constexpr unsigned k_half = 32;
        const std::uint64_t mixed = (owner ^ owner >> k_half) * k_odd;
        return (mixed ^ mixed >> k_half) & mask_;
    }
    /// Its slot, or the first free one.
    [[nodiscard]] std::size_t place_of(std::uint64_t owner) const {
        std::size_t at = home_of(owner);
        while (slots_[at].count > 0 && slots_[at].owner != owner) at = next(at);
        return at;
    }

    ReservedArray<Slot> slots_;
    std::size_t mask_ = 0;
};

}  // namespace damrak::budget
