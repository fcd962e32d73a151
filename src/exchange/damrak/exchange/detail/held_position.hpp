// A position of the journal as it was some time ago: a follower that may see no more is that far
// behind. Late by up to a 64th of the delay, and by what passes between two calls. One thread; a
// call costs O(1).
#pragma once

#include <cstdint>
#include <deque>

#include <damrak/domain/measures.hpp>

namespace damrak::exchange {

class HeldPosition {
  public:
    /// Everything up to there may be seen.
    explicit HeldPosition(std::uint64_t position) : passed_(position) {}

    /// The position as it is now; returns the one that may be seen.
    [[nodiscard]] std::uint64_t pass(std::uint64_t position, Timestamp now, Timestamp delay) {
        constexpr std::int64_t k_marks = 64;
        if (delay <= Timestamp{}) {
            marks_.clear();
            return passed_ = position;
        }
        const std::uint64_t last = marks_.empty() ? passed_ : marks_.back().position;
        if (position > last &&
            (marks_.empty() || now - marks_.back().at >= Timestamp{delay.value / k_marks}))
            marks_.push_back({position, now});
        for (; !marks_.empty() && marks_.front().at + delay <= now; marks_.pop_front())
            passed_ = marks_.front().position;
        return passed_;
    }

  private:
    struct Mark {
        std::uint64_t position = 0;
        Timestamp at{};
    };

    std::deque<Mark> marks_;
    std::uint64_t passed_;
};

}  // namespace damrak::exchange
