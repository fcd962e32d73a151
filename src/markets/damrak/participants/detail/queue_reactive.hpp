// The whole order flow of a market as queues that react to their size: at each of the first prices
// around a reference price, limit orders, cancels and market orders come at rates that depend on
// the size of the queue. The reference price moves a tick with probability `move` when a best queue
// empties, or a limit order within the spread makes a new mid price; after a move the book is drawn
// again from the stationary law with probability `reinitialise`. Source: Huang, Lehalle and
// Rosenbaum (2015), Simulating and analyzing order book data: the queue-reactive model (model I).
// Market orders come to the best queue of a side only. The default rates are toy values.
//
// It looks at displayed depth, counts quantities in units of `quantity`, and lets other
// participants trade in its queues. Rates are thinned from a constant one, which is exact. With
// data latency it reacts to the queues as it sees them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/flow.hpp>
#include <damrak/participants/detail/queue_law.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class QueueReactive final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::vector<double> limit_per_s{1.5};
        std::vector<double> cancel_per_s{0,   0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0,
                                         2.2, 2.4, 2.6, 2.8, 3.0, 3.2, 3.4, 3.6, 3.8, 4.0};
        std::vector<double> market_per_s{0, 0.6};
        std::int64_t levels = 3;
        std::int64_t quantity = 100;
        double move = 0.7;
        double reinitialise = 0.85;
    };
    static constexpr std::string_view k_name = "queue-reactive";
    static constexpr std::string_view k_summary =
        "Makes the whole order flow at rates by the size of each queue";
    static constexpr bool k_above_zero = true;
    static constexpr std::string_view k_source =
        "Huang, Lehalle and Rosenbaum (2015), Simulating and analyzing order book data: the "
        "queue-reactive model";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    QueueReactive(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Of one instrument.
    struct Queues {
        InstrumentId instrument{};
        std::int64_t below_ticks = 0;  ///< the first price below the reference price
        detail::OpenOrders open[2]{};  ///< by side
        market_kernel::Draws arrivals{};
        market_kernel::Draws terms{};
        market_kernel::Draws moves{};
    };
    [[nodiscard]] Price price_of(market_kernel::MarketAccess& access, const Queues& queues,
                                 Side side, std::int64_t level) const;
    [[nodiscard]] std::size_t size_of(market_kernel::MarketAccess& access, const Queues& queues,
                                      Side side, std::int64_t level) const;
    [[nodiscard]] bool is_best(market_kernel::MarketAccess& access, const Queues& queues, Side side,
                               std::int64_t level) const;
    void enter(market_kernel::MarketAccess& access, Queues& queues, Side side, std::int64_t level);
    void leave(market_kernel::MarketAccess& access, Queues& queues, Side side, std::int64_t level,
               double place);
    void draw_book(market_kernel::MarketAccess& access, Queues& queues);
    void consider_move(market_kernel::MarketAccess& access, Queues& queues, std::int64_t ticks);

    Parameters is_;
    std::vector<double> law_;
    double most_[3]{};  ///< of the rates of a queue: limit, cancel, market
    std::vector<Queues> markets_;
};

}  // namespace damrak::participants
