// A deterministic stream of random numbers: the same seed gives the same draws on every machine.
//
// Used by generators, tests and simulations, never by the engine. SplitMix64 (Steele, Lea and
// Flood, "Fast splittable pseudorandom number generators", 2014): one addition and a mix of three
// multiply-shift rounds a draw. Not for secrets.
#pragma once

#include <cstdint>

namespace damrak {

/// Spreads the bits of a counter over the whole word; a bijection: distinct inputs stay distinct.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t word) {
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
    return word ^ (word >> 31);
}

/// A stream of random numbers from a seed.
class RandomStream {
  public:
    /// The odd constant by which the state advances: 2^64 over the golden ratio.
    static constexpr std::uint64_t k_step = 0x9e3779b97f4a7c15ULL;

    explicit constexpr RandomStream(std::uint64_t seed) : state_(seed) {}

    constexpr std::uint64_t next() { return mix_bits(state_ += k_step); }

    /// In [0, bound), by multiply and shift; the bias is at most bound / 2^64.
    constexpr std::uint32_t below(std::uint32_t bound) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint32_t>((Wide{next()} * bound) >> 64);
    }

    constexpr bool coin() { return (next() & 1U) != 0; }

  private:
    std::uint64_t state_;
};

}  // namespace damrak
