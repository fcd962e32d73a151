// Random draws of one participant for one purpose: a stream of its own, named by the seed of the
// run, the participant, the purpose and a counter. A change in one participant, or in how often it
// draws for one purpose, leaves all other draws of the run as they were, so that two runs that
// differ in one thing can be compared pair by pair (common random numbers).
//
//   Draws arrivals{key_of(seed, "makers", 3, "arrival")};
//   const double wait_s = arrivals.exponential(rate);
//
// A plain value of 16 bytes; a draw costs a mix of three rounds, and a function of numeric.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/base/random.hpp>
#include <damrak/market_kernel/numeric.hpp>

namespace damrak::market_kernel {

/// FNV-1a, for names.
[[nodiscard]] constexpr std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// Names the stream of a participant (the `member`th of its group) for a purpose.
[[nodiscard]] constexpr std::uint64_t key_of(std::uint64_t seed, std::string_view group,
                                             std::uint64_t member, std::string_view purpose) {
    const std::uint64_t owner = mix_bits(mix_bits(seed) ^ hash_of(group)) + member;
    return mix_bits(mix_bits(owner) ^ hash_of(purpose));
}

class Draws {
  public:
    constexpr explicit Draws(std::uint64_t key = 0) : key_(key) {}

    constexpr std::uint64_t next() { return mix_bits(key_ + ++count_ * RandomStream::k_step); }
    /// In (0, 1), a multiple of 2^-53 and a half of it: neither end is ever drawn.
    constexpr double uniform() { return (static_cast<double>(next() >> 11U) + 0.5) * 0x1.0p-53; }
    constexpr double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// In [0, bound); the bias is at most bound / 2^64.
    constexpr std::uint64_t below(std::uint64_t bound) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((Wide{next()} * bound) >> 64U);
    }
    /// True with this probability.
    constexpr bool chance(double probability) { return uniform() < probability; }
    /// Mean 1 / rate.
    double exponential(double rate) { return -logarithm_of(uniform()) / rate; }
    /// Standard normal. One draw each, so that counters stay in step.
    double normal() { return normal_quantile(uniform()); }
    /// Its logarithm is normal: median · e^(sigma z).
    double log_normal(double median, double sigma) {
        return median * exponential_of(sigma * normal());
    }
    /// P(X > x) = (least / x)^exponent for x >= least.
    double pareto(double least, double exponent) {
        return least * power_of(uniform(), -1 / exponent);
    }

    [[nodiscard]] constexpr std::uint64_t count() const { return count_; }

  private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

}  // namespace damrak::market_kernel
