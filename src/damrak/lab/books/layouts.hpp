// How the fields of an order lie in memory. A policy of the book (books/book.hpp). Every order
// carries what matching reads and what only answers and reports need; the layouts differ in where
// that is.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <damrak/base/index_pool.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::lab {

/// What matching does not read: who sent it, when, and how the sender calls it. Without values of
/// their own for its members, so that it can be packed.
struct Details {
    std::uint64_t entered_ns;
    std::uint32_t account;
    std::array<char, 28> client_id;
};

/// The compiler's layout, with the details in the middle.
struct NaturalLayout {
    template <class Hook>
    struct Fields {
        std::uint64_t id = 0;
        std::int32_t price = 0;
        std::uint32_t quantity = 0;
        Side side = Side::buy;
        Details details{};
        [[no_unique_address]] Hook hook{};
    };
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

/// Begins on a cache line.
struct AlignedLayout : NaturalLayout {
    template <class Hook>
    struct alignas(64) Fields : NaturalLayout::Fields<Hook> {};
};

/// No gaps: orders are smaller and lie across lines. Only of hooks that may be packed themselves.
struct PackedLayout : NaturalLayout {
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

/// What matching reads in the order, the rest in a second array under the same number.
struct SplitLayout {
    template <class Hook>
    struct Fields {
        std::uint64_t id = 0;
        std::int32_t price = 0;
        std::uint32_t quantity = 0;
        Side side = Side::buy;
        std::uint32_t details = 0;
        [[no_unique_address]] Hook hook{};
    };
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
