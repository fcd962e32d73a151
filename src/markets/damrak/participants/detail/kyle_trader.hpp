// The insider of Kyle (1985), Continuous auctions and insider trading, on a continuous order book:
// knows the fundamental value, and at equal intervals orders beta · (value - mid price) with the
// beta of the auction of that place in the paper's equilibrium. An order takes what is offered
// within the value, once. After `horizon` it starts again. The paper's auctions at one price are
// not those of a continuous book, so its lambda is not to be expected here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/participants/models/asymmetric_information.hpp>

namespace damrak::participants {

class KyleTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        double value_sd_ticks = 20;
        double noise_sd = 10'000;
        std::int64_t slices = 20;
        std::int64_t horizon_ns = 600 * market_kernel::k_second_ns;
        std::int64_t most_position = 100'000;
    };
    static constexpr std::string_view k_name = "kyle";
    static constexpr std::string_view k_summary =
        "An insider who trades towards the value in the slices of Kyle's equilibrium";
    static constexpr std::string_view k_source =
        "Kyle (1985), Continuous auctions and insider trading";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    KyleTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    Parameters is_;
    std::vector<InstrumentId> instruments_;
    std::vector<models::KyleAuction> auctions_;
    std::vector<std::size_t> next_;  ///< auction, by instrument
};

}  // namespace damrak::participants
