// Who owns an order of a laboratory book, and how others refer to it. A policy of the book
// (books/book.hpp): Handle owns the order and is in the id map; Link points to the next order of
// the queue; Reference finds an order without owning it. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <damrak/base/index_pool.hpp>

namespace damrak::lab {

/// `std::shared_ptr` in the id map and in the queue, as a first version has it.
struct SharedOwnership {
    template <class Order, class Allocation>
    using Handle = std::shared_ptr<Order>;
    template <class Order>
    using Link = std::shared_ptr<Order>;
    template <class Order>
    using Reference = Order*;

    /// Makes and finds orders.
    template <class Order, class Allocation>
    class Orders {
      public:
        explicit Orders(std::uint32_t most) : allocation_(most, k_block<Order>) {}
        [[nodiscard]] std::shared_ptr<Order> make() {
            return std::allocate_shared<Order>(allocation_.template allocator<Order>());
        }
        void destroy(std::shared_ptr<Order>& order) { order.reset(); }
        [[nodiscard]] Order& at(Order* order) const { return *order; }
        [[nodiscard]] static Order* reference(const std::shared_ptr<Order>& order) {
            return order.get();
        }
        [[nodiscard]] static std::shared_ptr<Order> link(const std::shared_ptr<Order>& order) {
            return order;
        }

      private:
        // The pointer's counters precede the order in memory.
        template <class T>
        static constexpr std::size_t k_block = sizeof(T) + 32 + alignof(T);
        Allocation allocation_;
    };
};

namespace detail {

/// Common to both pointers without counters: memory from the allocation policy.
template <class Order, class Allocation>
class PlainOrders {
  public:
    explicit PlainOrders(std::uint32_t most) : allocation_(most, sizeof(Order)) {}
    [[nodiscard]] Order& at(Order* order) const { return *order; }

  protected:
    [[nodiscard]] auto allocator() { return allocation_.template allocator<Order>(); }
    [[nodiscard]] Order* create() { return std::construct_at(allocator().allocate(1)); }
    void remove(Order* order) {
        std::destroy_at(order);
        allocator().deallocate(order, 1);
    }

  private:
    Allocation allocation_;
};

}  // namespace detail

/// `std::unique_ptr` in the id map, plain pointers in the queue. Its deleter knows the allocator,
/// which takes no space with new and delete.
struct UniqueOwnership {
    /// Gives an order's memory back to its allocator.
    template <class Order, class Allocation>
    struct Deleter {
        void operator()(Order* order) {
            std::destroy_at(order);
            allocator.deallocate(order, 1);
        }
        [[no_unique_address]] typename Allocation::template Allocator<Order> allocator{};
    };
    template <class Order, class Allocation>
    using Handle = std::unique_ptr<Order, Deleter<Order, Allocation>>;
    template <class Order>
    using Link = Order*;
    template <class Order>
    using Reference = Order*;

    /// Makes and finds orders.
    template <class Order, class Allocation>
    class Orders : public detail::PlainOrders<Order, Allocation> {
      public:
        using detail::PlainOrders<Order, Allocation>::PlainOrders;
        using Owner = Handle<Order, Allocation>;
        [[nodiscard]] Owner make() { return Owner(this->create(), {this->allocator()}); }
        void destroy(Owner& order) { order.reset(); }
        [[nodiscard]] static Order* reference(const Owner& order) { return order.get(); }
        [[nodiscard]] static Order* link(const Owner& order) { return order.get(); }
    };
};

/// Plain pointers everywhere; the book frees the orders.
struct RawOwnership {
    template <class Order, class Allocation>
    using Handle = Order*;
    template <class Order>
    using Link = Order*;
    template <class Order>
    using Reference = Order*;

    /// Makes and finds orders.
    template <class Order, class Allocation>
    class Orders : public detail::PlainOrders<Order, Allocation> {
      public:
        using detail::PlainOrders<Order, Allocation>::PlainOrders;
        [[nodiscard]] Order* make() { return this->create(); }
        void destroy(Order*& order) { this->remove(std::exchange(order, nullptr)); }
        [[nodiscard]] static Order* reference(Order* order) { return order; }
        [[nodiscard]] static Order* link(Order* order) { return order; }
    };
};

/// 32-bit indices into one array of all orders; zero means none.
struct IndexOwnership {
    template <class Order, class Allocation>
    using Handle = std::uint32_t;
    template <class Order>
    using Link = std::uint32_t;
    template <class Order>
    using Reference = std::uint32_t;

    /// The array comes from the allocation policy as one block.
    template <class Order, class Allocation>
    class Orders {
      public:
        explicit Orders(std::uint32_t most)
            : pool_(most), slots_(Allocation::template array<Order>(most + std::size_t{1})) {}
        [[nodiscard]] std::uint32_t make() {
            const std::uint32_t index = pool_.take();
            slots_[index] = Order{};
            return index;
        }
        void destroy(std::uint32_t& index) { pool_.give_back(std::exchange(index, 0)); }
        [[nodiscard]] Order& at(std::uint32_t index) { return slots_[index]; }
        [[nodiscard]] static std::uint32_t reference(std::uint32_t index) { return index; }
        [[nodiscard]] static std::uint32_t link(std::uint32_t index) { return index; }

      private:
        IndexPool pool_;
        decltype(Allocation::template array<Order>(0)) slots_;
    };
};

}  // namespace damrak::lab
