// Trades without a reason, at random times: market orders and limit orders near the best prices,
// which it cancels after a while. The background against which others are measured.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class NoiseTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        double orders_per_s = 0.2;
        double market_share = 0.3;
        std::int64_t quantity = 100;
        std::int64_t most_ticks_away = 10;
        std::string rests = "limit";
        std::int64_t lifetime_ns = 30 * market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "noise";
    static constexpr std::string_view k_summary =
        "Buys and sells at random times, by market and limit orders";
    static constexpr std::string_view k_source = "Black (1986), Noise";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }

    NoiseTrader(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    void sleep(market_kernel::MarketAccess& access);
    void trade(market_kernel::MarketAccess& access);
    [[nodiscard]] market_kernel::NewOrder resting(market_kernel::MarketAccess& access,
                                                  InstrumentId instrument, Side side,
                                                  std::int64_t ticks) const;

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
