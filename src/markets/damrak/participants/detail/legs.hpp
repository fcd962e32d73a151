// Trades one instrument against others in fixed proportions: a trade takes the best prices of all
// legs at once, and legs that were not filled as the first one was are made good later. One trade
// is in progress at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/market_kernel/participant.hpp>

namespace damrak::participants::detail {

class Legs {
  public:
    /// Without as many weights as other instruments it never trades.
    Legs(std::vector<InstrumentId> instruments, std::vector<double> weights);

    [[nodiscard]] bool is_sound() const { return is_sound_; }
    /// Every leg has a price on both sides.
    [[nodiscard]] bool has_prices(market_kernel::MarketAccess& access) const;
    /// Of the legs but the first: what buying (selling) them costs (brings), or their mid prices.
    [[nodiscard]] double ask(market_kernel::MarketAccess& access) const;
    [[nodiscard]] double bid(market_kernel::MarketAccess& access) const;
    [[nodiscard]] double mid(market_kernel::MarketAccess& access) const;

    /// Takes up to `quantity` of the first leg on this side, and the others on the other side.
    void trade(market_kernel::MarketAccess& access, Side side, std::int64_t quantity,
               std::int64_t most_position);
    /// Takes what the other legs lack; at intervals, not at reports, so that it never loops.
    void balance(market_kernel::MarketAccess& access);
    void on_report(const market_kernel::Report& report);

  private:
    void take(market_kernel::MarketAccess& access, std::size_t leg, Side side,
              std::int64_t quantity);

    std::vector<InstrumentId> instruments_;
    std::vector<double> weights_;  ///< of all but the first
    bool is_sound_;
    std::int64_t under_way_ = 0;  ///< orders
};

}  // namespace damrak::participants::detail
