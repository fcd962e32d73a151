// A market maker that quotes at a fixed distance from its price, and shifts both quotes against its
// inventory. Practice; Ho and Stoll (1981) for why inventory moves quotes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/participants/detail/maker.hpp>

namespace damrak::participants {

class FixedMaker final : public detail::Maker {
  public:
    struct Parameters : detail::MakerParameters {
        double half_spread_ticks = 2;
        double skew_ticks = 0.2;
    };
    static constexpr std::string_view k_name = "fixed-maker";
    static constexpr std::string_view k_summary =
        "Quotes both sides at a fixed spread and shifts quotes against its inventory";
    static constexpr std::string_view k_source =
        "Ho and Stoll (1981), Optimal dealer pricing under transactions and return uncertainty";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_maker(parameters); }

    FixedMaker(const Parameters& parameters, const Assignment& assignment)
        : Maker(parameters, assignment), is_(parameters) {}

  private:
    models::Distances distances(market_kernel::MarketAccess& /*access*/,
                                double inventory) override {
        const double shift = is_.skew_ticks * inventory;
        return {.bid = is_.half_spread_ticks + shift, .ask = is_.half_spread_ticks - shift};
    }

    Parameters is_;
};

}  // namespace damrak::participants
