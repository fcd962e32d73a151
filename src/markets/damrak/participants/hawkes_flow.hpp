// The whole order flow of a market from a Hawkes process with six types of events: market buy and
// sell, limit buy and sell, cancel of a buy and of a sell order. Each event raises the rates of
// others for a while, so that trades and cancels come in clusters. Sources: Hawkes (1971); Large
// (2007), Measuring the resiliency of an electronic limit order book; Ogata (1981) for the exact
// simulation in models/hawkes_process.hpp.
//
// Limit prices are uniform behind the best price of their side or one tick inside the spread;
// cancels take an own order of their side at random. A side that has `most_open` orders cancels its
// oldest one for a new one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/flow.hpp>
#include <damrak/participants/kind.hpp>
#include <damrak/participants/models/hawkes_process.hpp>

namespace damrak::participants {

class HawkesFlow final : public market_kernel::Participant {
  public:
    static constexpr std::size_t k_types = 6;
    /// Parameters of the kind.
    struct Parameters {
        std::vector<double> base_per_s{0.1, 0.1, 1, 1, 0.5, 0.5};
        /// By row, the type that follows: market buy, market sell, limit buy, ...
        std::vector<double> branching{
            0.4, 0.0, 0.0, 0.0, 0.0, 0.0,  //
            0.0, 0.4, 0.0, 0.0, 0.0, 0.0,  //
            0.3, 0.5, 0.3, 0.0, 0.2, 0.0,  //
            0.5, 0.3, 0.0, 0.3, 0.0, 0.2,  //
            0.0, 0.3, 0.5, 0.0, 0.2, 0.0,  //
            0.3, 0.0, 0.0, 0.5, 0.0, 0.2,
        };
        double decay_per_s = 2;
        std::int64_t quantity = 100;
        std::int64_t most_ticks_away = 10;
        std::int64_t most_open = 500;
    };
    static constexpr std::string_view k_name = "hawkes";
    static constexpr std::string_view k_summary =
        "Makes the whole order flow with events that excite each other";
    static constexpr std::string_view k_source =
        "Hawkes (1971); Large (2007), Measuring the resiliency of an electronic limit order book";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    HawkesFlow(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Of one instrument.
    struct Flow {
        InstrumentId instrument{};
        models::HawkesProcess process;
        detail::OpenOrders open[2]{};  ///< by side
        std::size_t due{};             ///< type of the event to come
        market_kernel::Draws arrivals{};
        market_kernel::Draws terms{};
    };
    void sleep(market_kernel::MarketAccess& access, std::size_t flow);
    void enter(market_kernel::MarketAccess& access, Flow& flow, Side side, std::int64_t ticks);

    Parameters is_;
    std::vector<Flow> flows_;
};

}  // namespace damrak::participants
