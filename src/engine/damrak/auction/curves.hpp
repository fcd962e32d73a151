// Supply and demand of a call auction, read from its price levels.
//
// Called while a call runs and when it ends. No allocation; a walk visits every level once.
// docs/rule-book/call-auctions.md has the rules.
#pragma once

#include <algorithm>
#include <span>

#include <damrak/domain/measures.hpp>

namespace damrak::auction {

/// The quantity of all limit orders of one side at one price.
struct PriceLevel {
    Price price;
    Quantity quantity;
    friend constexpr bool operator==(const PriceLevel&, const PriceLevel&) = default;
};

/// What takes part in a call: bids from the highest price down, asks from the lowest up, a price at
/// most once a side, quantities above zero. Hidden quantity and reserve count, pending stops do
/// not.
struct CallBook {
    std::span<const PriceLevel> bids{};
    std::span<const PriceLevel> asks{};
    Quantity market_buys{};
    Quantity market_sells{};
};

/// Demand and supply at one price.
struct CurvePoint {
    Price price{};
    Quantity demand{};  ///< market buys, and buys with a limit at or above the price
    Quantity supply{};  ///< market sells, and sells with a limit at or below the price

    [[nodiscard]] constexpr Quantity executable() const { return std::min(demand, supply); }
    /// Above zero: buyers are left over; below zero: sellers.
    [[nodiscard]] constexpr Quantity surplus() const { return demand - supply; }
    friend constexpr bool operator==(const CurvePoint&, const CurvePoint&) = default;
};

[[nodiscard]] CurvePoint curve_at(const CallBook& book, Price price);

/// Visits the limits of both sides in ascending order, each once:
///
///     for (CurveWalk walk(book); walk.next();) use(walk.point());
class CurveWalk {
  public:
    explicit CurveWalk(const CallBook& book);

    /// Moves to the next limit; false behind the last one.
    bool next();

    [[nodiscard]] const CurvePoint& point() const { return point_; }
    [[nodiscard]] bool at_bid() const { return bid_here_.value > 0; }
    [[nodiscard]] bool at_ask() const { return ask_here_; }
    /// Demand and supply between this limit and the next one. Before the first call of next():
    /// below all limits.
    [[nodiscard]] CurvePoint gap() const {
        return {point_.price, point_.demand - bid_here_, point_.supply};
    }
    /// Whether a limit follows, and which.
    [[nodiscard]] bool has_next() const { return !bids_.empty() || !asks_.empty(); }
    [[nodiscard]] Price next_price() const;

  private:
    std::span<const PriceLevel> bids_;
    std::span<const PriceLevel> asks_;
    CurvePoint point_;
    Quantity bid_here_{};
    bool ask_here_ = false;
};

}  // namespace damrak::auction
