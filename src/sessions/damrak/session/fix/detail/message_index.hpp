// Where the messages of a store's file are. The file that is written has an index of all of them:
// a message is found in a step or two. Its array serves the next file afterwards. Of older files
// only ranges remain, a thousandth of their size: a message is found by reading the headers of the
// records of its range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <vector>

#include <damrak/base/reserved_array.hpp>

namespace damrak::session::fix::detail {

/// The index of a file assumes messages of this size, overhead included; with more messages the
/// file ends earlier.
inline constexpr std::size_t k_least_message_bytes = 128;

/// A range ends with the first record that reaches this distance from its beginning.
[[nodiscard]] constexpr std::size_t range_bytes(std::size_t file_bytes) {
    constexpr std::size_t k_range_bytes = std::size_t{16} << 10U;
    return std::min(k_range_bytes, file_bytes / 8);
}

/// Messages of ascending numbers, with no message of another number between them in the file, and
/// nothing that is damaged. Numbers may be missing.
struct MessageRange {
    std::uint64_t first = 0;
    std::uint32_t to_last = 0;  ///< from the first number to the last
    std::uint32_t offset = 0;   ///< of the first, in the file

    [[nodiscard]] std::uint64_t last() const { return first + to_last; }
};

/// Offsets of messages, in ascending order of their numbers; full when its capacity is reached.
class MessageIndex {
  public:
    MessageIndex() = default;
    /// For a file of this size.
    explicit MessageIndex(std::size_t file_bytes) : entries_(file_bytes / k_least_message_bytes) {
        // Touches the pages now, so that the sending thread need not.
        std::fill_n(entries_.data(), entries_.size(), Entry{});
    }

    [[nodiscard]] bool takes(std::uint64_t sequence) const {
        return count_ < entries_.size() &&
               (empty() || sequence - base_ <= std::uint64_t{UINT32_MAX});
    }
    void add(std::uint64_t sequence, std::size_t offset) {
        if (empty()) base_ = sequence;
        entries_[count_++] = {static_cast<std::uint32_t>(sequence - base_),
                              static_cast<std::uint32_t>(offset)};
    }
    /// Removes messages from this number on.
    void drop_from(std::uint64_t sequence) {
        while (!empty() && last() >= sequence) --count_;
    }
    void drop_all() { count_ = 0; }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    [[nodiscard]] bool has_memory() const { return entries_.size() != 0; }
    /// The lowest number; the index must not be empty.
    [[nodiscard]] std::uint64_t base() const { return base_; }
    [[nodiscard]] std::uint64_t last() const { return base_ + entries_[count_ - 1].distance; }
    [[nodiscard]] std::size_t size() const { return count_; }
    /// The messages from the one at `position` on; there must be one.
    [[nodiscard]] MessageRange range_from(std::size_t position) const {
        const Entry& first = entries_[position];
        return {.first = base_ + first.distance,
                .to_last = entries_[count_ - 1].distance - first.distance,
                .offset = first.offset};
    }

    [[nodiscard]] std::optional<std::size_t> find(std::uint64_t sequence) const {
        if (empty() || sequence < base_ || sequence - base_ > UINT32_MAX) return std::nullopt;
        const auto distance = static_cast<std::uint32_t>(sequence - base_);
        const Entry* first = entries_.data();
        const Entry* end = entries_.data() + count_;
        // Without gaps the number determines the position.
        if (distance < size() && first[distance].distance == distance)
            return first[distance].offset;
        const Entry* at = std::ranges::lower_bound(first, end, distance, {}, &Entry::distance);
        if (at == end || at->distance != distance) return std::nullopt;
        return at->offset;
    }

  private:
    struct Entry {
        std::uint32_t distance;  ///< from the first number
        std::uint32_t offset;    ///< in the file
    };

    ReservedArray<Entry> entries_;
    std::size_t count_ = 0;
    std::uint64_t base_ = 0;
};

/// The ranges of a file, in ascending order.
class MessageRanges {
  public:
    MessageRanges() = default;
    /// Has the memory for a file of this size. Only damage, and numbers that are set back, end
    /// ranges early and may need more.
    explicit MessageRanges(std::size_t file_bytes) {
        // Touches the pages now, so that the sending thread need not.
        ranges_.resize(file_bytes / range_bytes(file_bytes) + 1);
        ranges_.clear();
    }

    void add(const MessageRange& range) { ranges_.push_back(range); }
    /// Removes messages from this number on.
    void drop_from(std::uint64_t sequence) {
        while (!empty() && ranges_.back().first >= sequence) ranges_.pop_back();
        if (!empty() && ranges_.back().last() >= sequence)
            ranges_.back().to_last =
                static_cast<std::uint32_t>(sequence - 1 - ranges_.back().first);
    }
    void drop_all() { ranges_.clear(); }

    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    /// The lowest number; there must be a range.
    [[nodiscard]] std::uint64_t base() const { return ranges_.front().first; }

    /// The range where a message is, if it is in this file; null otherwise.
    [[nodiscard]] const MessageRange* find(std::uint64_t sequence) const {
        const auto behind = std::ranges::upper_bound(ranges_, sequence, {}, &MessageRange::first);
        if (behind == ranges_.begin() || std::prev(behind)->last() < sequence) return nullptr;
        return &*std::prev(behind);
    }

  private:
    std::vector<MessageRange> ranges_;
};

}  // namespace damrak::session::fix::detail
