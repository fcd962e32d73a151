// The whole order flow of a market from chance alone: limit orders at a constant rate at each price
// of a window behind the opposite best price, market orders, and cancels at a constant rate for
// each order. Source: Smith, Farmer, Gillemot and Krishnamurthy (2003), Statistical theory of the
// continuous double auction.
//
// With p_c = market_per_s / (2 limit_per_tick_per_s) in ticks and
// epsilon = 2 cancel_per_s / market_per_s, the mean spread is p_c times a function of epsilon. The
// paper has no window; one of 6 p_c changes nothing that is visible. About
// 2 window_ticks limit_per_tick_per_s / cancel_per_s orders are open at a time.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class ZeroIntelligence final : public market_kernel::Participant {
  public:
    struct Parameters {
        double limit_per_tick_per_s = 0.5;
        double market_per_s = 10;
        double cancel_per_s = 0.1;
        std::int64_t quantity = 100;
        std::int64_t window_ticks = 60;
    };
    static constexpr std::string_view k_name = "zero-intelligence";
    static constexpr std::string_view k_summary =
        "Makes the whole order flow at constant rates at each price";
    static constexpr std::string_view k_source =
        "Smith, Farmer, Gillemot and Krishnamurthy (2003), Statistical theory of the continuous "
        "double auction";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    ZeroIntelligence(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    void sleep(market_kernel::MarketAccess& access);
    void trade(market_kernel::MarketAccess& access);
    [[nodiscard]] double limit_per_s() const {
        return 2 * is_.limit_per_tick_per_s * static_cast<double>(is_.window_ticks);
    }

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
