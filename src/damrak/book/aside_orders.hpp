// Orders of one side that rest aside of its queues, as each trades only under a condition: a
// balanced tree by price and time, in which every node knows the order below it that needs least.
//
// So the next order that trades with a given quantity is found without a look at those that do not.
// The links of an order that is in no queue are those of the tree. One thread. O(log n) a call.
#pragma once

#include <compare>
#include <cstdint>

#include <damrak/book/book_store.hpp>

namespace damrak {

class AsideOrders {
  public:
    /// Position of an order among the others: price, then time.
    struct Place {
        PriceKey key = 0;
        std::uint64_t arrival = 0;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    [[nodiscard]] static Place place_of(const BookStore& store, OrderIndex index);
    /// The least that it trades with: its minimum quantity if it is held for one, else zero.
    [[nodiscard]] static Quantity need_of(const BookStore& store, OrderIndex index);

    [[nodiscard]] bool empty() const { return root_ == 0; }
    /// The order's tick, quantity, terms and arrival must be set; its requirement must not change
    /// while it is here.
    void insert(BookStore& store, OrderIndex index);
    void erase(BookStore& store, OrderIndex index);

    /// The first order behind that place, or the last one, that can trade with this quantity; zero
    /// if none can.
    [[nodiscard]] OrderIndex first(const BookStore& store, Place behind, Quantity open) const;
    [[nodiscard]] OrderIndex last(const BookStore& store, Quantity open) const;

    /// Asserts what must hold between calls, and returns how many there are. Slow: for tests.
    [[nodiscard]] std::uint32_t check_invariants(const BookStore& store, Side side) const;

    /// Orders have indices below this, as their links hold the height of the tree beside them.
    static constexpr OrderIndex k_index_bits = 29;

  private:
    OrderIndex root_ = 0;
};

}  // namespace damrak
