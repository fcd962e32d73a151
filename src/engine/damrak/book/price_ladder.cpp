#include <damrak/book/price_ladder.hpp>

namespace damrak {

NodeIndex PriceLadder::descend(const LadderNodes& nodes, PriceKey key) const {
    if (root_ == 0 || nodes.head(root_).prefix != prefix_of(key, height_)) return 0;
    NodeIndex node = root_;
    for (unsigned height = height_; height > 0; --height)
        node = nodes.children(node)[slot_of(key, height)];
    return node;
}

NodeIndex PriceLadder::make_leaf(LadderNodes& nodes, PriceKey key) {
    if (root_ == 0) {
        root_ = nodes.take(prefix_of(key, 0));
        height_ = 0;
    }
    // Adds roots until one covers the key.
    while (nodes.head(root_).prefix != prefix_of(key, height_)) {
        const PriceKey prefix = nodes.head(root_).prefix;
        const NodeIndex above = nodes.take(prefix >> LadderNodes::k_bits);
        nodes.set_child(above, static_cast<unsigned>(prefix & (LadderNodes::k_slots - 1)), root_);
        root_ = above;
        ++height_;
    }
    NodeIndex node = root_;
    for (unsigned height = height_; height > 0; --height) {
        const unsigned slot = slot_of(key, height);
        if (nodes.children(node)[slot] == 0)
            nodes.set_child(node, slot, nodes.take(prefix_of(key, height - 1)));
        node = nodes.children(node)[slot];
    }
    recent_[recent_slot(key)] = node;
    return node;
}

void PriceLadder::drop_leaf(LadderNodes& nodes, PriceKey key) {
    std::array<NodeIndex, LadderNodes::k_path> path{};
    path[height_] = root_;
    for (unsigned height = height_; height > 0; --height)
        path[height - 1] = nodes.children(path[height])[slot_of(key, height)];

    if (recent_[recent_slot(key)] == path[0]) recent_[recent_slot(key)] = 0;
    unsigned height = 0;
    while (height <= height_ && nodes.head(path[height]).bitmap == 0) {
        nodes.give_back(path[height]);
        if (++height <= height_) nodes.clear_child(path[height], slot_of(key, height));
    }
    if (height > height_) {
        root_ = 0;
        height_ = 0;
        return;
    }
    // Removes roots that have only one child.
    while (height_ > 0 && std::has_single_bit(nodes.head(root_).bitmap)) {
        const auto slot = static_cast<unsigned>(std::countr_zero(nodes.head(root_).bitmap));
        const NodeIndex child = nodes.children(root_)[slot];
        nodes.clear_child(root_, slot);
        nodes.give_back(root_);
        root_ = child;
        --height_;
    }
}

PriceLadder::Place PriceLadder::first_below(const LadderNodes& nodes, NodeIndex node,
                                            unsigned height) const {
    for (;; --height) {
        const LadderNodes::Head& head = nodes.head(node);
        const auto slot = static_cast<unsigned>(std::countr_zero(head.bitmap));
        const std::uint32_t child = nodes.children(node)[slot];
        if (height == 0) return {head.prefix << LadderNodes::k_bits | slot, child};
        node = child;
    }
}

void PriceLadder::find_best(const LadderNodes& nodes) {
    const Place first = root_ == 0 ? Place{} : first_below(nodes, root_, height_);
    best_key_ = first.key;
    best_level_ = first.level;
}

PriceLadder::Place PriceLadder::next(const LadderNodes& nodes, PriceKey key) const {
    if (root_ == 0) return {};
    const PriceKey prefix = nodes.head(root_).prefix;
    if (prefix != prefix_of(key, height_))
        return prefix > prefix_of(key, height_) ? first_below(nodes, root_, height_) : Place{};

    // Descends the path of the key and remembers the lowest node with a branch to worse prices.
    NodeIndex turning = 0;
    unsigned turning_height = 0;
    NodeIndex node = root_;
    for (unsigned height = height_;; --height) {
        const unsigned slot = slot_of(key, height);
        const std::uint64_t bitmap = nodes.head(node).bitmap;
        const std::uint64_t worse = slot == LadderNodes::k_slots - 1 ? 0 : bitmap >> (slot + 1);
        if (worse != 0) {
            const unsigned next_slot = slot + 1 + static_cast<unsigned>(std::countr_zero(worse));
            const std::uint32_t child = nodes.children(node)[next_slot];
            if (height == 0)
                return {nodes.head(node).prefix << LadderNodes::k_bits | next_slot, child};
            turning = child;
            turning_height = height - 1;
        }
        if (height == 0 || (bitmap >> slot & 1U) == 0) break;
        node = nodes.children(node)[slot];
    }
    return turning == 0 ? Place{} : first_below(nodes, turning, turning_height);
}

}  // namespace damrak
