// Good-till-date orders by expiry: a binary heap of order indices. The extensions of the orders
// hold their positions in it, so a cancel needs no search. Equal expiries are ordered by
// instrument, then order id. One thread; O(log n) a change, O(1) to see the next; no allocation.
#pragma once

#include <cstdint>
#include <tuple>

#include <damrak/base/reserved_array.hpp>
#include <damrak/book/book_store.hpp>

namespace damrak {

class ExpiryQueue {
  public:
    using Rank = std::tuple<Timestamp, InstrumentId, OrderId>;

    explicit ExpiryQueue(std::uint32_t capacity) : heap_(capacity) {}

    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] OrderIndex first() const { return heap_[0]; }
    /// The order must be in the queue.
    [[nodiscard]] static Rank rank(const BookStore& store, OrderIndex index) {
        const Order& order = store.order(index);
        return {store.extension(order.extension).expire_time, order.instrument, order.id};
    }

    void insert(BookStore& store, OrderIndex index) {
        heap_[size_] = index;
        rise(store, size_++);
    }

    void erase(BookStore& store, OrderIndex index) {
        const std::uint32_t hole = position(store, index);
        const OrderIndex last = heap_[--size_];
        if (hole == size_) return;
        heap_[hole] = last;
        rise(store, hole);
        sink(store, position(store, last));
    }

    /// The id of an order changed, and with it perhaps its position among equals.
    void refresh(BookStore& store, OrderIndex index) {
        rise(store, position(store, index));
        sink(store, position(store, index));
    }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.size_, self.heap_.size());
        archive.values(self.heap_.data(), self.size_);
    }

  private:
    static std::uint32_t& position(BookStore& store, OrderIndex index) {
        return store.extension(store.order(index).extension).expiry_position;
    }
    void place(BookStore& store, std::uint32_t at, OrderIndex index) {
        heap_[at] = index;
        position(store, index) = at;
    }

    void rise(BookStore& store, std::uint32_t at) {
        const OrderIndex index = heap_[at];
        while (at > 0 && rank(store, index) < rank(store, heap_[(at - 1) / 2])) {
            place(store, at, heap_[(at - 1) / 2]);
            at = (at - 1) / 2;
        }
        place(store, at, index);
    }

    void sink(BookStore& store, std::uint32_t at) {
        const OrderIndex index = heap_[at];
        for (std::uint32_t child = 2 * at + 1; child < size_; child = 2 * at + 1) {
            if (child + 1 < size_ && rank(store, heap_[child + 1]) < rank(store, heap_[child]))
                ++child;
            if (!(rank(store, heap_[child]) < rank(store, index))) break;
            place(store, at, heap_[child]);
            at = child;
        }
        place(store, at, index);
    }

    ReservedArray<OrderIndex> heap_;
    std::uint32_t size_ = 0;
};

}  // namespace damrak
