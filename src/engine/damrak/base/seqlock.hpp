// A plain value that one thread publishes to others. Readers always get a whole value, the last one
// published. The writer never waits and does not know the readers. For counters that are published
// once in a while; publishing costs one store a word.
//
// The sequence number is odd while words are written; a reader that sees it change tries again (H.
// Boehm, "Can seqlocks get along with programming language memory models?", 2012). Each word is
// ordered by itself instead of by fences, which the thread sanitizer does not support; on x86 that
// costs nothing.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace damrak {

template <class T>
class Seqlock {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(std::uint64_t) == 0);

  public:
    /// For the one writer.
    void store(const T& value) {
        const auto words = std::bit_cast<Words>(value);
        const std::uint64_t sequence = sequence_.load(std::memory_order_relaxed);
        sequence_.store(sequence + 1, std::memory_order_relaxed);
        for (std::size_t i = 0; i < words.size(); ++i)
            words_[i].store(words[i], std::memory_order_release);
        sequence_.store(sequence + 2, std::memory_order_release);
    }

    /// For any thread. Retries while a write is in progress.
    [[nodiscard]] T load() const {
        for (;;) {
            const std::uint64_t before = sequence_.load(std::memory_order_acquire);
            Words words;
            for (std::size_t i = 0; i < words.size(); ++i)
                words[i] = words_[i].load(std::memory_order_acquire);
            if (before % 2 == 0 && sequence_.load(std::memory_order_relaxed) == before)
                return std::bit_cast<T>(words);
        }
    }

  private:
    using Words = std::array<std::uint64_t, sizeof(T) / sizeof(std::uint64_t)>;

    alignas(64) std::atomic<std::uint64_t> sequence_{0};
    std::array<std::atomic<std::uint64_t>, sizeof(T) / sizeof(std::uint64_t)> words_{};
};

}  // namespace damrak
