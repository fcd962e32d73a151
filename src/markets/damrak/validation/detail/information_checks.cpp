// Markets with private information and private values.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include <damrak/participants/models/asymmetric_information.hpp>
#include <damrak/validation/detail/arena.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

/// Quotes by the number of buys less that of sells.
class QuotesAfterTrades final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        if (change.kind == views::PublicChange::Kind::trade)
            imbalance += change.side == Side::buy ? 1 : -1;
        if (change.has_both()) last = change;
    }
    int imbalance = 0;
    views::PublicChange last{};
};

// Value 1,000,000 or 2,000,000; a tick is 1e-4 of the distance. The maker rounds away from itself.
std::vector<Finding> glosten_milgrom(const Subjects& subjects) {
    Arena arena{subjects, 6};
    arena.add("glosten-milgrom", {{"low", number(1e6)}, {"high", number(2e6)}});
    arena.add("glosten-milgrom-traders");
    QuotesAfterTrades seen;
    std::vector<Finding> findings;
    const auto probability = [](double odds) { return odds / (1 + odds); };
    // By Bayes' rule with an informed share of .3: a buy multiplies the odds by 1.3 / .7.
    const double step = 1.3 / .7;
    std::array<bool, 11> has_seen{};
    for (int second = 0; second < 400; ++second) {
        arena.run_until(second + 0.5, {&seen});
        if (std::abs(seen.imbalance) > 5) continue;
        const int place = seen.imbalance + 5;
        bool& is_known = has_seen[static_cast<std::size_t>(place)];
        if (is_known) continue;
        is_known = true;
        const double odds = std::pow(step, seen.imbalance);
        const auto in_range = [](Price price) {
            return (static_cast<double>(price.value) - 1e6) / 1e6;
        };
        findings.push_back(equals(fmt::format("bid_after_{}", seen.imbalance),
                                  probability(odds / step), in_range(seen.last.bid), 0, 1.1e-4, 1,
                                  "quotes"));
        findings.push_back(equals(fmt::format("ask_after_{}", seen.imbalance),
                                  probability(odds * step), in_range(seen.last.ask), 0, 1.1e-4, 1,
                                  "quotes"));
    }
    return findings;
}

// Kyle (1985), theorem 2, as numbers; and the regression of the value on the flow of the last of
// four auctions.
std::vector<Finding> kyle(const Subjects& /*subjects*/) {
    using participants::models::kyle_auctions;
    const auto exact = [](std::string name, double theory, double value) {
        return equals(std::move(name), theory, value, 0, 5e-5, 1, "solutions");
    };
    const auto one = kyle_auctions(1, 4, 9);
    const auto two = kyle_auctions(2, 1, 1);
    const auto four = kyle_auctions(4, 1, 1);
    std::vector<Finding> findings{
        exact("lambda_of_one_auction", .5 * std::sqrt(4.) / 3, one[0].lambda),
        exact("beta_of_one_auction", 3 / std::sqrt(4.), one[0].beta),
        exact("variance_after_one_auction", 2, one[0].variance),
        exact("lambda_1_of_2", .6529, two[0].lambda),
        exact("lambda_2_of_2", .5882, two[1].lambda),
        exact("lambda_1_of_4", .7648, four[0].lambda),
        exact("lambda_4_of_4", .6642, four[3].lambda),
        exact("variance_after_4", .2206, four[3].variance),
        exact("variance_after_10", .1099, kyle_auctions(10, 1, 1)[9].variance)};
    market_kernel::Draws draws{market_kernel::key_of(21, "validation", 0, "kyle")};
    measures::Regression regression;
    constexpr std::uint64_t k_runs = 200'000;
    double squares = 0;
    for (std::uint64_t i = 0; i < k_runs; ++i) {
        const double value = draws.normal();
        double price = 0;
        double before = 0;
        double flow = 0;
        for (const auto& auction : four) {
            before = price;
            flow = auction.beta * (value - price) + draws.normal() / 2;
            price += auction.lambda * flow;
        }
        regression.add(flow, value - before);
        squares += flow * flow;
    }
    findings.push_back(equals("regression_of_value_on_flow", .6642, regression.slope(),
                              std::sqrt(.2206 / squares), 5e-5, k_runs, "runs"));
    return findings;
}

// Gode and Sunder (1993): units worth 150 to 50 and costing 50 to 150, dealt in turn.
double efficiency(const Subjects& subjects, std::uint64_t seed, int units, int members) {
    Arena arena{subjects, seed};
    const int all = units * members;
    for (const bool buys : {true, false})
        for (int member = 0; member < members; ++member) {
            arena.add("zic", {{"side", word(buys ? "buy" : "sell")},
                              {"first", number(buys ? 1.5e6 : .5e6)},
                              {"last", number(buys ? .5e6 : 1.5e6)},
                              {"units", whole(units)}});
            market_kernel::Seat& seat = arena.setup.seats.back();
            seat.group = buys ? "buy" : "sell";
            seat.member = static_cast<std::uint32_t>(member);
            seat.members = static_cast<std::uint32_t>(members);
        }
    auto& market = arena.run_until(3'000);
    const auto worth = [all](int unit) { return 1.5e6 - 1e6 * unit / (all - 1); };
    double possible = 0;
    for (int i = 0; i < all; ++i) possible += std::max(0., 2 * worth(i) - 2e6);
    double gained = 0;
    for (int i = 0; i < 2 * members; ++i) {
        const ParticipantId id{static_cast<std::uint32_t>(i + 1)};
        const auto traded = std::abs(market.position(id, k_instrument).value);
        for (int unit = 0; unit < traded; ++unit) {
            const double value = worth(unit * members + i % members);
            gained += i < members ? value : value - 2e6;
        }
    }
    return gained / possible;
}

std::vector<Finding> gode_sunder(const Subjects& subjects) {
    const auto finding = [&](const char* name, double theory, double tolerance, int units,
                             int members) {
        measures::Moments sessions;
        for (std::uint64_t seed = 1; seed <= 60; ++seed)
            sessions.add(efficiency(subjects, seed, units, members));
        return equals(name, theory, sessions.mean(), standard_error(sessions), tolerance, 60,
                      "sessions");
    };
    return {finding("efficiency_4_units_6_traders", .988, .0065, 4, 6),
            finding("efficiency_1_unit_24_traders", .961, .0065, 1, 24),
            finding("efficiency_1_unit_6_traders", .950, .01, 1, 6)};
}

}  // namespace

std::vector<Check> information_checks() {
    return {{"glosten-milgrom", "Glosten and Milgrom (1985), quotes by Bayes' rule", Tested::engine,
             glosten_milgrom},
            {"kyle", "Kyle (1985), theorem 2", Tested::formula, kyle},
            {"gode-sunder", "Gode and Sunder (1993), recomputed for these schedules",
             Tested::engine, gode_sunder}};
}

}  // namespace damrak::validation::detail
