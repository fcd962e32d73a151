// A message byte by byte: where its tags and delimiters stand. A message whose fields are all as
// long as those of one before it is compared with it 32 bytes at a time, and has its fields where
// that one had them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <damrak/wire/fix/delimiters.hpp>
#include <damrak/wire/fix/field.hpp>

namespace damrak::wire::fix::detail {

class Layout {
  public:
    static constexpr std::size_t k_maximum_bytes = 512;

    void forget() { size_ = 0; }

    /// `fields` are those of `message`. MsgType, the third, belongs to what stands fast.
    void learn(std::span<const char> message, std::span<const Field> fields) {
        size_ = 0;
        if (message.size() > k_maximum_bytes || message.size() < k_step) return;
        std::memcpy(bytes_.data(), message.data(), message.size());
        fixed_.fill(0xFF);
        for (std::size_t i = 0; i < fields.size(); ++i)
            if (i != 2)
                std::fill_n(fixed_.begin() + fields[i].offset, fields[i].length, std::uint8_t{0});
        size_ = message.size();
    }

    /// True if tags and delimiters stand where they stood, and nowhere else; `sum` is then that of
    /// all bytes.
    [[nodiscard]] bool matches(std::span<const char> message, std::uint64_t& sum) const {
        if (message.size() != size_) return false;
#if defined(__AVX2__)
        return compare(message.data(), sum);
#else
        sum = 0;
        for (std::size_t i = 0; i < size_; ++i) {
            sum += static_cast<unsigned char>(message[i]);
            if (fixed_[i] != 0 ? message[i] != bytes_[i] : message[i] == k_delimiter) return false;
        }
        return true;
#endif
    }

  private:
    static constexpr std::size_t k_step = 32;
    static constexpr char k_delimiter = '\x01';

#if defined(__AVX2__)
    [[nodiscard]] bool compare(const char* data, std::uint64_t& sum) const {
        const auto load = [](const void* from) {
            return _mm256_loadu_si256(static_cast<const __m256i*>(from));
        };
        const __m256i delimiter = _mm256_set1_epi8(k_delimiter);
        const __m256i zero = _mm256_setzero_si256();
        __m256i wrong = zero;
        __m256i sums = zero;
        const auto compare_at = [&](std::size_t at) {
            const __m256i block = load(data + at);
            const __m256i fixed = load(fixed_.data() + at);
            const __m256i other = _mm256_xor_si256(block, load(bytes_.data() + at));
            const __m256i ends = _mm256_cmpeq_epi8(block, delimiter);
            wrong = _mm256_or_si256(wrong, _mm256_or_si256(_mm256_and_si256(other, fixed),
                                                           _mm256_andnot_si256(fixed, ends)));
            return block;
        };
        std::size_t at = 0;
        for (; at + k_step <= size_; at += k_step)
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(compare_at(at), zero));
        if (const std::size_t rest = size_ - at; rest > 0) {
            // The last 32 bytes once more; only what was not seen before counts for the sum.
            const __m256i keep = load(k_keep_last.data() + rest);
            const __m256i block = _mm256_and_si256(compare_at(size_ - k_step), keep);
            sums = _mm256_add_epi64(sums, _mm256_sad_epu8(block, zero));
        }
        sum = horizontal_sum(sums);
        return _mm256_testz_si256(wrong, wrong) != 0;
    }

    alignas(64) static constexpr auto k_keep_last = [] {
        std::array<std::uint8_t, 2 * k_step> mask{};
        for (std::size_t i = k_step; i < mask.size(); ++i) mask[i] = 0xFF;
        return mask;
    }();
#endif

    std::size_t size_ = 0;  ///< none: nothing is remembered
    std::array<char, k_maximum_bytes> bytes_{};
    std::array<std::uint8_t, k_maximum_bytes> fixed_{};  ///< all bits where the byte is no value's
};

}  // namespace damrak::wire::fix::detail
