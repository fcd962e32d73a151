// The queue of the orders of one price. A policy of the book (books/book.hpp): `Hook` is the
// queue's part of an order, `Queue` is its part of a level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <type_traits>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::lab {

/// Dereferences a link, owning or not.
template <class Link>
[[nodiscard]] auto reference_to(const Link& link) {
    if constexpr (requires { link.get(); })
        return link.get();
    else
        return link;
}

/// Orders linked through themselves: nothing is allocated, and an order leaves from any position
/// with three stores.
struct IntrusiveQueue {
    /// The queue's part of an order.
    template <class Order, class Link, class Reference>
    struct Hook {
        Link next;
        Reference previous;
    };

    /// The queue of a level.
    template <class Order, class Link, class Reference>
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return tail_ == Reference{}; }
        template <class Orders>
        [[nodiscard]] Reference front(Orders&) const {
            return reference_to(head_);
        }
        // Takes no reference to a field of an order, as layouts may pack it.
        template <class Orders>
        void push_back(Orders& orders, Link link, Reference order) {
            orders.at(order).hook.previous = tail_;
            if (tail_ != Reference{})
                orders.at(tail_).hook.next = std::move(link);
            else
                head_ = std::move(link);
            tail_ = order;
        }
        template <class Orders>
        void remove(Orders& orders, Reference order) {
            const Reference previous = orders.at(order).hook.previous;
            Link next = next_of(orders.at(order));
            if (next != Link{})
                orders.at(reference_to(next)).hook.previous = previous;
            else
                tail_ = previous;
            if (previous != Reference{})
                orders.at(previous).hook.next = std::move(next);
            else
                head_ = std::move(next);
        }
        /// Unlinks the orders one by one: owning links would otherwise destroy each other
        /// recursively.
        template <class Orders>
        void clear(Orders& orders) {
            while (!empty()) remove(orders, front(orders));
        }

      private:
        static Link next_of(Order& order) {
            if constexpr (std::is_trivially_copyable_v<Link>)
                return order.hook.next;
            else
                return std::move(order.hook.next);
        }
        Link head_{};
        Reference tail_{};
    };
};

/// `std::list`, with an iterator in the order.
struct ListQueue {
    /// The queue's part of an order.
    template <class Order, class Link, class Reference>
    struct Hook {
        typename std::list<Link>::iterator place{};
    };

    /// The queue of a level.
    template <class Order, class Link, class Reference>
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return links_.empty(); }
        template <class Orders>
        [[nodiscard]] Reference front(Orders&) const {
            return reference_to(links_.front());
        }
        template <class Orders>
        void push_back(Orders& orders, Link link, Reference order) {
            orders.at(order).hook.place = links_.insert(links_.end(), std::move(link));
        }
        template <class Orders>
        void remove(Orders& orders, Reference order) {
            links_.erase(orders.at(order).hook.place);
        }
        template <class Orders>
        void clear(Orders&) {
            links_.clear();
        }

      private:
        std::list<Link> links_;
    };
};

/// `std::deque`: a cancel must search for its order and close the gap.
struct DequeQueue {
    template <class Order, class Link, class Reference>
    struct Hook {};

    /// The queue of a level.
    template <class Order, class Link, class Reference>
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return links_.empty(); }
        template <class Orders>
        [[nodiscard]] Reference front(Orders&) const {
            return reference_to(links_.front());
        }
        template <class Orders>
        void push_back(Orders&, Link link, Reference) {
            links_.push_back(std::move(link));
        }
        template <class Orders>
        void remove(Orders&, Reference order) {
            const auto place = std::ranges::find(
                links_, order, [](const Link& link) { return reference_to(link); });
            DAMRAK_ASSERT(place != links_.end());
            links_.erase(place);
        }
        template <class Orders>
        void clear(Orders&) {
            links_.clear();
        }

      private:
        std::deque<Link> links_;
    };
};

}  // namespace damrak::lab
