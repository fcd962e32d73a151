// Decodes a snapshot of rules version 1: pools, tables and arrays as that release saved them.
// Trusts no length, see base/archive.hpp; check for errors once, at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <damrak/base/archive.hpp>
#include <damrak/book/order_id_map.hpp>

namespace damrak::exchange::rules_1 {

/// The used indices of an IndexPool.
struct Pool {
    std::uint32_t used = 0;
    std::vector<std::uint32_t> free;

    [[nodiscard]] std::uint32_t highest() const {
        return used + static_cast<std::uint32_t>(free.size());
    }
    /// `f(index)` for each used index.
    template <class F>
    void for_each_used(F&& f) const {
        std::vector<bool> is_free(highest() + std::size_t{1});
        for (const std::uint32_t index : free)
            if (index < is_free.size()) is_free[index] = true;
        for (std::uint32_t i = 1; i <= highest(); ++i)
            if (!is_free[i]) f(i);
    }
    /// In the format of today's IndexPool.
    template <class Archive>
    void save(Archive& archive) const {
        archive.value(used);
        archive.value(static_cast<std::uint32_t>(free.size()));
        archive.values(free.data(), free.size());
    }
};

/// A table of views/, by index: zero for a free entry.
struct GrowingTable {
    std::uint32_t size = 0;
    std::uint32_t count = 0;
    std::vector<std::uint32_t> tags{};

    /// As a table that is not being resized.
    template <class Archive>
    void save(Archive& archive) const {
        const auto highest = static_cast<std::uint32_t>(tags.size() - 1);
        for (const std::uint32_t number : {size, 0U, highest, count, 0U}) archive.value(number);
        archive.values(tags.data(), tags.size());
        for (std::uint32_t i = 1; i <= highest; ++i)
            if (tags[i] != 0) archive.value(i);
        archive.value(std::uint32_t{0});
    }
};

template <class T>
using Sparse = std::vector<std::pair<std::uint64_t, T>>;

template <class T, class Archive>
void save(const Sparse<T>& items, Archive& archive) {
    for (const auto& [index, item] : items) {
        archive.value(index);
        archive.value(item);
    }
    archive.value(k_end_of_sparse);
}

class Reader {
  public:
    explicit Reader(std::span<const std::byte> bytes) : archive_(bytes) {}

    template <class T>
    [[nodiscard]] T value() {
        T item{};
        archive_.value(item);
        return item;
    }
    [[nodiscard]] std::uint32_t count(std::uint64_t most) {
        std::uint32_t number = 0;
        archive_.count(number, most);
        return number;
    }
    template <class T>
    [[nodiscard]] std::vector<T> values(std::size_t number) {
        std::vector<T> items(number);
        archive_.values(items.data(), number);
        return items;
    }
    /// The entries of a pool, including entry 0, which is never used.
    template <class T>
    [[nodiscard]] std::vector<T> places(const Pool& pool) {
        return values<T>(pool.highest() + std::size_t{1});
    }
    [[nodiscard]] Pool pool(std::uint32_t capacity) {
        const std::uint32_t available = count(capacity);
        return {.used = capacity - available, .free = values<std::uint32_t>(count(available))};
    }
    /// An array of `count` elements.
    template <class T>
    [[nodiscard]] Sparse<T> sparse(std::uint64_t size) {
        Sparse<T> items;
        for (;;) {
            std::uint64_t at = size;
            archive_.value(at);
            sound_ &= at <= size;
            if (at >= size) return items;
            items.emplace_back(at, value<T>());
        }
    }
    /// Skips a table that is rebuilt from its entries.
    void skip_table(std::uint32_t capacity) {
        struct Bucket {
            std::byte bytes[64];
        };
        static_cast<void>(sparse<Bucket>(OrderIdMap{capacity}.bytes() / sizeof(Bucket)));
    }
    [[nodiscard]] GrowingTable growing_table(std::uint32_t capacity) {
        constexpr std::uint32_t k_first_entries = 4'096;
        constexpr std::uint32_t k_most_sizes = 18;
        GrowingTable table{.size = count(k_most_sizes)};
        const bool is_moving = count(1) != 0 && table.size != 0;
        const std::uint32_t highest = count(capacity);
        table.count = count(highest);
        static_cast<void>(count(capacity + std::uint64_t{1}));
        table.tags = values<std::uint32_t>(highest + std::size_t{1});
        skip_table(k_first_entries << table.size);
        if (is_moving) skip_table(k_first_entries << (table.size - 1));
        return table;
    }
    template <class Part>
    void load(Part& part) {
        Part::transfer(part, archive_);
    }

    /// Everything was read, and nothing is left over.
    [[nodiscard]] bool complete() const { return sound_ && archive_.complete(); }

  private:
    LoadArchive archive_;
    bool sound_ = true;
};

}  // namespace damrak::exchange::rules_1
