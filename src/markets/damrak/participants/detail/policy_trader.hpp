// Acts by a policy that the market file gives over features of the market: a table of rules, a
// linear model or a decision tree (models/policy.hpp), for instance one that was learned elsewhere.
// At a look at which the book lacks a side it does nothing.
//
//   feature      value
//   inventory    own position over most_position, -1 to 1
//   imbalance    (quantity at the best bid - at the best ask) / their sum, -1 to 1
//   spread       ask - bid, in ticks
//   time_left    share of `horizon` that is left, 1 to 0
//   last_return  change of the mid price since the look before, in ticks
//
//   action       effect
//   nothing      orders stay as they are
//   buy, sell    takes the best price; own orders are cancelled
//   bid, ask     one order at the best price of that side, and none on the other
//   quote        an order at both best prices
//   cancel       no orders
//
// Source of the form: Nevmyvaka, Feng and Kearns (2006), whose learned policies are such tables.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/policy.hpp>
#include <damrak/participants/detail/quotes.hpp>
#include <damrak/participants/kind.hpp>

namespace damrak::participants {

class PolicyTrader final : public market_kernel::Participant {
  public:
    struct Parameters {
        std::vector<std::string> rules{"imbalance > 0.5 : buy", "imbalance < -0.5 : sell"};
        std::vector<std::string> scores{};
        std::vector<std::string> tree{};
        double looks_per_s = 1;
        std::int64_t quantity = 100;
        std::int64_t most_position = 1'000;
        std::int64_t horizon_ns = 600 * market_kernel::k_second_ns;
    };
    static constexpr std::string_view k_name = "policy";
    static constexpr std::string_view k_summary =
        "Acts by a table, a linear model or a decision tree over features of the market";
    static constexpr std::string_view k_source =
        "Nevmyvaka, Feng and Kearns (2006), Reinforcement learning for optimized trade execution";
    static std::vector<Parameter<Parameters>> parameters();
    static std::string check(const Parameters& parameters);

    PolicyTrader(const Parameters& parameters, const Assignment& assignment);

    void on_start(market_kernel::MarketAccess& access) override;
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override;
    void on_report(market_kernel::MarketAccess& access,
                   const market_kernel::Report& report) override;

  private:
    struct Book {
        InstrumentId instrument{};
        detail::Quotes quotes;
        std::int64_t twice_mid = 0;  ///< at the last look; zero: none
    };
    [[nodiscard]] models::PolicyFeatures features(market_kernel::MarketAccess& access,
                                                  const Book& book);
    void act(market_kernel::MarketAccess& access, Book& book, models::PolicyAction action);

    Parameters is_;
    models::Policy policy_;
    Timestamp begin_{};
    std::vector<Book> books_;
    market_kernel::Draws looks_;
};

}  // namespace damrak::participants
