// Recorded orders that still rest although they have traded in full in the recording, because
// clients were filled in their place. They stay until the recording enters an order that would
// trade with them. One thread; while there are any, each entered order costs a search in a map.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <map>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::recorded_market {

class Leftovers {
  public:
    void add(InstrumentId instrument, Side side, std::uint32_t price_e4, OrderId order) {
        orders_.emplace(Place{instrument.value, side, rank(side, price_e4)}, order);
    }
    /// Removes one that an order of this side and price would trade with; zero: none.
    [[nodiscard]] OrderId take_crossed(InstrumentId instrument, Side incoming,
                                       std::uint32_t price_e4) {
        if (orders_.empty()) return {};
        const Side side = opposite(incoming);
        const auto best = orders_.lower_bound(
            Place{instrument.value, side, std::numeric_limits<std::int64_t>::min()});
        if (best == orders_.end() || best->first.instrument != instrument.value ||
            best->first.side != side || best->first.rank > rank(side, price_e4))
            return {};
        const OrderId order = best->second;
        orders_.erase(best);
        return order;
    }

    /// Whether an incoming order with this limit reaches a resting one at that price.
    [[nodiscard]] static bool crosses(Side resting, std::uint32_t price_e4,
                                      std::uint32_t incoming_e4) {
        return rank(resting, price_e4) <= rank(resting, incoming_e4);
    }

  private:
    /// Sort key: the best price of a side has the lowest.
    [[nodiscard]] static std::int64_t rank(Side side, std::uint32_t price_e4) {
        return side == Side::buy ? -std::int64_t{price_e4} : std::int64_t{price_e4};
    }
    struct Place {
        std::uint32_t instrument;
        Side side;
        std::int64_t rank;
        friend auto operator<=>(const Place&, const Place&) = default;
    };
    std::multimap<Place, OrderId> orders_;
};

}  // namespace damrak::recorded_market
