// Resting orders of one side that cannot trade unconditionally and are therefore kept out of the
// queues: a balanced tree by price and time, in which every node knows the order with the smallest
// requirement below it.
//
// So the next order that can trade with a given quantity is found without visiting those that
// cannot. The tree uses the links of the orders, which are in no queue. One thread. O(log n) a
// call.
#pragma once

#include <algorithm>
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
    [[nodiscard]] static Place place_of(const BookStore& store, OrderIndex index) {
        const Order& order = store.order(index);
        return {price_key(order.terms().side(), order.tick), order.arrival()};
    }
    /// Smallest quantity that it trades: the minimum quantity of a held order, else zero.
    [[nodiscard]] static Quantity need_of(const BookStore& store, OrderIndex index) {
        const Order& order = store.order(index);
        if (!order.terms().has(OrderAttributes::k_held)) [[likely]]
            return Quantity{0};
        return std::min(store.extension(order.extension).minimum, order.quantity);
    }

    /// As the open quantity that `first` is asked with: leaves out the held orders.
    static constexpr Quantity k_not_held{0};

    [[nodiscard]] bool empty() const { return root_ == 0; }
    /// The order's tick, quantity, terms and arrival must be set. Its requirement must not change
    /// while it is in the tree.
    void insert(BookStore& store, OrderIndex index);
    void erase(BookStore& store, OrderIndex index);

    /// The first order after `behind` that can trade with this quantity, or zero if none can.
    [[nodiscard]] OrderIndex first(const BookStore& store, Place behind, Quantity open) const {
        return root_ == 0 ? 0 : first_in_tree(store, behind, open);
    }
    [[nodiscard]] OrderIndex last(const BookStore& store, Quantity open) const;

    /// Asserts the invariants and returns the number of orders. Slow: for tests.
    [[nodiscard]] std::uint32_t check_invariants(const BookStore& store, Side side) const;

    /// Orders have indices below 2^29, as their links also hold the height of the tree.
    static constexpr OrderIndex k_index_bits = 29;

  private:
    [[nodiscard]] OrderIndex first_in_tree(const BookStore& store, Place behind,
                                           Quantity open) const;

    OrderIndex root_ = 0;
};

}  // namespace damrak
