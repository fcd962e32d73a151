// Expects a return that mixes the way back to the fundamental value, the recent trend and noise,
// and enters a limit order a margin better than the price that it expects. Its own weights are
// drawn once, exponential around the parameters. Sources: Chiarella and Iori (2002), A simulation
// analysis of the microstructure of double auction markets; the FCN agents of PAMS.
//
// expected return per second = (g1 ln(value / price) / reversion + g2 trend + g3 noise) /
// (g1 + g2 + g3), with the trend that of the last `window`, and noise normal; the price expected
// after `window` is price · e^(return · window).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

namespace models {

struct FcnWeights {
    double fundamental = 1;
    double chart = 0;
    double noise = 0;
};

/// `gap` is ln(value / price), `trend` and `noise` are returns a second.
[[nodiscard]] inline double fcn_return(const FcnWeights& weights, double gap, double reversion_s,
                                       double trend, double noise) {
    return (weights.fundamental * gap / reversion_s + weights.chart * trend +
            weights.noise * noise) /
           (weights.fundamental + weights.chart + weights.noise);
}

}  // namespace models

class FcnTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        double orders_per_s = 0.1;
        double fundamental_weight = 1;
        double chart_weight = 0.1;
        double noise_weight = 1;
        double noise_per_s = 1e-5;
        std::int64_t window_ns = 100 * market_kernel::k_second_ns;
        std::int64_t reversion_ns = 200 * market_kernel::k_second_ns;
        double margin = 0.0001;
        std::int64_t quantity = 100;
    };
    static constexpr std::string_view k_name = "fcn";
    static constexpr std::string_view k_summary =
        "Enters limit orders by a mix of value, trend and noise";
    static constexpr bool k_above_zero = true;
    static constexpr std::string_view k_source =
        "Chiarella and Iori (2002), A simulation analysis of the microstructure of double auction "
        "markets";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    FcnTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Prices that it has seen of an instrument, as far as the window.
    struct Memory {
        InstrumentId instrument{};
        std::vector<std::pair<Timestamp, double>> prices{};
    };
    void trade(market_kernel::MarketAccess& access, Memory& memory);
    [[nodiscard]] double trend(Memory& memory, Timestamp now, double price) const;

    Parameters is_;
    models::FcnWeights weights_{};
    std::vector<Memory> memories_;
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
