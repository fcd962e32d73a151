// The parts of rungs 2 to 8 (array_engine.hpp): who owns an order, how an id maps to one, and how
// the best price is found when a level becomes empty. A step of the ladder replaces one of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

/// An order linked into its queue. `Owner` is a shared_ptr or a plain pointer.
template <template <class> class Owner>
struct LinkedOrder {
    std::uint64_t id = 0;
    std::uint32_t symbol = 0;
    std::uint32_t quantity = 0;
    std::int32_t price_ticks = 0;
    Side side{};
    Owner<LinkedOrder> next{};
    LinkedOrder* previous = nullptr;
};

template <class T>
using PlainPointer = T*;

/// Rungs 2 and 3: each order is allocated and reference counted.
class SharedOrders {
  public:
    using Order = LinkedOrder<std::shared_ptr>;
    using Handle = std::shared_ptr<Order>;
    explicit SharedOrders(const Setup& /*setup*/) {}
    [[nodiscard]] static Handle make() { return std::make_shared<Order>(); }
    static void drop(Order* /*order*/) {}  // freed with its last holder
};

/// From rung 4: one preallocated block; the order freed last is reused first.
class PooledOrders {
  public:
    using Order = LinkedOrder<PlainPointer>;
    using Handle = Order*;
    explicit PooledOrders(const Setup& setup) : orders_(setup.orders) {
        for (Order& order : orders_) drop(&order);
    }
    [[nodiscard]] Handle make() {
        DAMRAK_ASSERT(free_ != nullptr);
        return std::exchange(free_, free_->next);
    }
    void drop(Order* order) {
        order->next = free_;
        free_ = order;
    }

  private:
    std::vector<Order> orders_;
    Order* free_ = nullptr;
};

/// Rung 2: a node-based hash table.
template <class Handle>
class HashedIds {
  public:
    explicit HashedIds(const Setup& /*setup*/) {}
    [[nodiscard]] Handle find(std::uint64_t id) const {
        const auto found = orders_.find(id);
        return found == orders_.end() ? Handle{} : found->second;
    }
    void insert(std::uint64_t id, const Handle& order) { orders_.emplace(id, order); }
    void erase(std::uint64_t id) { orders_.erase(id); }

  private:
    std::unordered_map<std::uint64_t, Handle> orders_;
};

/// Rungs 3 to 7: an element per id ever used, so ids must be small.
template <class Handle>
class VectorIds {
  public:
    static constexpr std::uint64_t k_ids_max = std::uint64_t{1} << 28U;

    explicit VectorIds(const Setup& setup) : orders_(setup.orders + std::size_t{1}) {}
    [[nodiscard]] Handle find(std::uint64_t id) const {
        return id < orders_.size() ? orders_[id] : Handle{};
    }
    void insert(std::uint64_t id, const Handle& order) {
        DAMRAK_ASSERT(id < k_ids_max);
        if (id >= orders_.size()) orders_.resize(std::max<std::size_t>(id + 1, 2 * orders_.size()));
        orders_[id] = order;
    }
    void erase(std::uint64_t id) { orders_[id] = Handle{}; }

  private:
    std::vector<Handle> orders_;
};

/// Rung 8: only the live orders, with arbitrary ids, in one array that is at most half full. An
/// entry is at its id's home position or after it without a gap; removal closes the gap (Knuth,
/// "The Art of Computer Programming" 3, 6.4, algorithm R).
template <class Handle>
class LiveIds {
  public:
    explicit LiveIds(const Setup& setup)
        : entries_(std::bit_ceil(std::size_t{2} * setup.orders + 2)), mask_(entries_.size() - 1) {}

    [[nodiscard]] Handle find(std::uint64_t id) const { return entries_[place_of(id)].order; }
    void insert(std::uint64_t id, const Handle& order) { entries_[place_of(id)] = {id, order}; }
    void erase(std::uint64_t id) {
        std::size_t gap = place_of(id);
        for (std::size_t at = next(gap); entries_[at].order != nullptr; at = next(at)) {
            // An entry may fill the gap unless its home position is after the gap.
            const std::size_t home = home_of(entries_[at].id);
            if (((at - home) & mask_) < ((at - gap) & mask_)) continue;
            entries_[gap] = entries_[at];
            gap = at;
        }
        entries_[gap].order = nullptr;
    }

  private:
    struct Entry {
        std::uint64_t id = 0;
        Handle order = nullptr;
    };
    [[nodiscard]] std::size_t home_of(std::uint64_t id) const {
        return static_cast<std::size_t>((id * RandomStream::k_step) >> 32U) & mask_;
    }
    [[nodiscard]] std::size_t next(std::size_t at) const { return (at + 1) & mask_; }
    // Position of the id, or of the empty entry where it would go.
    [[nodiscard]] std::size_t place_of(std::uint64_t id) const {
        std::size_t at = home_of(id);
        while (entries_[at].order != nullptr && entries_[at].id != id) at = next(at);
        return at;
    }

    std::vector<Entry> entries_;
    std::size_t mask_;
};

/// Rungs 2 to 6: the best price is stored; when it becomes empty, levels are scanned one by one.
class ScannedPrices {
  public:
    explicit ScannedPrices(std::size_t slots) : slots_(slots), best_(slots) {}
    /// The first used slot, or the number of slots.
    [[nodiscard]] std::size_t best() const { return best_; }
    void add(std::size_t slot) { best_ = std::min(best_, slot); }
    template <class InUse>
    void remove(std::size_t slot, InUse&& in_use) {
        if (slot != best_) return;
        while (best_ < slots_ && !in_use(best_)) ++best_;
    }

  private:
    std::size_t slots_;
    std::size_t best_;
};

/// From rung 7: a bit per price, so that 64 prices are checked at once.
class MarkedPrices {
  public:
    explicit MarkedPrices(std::size_t slots)
        : slots_(slots), words_(slots / k_bits + 1), best_(slots) {}
    [[nodiscard]] std::size_t best() const { return best_; }
    void add(std::size_t slot) {
        words_[slot / k_bits] |= std::uint64_t{1} << slot % k_bits;
        best_ = std::min(best_, slot);
    }
    template <class InUse>
    void remove(std::size_t slot, InUse&& /*in_use*/) {
        words_[slot / k_bits] &= ~(std::uint64_t{1} << slot % k_bits);
        if (slot != best_) return;
        std::size_t word = slot / k_bits;
        while (word < words_.size() && words_[word] == 0) ++word;
        best_ = word == words_.size()
                    ? slots_
                    : word * k_bits + static_cast<std::size_t>(std::countr_zero(words_[word]));
    }

  private:
    static constexpr std::size_t k_bits = 64;

    std::size_t slots_;
    std::vector<std::uint64_t> words_;
    std::size_t best_;
};

}  // namespace damrak::lab::ladder
