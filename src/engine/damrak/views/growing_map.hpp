// A hash table from 32-bit tags to indices whose size follows its content, so that look-ups stay in
// the processor's caches: an OrderIdMap in several sizes, of which one is in use. When the average
// bucket of seven has two entries, the next larger table replaces it. Each insertion moves a few
// entries, so no call is long. The map never shrinks.
//
// Tags that differ only in their lowest bit share a bucket; tags that differ in the few bits above
// lie side by side. So entries that are used together should have such tags, with the upper bits
// well mixed.
//
// One thread. All calls O(1) expected, no allocation after construction. Memory that was never
// needed is only address space.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/book/order_id_map.hpp>

namespace damrak::views {

/// A tag for numbers from a counter: adjacent numbers get adjacent places. Use a different `family`
/// for each counter.
[[nodiscard]] constexpr std::uint32_t tag_of_count(std::uint64_t number, std::uint64_t family = 0) {
    constexpr unsigned k_row_bits = 5;
    constexpr std::uint64_t k_row = (1U << k_row_bits) - 1;
    const std::uint64_t row = (number >> k_row_bits) ^ mix(family, 0x9E3779B97F4A7C15U);
    return static_cast<std::uint32_t>(mix(row, 0xD6E8FEB86659FD93U) << k_row_bits |
                                      (number & k_row));
}

class GrowingMap {
  public:
    /// For indices from 1 to `capacity`, as a pool allocates them: low ones first.
    explicit GrowingMap(std::uint32_t capacity) : tags_(capacity + std::size_t{1}) {
        std::uint32_t entries = k_first_entries;
        do {
            sizes_.emplace_back(entries);
            entries *= 2;
        } while (room_of(sizes_.back()) < capacity);
    }

    /// `is_match(index)` returns whether this is the wanted entry. Zero if not found.
    template <class IsMatch>
    [[nodiscard]] DAMRAK_HOT std::uint32_t find(std::uint32_t tag, IsMatch is_match) const {
        const std::uint32_t found = find_in(sizes_[size_], tag, is_match);
        if (found != 0 || moving_ == 0) [[likely]]
            return found;
        return find_in(sizes_[size_ - 1], tag, is_match);
    }
    /// The index must not be in the map.
    DAMRAK_HOT void insert(std::uint32_t tag, std::uint32_t index) {
        if (moving_ != 0) [[unlikely]]
            move_some();
        else if (count_ >= room_of(sizes_[size_]) && size_ + 1 < sizes_.size()) [[unlikely]]
            begin_move();
        ++count_;
        highest_ = std::max(highest_, index);
        tags_[index] = some(tag);
        sizes_[size_].insert(key(sizes_[size_], tag), index);
    }
    /// The index must be in the map.
    DAMRAK_HOT void erase(std::uint32_t index) {
        const std::uint32_t tag = tags_[index];
        tags_[index] = 0;
        --count_;
        OrderIdMap& map =
            moving_ != 0 && !has(sizes_[size_], tag, index) ? sizes_[size_ - 1] : sizes_[size_];
        map.erase(key(map, tag), index);
    }
    /// Prefetches what prefetch() reads.
    void prefetch_tag(std::uint32_t index) const { __builtin_prefetch(&tags_[index], 1); }
    /// Prefetches what erase() reads.
    void prefetch(std::uint32_t index) const {
        sizes_[size_].prefetch(key(sizes_[size_], tags_[index]));
    }

    /// Memory of the table in use.
    [[nodiscard]] std::size_t bytes() const { return sizes_[size_].bytes(); }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.size_, self.sizes_.size() - 1);
        archive.count(self.moving_, self.size_ == 0 ? 0 : 1);
        archive.count(self.highest_, self.tags_.size() - 1);
        archive.count(self.count_, self.highest_);
        archive.count(self.next_, self.tags_.size());
        archive.values(self.tags_.data(), self.highest_ + std::size_t{1});
        transfer_size(self, self.size_, archive);
        if (self.moving_ != 0) transfer_size(self, self.size_ - 1, archive);
    }

  private:
    static constexpr std::uint32_t k_first_entries = 4'096;
    static constexpr std::uint32_t k_bucket_bytes = 64;
    static constexpr std::uint32_t k_filled_a_bucket = 2;
    static constexpr std::uint32_t k_moved_an_insertion = 4;

    /// Zero means "none", so it becomes one.
    static std::uint32_t some(std::uint32_t tag) { return tag == 0 ? 1 : tag; }
    static std::uint32_t buckets_of(const OrderIdMap& map) {
        return static_cast<std::uint32_t>(map.bytes() / k_bucket_bytes);
    }
    static std::uint32_t room_of(const OrderIdMap& map) {
        return buckets_of(map) * k_filled_a_bucket;
    }
    static OrderIdMap::Key key(const OrderIdMap& map, std::uint32_t tag) {
        return {.bucket = (some(tag) >> 1U) & (buckets_of(map) - 1), .tag = some(tag)};
    }
    template <class Self, class Archive>
    static void transfer_size(Self& self, std::uint32_t size, Archive& archive) {
        auto& map = self.sizes_[size];
        OrderIdMap::transfer(map, archive, self.highest_,
                             [&](std::uint32_t index) { return key(map, self.tags_[index]); });
    }
    template <class IsMatch>
    static std::uint32_t find_in(const OrderIdMap& map, std::uint32_t tag, IsMatch is_match) {
        return map.find(key(map, tag), is_match);
    }
    static bool has(const OrderIdMap& map, std::uint32_t tag, std::uint32_t index) {
        return find_in(map, tag, [index](std::uint32_t i) { return i == index; }) != 0;
    }

    void begin_move() {
        ++size_;
        moving_ = 1;
        next_ = 1;
        move_some();
    }
    /// Moves entries up to the highest index; entries added since the move began are in place.
    DAMRAK_COLD void move_some() {
        OrderIdMap& old = sizes_[size_ - 1];
        const std::uint32_t end = std::min(next_ + k_moved_an_insertion, highest_ + 1);
        for (; next_ < end; ++next_) {
            const std::uint32_t tag = tags_[next_];
            if (tag == 0 || !has(old, tag, next_)) continue;
            old.erase(key(old, tag), next_);
            sizes_[size_].insert(key(sizes_[size_], tag), next_);
        }
        if (next_ > highest_) moving_ = 0;
    }

    ReservedArray<std::uint32_t> tags_;  ///< by index; zero: not in the map
    std::vector<OrderIdMap> sizes_;      ///< each has twice the buckets of the one before it
    std::uint32_t size_ = 0;             ///< table that receives new entries
    std::uint32_t count_ = 0;
    std::uint32_t highest_ = 0;  ///< highest index ever inserted
    std::uint32_t moving_ = 0;   ///< 1 while some entries are still in the smaller table
    std::uint32_t next_ = 0;     ///< next index to move
};

}  // namespace damrak::views
