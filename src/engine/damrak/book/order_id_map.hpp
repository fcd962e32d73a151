// Finds orders by id: a hash table of the live orders only, so it stays small and cached however
// many orders a day has had. Ids may have any pattern.
//
// Buckets of one cache line hold seven entries; a look-up compares the seven tags at once. Two
// consecutive ids share a bucket, so orders entered together are found together. If the bucket of
// an entry is full, the entry goes to the next bucket and increments an overflow count in each
// bucket it skips, which tells a search to continue (the idea of Facebook's F14 tables). Removal
// decrements the counts, so nothing degrades over time.
//
// One thread. All calls O(1) expected, no allocation after construction.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

#include <immintrin.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak {

class OrderIdMap {
  public:
    /// For at most `capacity` entries. Uses at most 64 bytes per 3.5 entries.
    explicit OrderIdMap(std::uint32_t capacity)
        : buckets_(bucket_count(capacity)),
          mask_(static_cast<std::uint32_t>(buckets_.size() - 1)) {}

    /// Position of an id, computed once for all operations on it.
    struct Key {
        std::uint32_t bucket;
        std::uint32_t tag;
    };
    [[nodiscard]] Key key_of(InstrumentId instrument, OrderId id) const {
        const std::uint64_t group =
            (id.value >> 1U) ^ (std::uint64_t{instrument.value} << k_instrument_shift);
        return {static_cast<std::uint32_t>(mix(group, 0xD6E8FEB86659FD93U)) & mask_,
                static_cast<std::uint32_t>(id.value)};
    }

    /// `is_match(index)` returns whether that order has the wanted id and instrument.
    template <class IsMatch>
    [[nodiscard]] DAMRAK_HOT std::uint32_t find(Key key, IsMatch is_match) const {
        const Bucket& home = buckets_[key.bucket];
        for (unsigned found = matches(home.tags, key.tag); found != 0; found &= found - 1) {
            const std::uint32_t index = home.indices[std::countr_zero(found)];
            if (is_match(index)) [[likely]]
                return index;
        }
        return home.passed_over() == 0 ? 0 : find_beyond(key, is_match);
    }

    /// The id must not be in the map. `index` is not zero.
    DAMRAK_HOT void insert(Key key, std::uint32_t index) {
        if (!try_insert(buckets_[key.bucket], key.tag, index)) [[unlikely]]
            insert_beyond(key, index);
    }

    /// The id must be in the map with this index.
    DAMRAK_HOT void erase(Key key, std::uint32_t index) {
        if (!try_erase(buckets_[key.bucket], index)) [[unlikely]]
            erase_beyond(key, index);
    }

    /// The entry that find() would try first, or zero. Branchless; for prefetching only.
    [[nodiscard]] std::uint32_t hint(Key key) const {
        const Bucket& bucket = buckets_[key.bucket];
        return bucket.indices[std::countr_zero(matches(bucket.tags, key.tag) | 1U << k_entries)];
    }

    void prefetch(Key key) const { __builtin_prefetch(&buckets_[key.bucket], 1); }

    [[nodiscard]] std::size_t bytes() const { return buckets_.bytes(); }
    /// See base/serialize.hpp. The target map may have any size. `key_of(index)` returns the key of
    /// an entry; `highest` is the largest index.
    template <class Self, class Archive, class KeyOf>
    static void transfer(Self& self, Archive& archive, std::uint32_t highest, KeyOf&& key_of) {
        std::uint32_t index = 0;
        if constexpr (std::is_const_v<Self>) {
            for (std::size_t i = 0; i < self.buckets_.size(); ++i)
                for (const std::uint32_t entry : self.buckets_[i].indices)
                    if (entry != 0) archive.value(entry);
            archive.value(index);
        } else {
            for (archive.count(index, highest); index != 0; archive.count(index, highest))
                self.insert(key_of(index), index);
        }
    }

  private:
    static constexpr unsigned k_entries = 7;

    struct alignas(64) Bucket {
        std::uint32_t tags[8];     ///< the last one counts entries that overflowed from here
        std::uint32_t indices[8];  ///< the last one is always zero
        [[nodiscard]] std::uint32_t& passed_over() { return tags[k_entries]; }
        [[nodiscard]] std::uint32_t passed_over() const { return tags[k_entries]; }
    };

    // At most half of the entries are used when the map is full, so runs of full buckets are short.
    static std::size_t bucket_count(std::uint32_t capacity) {
        return std::bit_ceil(std::size_t{capacity} * 2 / k_entries + 1);
    }

    // A bit for each of the seven entries that equals `value`.
    static unsigned matches(const std::uint32_t (&values)[8], std::uint32_t value) {
        const __m256i all = _mm256_load_si256(reinterpret_cast<const __m256i*>(values));
        const __m256i equal = _mm256_cmpeq_epi32(all, _mm256_set1_epi32(static_cast<int>(value)));
        return static_cast<unsigned>(_mm256_movemask_ps(_mm256_castsi256_ps(equal))) &
               ((1U << k_entries) - 1U);
    }

    static bool try_insert(Bucket& bucket, std::uint32_t tag, std::uint32_t index) {
        const unsigned free = matches(bucket.indices, 0);
        if (free == 0) return false;
        const auto slot = static_cast<unsigned>(std::countr_zero(free));
        bucket.tags[slot] = tag;
        bucket.indices[slot] = index;
        return true;
    }
    static bool try_erase(Bucket& bucket, std::uint32_t index) {
        const unsigned found = matches(bucket.indices, index);
        if (found == 0) return false;
        bucket.indices[std::countr_zero(found)] = 0;
        return true;
    }

    // Slow path: the buckets after a full home bucket.
    template <class IsMatch>
    [[nodiscard]] DAMRAK_COLD std::uint32_t find_beyond(Key key, IsMatch is_match) const {
        // Wraps around completely only for ids that were chosen to collide.
        for (std::uint32_t at = next(key.bucket); at != key.bucket; at = next(at)) {
            const Bucket& bucket = buckets_[at];
            for (unsigned found = matches(bucket.tags, key.tag); found != 0; found &= found - 1) {
                const std::uint32_t index = bucket.indices[std::countr_zero(found)];
                if (is_match(index)) return index;
            }
            if (bucket.passed_over() == 0) break;
        }
        return 0;
    }
    void insert_beyond(Key key, std::uint32_t index);
    void erase_beyond(Key key, std::uint32_t index);
    [[nodiscard]] std::uint32_t next(std::uint32_t bucket) const { return (bucket + 1) & mask_; }

    ReservedArray<Bucket> buckets_;
    std::uint32_t mask_;
};

}  // namespace damrak
