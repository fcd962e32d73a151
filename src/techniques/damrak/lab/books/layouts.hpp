// Memory layout of an order's fields. A policy of the book (books/book.hpp). Every order has fields
// for matching, and fields that only answers and reports need; the layouts differ in where the
// latter are.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <damrak/base/index_pool.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::lab {

/// Fields that matching does not read: sender, time, and the sender's name for the order. No
/// default member values, so that it can be packed.
struct Details {
    std::uint64_t entered_ns;
    std::uint32_t account;
    std::array<char, 28> client_id;
};

/// The compiler's layout, with the details in the middle.
struct NaturalLayout {
    /// The fields of an order.
    template <class Hook>
    struct Fields {
        std::uint64_t id = 0;
        std::int32_t price = 0;
        std::uint32_t quantity = 0;
        Side side = Side::buy;
        Details details{};
        [[no_unique_address]] Hook hook{};
    };
    /// Where the details are: in the order.
    struct Cold {
        explicit Cold(std::uint32_t) {}
        template <class Order>
        void put(Order& order, const Details& details) {
            order.details = details;
        }
        template <class Order>
        void drop(const Order&) {}
    };
};

/// Each order begins on a cache line.
struct AlignedLayout : NaturalLayout {
    template <class Hook>
    struct alignas(64) Fields : NaturalLayout::Fields<Hook> {};
};

/// Without gaps: orders are smaller but may cross cache lines. Only for hooks that can be packed.
struct PackedLayout : NaturalLayout {
    /// The fields of an order.
    template <class Hook>
    struct [[gnu::packed]] Fields {
        std::uint64_t id = 0;
        std::int32_t price = 0;
        std::uint32_t quantity = 0;
        Side side = Side::buy;
        Details details{};
        Hook hook{};
    };
};

/// Fields for matching in the order, the others in a second array at the same index.
struct SplitLayout {
    /// The fields that matching reads.
    template <class Hook>
    struct Fields {
        std::uint64_t id = 0;
        std::int32_t price = 0;
        std::uint32_t quantity = 0;
        Side side = Side::buy;
        std::uint32_t details = 0;
        [[no_unique_address]] Hook hook{};
    };
    /// Where the details are: in an array beside the orders.
    class Cold {
      public:
        explicit Cold(std::uint32_t most) : pool_(most), details_(most + std::size_t{1}) {}
        template <class Order>
        void put(Order& order, const Details& details) {
            order.details = pool_.take();
            details_[order.details] = details;
        }
        template <class Order>
        void drop(const Order& order) {
            pool_.give_back(order.details);
        }

      private:
        IndexPool pool_;
        std::vector<Details> details_;
    };
};

}  // namespace damrak::lab
