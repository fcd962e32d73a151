// The levels of one side in standard containers, found by price. A policy of the book
// (books/book.hpp); variants over arrays are in books/level_arrays.hpp. Prices are mapped so that
// the best is the largest key: it is at the end of a sorted array, where most changes happen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <boost/container/flat_map.hpp>

#include <damrak/domain/order_terms.hpp>
#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

/// An ordered map type given as parameter, with the best level at its end.
template <template <class Queue> class Map>
struct MappedLevels {
    /// The levels of a side.
    template <class Queue>
    class Levels {
      public:
        Levels(Side side, const Flow&) : side_(side) {}
        [[nodiscard]] bool empty() const { return levels_.empty(); }
        [[nodiscard]] std::int32_t best_key() const { return last()->first; }
        [[nodiscard]] Queue& best() { return std::prev(levels_.end())->second; }
        void drop_best() { levels_.erase(std::prev(levels_.end())); }
        [[nodiscard]] Queue& at(std::int32_t price) { return levels_[level_key(side_, price)]; }
        void drop(std::int32_t price) { levels_.erase(level_key(side_, price)); }

      private:
        [[nodiscard]] auto last() const { return std::prev(levels_.end()); }
        Side side_;
        Map<Queue> levels_;
    };
};

template <class Queue>
using StandardMapOf = std::map<std::int32_t, Queue>;
template <class Queue>
using FlatMapOf = boost::container::flat_map<std::int32_t, Queue>;

/// `std::map`.
using TreeLevels = MappedLevels<StandardMapOf>;
/// `boost::container::flat_map`.
using FlatMapLevels = MappedLevels<FlatMapOf>;

/// A sorted vector that is searched from its best end.
struct SortedLevels {
    /// The levels of a side.
    template <class Queue>
    class Levels {
      public:
        Levels(Side side, const Flow&) : side_(side) {}
        [[nodiscard]] bool empty() const { return levels_.empty(); }
        [[nodiscard]] std::int32_t best_key() const { return levels_.back().first; }
        [[nodiscard]] Queue& best() { return levels_.back().second; }
        void drop_best() { levels_.pop_back(); }
        [[nodiscard]] Queue& at(std::int32_t price) {
            const std::int32_t key = level_key(side_, price);
            const auto place = find(key);
            if (place != levels_.end() && place->first == key) return place->second;
            return levels_.emplace(place, key, Queue{})->second;
        }
        void drop(std::int32_t price) { levels_.erase(find(level_key(side_, price))); }

      private:
        // The first level that is not worse.
        auto find(std::int32_t key) {
            auto place = levels_.end();
            while (place != levels_.begin() && std::prev(place)->first >= key) --place;
            return place;
        }
        Side side_;
        std::vector<std::pair<std::int32_t, Queue>> levels_;
    };
};

}  // namespace damrak::lab
