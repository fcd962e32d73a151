// Execution algorithms: a parent order worked in slots (detail/execution.hpp) by the clock, along a
// curve of expected volume, as a share of the volume that is seen, or along the optimal trajectory
// of Almgren and Chriss. With marketable children, a sell programme or, in one slot, a fat finger.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/participants/detail/execution.hpp>

namespace damrak::participants {

/// Spreads an order evenly over time.
class Twap final : public detail::Execution {
  public:
    struct Parameters : detail::ExecutionParameters {};
    static constexpr std::string_view k_name = "twap";
    static constexpr std::string_view k_summary =
        "Executes a parent order in equal parts at equal intervals";
    static constexpr std::string_view k_source =
        "Practice; Berkowitz, Logue and Noser (1988), The total cost of transactions on the NYSE, "
        "for benchmarks by average price";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_parent(parameters); }

    Twap(const Parameters& parameters, const Assignment& assignment)
        : Execution(parameters, assignment) {}

  private:
    double wanted(market_kernel::MarketAccess& access, const Parent& parent, double share) override;
};

/// Spreads an order by a profile of volume.
class Vwap final : public detail::Execution {
  public:
    /// Parameters of the kind.
    struct Parameters : detail::ExecutionParameters {
        std::vector<double> profile{};
    };
    static constexpr std::string_view k_name = "vwap";
    static constexpr std::string_view k_summary =
        "Executes a parent order along a curve of expected volume";
    static constexpr std::string_view k_source =
        "Konishi (2002), Optimal slice of a VWAP trade: the static strategy without risk";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    Vwap(const Parameters& parameters, const Assignment& assignment)
        : Execution(parameters, assignment), profile_(parameters.profile) {}

  private:
    double wanted(market_kernel::MarketAccess& access, const Parent& parent, double share) override;

    std::vector<double> profile_;
};

/// Trades a share of the volume of the market.
class Pov final : public detail::Execution {
  public:
    /// Parameters of the kind.
    struct Parameters : detail::ExecutionParameters {
        Parameters() { interval_ns = market_kernel::k_second_ns; }
        double participation = 0.1;
    };
    static constexpr std::string_view k_name = "pov";
    static constexpr std::string_view k_summary =
        "Executes a parent order as a share of the volume that others trade";
    static constexpr std::string_view k_source =
        "Practice; the sell programme of Kirilenko, Kyle, Samadi and Tuzun (2017), The flash crash";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters) { return check_parent(parameters); }

    Pov(const Parameters& parameters, const Assignment& assignment)
        : Execution(parameters, assignment), participation_(parameters.participation) {}

  private:
    double wanted(market_kernel::MarketAccess& access, const Parent& parent, double share) override;

    double participation_;
};

/// Trades by the optimal path of Almgren and Chriss.
class AlmgrenChriss final : public detail::Execution {
  public:
    /// Parameters of the kind.
    struct Parameters : detail::ExecutionParameters {
        double risk_aversion = 5e-4;
        double volatility = 0.005;
        double temporary_impact = 0.001;
        double permanent_impact = 1e-6;
    };
    static constexpr std::string_view k_name = "almgren-chriss";
    static constexpr std::string_view k_summary =
        "Executes a parent order along the optimal trajectory of Almgren and Chriss";
    static constexpr std::string_view k_source =
        "Almgren and Chriss (2001), Optimal execution of portfolio transactions";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    AlmgrenChriss(const Parameters& parameters, const Assignment& assignment);

  private:
    double wanted(market_kernel::MarketAccess& access, const Parent& parent, double share) override;

    double urgency_;
};

}  // namespace damrak::participants
