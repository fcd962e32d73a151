// A zero-intelligence trader with a budget: bids at random below what its next unit is worth to it,
// or asks at random above what it costs, and its units go best first. Only quotes that improve on
// the best one are sent, and all are taken back after each trade. Source: Gode and Sunder (1993),
// Allocative efficiency of markets with zero-intelligence traders.
//
// A group is one side of the market. The units of all its members together are worth `first` to
// `last` in equal steps, best first, and are dealt to the members in turn. Each unit is one share.
// At its best with one instrument and without latency.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class ZicTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::string side = "buy";
        double first = 1'500'000;
        double last = 500'000;
        double highest = 2'000'000;
        std::int64_t units = 4;
        double quotes_per_s = 1;
    };
    static constexpr std::string_view k_name = "zic";
    static constexpr std::string_view k_summary =
        "Bids at random below its value, or asks at random above its cost";
    static constexpr std::string_view k_source =
        "Gode and Sunder (1993), Allocative efficiency of markets with zero-intelligence traders";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    ZicTrader(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters),
          side_(parameters.side == "buy" ? Side::buy : Side::sell),
          instrument_(assignment.instruments.front()) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_market(market_kernel::MarketAccess& access, InstrumentId instrument) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

    /// What its units are worth or cost, best first; after the start.
    [[nodiscard]] const std::vector<double>& units() const { return units_; }

  private:
    Parameters is_;
    Side side_;
    InstrumentId instrument_;
    std::vector<double> units_;
    std::size_t traded_ = 0;
    std::uint64_t trades_seen_ = 0;
    market_kernel::OrderHandle order_{};
    market_kernel::Draws arrivals_;
    market_kernel::Draws prices_;
};

}  // namespace damrak::participants
