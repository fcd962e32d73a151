// The whole order flow of a market whose rates depend on the distance from the opposite best price:
// limit orders, market orders, and cancels at a rate for each order. All orders have the same
// quantity. Source: Cont, Stoikov and Talreja (2010), A stochastic model for order book dynamics;
// the defaults are its estimates for one stock. models/queue_race.hpp has what it predicts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class ContStoikovTalreja final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::vector<double> limit_per_s{1.85, 1.51, 1.09, 0.88, 0.77};
        std::vector<double> cancel_per_s{0.71, 0.81, 0.68, 0.56, 0.47};
        double market_per_s = 0.94;
        std::int64_t quantity = 100;
    };
    static constexpr std::string_view k_name = "cont-stoikov-talreja";
    static constexpr std::string_view k_summary =
        "Makes the whole order flow at rates by the distance from the opposite best price";
    static constexpr std::string_view k_source =
        "Cont, Stoikov and Talreja (2010), A stochastic model for order book dynamics";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    ContStoikovTalreja(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    void sleep(market_kernel::MarketAccess& access);
    void trade(market_kernel::MarketAccess& access);
    void consider_cancel(market_kernel::MarketAccess& access, std::uint64_t key);
    [[nodiscard]] double cancel_rate(market_kernel::MarketAccess& access,
                                     const market_kernel::OwnOrder& order);

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    double limits_per_s_ = 0;        ///< of one side
    double most_cancels_per_s_ = 0;  ///< of an order
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
    market_kernel::Draws cancels_;
};

}  // namespace damrak::participants
