// What is rare in an engine, sorted by a key of which the instrument is the first part: the trades
// that were changed, the protections of quotes. Each instrument has room for this many, so it does
// not matter which instruments share an engine. One thread; to find is O(log n), to change O(n); no
// allocation after construction.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak {

/// An Entry has a `key()`, an `instrument()` and k_most, the number of entries of an instrument.
template <class Entry>
class RareTable {
  public:
    explicit RareTable(std::uint32_t maximum_instruments)
        : entries_(std::size_t{maximum_instruments} * Entry::k_most) {}

    [[nodiscard]] std::span<const Entry> all() const { return {entries_.data(), count_}; }
    [[nodiscard]] std::size_t count(InstrumentId instrument) const {
        return std::ranges::equal_range(all(), instrument, {}, &Entry::instrument).size();
    }
    [[nodiscard]] bool full(InstrumentId instrument) const {
        return count(instrument) == Entry::k_most;
    }
    /// Null if there is none.
    [[nodiscard]] const Entry* find(std::uint64_t key) const {
        const Entry* const place = place_of(key);
        return place != end() && place->key() == key ? place : nullptr;
    }
    [[nodiscard]] Entry* find(std::uint64_t key) {
        return const_cast<Entry*>(std::as_const(*this).find(key));
    }
    /// Replaces the one of the same key; else there must be room.
    void set(const Entry& entry) {
        if (Entry* const old = find(entry.key()); old != nullptr) {
            *old = entry;
            return;
        }
        Entry* const place = const_cast<Entry*>(place_of(entry.key()));
        std::move_backward(place, entries_.data() + count_, entries_.data() + count_ + 1);
        *place = entry;
        ++count_;
    }
    template <class Wanted>
    void remove_if(Wanted&& wanted) {
        Entry* const begin = entries_.data();
        count_ = static_cast<std::uint64_t>(std::remove_if(begin, begin + count_, wanted) - begin);
    }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.count_, self.entries_.size());
        archive.values(self.entries_.data(), self.count_);
    }

  private:
    [[nodiscard]] const Entry* end() const { return entries_.data() + count_; }
    [[nodiscard]] const Entry* place_of(std::uint64_t key) const {
        return std::lower_bound(
            entries_.data(), end(), key,
            [](const Entry& entry, std::uint64_t k) { return entry.key() < k; });
    }

    ReservedArray<Entry> entries_;
    std::uint64_t count_ = 0;
};

}  // namespace damrak
