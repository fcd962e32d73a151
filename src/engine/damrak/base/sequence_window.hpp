// Records which of a sender's sequence numbers have arrived: one bit for each of the last 1,024 up
// to the highest, like the anti-replay windows of IPsec (RFC 4303, 3.4.3). Detects duplicates,
// gaps, and numbers too old to judge. Numbers are 32 bits and wrap around to zero (serial numbers,
// RFC 1982). Plain values in 136 bytes, all zero when new. O(1); a jump ahead clears at most 16
// words.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace damrak {

class SequenceWindow {
  public:
    static constexpr std::uint32_t k_width = 1'024;

    enum class Arrival : std::uint8_t {
        next,       ///< higher than all before it; some between may be missing
        late,       ///< fills a gap
        duplicate,  ///< has arrived before
        too_old,    ///< below the window
    };

    /// Classifies a number without recording it.
    [[nodiscard]] Arrival look(std::uint32_t sequence) const {
        if (!started_) return Arrival::next;
        const std::int32_t ahead = distance(sequence);
        if (ahead > 0) return Arrival::next;
        if (ahead <= -static_cast<std::int32_t>(k_width)) return Arrival::too_old;
        return has(sequence) ? Arrival::duplicate : Arrival::late;
    }
    /// How many numbers are missing directly before this one, which is `next`.
    [[nodiscard]] std::uint32_t gap(std::uint32_t sequence) const {
        return started_ ? sequence - highest_ - 1 : 0;
    }
    /// Records a number that is `next` or `late`.
    void note(std::uint32_t sequence) {
        if (!started_) {
            started_ = 1;
            highest_ = sequence;
        } else if (const std::int32_t ahead = distance(sequence); ahead > 0) {
            move_to(sequence, static_cast<std::uint32_t>(ahead));
        } else if (ahead <= -static_cast<std::int32_t>(k_width)) {
            return;
        }
        words_[word_of(sequence)] |= bit_of(sequence);
    }
    [[nodiscard]] bool started() const { return started_ != 0; }
    [[nodiscard]] std::uint32_t highest() const { return highest_; }

    friend bool operator==(const SequenceWindow&, const SequenceWindow&) = default;

  private:
    static constexpr std::uint32_t k_word_bits = 64;
    static constexpr std::uint32_t k_words = k_width / k_word_bits;

    [[nodiscard]] std::int32_t distance(std::uint32_t sequence) const {
        return static_cast<std::int32_t>(sequence - highest_);
    }
    [[nodiscard]] static std::size_t word_of(std::uint32_t sequence) {
        return sequence / k_word_bits % k_words;
    }
    [[nodiscard]] static std::uint64_t bit_of(std::uint32_t sequence) {
        return std::uint64_t{1} << (sequence % k_word_bits);
    }
    [[nodiscard]] bool has(std::uint32_t sequence) const {
        return (words_[word_of(sequence)] & bit_of(sequence)) != 0;
    }
    /// Numbers that enter the window count as missing.
    void move_to(std::uint32_t sequence, std::uint32_t ahead) {
        if (ahead >= k_width) {
            words_.fill(0);
        } else {
            std::uint32_t next = highest_ + 1;
            // Bit by bit to the end of a word, then whole words.
            for (; next != sequence + 1 && next % k_word_bits != 0; ++next)
                words_[word_of(next)] &= ~bit_of(next);
            for (; sequence + 1 - next >= k_word_bits; next += k_word_bits)
                words_[word_of(next)] = 0;
            for (; next != sequence + 1; ++next) words_[word_of(next)] &= ~bit_of(next);
        }
        highest_ = sequence;
    }

    std::array<std::uint64_t, k_words> words_{};
    std::uint32_t highest_ = 0;
    std::uint32_t started_ = 0;
};

}  // namespace damrak
