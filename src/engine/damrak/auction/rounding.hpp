// Division with a stated rounding, in 128 bits so that no product of two 64-bit counts overflows.
// Used by every rule that has a percentage or a share in it. One division.
#pragma once

#include <cstdint>

namespace damrak::auction {

__extension__ using Wide = __int128;

enum class Rounding : std::uint8_t {
    down = 0,     ///< towards minus infinity
    nearest = 1,  ///< half up
    up = 2,       ///< towards plus infinity
};

/// `numerator / denominator`, rounded; the denominator is positive and the result fits.
[[nodiscard]] constexpr std::int64_t quotient(Wide numerator, std::int64_t denominator,
                                              Rounding rounding) {
    const Wide truncated = numerator / denominator;
    const Wide rest = numerator % denominator;
    const Wide floor = rest < 0 ? truncated - 1 : truncated;
    const Wide above_floor = rest < 0 ? rest + denominator : rest;
    const bool add = rounding == Rounding::up
                         ? above_floor > 0
                         : rounding == Rounding::nearest && above_floor * 2 >= denominator;
    return static_cast<std::int64_t>(floor + (add ? 1 : 0));
}

/// `a * b / divisor` of counts that are not negative, rounded down. Products that fit in 64 bits
/// are divided there, which is faster.
[[nodiscard]] constexpr std::int64_t share_of(std::int64_t a, std::int64_t b,
                                              std::int64_t divisor) {
    std::int64_t product = 0;
    if (!__builtin_mul_overflow(a, b, &product)) [[likely]]
        return product / divisor;
    return static_cast<std::int64_t>(Wide{a} * b / divisor);
}

inline constexpr std::int64_t k_basis_points = 10'000;

/// A part of an amount in hundredths of a per cent.
[[nodiscard]] constexpr std::int64_t basis_points_of(std::int64_t amount, std::int64_t basis_points,
                                                     Rounding rounding) {
    return quotient(Wide{amount} * basis_points, k_basis_points, rounding);
}

}  // namespace damrak::auction
