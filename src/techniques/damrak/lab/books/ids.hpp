// Maps order ids to order handles. A policy of the book (books/book.hpp): each order is inserted
// once and removed once. `take` is passed a function that reads an order's id from its handle; only
// the product's table uses it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tsl/robin_map.h>

#include <damrak/base/index_pool.hpp>
#include <damrak/book/order_id_map.hpp>
#include <damrak/lab/books/action.hpp>

namespace damrak::lab {

template <template <class Handle> class Map>
struct HashedIds {
    /// The table.
    template <class Handle>
    class Ids {
      public:
        explicit Ids(const Flow& flow) { handles_.reserve(flow.most_orders); }
        void put(std::uint64_t id, Handle handle) { handles_.emplace(id, std::move(handle)); }
        /// Empty if the id is unknown.
        template <class IdOf>
        [[nodiscard]] Handle take(std::uint64_t id, IdOf) {
            const auto found = handles_.find(id);
            if (found == handles_.end()) return {};
            Handle handle = std::move(handle_at(found));
            handles_.erase(found);
            return handle;
        }
        /// Called when the book is destroyed.
        template <class Visit>
        void visit_all(Visit visit) {
            for (auto at = handles_.begin(); at != handles_.end(); ++at) visit(handle_at(at));
        }

      private:
        template <class Place>
        static Handle& handle_at(const Place& place) {
            if constexpr (requires { place.value(); })
                return place.value();
            else
                return place->second;
        }
        Map<Handle> handles_;
    };
};

template <class Handle>
using StandardHash = std::unordered_map<std::uint64_t, Handle>;
template <class Handle>
using RobinHash = tsl::robin_map<std::uint64_t, Handle>;

/// `std::unordered_map`, with room for all orders reserved.
using StandardIds = HashedIds<StandardHash>;
/// `tsl::robin_map`: open addressing with robin hood hashing.
using RobinIds = HashedIds<RobinHash>;

/// A vector with an element per possible id: only for ids that count from one.
struct ArrayIds {
    /// The table.
    template <class Handle>
    class Ids {
      public:
        explicit Ids(const Flow& flow) : handles_(flow.highest_id + 1) {}
        void put(std::uint64_t id, Handle handle) { handles_[id] = std::move(handle); }
        template <class IdOf>
        [[nodiscard]] Handle take(std::uint64_t id, IdOf) {
            return std::exchange(handles_[id], Handle{});
        }
        template <class Visit>
        void visit_all(Visit visit) {
            for (Handle& handle : handles_)
                if (handle != Handle{}) visit(handle);
        }
        /// Prefetches the handle and returns it, as a hint for the order itself.
        void prefetch(std::uint64_t id) const {
            __builtin_prefetch(static_cast<const void*>(&handles_[id]), 1);
        }
        [[nodiscard]] const Handle& hint(std::uint64_t id) const { return handles_[id]; }

      private:
        std::vector<Handle> handles_;
    };
};

/// The product's table of live orders (book/order_id_map.hpp). It stores 32-bit indices: the
/// handles themselves if they are indices, else positions in a second array of handles.
struct OurIds {
    /// The table.
    template <class Handle>
    class Ids {
      public:
        explicit Ids(const Flow& flow)
            : map_(flow.most_orders), slots_(k_direct ? 0 : flow.most_orders) {}

        void put(std::uint64_t id, Handle handle) {
            if constexpr (k_direct)
                map_.insert(key_of(id), handle);
            else
                map_.insert(key_of(id), slots_.put(id, std::move(handle)));
        }
        template <class IdOf>
        [[nodiscard]] Handle take(std::uint64_t id, IdOf id_of) {
            const OrderIdMap::Key key = key_of(id);
            const std::uint32_t index = map_.find(key, [&](std::uint32_t at) {
                if constexpr (k_direct)
                    return id_of(at) == id;
                else
                    return slots_.id(at) == id;
            });
            if (index == 0) return {};
            map_.erase(key, index);
            if constexpr (k_direct)
                return index;
            else
                return slots_.take(index);
        }
        /// For owning handles; indices need no clean-up.
        template <class Visit>
        void visit_all(Visit visit) {
            if constexpr (!k_direct) slots_.visit_all(visit);
        }
        void prefetch(std::uint64_t id) const { map_.prefetch(key_of(id)); }
        [[nodiscard]] std::uint32_t hint(std::uint64_t id) const
            requires std::is_same_v<Handle, std::uint32_t>
        {
            return map_.hint(key_of(id));
        }

      private:
        static constexpr bool k_direct = std::is_same_v<Handle, std::uint32_t>;

        class Slots {
          public:
            explicit Slots(std::uint32_t most) : pool_(most + 1), slots_(most + std::size_t{2}) {}
            std::uint32_t put(std::uint64_t id, Handle handle) {
                const std::uint32_t index = pool_.take();
                slots_[index] = {id, std::move(handle)};
                return index;
            }
            Handle take(std::uint32_t index) {
                pool_.give_back(index);
                return std::exchange(slots_[index].handle, Handle{});
            }
            [[nodiscard]] std::uint64_t id(std::uint32_t index) const { return slots_[index].id; }
            template <class Visit>
            void visit_all(Visit visit) {
                for (Slot& slot : slots_)
                    if (slot.handle != Handle{}) visit(slot.handle);
            }

          private:
            struct Slot {
                std::uint64_t id = 0;
                Handle handle{};
            };
            IndexPool pool_;
            std::vector<Slot> slots_;
        };

        [[nodiscard]] OrderIdMap::Key key_of(std::uint64_t id) const {
            return map_.key_of(InstrumentId{1}, OrderId{id});
        }
        OrderIdMap map_;
        Slots slots_;
    };
};

}  // namespace damrak::lab
