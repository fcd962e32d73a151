// The orders of one price in the order of time. A policy of the book (books/book.hpp): `Hook` is
// what the queue needs inside an order, `Queue` what stands at a level.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <type_traits>
#include <utility>

#include <damrak/base/assert.hpp>

namespace damrak::lab {

/// What finds the order that a link owns or only names.
template <class Link>
[[nodiscard]] auto reference_to(const Link& link) {
    if constexpr (requires { link.get(); })
        return link.get();
    else
        return link;
}

/// Orders are linked through themselves: nothing is allocated, and an order leaves from anywhere in
/// three stores.
struct IntrusiveQueue {
    template <class Order, class Link, class Reference>
    struct Hook {
        Link next;
        Reference previous;
    };

    template <class Order, class Link, class Reference>
    class Queue {
      public:
        [[nodiscard]] bool empty() const { return tail_ == Reference{}; }
        template <class Orders>
        [[nodiscard]] Reference front(Orders&) const {
            return reference_to(head_);
        }
        // No reference is taken to what is in an order, as layouts may pack it.
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
        /// Links that own would otherwise let go of each other one inside the other.
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

/// `std::list`, and its iterator in the order.
struct ListQueue {
    template <class Order, class Link, class Reference>
    struct Hook {
        typename std::list<Link>::iterator place{};
    };

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

/// `std::deque`: a cancel has to look for its order and to close the gap.
struct DequeQueue {
    template <class Order, class Link, class Reference>
    struct Hook {};

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
