// The generator's own order book: simple, slow, and complete enough to know the effect of every
// message.
//
// It also has the live orders in a flat array, from which cancels are drawn by position. The order
// of the array is part of the flow's definition: a new order goes to the end; the last one fills a
// gap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <vector>

#include <damrak/domain/order_terms.hpp>

namespace damrak::generator::detail {

struct FlowBookOrder {
    std::uint64_t order_id;
    std::uint64_t reference;
    std::uint64_t placed_at;  // count of messages of the symbol
    std::uint32_t quantity;
    std::int32_t price_ticks;
    Side side;
    std::size_t live_index;
};

class FlowBook {
  public:
    using Queue = std::list<FlowBookOrder>;
    using Place = Queue::iterator;

    /// Executes `quantity` against resting orders no worse than `limit`, best first, and calls
    /// `on_fill(maker, filled)` before each maker is reduced. Returns the remainder.
    template <class OnFill>
    std::uint32_t match(Side taker_side, std::int32_t limit, std::uint32_t quantity,
                        OnFill&& on_fill) {
        return taker_side == Side::buy ? match_against(asks_, limit, quantity, on_fill)
                                       : match_against(bids_, limit, quantity, on_fill);
    }

    void rest(FlowBookOrder order);
    void remove(Place place);

    [[nodiscard]] const std::vector<Place>& live() const { return live_; }
    [[nodiscard]] bool has(Side side) const {
        return side == Side::buy ? !bids_.empty() : !asks_.empty();
    }
    /// Best price of a side, which must have orders.
    [[nodiscard]] std::int32_t best(Side side) const {
        return side == Side::buy ? bids_.begin()->first : asks_.begin()->first;
    }

    /// First in the queue at the best price of a side, which must have orders.
    [[nodiscard]] Place front(Side side) {
        return side == Side::buy ? bids_.begin()->second.begin() : asks_.begin()->second.begin();
    }

  private:
    using Bids = std::map<std::int32_t, Queue, std::greater<>>;
    using Asks = std::map<std::int32_t, Queue>;

    template <class Levels, class OnFill>
    std::uint32_t match_against(Levels& levels, std::int32_t limit, std::uint32_t quantity,
                                OnFill& on_fill);
    template <class Levels>
    static void unlink(Levels& levels, Place place);
    void forget(Place place);

    Bids bids_;
    Asks asks_;
    std::vector<Place> live_;
};

template <class Levels, class OnFill>
std::uint32_t FlowBook::match_against(Levels& levels, std::int32_t limit, std::uint32_t quantity,
                                      OnFill& on_fill) {
    while (quantity != 0 && !levels.empty()) {
        const auto best = levels.begin();
        if (levels.key_comp()(limit, best->first)) break;
        const Place maker = best->second.begin();
        const std::uint32_t filled = quantity < maker->quantity ? quantity : maker->quantity;
        on_fill(*maker, filled);
        quantity -= filled;
        maker->quantity -= filled;
        if (maker->quantity == 0) remove(maker);
    }
    return quantity;
}

}  // namespace damrak::generator::detail
