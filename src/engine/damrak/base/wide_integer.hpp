// 128-bit integers, for the full product of two 64-bit ones. A GCC and Clang extension.
#pragma once

#include <cstdint>

namespace damrak {

__extension__ using Uint128 = unsigned __int128;
__extension__ using Int128 = __int128;

/// Xor of both halves of the product: a cheap and thorough mix of two words.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const Uint128 product = static_cast<Uint128>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace damrak
