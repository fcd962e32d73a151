// Market makers that quote what is optimal for a Brownian mid price and fills at the rate
// A e^(-k d) at a distance d. Sources: Avellaneda and Stoikov (2008), High-frequency trading in a
// limit order book; Guéant, Lehalle and Fernandez-Tapia (2013), Dealing with the inventory risk.
// Prices are in ticks, inventory in `quantity`, time in seconds; models/market_making.hpp has the
// formulas. Quotes are rounded away from the anchor, to whole ticks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/participants/detail/maker.hpp>

namespace damrak::participants {

class AvellanedaStoikov final : public detail::Maker {
  public:
    struct Parameters : detail::MakerParameters {
        double risk_aversion = 0.01;
        double volatility_ticks = 1;
        double decay_per_tick = 0.5;
        std::int64_t horizon_ns = 60 * market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "avellaneda-stoikov";
    static constexpr std::string_view k_summary =
        "Quotes the optimal prices of Avellaneda and Stoikov up to a horizon, again and again";
    static constexpr std::string_view k_source =
        "Avellaneda and Stoikov (2008), High-frequency trading in a limit order book";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_maker(parameters); }

    AvellanedaStoikov(const Parameters& parameters, const Assignment& assignment)
        : Maker(parameters, assignment), is_(parameters) {}
    void on_start(market_kernel::MarketAccess& access) override;

  private:
    models::Distances distances(market_kernel::MarketAccess& access, double inventory) override;

    Parameters is_;
    Timestamp start_{};
};

class Glft final : public detail::Maker {
  public:
    struct Parameters : detail::MakerParameters {
        double risk_aversion = 0.01;
        double volatility_ticks = 1;
        double decay_per_tick = 0.5;
        double fills_per_s = 1;
    };
    static constexpr std::string_view k_name = "glft";
    static constexpr std::string_view k_summary =
        "Quotes the asymptotic optimal prices of Guéant, Lehalle and Fernandez-Tapia";
    static constexpr std::string_view k_source =
        "Guéant, Lehalle and Fernandez-Tapia (2013), Dealing with the inventory risk";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_maker(parameters); }

    Glft(const Parameters& parameters, const Assignment& assignment)
        : Maker(parameters, assignment), is_(parameters) {}

  private:
    models::Distances distances(market_kernel::MarketAccess& access, double inventory) override;

    Parameters is_;
};

}  // namespace damrak::participants
