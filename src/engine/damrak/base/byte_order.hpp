// Loads and stores of integers at unaligned addresses in a stated byte order.
// Called by every codec, on every message. Each is one move and one byte swap once compiled; the
// 48-bit forms take two. The caller has checked that the bytes are there.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace damrak {

template <std::unsigned_integral T>
[[nodiscard]] inline T load_be(const std::byte* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
    return value;
}

template <std::unsigned_integral T>
[[nodiscard]] inline T load_le(const std::byte* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
    return value;
}

template <std::unsigned_integral T>
inline void store_be(std::byte* to, T value) noexcept {
    if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
    std::memcpy(to, &value, sizeof value);
}

template <std::unsigned_integral T>
inline void store_le(std::byte* to, T value) noexcept {
    if constexpr (std::endian::native == std::endian::big) value = std::byteswap(value);
    std::memcpy(to, &value, sizeof value);
}

[[nodiscard]] inline std::uint64_t load_be48(const std::byte* from) noexcept {
    return std::uint64_t{load_be<std::uint16_t>(from)} << 32 | load_be<std::uint32_t>(from + 2);
}

// Stores the low 48 bits.
inline void store_be48(std::byte* to, std::uint64_t value) noexcept {
    store_be(to, static_cast<std::uint16_t>(value >> 32));
    store_be(to + 2, static_cast<std::uint32_t>(value));
}

}  // namespace damrak
