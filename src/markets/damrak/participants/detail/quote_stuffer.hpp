// Sends bursts of orders that it cancels at once, far behind the best price: messages that others
// must read and that fill the queue at the exchange. For studies of surveillance and of limits on
// messages. Source: Egginton, Van Ness and Van Ness (2016), Quote stuffing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class QuoteStuffer final : public market_kernel::Participant {
  public:
    struct Parameters {
        double bursts_per_s = 0.05;
        std::int64_t pairs = 1'000;
        std::int64_t gap_ns = 20 * market_kernel::k_microsecond_ns;
        std::int64_t ticks_away = 5;
        std::int64_t quantity = 1;
        std::int64_t start_ns = 0;
        std::int64_t end_ns = 3'600 * market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "quote-stuffer";
    static constexpr std::string_view k_summary =
        "Sends bursts of orders far from the best price, each cancelled at once";
    static constexpr std::string_view k_source =
        "Egginton, Van Ness and Van Ness (2016), Quote stuffing; for surveillance studies";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    QuoteStuffer(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    void sleep(market_kernel::MarketAccess& access);

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    Timestamp end_{};
    InstrumentId instrument_{};  ///< of the current burst
    std::int64_t left_ = 0;      ///< pairs of it
    market_kernel::Draws bursts_;
    market_kernel::Draws terms_;
};

}  // namespace damrak::participants
