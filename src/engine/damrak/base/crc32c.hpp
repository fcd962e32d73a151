// CRC-32C (Castagnoli, polynomial 0x1EDC6F41, as in RFC 3720 appendix B.4): the checksum of journal
// records, segment headers and snapshots. Uses the processor's CRC instruction on eight bytes at a
// time. The instruction takes three cycles, and three can run at once: long inputs are therefore
// cut into three lanes, whose remainders are combined by a multiplication (Gopal et al., "Fast CRC
// computation for iSCSI polynomial using CRC32 instruction", Intel 2011). Tests compare it with the
// definition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <nmmintrin.h>
#include <wmmintrin.h>

namespace damrak {

/// One step, without the inversions at both ends; for callers that checksum field by field.
[[nodiscard]] inline std::uint64_t crc32c_step(std::uint64_t state, std::uint64_t word) {
    return _mm_crc32_u64(state, word);
}
[[nodiscard]] inline std::uint64_t crc32c_step(std::uint64_t state, std::uint32_t word) {
    return _mm_crc32_u32(static_cast<std::uint32_t>(state), word);
}
inline constexpr std::uint64_t k_crc32c_start = 0xFFFFFFFF;
[[nodiscard]] inline std::uint32_t crc32c_finish(std::uint64_t state) {
    return ~static_cast<std::uint32_t>(state);
}

namespace detail {

inline constexpr std::uint32_t k_crc32c_reflected_polynomial = 0x82F63B78;

/// x^n modulo the polynomial, with bits reversed as in the instruction.
[[nodiscard]] consteval std::uint32_t crc32c_power(std::size_t n) {
    std::uint32_t power = 0x80000000;
    for (std::size_t i = 0; i < n; ++i)
        power = power >> 1U ^ ((power & 1U) != 0 ? k_crc32c_reflected_polynomial : 0);
    return power;
}

}  // namespace detail

/// The state after `bytes` more zero bytes: combines lanes that were computed separately. Every
/// x86-64-v3 processor has the carry-less product, but that level does not include it, so the
/// functions that use it name it as their target.
template <std::size_t bytes>
[[nodiscard, gnu::target("pclmul")]] inline std::uint64_t crc32c_skip(std::uint64_t state) {
    // The product comes out bit-reversed as a whole, which is one power; its reduction adds 32.
    constexpr std::uint32_t k_power = detail::crc32c_power(bytes * 8 - 33);
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128(static_cast<long long>(state)),
                                                 _mm_cvtsi32_si128(static_cast<int>(k_power)), 0);
    return _mm_crc32_u64(0, static_cast<std::uint64_t>(_mm_cvtsi128_si64(product)));
}

/// Checksum of any bytes; `before` is the checksum of the preceding ones.
[[nodiscard, gnu::target("pclmul")]] inline std::uint32_t crc32c(std::span<const std::byte> bytes,
                                                                 std::uint32_t before = 0) {
    constexpr std::size_t k_lane = 64;
    const auto word_at = [](const std::byte* place) {
        std::uint64_t word;
        std::memcpy(&word, place, sizeof word);
        return word;
    };
    std::uint64_t state = ~before;
    const std::byte* at = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= 3 * k_lane; left -= 3 * k_lane, at += 3 * k_lane) {
        std::uint64_t second = 0;
        std::uint64_t third = 0;
        for (std::size_t i = 0; i < k_lane; i += sizeof(std::uint64_t)) {
            state = crc32c_step(state, word_at(at + i));
            second = crc32c_step(second, word_at(at + k_lane + i));
            third = crc32c_step(third, word_at(at + 2 * k_lane + i));
        }
        state = crc32c_skip<2 * k_lane>(state) ^ crc32c_skip<k_lane>(second) ^ third;
    }
    for (; left >= sizeof(std::uint64_t);
         left -= sizeof(std::uint64_t), at += sizeof(std::uint64_t))
        state = crc32c_step(state, word_at(at));
    for (; left > 0; --left)
        state = _mm_crc32_u8(static_cast<std::uint32_t>(state), static_cast<std::uint8_t>(*at++));
    return crc32c_finish(state);
}

}  // namespace damrak
