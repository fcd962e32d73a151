// Messages that wait for their time, earliest first; those of one time in the order in which they
// came. Holds the messages of the longest delay.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include <damrak/wire/itch/messages.hpp>

namespace damrak::modify::detail {

class DelayLine {
  public:
    void push(std::int64_t time_ns, const wire::itch::Message& message) {
        waiting_.push({time_ns, next_++, message});
    }
    [[nodiscard]] bool has_until(std::int64_t time_ns) const {
        return !waiting_.empty() && waiting_.top().time_ns <= time_ns;
    }
    [[nodiscard]] bool is_empty() const { return waiting_.empty(); }
    /// The first one, with its time.
    [[nodiscard]] std::pair<std::int64_t, wire::itch::Message> pop() {
        std::pair first{waiting_.top().time_ns, waiting_.top().message};
        waiting_.pop();
        return first;
    }

  private:
    struct Waiting {
        std::int64_t time_ns;
        std::uint64_t number;
        wire::itch::Message message;
        friend bool operator<(const Waiting& a, const Waiting& b) {
            return std::pair{b.time_ns, b.number} < std::pair{a.time_ns, a.number};
        }
    };
    std::priority_queue<Waiting> waiting_;
    std::uint64_t next_ = 0;
};

}  // namespace damrak::modify::detail
