// Selects the code for the kind and side of an entering order. A policy of the book
// (books/book.hpp): calls `work` with both, as values or as compile-time constants.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

/// One function with branches.
struct Branches {
    template <class Work>
    static void enter(const Action& action, Work&& work) {
        work(action.kind, action.side);
    }
};

/// One function per pair, from a table.
struct Instantiations {
    template <class Work>
    static void enter(const Action& action, Work&& work) {
        using Function = void (*)(Work&);
        static constexpr auto k_table = []<std::size_t... i>(std::index_sequence<i...>) {
            return std::array<Function, sizeof...(i)>{[](Work& of) {
                of(std::integral_constant<Kind, static_cast<Kind>(i / 2)>{},
                   std::integral_constant<Side, static_cast<Side>(i % 2)>{});
            }...};
        }(std::make_index_sequence<2 * k_entering_kinds>{});
        k_table[static_cast<std::size_t>(action.kind) * 2 + static_cast<std::size_t>(action.side)](
            work);
    }
};

}  // namespace damrak::lab
