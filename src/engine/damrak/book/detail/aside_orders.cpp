#include <damrak/book/detail/aside_orders.hpp>

#include <algorithm>

#include <damrak/base/assert.hpp>

namespace damrak {

namespace {

// An AVL tree. `next` and `previous` are the left and right children, with three bits of the height
// in each; `level` is the order with the smallest requirement in the subtree.
constexpr OrderIndex k_index = (OrderIndex{1} << AsideOrders::k_index_bits) - 1;
constexpr std::uint32_t k_half_height = 3;
constexpr std::uint32_t k_low_bits = (1U << k_half_height) - 1;

OrderIndex before(const BookStore& store, OrderIndex i) { return store.order(i).next & k_index; }
OrderIndex behind(const BookStore& store, OrderIndex i) {
    return store.order(i).previous & k_index;
}

std::uint32_t height(const BookStore& store, OrderIndex i) {
    if (i == 0) return 0;
    const Order& order = store.order(i);
    return order.next >> AsideOrders::k_index_bits | order.previous >> AsideOrders::k_index_bits
                                                                           << k_half_height;
}

Quantity least(const BookStore& store, OrderIndex i) {
    return AsideOrders::need_of(store, store.order(i).level);
}

OrderIndex link(BookStore& store, OrderIndex i, OrderIndex first, OrderIndex second) {
    Order& order = store.order(i);
    const std::uint32_t tall = 1 + std::max(height(store, first), height(store, second));
    order.next = first | (tall & k_low_bits) << AsideOrders::k_index_bits;
    order.previous = second | tall >> k_half_height << AsideOrders::k_index_bits;
    order.level = i;
    for (const OrderIndex child : {first, second})
        if (child != 0 && least(store, child) < least(store, i))
            order.level = store.order(child).level;
    return i;
}

// Links both subtrees below the order and rotates if one is too tall.
OrderIndex balance(BookStore& store, OrderIndex i, OrderIndex first, OrderIndex second) {
    if (height(store, first) > height(store, second) + 1) {
        const OrderIndex outer = before(store, first);
        const OrderIndex inner = behind(store, first);
        if (height(store, outer) >= height(store, inner))
            return link(store, first, outer, link(store, i, inner, second));
        const OrderIndex left = link(store, first, outer, before(store, inner));
        const OrderIndex right = link(store, i, behind(store, inner), second);
        return link(store, inner, left, right);
    }
    if (height(store, second) > height(store, first) + 1) {
        const OrderIndex outer = behind(store, second);
        const OrderIndex inner = before(store, second);
        if (height(store, outer) >= height(store, inner))
            return link(store, second, link(store, i, first, inner), outer);
        const OrderIndex left = link(store, i, first, before(store, inner));
        const OrderIndex right = link(store, second, behind(store, inner), outer);
        return link(store, inner, left, right);
    }
    return link(store, i, first, second);
}

OrderIndex insert_below(BookStore& store, OrderIndex i, OrderIndex fresh) {
    if (i == 0) return link(store, fresh, 0, 0);
    const OrderIndex first = before(store, i);
    const OrderIndex second = behind(store, i);
    return AsideOrders::place_of(store, fresh) < AsideOrders::place_of(store, i)
               ? balance(store, i, insert_below(store, first, fresh), second)
               : balance(store, i, first, insert_below(store, second, fresh));
}

OrderIndex take_first(BookStore& store, OrderIndex i, OrderIndex& taken) {
    const OrderIndex first = before(store, i);
    const OrderIndex second = behind(store, i);
    if (first != 0) return balance(store, i, take_first(store, first, taken), second);
    taken = i;
    return second;
}

OrderIndex erase_below(BookStore& store, OrderIndex i, OrderIndex gone) {
    DAMRAK_ASSERT(i != 0);
    const OrderIndex first = before(store, i);
    const OrderIndex second = behind(store, i);
    if (i == gone) {
        if (first == 0 || second == 0) return first | second;
        OrderIndex heir = 0;
        const OrderIndex rest = take_first(store, second, heir);
        return balance(store, heir, first, rest);
    }
    return AsideOrders::place_of(store, gone) < AsideOrders::place_of(store, i)
               ? balance(store, i, erase_below(store, first, gone), second)
               : balance(store, i, first, erase_below(store, second, gone));
}

OrderIndex front_of(const BookStore& store, OrderIndex i) {
    while (const OrderIndex first = before(store, i)) i = first;
    return i;
}

// The first order behind the place, whatever it needs.
OrderIndex first_behind(const BookStore& store, OrderIndex i, AsideOrders::Place place) {
    OrderIndex found = 0;
    while (i != 0) {
        const bool is_after = AsideOrders::place_of(store, i) > place;
        if (is_after) found = i;
        i = is_after ? before(store, i) : behind(store, i);
    }
    return found;
}

// Fails at most once per level of the tree: a subtree that lies wholly after `place` and contains a
// small enough requirement always succeeds.
OrderIndex first_below(const BookStore& store, OrderIndex i, AsideOrders::Place place,
                       Quantity open) {
    if (i == 0 || least(store, i) > open) return 0;
    if (AsideOrders::place_of(store, i) <= place)
        return first_below(store, behind(store, i), place, open);
    if (const OrderIndex found = first_below(store, before(store, i), place, open); found != 0)
        return found;
    if (AsideOrders::need_of(store, i) <= open) return i;
    return first_below(store, behind(store, i), place, open);
}

std::uint32_t check_below(const BookStore& store, OrderIndex i, Side side,
                          AsideOrders::Place& last) {
    if (i == 0) return 0;
    const OrderIndex first = before(store, i);
    const OrderIndex second = behind(store, i);
    std::uint32_t count = 1 + check_below(store, first, side, last);
    const Order& order = store.order(i);
    DAMRAK_ASSERT(order.terms().has(OrderAttributes::k_aside) && order.terms().side() == side);
    DAMRAK_ASSERT(AsideOrders::place_of(store, i) > last);
    last = AsideOrders::place_of(store, i);
    count += check_below(store, second, side, last);
    const std::uint32_t tall = height(store, first);
    const std::uint32_t other = height(store, second);
    DAMRAK_ASSERT(std::max(tall, other) - std::min(tall, other) <= 1);
    DAMRAK_ASSERT(height(store, i) == 1 + std::max(tall, other));
    Quantity need = AsideOrders::need_of(store, i);
    for (const OrderIndex child : {first, second})
        if (child != 0) need = std::min(need, least(store, child));
    DAMRAK_ASSERT(least(store, i) == need);
    return count;
}

}  // namespace

void AsideOrders::insert(BookStore& store, OrderIndex index) {
    root_ = insert_below(store, root_, index);
}

void AsideOrders::erase(BookStore& store, OrderIndex index) {
    root_ = erase_below(store, root_, index);
    Order& order = store.order(index);
    order.next = order.previous = order.level = 0;
}

OrderIndex AsideOrders::first_in_tree(const BookStore& store, Place place, Quantity open) const {
    const OrderIndex found =
        place == Place{} ? front_of(store, root_) : first_behind(store, root_, place);
    // Only a held order may need more than there is.
    if (found == 0 || need_of(store, found) <= open) [[likely]]
        return found;
    return first_below(store, root_, place, open);
}

OrderIndex AsideOrders::last(const BookStore& store, Quantity open) const {
    OrderIndex i = root_;
    while (i != 0 && least(store, i) <= open) {
        const OrderIndex second = behind(store, i);
        if (second != 0 && least(store, second) <= open)
            i = second;
        else if (need_of(store, i) <= open)
            return i;
        else
            i = before(store, i);
    }
    return 0;
}

std::uint32_t AsideOrders::check_invariants(const BookStore& store, Side side) const {
    Place last;
    return check_below(store, root_, side, last);
}

}  // namespace damrak
