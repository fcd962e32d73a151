// Keeps resting orders of a maker at the prices that it wants, on both sides of an instrument, by
// new orders, replaces and cancels. One request is pending for each order at a time. An order
// waits as long as it could meet an own order of the other side. A rejected request is not repeated
// before the next set of wanted quotes, so that a halt or a crossed price causes no storm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/market_kernel/participant.hpp>

namespace damrak::participants::detail {

struct WantedQuote {
    Price price{};
    Quantity quantity{};  ///< zero: no order
    friend bool operator==(const WantedQuote&, const WantedQuote&) = default;
};

class Quotes {
  public:
    Quotes(InstrumentId instrument, std::size_t levels)
        : instrument_(instrument), sides_{Levels(levels), Levels(levels)} {}

    /// Every wanted buy price is below every wanted sell price. Takes effect with pursue().
    void want(Side side, std::size_t level, const WantedQuote& quote);
    void pursue(market_kernel::MarketAccess& access);
    void on_report(market_kernel::MarketAccess& access, const market_kernel::Report& report);

    /// Quantity of own orders that rest at this price, as far as reported.
    [[nodiscard]] std::int64_t resting_at(const market_kernel::MarketAccess& access, Side side,
                                          Price price) const;
    [[nodiscard]] std::size_t levels() const { return sides_[0].size(); }

  private:
    struct Level {
        market_kernel::OrderHandle order{};
        WantedQuote wanted{};
        bool is_new = false;  ///< wanted, and not asked for yet
        bool is_under_way = false;
        Price asked{};  ///< price of the pending request
    };
    using Levels = std::vector<Level>;

    void pursue(market_kernel::MarketAccess& access, Side side, Level& level);
    [[nodiscard]] bool could_meet_own(const market_kernel::MarketAccess& access, Side side,
                                      Price price) const;

    InstrumentId instrument_;
    Levels sides_[2];
};

}  // namespace damrak::participants::detail
