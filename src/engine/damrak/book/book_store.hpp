// The memory of all books of an engine: orders, levels, ladder nodes and the id table, reserved
// once. An idle instrument uses none of it. One thread; see IndexPool and OrderIdMap for costs.
#pragma once

#include <cstdint>

#include <damrak/base/index_pool.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/order.hpp>
#include <damrak/book/order_id_map.hpp>
#include <damrak/book/price_ladder.hpp>

namespace damrak {

/// How many orders and prices a store has room for.
struct BookCapacity {
    std::uint32_t orders = 1'000'000;
    std::uint32_t extensions = 100'000;
    /// Occupied prices, counted for each side of each instrument.
    std::uint32_t levels = 500'000;
    /// Groups of 64 adjacent prices of which at least one is occupied, and the few nodes above
    /// them.
    std::uint32_t ladder_nodes = 250'000;
};

class BookStore {
  public:
    explicit BookStore(const BookCapacity& capacity)
        : order_pool(capacity.orders),
          extension_pool(capacity.extensions),
          level_pool(capacity.levels),
          nodes(capacity.ladder_nodes),
          ids(capacity.orders),
          orders_(capacity.orders + std::size_t{1}),
          extensions_(capacity.extensions + std::size_t{1}),
          levels_(capacity.levels + std::size_t{1}) {}

    [[nodiscard]] Order& order(OrderIndex i) { return orders_[i]; }
    [[nodiscard]] const Order& order(OrderIndex i) const { return orders_[i]; }
    [[nodiscard]] Level& level(LevelIndex i) { return levels_[i]; }
    [[nodiscard]] const Level& level(LevelIndex i) const { return levels_[i]; }
    [[nodiscard]] OrderExtension& extension(ExtensionIndex i) { return extensions_[i]; }
    [[nodiscard]] const OrderExtension& extension(ExtensionIndex i) const { return extensions_[i]; }

    /// The open order with this id in this instrument, or zero. `key` is the position of that id
    /// and instrument in `ids`.
    [[nodiscard]] DAMRAK_HOT OrderIndex find(OrderIdMap::Key key, InstrumentId instrument,
                                             OrderId id) const {
        return ids.find(key, [this, instrument, id](OrderIndex i) {
            return orders_[i].id == id && orders_[i].instrument == instrument;
        });
    }
    [[nodiscard]] OrderIndex find(InstrumentId instrument, OrderId id) const {
        return find(ids.key_of(instrument, id), instrument, id);
    }

    /// Whether any further price fits, with a second level for hidden orders and a queue for the
    /// stop orders that its trades elect.
    [[nodiscard]] bool has_room_for_price() const { return has_room_for_prices(1); }
    [[nodiscard]] bool has_room_for_prices(std::uint32_t prices) const {
        return level_pool.available() >= 3 * prices &&
               nodes.pool().available() >= 2 * LadderNodes::k_path * prices;
    }

    [[nodiscard]] std::size_t bytes() const {
        return order_pool.bytes() + extension_pool.bytes() + level_pool.bytes() + nodes.bytes() +
               ids.bytes() + orders_.bytes() + extensions_.bytes() + levels_.bytes();
    }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.order_pool, archive);
        IndexPool::transfer(self.extension_pool, archive);
        IndexPool::transfer(self.level_pool, archive);
        LadderNodes::transfer(self.nodes, archive);
        archive.values(self.orders_.data(), self.order_pool.highest() + std::size_t{1});
        archive.values(self.extensions_.data(), self.extension_pool.highest() + std::size_t{1});
        archive.values(self.levels_.data(), self.level_pool.highest() + std::size_t{1});
        OrderIdMap::transfer(self.ids, archive, self.order_pool.highest(), [&self](OrderIndex i) {
            return self.ids.key_of(self.orders_[i].instrument, self.orders_[i].id);
        });
    }

    IndexPool order_pool;
    IndexPool extension_pool;
    IndexPool level_pool;
    LadderNodes nodes;
    OrderIdMap ids;

  private:
    ReservedArray<Order> orders_;
    ReservedArray<OrderExtension> extensions_;
    ReservedArray<Level> levels_;
};

}  // namespace damrak
