// Participants that trade what instruments have in common: quotes that have not followed a leading
// instrument yet, the spread of a pair, and an ETF against its basket. All take what they see, and
// nothing of theirs rests. In a group with too few instruments they do nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/legs.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

/// Takes quotes of the second instrument that have not followed the first yet: those that are worth
/// more than the edge by the ratio of the two prices, which it learns slowly.
class LatencyArbitrageur final : public market_kernel::Participant {
  public:
    struct Parameters {
        double edge_ticks = 1;
        std::int64_t memory_ns = 60 * market_kernel::k_second_ns;
        std::int64_t quantity = 100;
        std::int64_t most_position = 1'000;
    };
    static constexpr std::string_view k_name = "latency-arbitrageur";
    static constexpr std::string_view k_summary =
        "Takes quotes of the second instrument that have not followed the first yet";
    static constexpr bool k_above_zero = true;
    static constexpr std::string_view k_source =
        "Budish, Cramton and Shim (2015), The high-frequency trading arms race";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }
    static std::string fits(const Parameters& parameters, const Assignment& assignment);

    LatencyArbitrageur(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters), instruments_(assignment.instruments) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_market(market_kernel::MarketAccess& access, InstrumentId instrument) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    Parameters is_;
    std::vector<InstrumentId> instruments_;
    double ratio_ = 0;  ///< of the mid prices; zero: not seen yet
    Timestamp updated_{};
    market_kernel::OrderHandle taking_{};
};

/// Sells the spread first - ratio x second when it is far above its mean, buys it when it is far
/// below, and closes near the mean.
class PairArbitrageur final : public market_kernel::Participant {
  public:
    struct Parameters {
        double ratio = 1;
        double entry_ticks = 6;
        double exit_ticks = 1;
        std::int64_t memory_ns = 300 * market_kernel::k_second_ns;
        std::int64_t interval_ns = 100 * market_kernel::k_millisecond_ns;
        std::int64_t quantity = 100;
        std::int64_t most_position = 1'000;
    };
    static constexpr std::string_view k_name = "pair-arbitrageur";
    static constexpr std::string_view k_summary =
        "Trades the spread of two instruments around its mean";
    static constexpr bool k_above_zero = true;
    static constexpr std::string_view k_source =
        "Gatev, Goetzmann and Rouwenhorst (2006), Pairs trading";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);
    static std::string fits(const Parameters& parameters, const Assignment& assignment);

    PairArbitrageur(const Parameters& parameters, const Assignment& assignment)
        : is_(parameters),
          instruments_(assignment.instruments),
          legs_(assignment.instruments, {parameters.ratio}) {}

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    void look(market_kernel::MarketAccess& access);

    Parameters is_;
    std::vector<InstrumentId> instruments_;
    detail::Legs legs_;
    double mean_ = 0;
    bool has_mean_ = false;
};

/// Sells the first instrument, an ETF, and buys its basket when that brings more than the edge, and
/// the other way round. There is no creation of shares: it holds both until the sign changes.
class EtfArbitrageur final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::vector<double> weights{};
        double edge_ticks = 1;
        std::int64_t interval_ns = 100 * market_kernel::k_millisecond_ns;
        std::int64_t quantity = 100;
        std::int64_t most_position = 1'000;
    };
    static constexpr std::string_view k_name = "etf-arbitrageur";
    static constexpr std::string_view k_summary =
        "Trades an ETF, the first instrument, against the basket of the others";
    static constexpr std::string_view k_source =
        "Ben-David, Franzoni and Moussawi (2018), Do ETFs increase volatility?";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& /*parameters*/) { return {}; }
    static std::string fits(const Parameters& parameters, const Assignment& assignment);

    EtfArbitrageur(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_market(market_kernel::MarketAccess& access, InstrumentId instrument) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    Parameters is_;
    std::vector<InstrumentId> instruments_;
    detail::Legs legs_;
};

}  // namespace damrak::participants
