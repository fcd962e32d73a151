// Messages that arrived before missing earlier ones, stored until their turn. Bounded: messages
// that do not fit are dropped, and requested again when the gap before them is closed. Used by one
// session. All memory is allocated at construction; a message costs a copy and a search for its
// position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace damrak::session::fix {

class EarlyMessages {
  public:
    explicit EarlyMessages(std::size_t bytes) {
        memory_.reserve(bytes);
        entries_.reserve(bytes / k_least_message_bytes);
    }

    [[nodiscard]] bool empty() const { return first_ == entries_.size(); }

    /// False if there is no room.
    [[nodiscard]] bool keep(std::uint64_t sequence, std::span<const char> message) {
        if (empty()) clear();
        if (memory_.capacity() - memory_.size() < message.size() ||
            entries_.size() == entries_.capacity())
            return false;
        const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(first_);
        const auto at =
            std::ranges::lower_bound(begin, entries_.end(), sequence, {}, &Entry::sequence);
        if (at != entries_.end() && at->sequence == sequence) return true;
        entries_.insert(at,
                        {.sequence = sequence, .offset = memory_.size(), .length = message.size()});
        memory_.insert(memory_.end(), message.begin(), message.end());
        return true;
    }

    /// The message with that number, valid until the next keep(), or nothing. Drops the messages
    /// before it.
    [[nodiscard]] std::span<const char> take(std::uint64_t sequence) {
        while (!empty() && entries_[first_].sequence < sequence) ++first_;
        if (empty() || entries_[first_].sequence != sequence) return {};
        const Entry& found = entries_[first_++];
        return std::span<const char>{memory_}.subspan(found.offset, found.length);
    }

    void clear() {
        memory_.clear();
        entries_.clear();
        first_ = 0;
    }

  private:
    static constexpr std::size_t k_least_message_bytes = 64;

    struct Entry {
        std::uint64_t sequence;
        std::size_t offset;
        std::size_t length;
    };

    std::vector<char> memory_;
    std::vector<Entry> entries_;  ///< in ascending order of their numbers, starting at first_
    std::size_t first_ = 0;
};

}  // namespace damrak::session::fix
