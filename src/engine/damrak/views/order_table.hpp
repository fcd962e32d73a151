// Orders by the exchange's id, with what their owner stores for each: a gateway its client's name
// for the order, who entered it, and fields to echo; a feed the public part of it. Text names, by
// which clients refer to their orders, are in gateway/client_order_names.hpp.
//
//   struct Order { OrderId id; … };     plain; an entry keeps its content until it is reused
//   const std::uint32_t index = table.take();
//   table[index] = {…};
//   table.file(index);                  makes it findable by its id
//
// One thread. O(1) a call, no allocation after construction. Index 0 is never used, and its order
// never changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/views/growing_map.hpp>

namespace damrak::views {

template <class Order>
class OrderTable {
    static_assert(std::is_trivially_copyable_v<Order>);

  public:
    explicit OrderTable(std::uint32_t capacity)
        : pool_(capacity), orders_(capacity + std::size_t{1}), by_id_(capacity) {}

    [[nodiscard]] bool full() const { return pool_.empty(); }
    /// The table must not be full. The entry has the content of its last order.
    [[nodiscard]] std::uint32_t take() { return pool_.take(); }
    /// The entry must not be filed any more.
    void give_back(std::uint32_t index) { pool_.give_back(index); }

    /// Makes the order findable by its id.
    void file(std::uint32_t index) { by_id_.insert(tag_of(orders_[index].id), index); }
    void unfile(std::uint32_t index) { by_id_.erase(index); }
    /// Gives a filed order another id.
    void change_id(std::uint32_t index, OrderId id) {
        if (id == orders_[index].id) return;
        unfile(index);
        orders_[index].id = id;
        file(index);
    }

    [[nodiscard]] Order& operator[](std::uint32_t index) { return orders_[index]; }
    [[nodiscard]] const Order& operator[](std::uint32_t index) const { return orders_[index]; }
    /// Zero if no such order is filed.
    [[nodiscard]] std::uint32_t find(OrderId id) const {
        if (pool_.used() == 0) return 0;
        return by_id_.find(tag_of(id), [&](std::uint32_t i) { return orders_[i].id == id; });
    }
    /// The index of an order in the table.
    [[nodiscard]] std::uint32_t index_of(const Order& order) const {
        return static_cast<std::uint32_t>(&order - orders_.data());
    }

    [[nodiscard]] std::uint32_t used() const { return pool_.used(); }
    /// Entries with a higher index were never used.
    [[nodiscard]] std::uint32_t highest() const { return pool_.highest(); }
    [[nodiscard]] std::size_t entries() const { return orders_.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return pool_.bytes() + orders_.bytes() + by_id_.bytes();
    }

    /// Prefetches what prefetch() reads.
    void prefetch_tag(std::uint32_t index) const { by_id_.prefetch_tag(index); }
    /// Prefetches what unfile() reads.
    void prefetch(std::uint32_t index) const { by_id_.prefetch(index); }

    /// See base/serialize.hpp. Saves which orders are filed, too, or files them again.
    template <class Self, class Archive>
    static void transfer_orders(Self& self, Archive& archive) {
        IndexPool::transfer(self.pool_, archive);
        archive.values(self.orders_.data(), self.pool_.highest() + std::size_t{1});
    }
    template <class Self, class Archive>
    static void transfer_ids(Self& self, Archive& archive) {
        GrowingMap::transfer(self.by_id_, archive);
    }

  private:
    [[nodiscard]] static std::uint32_t tag_of(OrderId id) { return tag_of_count(id.value); }

    IndexPool pool_;
    ReservedArray<Order> orders_;
    GrowingMap by_id_;
};

}  // namespace damrak::views
