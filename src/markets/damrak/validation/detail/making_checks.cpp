// Market makers: quotes, profit and inventory of their papers, and the spread at which those who
// are faster take all that a maker earns.
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <damrak/participants/models/almgren_chriss.hpp>
#include <damrak/participants/models/market_making.hpp>
#include <damrak/validation/detail/arena.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

// The formulas, for s = 100, sigma = 2, k = 1.5, A = 140, T = 1.
struct Prices {
    double bid = 0;
    double ask = 0;
};
Prices avellaneda_stoikov_prices(double gamma, double q, double left) {
    const double reservation = 100 - q * gamma * 4 * left;
    const double spread = gamma * 4 * left + 2 / gamma * std::log(1 + gamma / 1.5);
    return {reservation - spread / 2, reservation + spread / 2};
}
Prices glft_prices(double gamma, double q) {
    const double c = std::log(1 + gamma / 1.5) / gamma;
    const double b =
        std::sqrt(4 * gamma / (2 * 1.5 * 140) * std::pow(1 + gamma / 1.5, 1 + 1.5 / gamma));
    return {100 - c - (2 * q + 1) * b / 2, 100 + c - (2 * q - 1) * b / 2};
}

/// With ticks of a hundredth, so that prices are 10,000 ticks a hundred.
Prices quoted(const Subjects& subjects, std::string_view kind) {
    Arena arena{subjects, 1};
    participants::ParameterValues is{{"anchor", word("fundamental")},
                                     {"risk_aversion", number(.1 / 100)},
                                     {"volatility_ticks", number(200)},
                                     {"decay_per_tick", number(1.5 / 100)}};
    if (kind == "glft")
        is["fills_per_s"] = number(140);
    else
        is["horizon"] = whole(market_kernel::k_second_ns);
    arena.add(kind, is);
    const auto& latest = arena.run_until(0.001).latest(k_instrument);
    return {static_cast<double>(latest.bid.value) / 1e4,
            static_cast<double>(latest.ask.value) / 1e4};
}

std::vector<Finding> quotes(const Subjects& subjects) {
    std::vector<Finding> findings;
    const auto add = [&](std::string name, const Prices& theory, const Prices& seen,
                         double tolerance) {
        findings.push_back(equals(name + "_bid", theory.bid, seen.bid, 0, tolerance, 1, "quotes"));
        findings.push_back(equals(name + "_ask", theory.ask, seen.ask, 0, tolerance, 1, "quotes"));
    };
    using namespace participants::models;
    for (const auto& [q, left] : {std::pair{0., 1.}, {3., .5}, {-2., .25}}) {
        const Distances at = avellaneda_stoikov_quotes({}, q, left);
        add(fmt::format("avellaneda_stoikov_q{}", q), avellaneda_stoikov_prices(.1, q, left),
            {100 - at.bid, 100 + at.ask}, 1e-9);
    }
    for (const double q : {-4., 0., 3.}) {
        const Distances at = glft_quotes({}, q);
        add(fmt::format("glft_q{}", q), glft_prices(.1, q), {100 - at.bid, 100 + at.ask}, 1e-9);
    }
    add("avellaneda_stoikov_in_the_market", avellaneda_stoikov_prices(.1, 0, 1),
        quoted(subjects, "avellaneda-stoikov"), .01);
    add("glft_in_the_market", glft_prices(.1, 0), quoted(subjects, "glft"), .01);
    for (Finding& finding : findings)
        if (finding.name.find("_in_the_market_") != std::string::npos)
            finding.tested = Tested::engine;
    return findings;
}

std::vector<Finding> avellaneda_stoikov(const Subjects& /*subjects*/) {
    struct Row {
        double gamma, profit, profit_sd, inventory_sd;
    };
    constexpr std::uint64_t k_runs = 20'000;
    std::vector<Finding> findings;
    for (const Row& row :
         {Row{.1, 64.9, 6.60, 2.93}, {.01, 68.4, 9.0, 5.22}, {.5, 48.5, 5.9, 1.97}}) {
        market_kernel::Draws draws{market_kernel::key_of(99, "validation", 0, "making")};
        measures::Moments profit;
        measures::Moments inventory;
        for (std::uint64_t i = 0; i < k_runs; ++i) {
            const auto run =
                participants::models::simulate_making({.risk_aversion = row.gamma}, 1, 200, draws);
            profit.add(run.profit);
            inventory.add(run.inventory);
        }
        const std::string name = fmt::format("_at_gamma_{}", row.gamma);
        findings.push_back(equals("profit" + name, row.profit, profit.mean(),
                                  standard_error(profit), .05, k_runs, "runs"));
        findings.push_back(equals("profit_sd" + name, row.profit_sd, profit.deviation(), 0,
                                  .03 * row.profit_sd, k_runs, "runs"));
        findings.push_back(equals("inventory_sd" + name, row.inventory_sd, inventory.deviation(), 0,
                                  .03 * row.inventory_sd, k_runs, "runs"));
    }
    return findings;
}

// E (|J| - h)^+ for a standard normal J.
double expected_loss(double h) {
    const double density = std::exp(-h * h / 2) / std::sqrt(2 * std::acos(-1.));
    return 2 * (density - h * std::erfc(h / std::sqrt(2.)) / 2);
}

/// Half the spread that earns from investors, one a second, what jumps cost, `jumps_per_s` of them.
double break_even_half_spread(double jumps_per_s) {
    double low = 0;
    double high = 5;
    for (int i = 0; i < 100; ++i) {
        const double middle = (low + high) / 2;
        (middle < jumps_per_s * expected_loss(middle) ? low : high) = middle;
    }
    return low;
}

/// What the fills of a participant earn against the value at that moment. What its position earns
/// or loses later has a mean of zero, and would drown the rest.
class EdgeOfFills final : public market_kernel::MarketWatcher {
  public:
    EdgeOfFills(ParticipantId who, const market_kernel::MarketSetup& setup)
        : who_(who),
          value_(setup.seed, setup.begin, setup.factors, setup.fundamentals, setup.value_step_ns) {}
    void on_event(const Event& event, const CommandStamp& stamp) override {
        if (event.kind != EventKind::executed || event.participant != who_) return;
        const double sign = event.side == Side::buy ? 1 : -1;
        earned +=
            sign * static_cast<double>(event.quantity.value) *
            (value_.value(k_instrument, stamp.timestamp) - static_cast<double>(event.price.value));
    }
    double earned = 0;

  private:
    ParticipantId who_;
    market_kernel::Fundamentals value_;
};

// A maker at that spread, whose orders take 5 ms, an investor, and a sniper that looks
// every 2.1 ms and is at the exchange at once. Jumps have a standard deviation of 2,000 ticks.
Finding sniped_maker(const Subjects& subjects, double jumps_per_s) {
    constexpr double k_jump = 2'000;
    const double half = break_even_half_spread(jumps_per_s);
    Arena arena{subjects, 23, 1};
    auto& value = arena.setup.fundamentals[0];
    value.start = 1e7;
    value.jumps_per_s = jumps_per_s;
    value.jump_size = k_jump / 1e7;
    market_kernel::Connection slow;
    slow.orders.base_ns = 5 * market_kernel::k_millisecond_ns;
    const ParticipantId maker = arena.add("fixed-maker",
                                          {{"anchor", word("fundamental")},
                                           {"half_spread_ticks", number(half * k_jump)},
                                           {"skew_ticks", number(0)},
                                           {"quantity", whole(1)},
                                           {"most_position", whole(1'000'000)},
                                           {"interval", whole(market_kernel::k_millisecond_ns)}},
                                          slow);
    arena.add("noise",
              {{"orders_per_s", number(1)}, {"market_share", number(1)}, {"quantity", whole(1)}});
    arena.add("informed", {{"news", whole(2'100'000)},
                           {"interval", whole(2'100'000)},
                           {"quantity", whole(1)},
                           {"most_position", whole(1'000'000)}});
    EdgeOfFills edge{maker, arena.setup};
    measures::Moments profits;
    constexpr int k_batches = 100;
    constexpr double k_batch_s = 50;
    for (int batch = 1; batch <= k_batches; ++batch) {
        edge.earned = 0;
        arena.run_until(batch * k_batch_s, {&edge});
        profits.add(edge.earned / k_jump / k_batch_s);
    }
    return equals(fmt::format("profit_per_s_at_spread_{:.5f}", 2 * half), 0, profits.mean(),
                  standard_error(profits), 0, k_batches, "batches of 50 s");
}

std::vector<Finding> sniping(const Subjects& subjects) {
    return {sniped_maker(subjects, 1), sniped_maker(subjects, .5)};
}

// The example of the paper: a million shares in five days. The model's trajectory against the
// numbers of the paper recomputed, its cost against runs of a random walk with linear impact.
std::vector<Finding> almgren_chriss(const Subjects& /*subjects*/) {
    using namespace participants::models;
    const ExecutionModel is;
    std::vector<Finding> findings{
        equals("urgency", .6071, execution_urgency(is, 1), 0, 5e-5, 1, "solutions")};
    std::vector<double> held;
    for (int day = 0; day <= 5; ++day)
        held.push_back(1e6 * held_share(execution_urgency(is, 1), 5, day));
    for (const auto& [day, theory] :
         {std::pair{1, 541'956.}, {2, 289'854.}, {3, 147'897.}, {4, 62'142.}, {5, 0.}})
        findings.push_back(equals(fmt::format("held_after_{}", day), theory,
                                  held[static_cast<std::size_t>(day)], 0, 1, 1, "solutions"));
    market_kernel::Draws draws{market_kernel::key_of(71, "validation", 0, "execution")};
    measures::Moments costs;
    constexpr std::uint64_t k_runs = 100'000;
    for (std::uint64_t run = 0; run < k_runs; ++run) {
        double price = 0;  // less that at the beginning
        double cost = 0;
        for (std::size_t day = 1; day < held.size(); ++day) {
            const double sold = held[day - 1] - held[day];
            cost -= sold * (price - is.half_spread - is.temporary_impact * sold);
            price += is.volatility * draws.normal() - is.permanent_impact * sold;
        }
        costs.add(cost);
    }
    findings.push_back(
        equals("mean_cost", 911'227, costs.mean(), standard_error(costs), 1, k_runs, "runs"));
    findings.push_back(equals("cost_deviation", 603'431, costs.deviation(),
                              603'431 / std::sqrt(2. * k_runs), 1, k_runs, "runs"));
    const ExecutionCost cost = execution_cost(is, held, 1);
    findings.push_back(equals("mean_cost_of_the_model", 911'227, cost.mean, 0, 1, 1, "solutions"));
    findings.push_back(
        equals("cost_deviation_of_the_model", 603'431, cost.deviation, 0, 1, 1, "solutions"));
    const ExecutionCost even = execution_cost(is, {1e6, 8e5, 6e5, 4e5, 2e5, 0}, 1);
    findings.push_back(equals("mean_cost_of_even_parts", 662'500, even.mean, 0, 1, 1, "solutions"));
    findings.push_back(
        equals("cost_deviation_of_even_parts", 1'040'673, even.deviation, 0, 1, 1, "solutions"));
    return findings;
}

}  // namespace

std::vector<Check> making_checks() {
    return {
        {"quotes", "Avellaneda and Stoikov (2008); Guéant, Lehalle and Fernandez-Tapia (2013)",
         Tested::formula, quotes},
        {"avellaneda-stoikov", "Avellaneda and Stoikov (2008), section 3.3, recomputed",
         Tested::formula, avellaneda_stoikov},
        {"almgren-chriss", "Almgren and Chriss (2001), section 3", Tested::formula, almgren_chriss},
        {"sniping", "Budish, Cramton and Shim (2015), break-even spread", Tested::engine, sniping}};
}

}  // namespace damrak::validation::detail
