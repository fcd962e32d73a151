// A call while orders come and go: its price levels, and its indicative price after each order.
//
// Called with every order that enters or leaves, off the path of orders: memory grows with the
// levels. An order costs a search of the levels of its side, and moves those behind it if its level
// is new or ends. The indicative price looks only at the limits around the price where demand and
// supply cross, which is kept.
// docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <damrak/auction/curves.hpp>
#include <damrak/auction/equilibrium.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

class RunningCall {
  public:
    /// Without a limit it is a market order.
    void add(Side side, std::optional<Price> limit, Quantity quantity);
    /// What was added before, or a part of it.
    void remove(Side side, std::optional<Price> limit, Quantity quantity);

    /// Valid until the next order.
    [[nodiscard]] CallBook book() const;
    /// equilibrium(book(), terms), without visiting all levels.
    [[nodiscard]] Equilibrium indicative(const PriceTerms& terms) const;

  private:
    struct OneSide {
        std::vector<PriceLevel> levels;  // the best first
        std::size_t crossing = 0;        // number of levels that can trade at the crossing
        Quantity at_crossing{};          // quantity of these and of market orders
        Quantity market{};
    };

    [[nodiscard]] OneSide& of(Side side) { return side == Side::buy ? bids_ : asks_; }
    [[nodiscard]] bool trades_at_crossing(Side side, Price limit) const {
        return side == Side::buy ? limit >= crossing_ : limit <= crossing_;
    }
    [[nodiscard]] bool leaves_buyers() const { return bids_.at_crossing > asks_.at_crossing; }
    [[nodiscard]] std::optional<Price> limit_above() const;
    [[nodiscard]] std::optional<Price> limit_below() const;
    void move_to(Price price);
    void find_crossing();
    [[nodiscard]] CallBook around_crossing() const;

    OneSide bids_;
    OneSide asks_;
    // The lowest limit that does not leave buyers over, or if all do, the highest. The level of
    // this limit may have ended since.
    Price crossing_{};
};

}  // namespace damrak::auction
