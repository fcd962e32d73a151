// The whole order flow of a market with the mix of the benchmark stream NW-1 (sim/order_flow.hpp):
// of 1,000 messages 875 are passive adds or cancels, 100 replaces, 20 immediate-or-cancel orders at
// the best price and 5 limits that cross up to three levels. The fair price of passive orders
// wanders a tick in 400 messages. The number of open orders is held near `live_orders`. The draws
// are its own, so the stream is alike, not the same. With `takes` off, adds and cancels replace
// what takes, and adds are post-only: for markets where a participant does not trade with itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/flow.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class NeutralFlow final : public market_kernel::Participant {
  public:
    struct Parameters {
        double messages_per_s = 100;
        std::int64_t live_orders = 500;
        bool takes = true;
    };
    static constexpr std::string_view k_name = "neutral";
    static constexpr std::string_view k_summary =
        "Makes the whole order flow with the mix of the benchmark stream NW-1";
    static constexpr bool k_above_zero = true;
    static constexpr std::string_view k_source = "the benchmark stream NW-1 of this project";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    NeutralFlow(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Of one instrument.
    struct Flow {
        InstrumentId instrument{};
        std::int64_t fair_ticks = 0;
        detail::OpenOrders open{};
        market_kernel::Draws arrivals{};
        market_kernel::Draws terms{};
        market_kernel::Draws path{};
    };
    /// Drawn for every message, whether it is used or not.
    struct Terms {
        Side side{};
        double kind = 0;
        double add = 0;
        double place = 0;
        bool is_recent = false;
        bool is_near = false;
        std::int64_t distance = 0;
        std::int64_t quantity = 0;
        std::int64_t shift = 0;  ///< -1, 0 or 1
    };
    [[nodiscard]] static Terms draw_terms(market_kernel::Draws& draws);
    [[nodiscard]] Price passive(market_kernel::MarketAccess& access, const Flow& flow, Side side,
                                std::int64_t ticks) const;
    [[nodiscard]] static market_kernel::OrderHandle pick(const Flow& flow, const Terms& terms);
    void add_or_cancel(market_kernel::MarketAccess& access, Flow& flow, const Terms& terms);
    void replace(market_kernel::MarketAccess& access, Flow& flow, const Terms& terms);
    void take(market_kernel::MarketAccess& access, Flow& flow, const Terms& terms, bool rests);

    Parameters is_;
    std::vector<Flow> flows_;
};

}  // namespace damrak::participants
