// Finds where the fields of a message end, and the sum of its bytes, in one pass: 64 bytes a step
// with AVX2. The portable version is the reference in tests, and the fallback without AVX2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace damrak::fix_codec {

/// With more delimiters than this the search fails, and the caller takes its slower path.
inline constexpr std::size_t k_maximum_delimiters = 64;

struct Delimiters {
    std::array<std::uint32_t, k_maximum_delimiters + 8> at;  ///< scratch from `count` on
    std::size_t count = 0;
    std::uint64_t sum = 0;  ///< of all bytes
};

/// False if there are more than k_maximum_delimiters.
[[nodiscard]] inline bool find_delimiters_portable(std::span<const char> bytes, Delimiters& found) {
    found.count = 0;
    found.sum = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        found.sum += static_cast<unsigned char>(bytes[i]);
        if (bytes[i] != '\x01') continue;
        if (found.count == k_maximum_delimiters) return false;
        found.at[found.count++] = static_cast<std::uint32_t>(i);
    }
    return true;
}

#if defined(__AVX2__)

inline constexpr std::size_t k_delimiter_step = 64;

[[nodiscard]] inline std::uint64_t horizontal_sum(__m256i sums) {
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return static_cast<std::uint64_t>(_mm_cvtsi128_si64(half)) +
           static_cast<std::uint64_t>(_mm_extract_epi64(half, 1));
}

// Records the positions of the bits of `mask`, eight at a time whether they are set or not.
[[nodiscard]] inline bool note_delimiters(std::uint64_t mask, std::uint32_t base,
                                          Delimiters& found) {
    const auto bits = static_cast<std::size_t>(_mm_popcnt_u64(mask));
    if (found.count + bits > k_maximum_delimiters) return false;
    for (std::size_t done = 0; done < bits; done += 8) {
        for (std::size_t i = 0; i < 8; ++i) {
            found.at[found.count + done + i] = base + static_cast<std::uint32_t>(_tzcnt_u64(mask));
            mask = _blsr_u64(mask);
        }
    }
    found.count += bits;
    return true;
}

/// The same for at least 64 bytes.
[[nodiscard]] inline bool find_delimiters(std::span<const char> bytes, Delimiters& found) {
    alignas(64) static constexpr auto k_keep_last = [] {
        std::array<std::uint8_t, 2 * k_delimiter_step> mask{};
        for (std::size_t i = k_delimiter_step; i < mask.size(); ++i) mask[i] = 0xFF;
        return mask;
    }();
    const __m256i delimiter = _mm256_set1_epi8('\x01');
    const __m256i zero = _mm256_setzero_si256();
    __m256i sums = zero;
    const auto load = [](const void* from) {
        return _mm256_loadu_si256(static_cast<const __m256i*>(from));
    };
    const auto mask_of = [&](__m256i low, __m256i high) {
        const auto low_mask =
            static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, delimiter)));
        const auto high_mask =
            static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, delimiter)));
        return std::uint64_t{high_mask} << 32U | low_mask;
    };
    const char* const data = bytes.data();
    std::size_t at = 0;
    found.count = 0;
    for (; at + k_delimiter_step <= bytes.size(); at += k_delimiter_step) {
        const __m256i low = load(data + at);
        const __m256i high = load(data + at + 32);
        sums = _mm256_add_epi64(
            sums, _mm256_add_epi64(_mm256_sad_epu8(low, zero), _mm256_sad_epu8(high, zero)));
        if (!note_delimiters(mask_of(low, high), static_cast<std::uint32_t>(at), found))
            return false;
    }
    if (const std::size_t rest = bytes.size() - at; rest > 0) {
        // Reads the last 64 bytes again and masks those that were already seen.
        const char* const from = data + bytes.size() - k_delimiter_step;
        const std::uint8_t* const keep = k_keep_last.data() + rest;
        const __m256i low = _mm256_and_si256(load(from), load(keep));
        const __m256i high = _mm256_and_si256(load(from + 32), load(keep + 32));
        sums = _mm256_add_epi64(
            sums, _mm256_add_epi64(_mm256_sad_epu8(low, zero), _mm256_sad_epu8(high, zero)));
        if (!note_delimiters(mask_of(low, high) >> (k_delimiter_step - rest),
                             static_cast<std::uint32_t>(at), found))
            return false;
    }
    found.sum = horizontal_sum(sums);
    return true;
}

#else

[[nodiscard]] inline bool find_delimiters(std::span<const char> bytes, Delimiters& found) {
    return find_delimiters_portable(bytes, found);
}

#endif

}  // namespace damrak::fix_codec
