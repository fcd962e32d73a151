// Bounds of each byte of a text: 32 bytes a step with AVX2. The portable version is the reference
// in tests, and the fallback without AVX2.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/fix_codec/delimiters.hpp>

namespace damrak::fix_codec::detail {

class ByteBounds {
  public:
    static constexpr std::size_t k_minimum = 32;  ///< shortest text
    static constexpr std::size_t k_maximum = 512;

    void set(std::size_t at, char lowest, char highest) {
        lowest_[at] = static_cast<std::uint8_t>(lowest);
        highest_[at] = static_cast<std::uint8_t>(highest);
    }

    /// True if each byte is within its bounds; `sum` is then the sum of all bytes.
    [[nodiscard]] bool hold_portable(std::span<const char> text, std::uint64_t& sum) const {
        sum = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<std::uint8_t>(text[i]);
            if (byte < lowest_[i] || byte > highest_[i]) return false;
            sum += byte;
        }
        return true;
    }

#if defined(__AVX2__)
    [[nodiscard]] bool hold(std::span<const char> text, std::uint64_t& sum) const {
        const auto load = [](const void* from) {
            return _mm256_loadu_si256(static_cast<const __m256i*>(from));
        };
        const __m256i zero = _mm256_setzero_si256();
        __m256i outside = zero;
        __m256i sums = zero;
        const auto compare_at = [&](std::size_t at) {
            const __m256i block = load(text.data() + at);
            const __m256i raised = _mm256_max_epu8(block, load(lowest_.data() + at));
            const __m256i inside = _mm256_min_epu8(raised, load(highest_.data() + at));
            outside = _mm256_or_si256(outside, _mm256_xor_si256(block, inside));
            return block;
        };
        std::size_t at = 0;
        for (; at + k_step <= text.size(); at += k_step)
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(compare_at(at), zero));
        if (const std::size_t rest = text.size() - at; rest > 0) {
            // Reads the last 32 bytes again; only bytes not seen before count in the sum.
            const __m256i keep = load(k_keep_last.data() + rest);
            const __m256i block = _mm256_and_si256(compare_at(text.size() - k_step), keep);
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(block, zero));
        }
        sum = horizontal_sum(sums);
        return _mm256_testz_si256(outside, outside) != 0;
    }
#else
    [[nodiscard]] bool hold(std::span<const char> text, std::uint64_t& sum) const {
        return hold_portable(text, sum);
    }
#endif

  private:
    static constexpr std::size_t k_step = 32;
    alignas(64) static constexpr auto k_keep_last = [] {
        std::array<std::uint8_t, 2 * k_step> mask{};
        for (std::size_t i = k_step; i < mask.size(); ++i) mask[i] = 0xFF;
        return mask;
    }();

    alignas(k_step) std::array<std::uint8_t, k_maximum> lowest_{};
    alignas(k_step) std::array<std::uint8_t, k_maximum> highest_{};
};

}  // namespace damrak::fix_codec::detail
