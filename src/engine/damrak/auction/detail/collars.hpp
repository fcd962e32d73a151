// Collars: corridors that the next trade price must lie in, around two reference prices.
//
// Called before an aggressor trades, and after it traded. No allocation, constant time. Source: T7
// Market Model Equities, volatility interruption. docs/rule-book/collars.md has the rules.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/auction/price_range.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

/// Whether a limit is so far on the wrong side of a reference price that it must be a mistake: a
/// buy above the margin, a sell below it.
[[nodiscard]] constexpr bool is_fat_finger(Side side, Price limit, Price reference,
                                           const Margin& margin) {
    const PriceRange range = margin.around(reference);
    return side == Side::buy ? limit > range.high : limit < range.low;
}

enum class Breach : std::uint8_t { none = 0, dynamic_corridor = 1, static_corridor = 2 };

class Collars {
  public:
    struct Terms {
        Margin around_last_trade;    ///< the dynamic corridor
        Margin around_last_auction;  ///< the static corridor, wider
    };

    /// `last_price` is the last trade of a day before.
    Collars(const Terms& terms, Price last_price) : terms_(terms) { on_auction(last_price); }

    /// After an aggressor is done, with the price of its last trade.
    void on_trade(Price price) { dynamic_ = terms_.around_last_trade.around(price); }
    /// After a scheduled auction, or one that ends an interruption.
    void on_auction(Price price) {
        on_trade(price);
        static_ = terms_.around_last_auction.around(price);
    }

    /// Which corridor a trade at this price would leave.
    [[nodiscard]] Breach breach_at(Price price) const {
        if (!dynamic_.contains(price)) return Breach::dynamic_corridor;
        return static_.contains(price) ? Breach::none : Breach::static_corridor;
    }
    /// The prices at which an aggressor may trade.
    [[nodiscard]] PriceRange allowed() const {
        return {std::max(dynamic_.low, static_.low), std::min(dynamic_.high, static_.high)};
    }

  private:
    Terms terms_;
    PriceRange dynamic_{};
    PriceRange static_{};
};

}  // namespace damrak::auction
