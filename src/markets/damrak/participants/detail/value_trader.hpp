// Sees the fundamental value late and with errors, keeps an estimate of it, and trades towards that
// estimate: buys below it, sells above it, at the best price of the other side or, more patiently,
// behind the best price of its own. Source: the value agents of ABIDES (Byrd, Hybinette and Balch
// 2020); models/value_filter.hpp has the estimate.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/value_filter.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class ValueTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        double looks_per_s = 0.1;
        std::int64_t delay_ns = market_kernel::k_second_ns;
        double observation_sd_ticks = 10;
        double volatility_ticks = 1;
        double reversion_per_s = 0.001;
        double aggressive_share = 0.2;
        std::int64_t most_ticks_away = 5;
        std::int64_t quantity = 100;
        std::int64_t most_position = 10'000;
    };
    static constexpr std::string_view k_name = "value";
    static constexpr std::string_view k_summary =
        "Trades towards its estimate of the fundamental value";
    static constexpr std::string_view k_source =
        "Byrd, Hybinette and Balch (2020), ABIDES: towards high-fidelity market simulation";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    ValueTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Of one instrument.
    struct Opinion {
        InstrumentId instrument{};
        models::ValueDynamics dynamics{};
        models::ValueEstimate estimate{};
        Timestamp time{};
        market_kernel::OrderHandle order{};
    };
    void look(market_kernel::MarketAccess& access, Opinion& opinion);

    Parameters is_;
    std::vector<Opinion> opinions_;
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
