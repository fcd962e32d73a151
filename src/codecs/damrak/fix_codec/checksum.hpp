// The checksum of FIX: the sum of all bytes up to CheckSum (10), modulo 256. Decoder and encoder
// call it for every message. With AVX2, 32 bytes a step; the portable version is the reference in
// tests, and the fallback without AVX2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace damrak::fix_codec {

[[nodiscard]] constexpr std::uint8_t checksum_portable(std::span<const char> bytes) {
    unsigned sum = 0;
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
    return static_cast<std::uint8_t>(sum);
}

#if defined(__AVX2__)
[[nodiscard]] inline std::uint8_t checksum(std::span<const char> bytes) {
    constexpr std::size_t k_step = sizeof(__m256i);
    const char* at = bytes.data();
    std::size_t left = bytes.size();
    __m256i sums = _mm256_setzero_si256();
    for (; left >= k_step; left -= k_step, at += k_step) {
        const __m256i block = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
        sums = _mm256_add_epi64(sums, _mm256_sad_epu8(block, _mm256_setzero_si256()));
    }
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    const auto sum = static_cast<std::uint64_t>(_mm_cvtsi128_si64(half)) +
                     static_cast<std::uint64_t>(_mm_extract_epi64(half, 1));
    return static_cast<std::uint8_t>(sum + checksum_portable({at, left}));
}
#else
[[nodiscard]] inline std::uint8_t checksum(std::span<const char> bytes) {
    return checksum_portable(bytes);
}
#endif

}  // namespace damrak::fix_codec
