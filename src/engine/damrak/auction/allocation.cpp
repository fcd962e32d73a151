#include <damrak/auction/allocation.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

#include <damrak/base/assert.hpp>

namespace damrak::auction {

namespace {

class Allocation {
  public:
    Allocation(const AllocationPolicy& policy, const IncomingOrder& incoming,
               std::span<const RestingOrder> orders, std::span<Quantity> fills,
               std::span<std::uint32_t> scratch)
        : policy_(policy),
          rules_(policy.rules),
          incoming_(incoming),
          orders_(orders),
          fills_(fills),
          scratch_(scratch),
          left_(incoming.quantity) {
        std::ranges::fill(fills_, Quantity{});
    }

    Quantity run() {
        for (const AllocationStep step : rules_.steps) take(step);
        in_order_of_time(left_);
        return incoming_.quantity - left_;
    }

  private:
    void take(AllocationStep step) {
        switch (step) {
            case AllocationStep::none:
                return;
            case AllocationStep::top:
                return top();
            case AllocationStep::lead_makers:
                return lead_makers();
            case AllocationStep::split:
                return split();
            case AllocationStep::pro_rata:
                return pro_rata();
            case AllocationStep::leveling:
                return level();
            case AllocationStep::size:
                return by_size();
            case AllocationStep::same_broker:
                return same_broker();
        }
    }

    [[nodiscard]] Quantity remaining(std::size_t i) const {
        return orders_[i].quantity - fills_[i];
    }

    Quantity give(std::size_t i, Quantity quantity) {
        const Quantity given = std::min({quantity, remaining(i), left_});
        fills_[i] += given;
        left_ -= given;
        return given;
    }

    [[nodiscard]] Quantity whole_lots(Quantity quantity) const {
        return quantity - Quantity{quantity.value % policy_.lot.value};
    }

    void in_order_of_time(Quantity share) {
        for (std::size_t i = 0; i < orders_.size() && share.value > 0; ++i) share -= give(i, share);
    }

    void top() {
        const auto order = std::ranges::find(orders_, true, &RestingOrder::top);
        if (order != orders_.end())
            give(static_cast<std::size_t>(order - orders_.begin()), whole_lots(rules_.top_maximum));
    }

    // Each maker has its share once, however many orders it has.
    void lead_makers() {
        std::array<Quantity, k_most_lead_makers> shares;
        std::ranges::transform(policy_.lead_basis_points, shares.begin(), [this](auto percentage) {
            return whole_lots(Quantity{basis_points_of(left_.value, percentage, Rounding::down)});
        });
        for (std::size_t i = 0; i < orders_.size(); ++i)
            if (const std::size_t maker = orders_[i].lead_maker; maker != 0)
                shares[maker - 1] -= give(i, shares[maker - 1]);
    }

    void split() {
        const std::int64_t lots = left_.value / policy_.lot.value;
        const std::int64_t share =
            basis_points_of(lots, rules_.split_basis_points, Rounding{rules_.split_rounding});
        in_order_of_time(Quantity{share * policy_.lot.value});
    }

    // Remembers in the scratch which orders get nothing, for leveling.
    void pro_rata() {
        const Quantity base = left_;
        Quantity total{};
        for (std::size_t i = 0; i < orders_.size(); ++i) total += remaining(i);
        if (base >= total) return;  // all are filled whole in the end
        empty_handed_ = 0;
        for (std::size_t i = 0; i < orders_.size(); ++i) {
            const Quantity share =
                whole_lots(Quantity{share_of(base.value, remaining(i).value, total.value)});
            if (share.value > 0 && share >= rules_.pro_rata_minimum)
                give(i, share);
            else if (remaining(i).value > 0)
                scratch_[empty_handed_++] = static_cast<std::uint32_t>(i);
        }
    }

    void level() {
        const std::span<std::uint32_t> orders = scratch_.first(empty_handed_);
        rank_by_size(orders);
        for (const std::uint32_t i : orders) give(i, policy_.lot);
    }

    void by_size() {
        for (std::size_t i = 0; i < orders_.size(); ++i)
            scratch_[i] = static_cast<std::uint32_t>(i);
        rank_by_size(scratch_);
        for (const std::uint32_t i : scratch_) give(i, left_);
    }

    // The larger first, then the earlier.
    void rank_by_size(std::span<std::uint32_t> orders) const {
        std::ranges::sort(orders, [this](std::uint32_t a, std::uint32_t b) {
            const Quantity of_a = remaining(a);
            const Quantity of_b = remaining(b);
            return of_a != of_b ? of_a > of_b : a < b;
        });
    }

    void same_broker() {
        for (std::size_t i = 0; i < orders_.size(); ++i)
            if (incoming_.broker && orders_[i].broker == incoming_.broker) give(i, left_);
    }

    const AllocationPolicy& policy_;
    const AllocationDetails& rules_;
    const IncomingOrder& incoming_;
    std::span<const RestingOrder> orders_;
    std::span<Quantity> fills_;
    std::span<std::uint32_t> scratch_;
    Quantity left_;
    std::size_t empty_handed_ = 0;
};

}  // namespace

bool is_sound(const AllocationDetails& rules) {
    const auto& steps = rules.steps;
    const auto has = [&](AllocationStep step) { return std::ranges::count(steps, step) > 0; };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!is_valid(steps[i])) return false;
        const bool ended = i > 0 && steps[i - 1] == AllocationStep::none;
        if (steps[i] == AllocationStep::none) continue;
        if (ended || std::ranges::count(steps, steps[i]) > 1) return false;
        if (steps[i] == AllocationStep::leveling &&
            (i == 0 || steps[i - 1] != AllocationStep::pro_rata))
            return false;
    }
    return rules.split_rounding <= static_cast<std::uint8_t>(Rounding::up) &&
           rules.split_basis_points <= k_basis_points &&
           (rules.split_basis_points == 0 || has(AllocationStep::split)) &&
           rules.top_minimum.value >= 0 && rules.top_maximum >= rules.top_minimum &&
           rules.pro_rata_minimum.value >= 0;
}

Quantity allocate(const AllocationPolicy& policy, const IncomingOrder& incoming,
                  std::span<const RestingOrder> orders, std::span<Quantity> fills,
                  std::span<std::uint32_t> scratch) {
    DAMRAK_ASSERT(fills.size() == orders.size() && scratch.size() == orders.size());
    return Allocation(policy, incoming, orders, fills, scratch).run();
}

}  // namespace damrak::auction
