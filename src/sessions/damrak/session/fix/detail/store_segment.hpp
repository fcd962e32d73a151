// One mapped file of a MessageStore with an index of its messages. Created by the helper or at
// start; from then on used only by the store's thread, until it is retired.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>

#include <damrak/base/reserved_array.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/session/fix/store_file.hpp>

namespace damrak::session::fix::detail {

/// The index of a file assumes messages of this size, overhead included; with more messages the
/// file ends earlier.
inline constexpr std::size_t k_least_message_bytes = 128;
/// Suffix of a file name until the header is written.
inline constexpr std::string_view k_unfinished_suffix = ".new";

/// Offsets of messages, in ascending order of their numbers; full when its capacity is reached.
class MessageIndex {
  public:
    MessageIndex() = default;
    explicit MessageIndex(std::size_t capacity) : entries_(capacity) {
        // Touches the pages now, so that the sending thread need not.
        std::fill_n(entries_.data(), capacity, Entry{});
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
        while (!empty() && base_ + entries_[count_ - 1].distance >= sequence) --count_;
    }
    void drop_all() { count_ = 0; }

    [[nodiscard]] bool empty() const { return count_ == 0; }
    /// The lowest number; the index must not be empty.
    [[nodiscard]] std::uint64_t base() const { return base_; }
    [[nodiscard]] std::uint64_t last() const { return base_ + entries_[count_ - 1].distance; }
    [[nodiscard]] std::size_t size() const { return count_; }

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

struct StoreSegment {
    std::filesystem::path path;
    std::uint64_t number = 0;
    std::unique_ptr<journal::MappedFile> file;
    MessageIndex index;
    std::size_t prefaulted_to = 0;         ///< for the helper
    bool has_large_pages = false;          ///< for the helper
    StoreSegment* next_retired = nullptr;  ///< once it is retired

    [[nodiscard]] char* data() const { return reinterpret_cast<char*>(file->data()); }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {file->data(), file->size()}; }
};

}  // namespace damrak::session::fix::detail
