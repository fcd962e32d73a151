// The occupied prices of one side of a book, best first: a radix tree over the price. Each node
// covers 64 slots with one bitmap word, and the tree is only as tall as the range of its prices
// requires.
//
// A distant price costs only a few nodes on its own path. Finding the next price is a bit scan; it
// climbs only if 64 adjacent prices are empty. Recently used leaves are cached, so a price near the
// touch is reached without a descent. The best price is always known. An empty ladder owns no node.
//
// Keys order prices so that the best is the smallest: asks by price, bids by its complement. One
// thread. Every call is O(height), at most 11; near the touch it is O(1). No allocation.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include <damrak/base/assert.hpp>
#include <damrak/base/index_pool.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/base/reserved_array.hpp>
#include <damrak/book/order.hpp>

namespace damrak {

using PriceKey = std::uint64_t;
using NodeIndex = std::uint32_t;

/// Beyond every valid price.
inline constexpr PriceKey k_no_price = std::numeric_limits<PriceKey>::max();

/// Converts prices to keys and back, without a branch, as sides are unpredictable.
[[nodiscard]] constexpr PriceKey key_mask(Side side) {
    return (static_cast<PriceKey>(side) - 1) ^ (PriceKey{1} << 63U);
}
[[nodiscard]] constexpr PriceKey price_key(Side side, Tick tick) {
    return static_cast<PriceKey>(tick) ^ key_mask(side);
}
[[nodiscard]] constexpr Tick tick_of(Side side, PriceKey key) {
    return static_cast<Tick>(key ^ key_mask(side));
}

/// Nodes of all ladders of a store.
class LadderNodes {
  public:
    static constexpr unsigned k_bits = 6;
    static constexpr unsigned k_slots = 1U << k_bits;
    /// Most nodes that one new price can need: a path to a leaf, and as many new roots.
    static constexpr unsigned k_path = 64 / k_bits + 1;

    /// The beginning of a node.
    struct Head {
        PriceKey prefix;  ///< high bits of its keys, above those that it and its children index
        std::uint64_t bitmap;  ///< slots in use
    };
    using Children = std::array<std::uint32_t, k_slots>;

    explicit LadderNodes(std::uint32_t capacity)
        : pool_(capacity), heads_(capacity + std::size_t{1}), children_(heads_.size()) {
        heads_[0].prefix = k_no_price;  // node zero stands for "none": it matches no key
    }

    [[nodiscard]] NodeIndex take(PriceKey prefix) {
        const NodeIndex node = pool_.take();
        heads_[node] = {prefix, 0};
        return node;
    }
    /// The node must have no children.
    void give_back(NodeIndex node) {
        heads_[node].prefix = k_no_price;
        pool_.give_back(node);
    }

    void set_child(NodeIndex node, unsigned slot, std::uint32_t child) {
        heads_[node].bitmap |= std::uint64_t{1} << slot;
        children_[node][slot] = child;
    }
    void clear_child(NodeIndex node, unsigned slot) {
        heads_[node].bitmap &= ~(std::uint64_t{1} << slot);
        children_[node][slot] = 0;
    }

    [[nodiscard]] const Head& head(NodeIndex node) const { return heads_[node]; }
    /// Child nodes, or levels if it is a leaf; zero in an unused slot.
    [[nodiscard]] const Children& children(NodeIndex node) const { return children_[node]; }
    [[nodiscard]] const IndexPool& pool() const { return pool_; }
    /// See IndexPool.
    void withhold(std::uint32_t nodes) { pool_.withhold(nodes); }
    void restore(std::uint32_t nodes) { pool_.restore(nodes); }
    [[nodiscard]] std::size_t bytes() const {
        return pool_.bytes() + heads_.bytes() + children_.bytes();
    }
    /// See base/serialize.hpp.
    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        IndexPool::transfer(self.pool_, archive);
        archive.values(self.heads_.data(), self.pool_.highest() + std::size_t{1});
        archive.values(self.children_.data(), self.pool_.highest() + std::size_t{1});
    }

  private:
    IndexPool pool_;
    ReservedArray<Head> heads_;
    ReservedArray<Children> children_;
};

class PriceLadder {
  public:
    [[nodiscard]] bool empty() const { return best_key_ == k_no_price; }
    /// k_no_price if empty.
    [[nodiscard]] PriceKey best_key() const { return best_key_; }
    [[nodiscard]] LevelIndex best_level() const { return best_level_; }

    /// The level at a price, or zero.
    [[nodiscard]] LevelIndex find(const LadderNodes& nodes, PriceKey key) const {
        return nodes.children(find_leaf(nodes, key))[slot_of(key, 0)];
    }

    /// Prefetches what find_or_insert() reads.
    void prefetch(const LadderNodes& nodes, PriceKey key) const {
        const NodeIndex leaf = recent_[recent_slot(key)];
        __builtin_prefetch(&nodes.head(leaf));
        __builtin_prefetch(&nodes.children(leaf)[slot_of(key, 0)], 1);
    }

    /// The level at a price. If there is none, inserts the one that `make_level()` returns.
    template <class MakeLevel>
    DAMRAK_HOT LevelIndex find_or_insert(LadderNodes& nodes, PriceKey key, MakeLevel&& make_level) {
        // A branch, so that the level is loaded before the prefix has arrived.
        const NodeIndex leaf = recent_[recent_slot(key)];
        if (nodes.head(leaf).prefix == prefix_of(key, 0)) [[likely]] {
            const LevelIndex level = nodes.children(leaf)[slot_of(key, 0)];
            if (level != 0) [[likely]]
                return level;
        }
        return insert(nodes, key, make_level);
    }

    /// Removes a price that is in the ladder.
    void erase(LadderNodes& nodes, PriceKey key) {
        const NodeIndex leaf = find_leaf(nodes, key);
        nodes.clear_child(leaf, slot_of(key, 0));
        const std::uint64_t bitmap = nodes.head(leaf).bitmap;
        if (bitmap == 0) [[unlikely]] {
            drop_leaf(nodes, key);
            if (key == best_key_) find_best(nodes);
        } else if (key == best_key_) {
            // The leaf of the best price precedes all other leaves.
            const auto slot = static_cast<unsigned>(std::countr_zero(bitmap));
            best_key_ = (key & ~PriceKey{LadderNodes::k_slots - 1}) | slot;
            best_level_ = nodes.children(leaf)[slot];
        }
    }

    /// A price with its level.
    struct Place {
        PriceKey key = k_no_price;
        LevelIndex level = 0;
    };
    /// The next price that is strictly worse than `key`, or k_no_price.
    [[nodiscard]] Place next(const LadderNodes& nodes, PriceKey key) const;
    [[nodiscard]] Place best() const { return {best_key_, best_level_}; }

  private:
    static constexpr std::size_t k_recent = 8;

    static unsigned slot_of(PriceKey key, unsigned height) {
        return static_cast<unsigned>(key >> (height * LadderNodes::k_bits)) &
               (LadderNodes::k_slots - 1U);
    }
    // The prefix of a node at this height that covers the key.
    static PriceKey prefix_of(PriceKey key, unsigned height) {
        const unsigned shift = (height + 1) * LadderNodes::k_bits;
        return shift < 64 ? key >> shift : 0;
    }
    static std::size_t recent_slot(PriceKey key) {
        return (key >> LadderNodes::k_bits) & (k_recent - 1);
    }

    // Slow path of find_or_insert().
    template <class MakeLevel>
    DAMRAK_COLD LevelIndex insert(LadderNodes& nodes, PriceKey key, MakeLevel& make_level) {
        NodeIndex leaf = recent_leaf(nodes, key);
        if (leaf == 0) leaf = make_leaf(nodes, key);
        const unsigned slot = slot_of(key, 0);
        if (const LevelIndex level = nodes.children(leaf)[slot]; level != 0) return level;
        const LevelIndex level = make_level();
        nodes.set_child(leaf, slot, level);
        if (key < best_key_) {
            best_key_ = key;
            best_level_ = level;
        }
        return level;
    }

    // Zero if the leaf is not among the recent ones: the prefix of node zero matches no key, and it
    // has no children.
    [[nodiscard]] DAMRAK_HOT NodeIndex recent_leaf(const LadderNodes& nodes, PriceKey key) const {
        const NodeIndex leaf = recent_[recent_slot(key)];
        return nodes.head(leaf).prefix == prefix_of(key, 0) ? leaf : 0;
    }
    [[nodiscard]] NodeIndex find_leaf(const LadderNodes& nodes, PriceKey key) const {
        const NodeIndex leaf = recent_leaf(nodes, key);
        return leaf != 0 ? leaf : descend(nodes, key);
    }

    [[nodiscard]] NodeIndex descend(const LadderNodes& nodes, PriceKey key) const;
    NodeIndex make_leaf(LadderNodes& nodes, PriceKey key);
    void drop_leaf(LadderNodes& nodes, PriceKey key);
    void find_best(const LadderNodes& nodes);
    [[nodiscard]] Place first_below(const LadderNodes& nodes, NodeIndex node,
                                    unsigned height) const;

    PriceKey best_key_ = k_no_price;
    LevelIndex best_level_ = 0;
    NodeIndex root_ = 0;
    unsigned height_ = 0;  ///< of the root; leaves have height zero
    // Only leaves of this ladder: freeing a leaf clears its entry.
    std::array<NodeIndex, k_recent> recent_{};
};
// With the eight bytes beside it, one side of a book fits into one cache line.
static_assert(sizeof(PriceLadder) == 56);

}  // namespace damrak
