// The result of a participant's trading: position, its cost, profit and loss. Computed from trades
// alone, and exact: the fraction that a division leaves stays in the cost of the open position.
//
// For anyone who sees the trades: a client for its own, `Positions` for everyone's events. One
// thread, O(1) a trade. Allocates only at a participant's first trade in an instrument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/event.hpp>

namespace damrak::views {

class Position {
  public:
    void trade(Side side, Price price, Quantity quantity) {
        const std::int64_t sign = side == Side::buy ? 1 : -1;
        Quantity rest = quantity;
        if (open_.value * sign < 0) {
            const std::int64_t size = open_.value < 0 ? -open_.value : open_.value;
            const std::int64_t closed = std::min(size, quantity.value);
            const Int128 share = cost_ * closed / size;
            realised_ += -share - Int128{price.value} * closed * sign;
            cost_ -= share;
            open_.value += closed * sign;
            rest.value -= closed;
        }
        open_.value += rest.value * sign;
        cost_ += Int128{price.value} * rest.value * sign;
        (side == Side::buy ? bought_ : sold_) += quantity;
    }

    /// Takes back a trade of this side: what it won or lost is as if it had been closed at its
    /// price.
    void bust(Side side, Price price, Quantity quantity) {
        trade(opposite(side), price, quantity);
        bought_ -= quantity;
        sold_ -= quantity;
    }

    /// Bought less sold.
    [[nodiscard]] Quantity open() const { return open_; }
    [[nodiscard]] Quantity bought() const { return bought_; }
    [[nodiscard]] Quantity sold() const { return sold_; }
    /// Average price of the open position, rounded towards zero; zero if it is flat.
    [[nodiscard]] Price average_price() const {
        return Price{open_.value == 0 ? 0 : static_cast<std::int64_t>(cost_ / open_.value)};
    }
    /// Profit of the closed position, and of the open one at this price, in price units times
    /// quantity.
    [[nodiscard]] Int128 realised() const { return realised_; }
    [[nodiscard]] Int128 unrealised(Price at) const {
        return Int128{at.value} * open_.value - cost_;
    }

  private:
    Quantity open_{};
    Quantity bought_{};
    Quantity sold_{};
    Int128 cost_ = 0;  ///< of the open position; negative if short
    Int128 realised_ = 0;
};

/// The positions of all participants, from events.
class Positions {
  public:
    void on_event(const Event& event) {
        const auto position = [&]() -> Position& {
            return positions_[{event.participant, event.instrument}];
        };
        if (event.kind == EventKind::trade_busted)
            return position().bust(event.side, event.price, event.quantity);
        if (event.kind == EventKind::trade_corrected)
            position().bust(event.side, {event.displayed.value}, event.remaining);
        if (event.kind == EventKind::trade_corrected || event.kind == EventKind::executed)
            position().trade(event.side, event.price, event.quantity);
    }
    [[nodiscard]] Position of(ParticipantId participant, InstrumentId instrument) const {
        const auto found = positions_.find({participant, instrument});
        return found == positions_.end() ? Position{} : found->second;
    }

  private:
    std::map<std::pair<ParticipantId, InstrumentId>, Position> positions_;
};

}  // namespace damrak::views
