#include <damrak/auction/cross_allocation.hpp>

#include <algorithm>

#include <damrak/auction/rounding.hpp>
#include <damrak/base/assert.hpp>

namespace damrak::auction {

namespace {

bool same_priority(CrossRule rule, const CrossOrder& a, const CrossOrder& b) {
    if (rule == CrossRule::price_time || a.limit != b.limit) return false;
    return rule == CrossRule::pro_rata || a.batch == b.batch;
}

// The orders from `from` on that have its priority.
std::size_t end_of_group(CrossRule rule, std::span<const CrossOrder> orders, std::size_t from) {
    std::size_t end = from + 1;
    while (end < orders.size() && same_priority(rule, orders[from], orders[end])) ++end;
    return end;
}

}  // namespace

void ration(Quantity share, Quantity lot, std::span<Quantity> quantities) {
    Quantity total{};
    for (const Quantity quantity : quantities) total += quantity;
    Quantity left = share;
    for (Quantity& quantity : quantities) {
        const std::int64_t exact = share_of(share.value, quantity.value, total.value);
        quantity = Quantity{exact - exact % lot.value};
        left -= quantity;
    }
    // The share is less than the total, so that everyone has room for another lot.
    for (std::size_t i = 0; left.value > 0; ++i) {
        quantities[i] += std::min(lot, left);
        left -= std::min(lot, left);
    }
}

Quantity allocate_cross(CrossRule rule, Quantity executable, Quantity lot,
                        std::span<const CrossOrder> orders, std::span<Quantity> fills) {
    DAMRAK_ASSERT(fills.size() == orders.size());
    Quantity left = executable;
    for (std::size_t from = 0; from < orders.size();) {
        const std::size_t end = end_of_group(rule, orders, from);
        const auto group = orders.subspan(from, end - from);
        const auto filled = fills.subspan(from, end - from);
        Quantity total{};
        for (const CrossOrder& order : group) total += order.quantity;
        std::ranges::transform(group, filled.begin(), &CrossOrder::quantity);
        const Quantity share = std::min(left, total);
        if (share < total) ration(share, lot, filled);
        left -= share;
        from = end;
    }
    return executable - left;
}

std::optional<CrossTrade> CrossTrades::next() {
    while (buy_ < buys_.size() && buys_[buy_] == bought_) {
        ++buy_;
        bought_ = Quantity{};
    }
    while (sell_ < sells_.size() && sells_[sell_] == sold_) {
        ++sell_;
        sold_ = Quantity{};
    }
    if (buy_ == buys_.size() || sell_ == sells_.size()) return std::nullopt;
    const Quantity quantity = std::min(buys_[buy_] - bought_, sells_[sell_] - sold_);
    bought_ += quantity;
    sold_ += quantity;
    return CrossTrade{buy_, sell_, quantity};
}

}  // namespace damrak::auction
