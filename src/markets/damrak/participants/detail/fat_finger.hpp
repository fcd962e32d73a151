// Sends one large order by mistake: at the market, or with a limit far through the book, whose rest
// stays until somebody notices. Source: practice; the market-wide circuit breakers and limit-up
// limit-down bands answer to such orders.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class FatFinger final : public market_kernel::Participant {
  public:
    struct Parameters {
        Parameters();  // out of line, because GCC 12 warns of its string otherwise
        std::string side = "sell";
        std::int64_t quantity = 10'000;
        std::int64_t ticks_through = 0;
        std::int64_t start_ns = 0;
        std::int64_t end_ns = 3'600 * market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "fat-finger";
    static constexpr std::string_view k_summary =
        "Sends one large order by mistake, at the market or far through the book";
    static constexpr std::string_view k_source = "Practice";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    FatFinger(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;

  private:
    [[nodiscard]] market_kernel::NewOrder order_in(market_kernel::MarketAccess& access,
                                                   InstrumentId id) const;

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    std::vector<market_kernel::OrderHandle> sent_;
};

}  // namespace damrak::participants
