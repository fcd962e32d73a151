// Learns what the instrument is worth at known times, with an error, and trades on it as long as
// the distance between signal and mid price pays for the half spread and the fee. The distance
// counts less the older the signal is. Sources: the informed traders of Glosten and Milgrom (1985)
// and Kyle (1985), on an order book.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class InformedTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::int64_t news_ns = 60 * market_kernel::k_second_ns;
        std::int64_t interval_ns = market_kernel::k_second_ns;
        std::int64_t delay_ns = 0;
        double error_sd_ticks = 0;
        std::int64_t half_life_ns = 600 * market_kernel::k_second_ns;
        double fee_ticks = 0;
        std::int64_t quantity = 100;
        std::int64_t most_position = 10'000;
    };
    static constexpr std::string_view k_name = "informed";
    static constexpr std::string_view k_summary =
        "Trades on news of the fundamental value while it pays for spread and fee";
    static constexpr std::string_view k_source =
        "Glosten and Milgrom (1985); Kyle (1985), Continuous auctions and insider trading";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    InformedTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    /// Of one instrument.
    struct Signal {
        InstrumentId instrument{};
        double value = 0;
        Timestamp time{};
    };
    void trade(market_kernel::MarketAccess& access, const Signal& signal);

    Parameters is_;
    std::vector<Signal> signals_;
    market_kernel::Draws errors_;
};

}  // namespace damrak::participants
