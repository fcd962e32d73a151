// Traders that compare averages of the mid price. `momentum` buys while the fast average is above
// the slow one, and sells while it is below. `mean-reversion` does the opposite: it sells what has
// risen and buys what has fallen. Averages are exponential; nothing is traded before the slow one
// has seen its own time. Sources: Chiarella (1992), The dynamics of speculative behaviour; the
// momentum agents of ABIDES. De Bondt and Thaler (1985) for reversion.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

struct AverageParameters {
    std::int64_t interval_ns = market_kernel::k_second_ns;
    std::int64_t fast_ns = 20 * market_kernel::k_second_ns;
    std::int64_t slow_ns = 50 * market_kernel::k_second_ns;
    double threshold_ticks = 0.5;
    std::int64_t quantity = 100;
    std::int64_t most_position = 1'000;
};

class AverageTrader : public market_kernel::Participant {
  public:
    using Parameters = AverageParameters;
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  protected:
    AverageTrader(const Parameters& parameters, const Assignment& assignment, Side when_rising);

  private:
    /// Of one instrument.
    struct Averages {
        InstrumentId instrument{};
        double fast = 0;
        double slow = 0;
        std::int64_t samples = 0;
    };
    Parameters is_;
    Side when_rising_;
    double fast_weight_;
    double slow_weight_;
    std::vector<Averages> averages_;
};

class MomentumTrader final : public AverageTrader {
  public:
    static constexpr std::string_view k_name = "momentum";
    static constexpr std::string_view k_summary =
        "Buys while the fast average of the price is above the slow one, and sells while below";
    static constexpr std::string_view k_source =
        "Chiarella (1992), The dynamics of speculative behaviour";
    MomentumTrader(const Parameters& parameters, const Assignment& assignment)
        : AverageTrader(parameters, assignment, Side::buy) {}
};

class MeanReversionTrader final : public AverageTrader {
  public:
    static constexpr std::string_view k_name = "mean-reversion";
    static constexpr std::string_view k_summary =
        "Sells while the fast average of the price is above the slow one, and buys while below";
    static constexpr std::string_view k_source =
        "De Bondt and Thaler (1985), Does the stock market overreact?";
    MeanReversionTrader(const Parameters& parameters, const Assignment& assignment)
        : AverageTrader(parameters, assignment, Side::sell) {}
};

}  // namespace damrak::participants
