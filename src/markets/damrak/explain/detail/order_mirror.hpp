// All orders of a market as its events tell of them, with their place in the queue: what stands
// ahead of an order is what has a smaller place. One thread; an event costs a look-up in a tree,
// and memory is the open orders.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include <damrak/domain/event.hpp>

namespace damrak::explain {

/// Price, then displayed before hidden, then time, on one side of one instrument. Smaller is
/// ahead.
struct Place {
    std::int64_t price_rank = 0;  ///< the price of an ask, the negative price of a bid
    bool is_hidden = false;
    std::uint64_t turn = 0;  ///< when it joined its queue
    friend auto operator<=>(const Place&, const Place&) = default;
};

/// An order after an event of it.
struct Standing {
    InstrumentId instrument{};
    ParticipantId participant{};
    Side side{};
    OrderType type{};
    bool rests = false;  ///< in the book
    Price limit{};
    Quantity ordered{};
    Quantity open{};
    Quantity displayed{};
    Place place{};
};

class OrderMirror {
  public:
    struct Change {
        Standing before{};  ///< rests only if the order was there
        Standing after{};   ///< rests only if it still is
        OrderId id{};       ///< after the event
        bool keeps_place = false;
    };
    /// An event without an order changes nothing.
    Change apply(const Event& event);

    /// Null: no such order is open.
    [[nodiscard]] const Standing* find(OrderId id) const {
        const auto found = orders_.find(id.value);
        return found == orders_.end() ? nullptr : &found->second;
    }
    /// `f(standing)` for each open order.
    template <class F>
    void for_each(F&& f) const {
        for (const auto& [id, standing] : orders_) f(standing);
    }

  private:
    std::map<std::uint64_t, Standing> orders_;
    std::uint64_t turns_ = 0;
};

}  // namespace damrak::explain
