// Participants that make the whole flow of a market, through the engine, against their papers.
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/participants/models/queue_race.hpp>
#include <damrak/validation/detail/arena.hpp>
#include <damrak/validation/detail/checks.hpp>

namespace damrak::validation::detail {
namespace {

constexpr std::int64_t k_flow_tick = 100;

/// Mean spread over time, in ticks, in batches for its error.
class SpreadOverTime final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        if (last_.has_both())
            batch_.add(static_cast<double>(last_.ask.value - last_.bid.value) / k_flow_tick,
                       (change.time - last_.time).value);
        last_ = change;
    }
    /// What comes now is one batch more; the first is dropped.
    void next_batch() {
        if (has_begun_) batches.add(batch_.mean());
        batch_ = {};
        has_begun_ = true;
    }
    measures::Moments batches;

  private:
    measures::TimeWeighted batch_;
    views::PublicChange last_{};
    bool has_begun_ = false;
};

// p_c is 50 ticks, so dp = p_c / 50; an order lives 1 / (50 epsilon) seconds.
Finding smith_farmer(const Subjects& subjects, double epsilon, double theory, double seconds) {
    constexpr double k_pc = 50;
    Arena arena{subjects, 7, k_flow_tick};
    arena.add("zero-intelligence", {{"limit_per_tick_per_s", number(1)},
                                    {"market_per_s", number(2 * k_pc)},
                                    {"cancel_per_s", number(epsilon * k_pc)},
                                    {"quantity", whole(1)},
                                    {"window_ticks", whole(300)}});
    SpreadOverTime spread;
    arena.run_until(0.3 * seconds, {&spread});
    spread.next_batch();
    constexpr int k_batches = 20;
    for (int batch = 1; batch <= k_batches; ++batch) {
        arena.run_until((0.3 + 0.7 * batch / k_batches) * seconds);
        spread.next_batch();
    }
    return equals(fmt::format("spread_over_pc_at_epsilon_{}", epsilon), theory,
                  spread.batches.mean() / k_pc, standard_error(spread.batches) / k_pc, 0.01,
                  static_cast<std::uint64_t>(seconds * 0.7), "virtual seconds");
}

std::vector<Finding> zero_intelligence(const Subjects& subjects) {
    return {smith_farmer(subjects, .002, .450, 8'000), smith_farmer(subjects, .02, .500, 4'000),
            smith_farmer(subjects, .1, .636, 2'000), smith_farmer(subjects, .2, .768, 2'000)};
}

/// In each spell with a spread of one tick: which side empties first, from each pair of sizes.
class BestQueueRaces final : public market_kernel::MarketWatcher {
  public:
    using Sizes = std::pair<std::int64_t, std::int64_t>;
    struct Count {
        std::uint64_t races = 0;
        std::uint64_t ups = 0;
    };
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        const bool is_tight =
            change.has_both() && change.ask.value - change.bid.value == k_flow_tick;
        if (!spell_.empty() && (!is_tight || change.bid != bid_)) {
            const bool is_up = change.has_bid() && change.bid == bid_;
            for (const Sizes& sizes : spell_) {
                ++counts[sizes].races;
                if (is_up) ++counts[sizes].ups;
            }
            spell_.clear();
        }
        if (!is_tight) return;
        bid_ = change.bid;
        const Sizes now{change.bid_quantity.value, change.ask_quantity.value};
        if (std::ranges::find(spell_, now) == spell_.end()) spell_.push_back(now);
    }
    std::map<Sizes, Count> counts;

  private:
    std::vector<Sizes> spell_;  ///< sizes that it has visited
    Price bid_{};
};

std::vector<Finding> cont_stoikov_talreja(const Subjects& subjects) {
    Arena arena{subjects, 11, k_flow_tick};
    arena.add("cont-stoikov-talreja", {{"quantity", whole(1)}});
    BestQueueRaces races;
    arena.run_until(300'000, {&races});
    std::vector<Finding> findings;
    for (std::int64_t bid = 1; bid <= 3; ++bid)
        for (std::int64_t ask = 1; ask <= 4; ++ask) {
            const double theory = participants::models::probability_of_up({}, static_cast<int>(bid),
                                                                          static_cast<int>(ask));
            const auto count = races.counts[{bid, ask}];
            const auto n = static_cast<double>(count.races);
            findings.push_back(equals(
                fmt::format("up_from_{}_{}", bid, ask), theory, static_cast<double>(count.ups) / n,
                std::sqrt(theory * (1 - theory) / n), 0.005, count.races, "races"));
        }
    return findings;
}

// Both queues balanced and without cancels by order: the integral of the paper, by the midpoint
// rule.
double cont_de_larrard_up(int bid, int ask) {
    constexpr int k_steps = 200'000;
    double sum = 0;
    for (int i = 0; i < k_steps; ++i) {
        const double t = std::numbers::pi * (i + 0.5) / k_steps;
        const double x = 2 - std::cos(t);
        sum += std::pow(x - std::sqrt(x * x - 1), ask) * std::sin(bid * t) * std::cos(t / 2) /
               std::sin(t / 2);
    }
    return sum / k_steps;
}

std::vector<Finding> cont_de_larrard(const Subjects& /*subjects*/) {
    constexpr std::uint64_t k_races = 40'000;
    market_kernel::Draws draws{market_kernel::key_of(1, "validation", 0, "cont-de-larrard")};
    std::vector<Finding> findings;
    for (const auto& [bid, ask] : {std::pair{1, 1}, {2, 1}, {3, 1}, {5, 1}, {3, 2}}) {
        const participants::models::QueueRace balanced{1, 1, 0};
        std::uint64_t ups = 0;
        for (std::uint64_t i = 0; i < k_races; ++i)
            ups += participants::models::draw_up(balanced, bid, ask, draws) ? 1U : 0U;
        const double theory = cont_de_larrard_up(bid, ask);
        findings.push_back(equals(fmt::format("up_from_{}_{}", bid, ask), theory,
                                  static_cast<double>(ups) / k_races,
                                  std::sqrt(theory * (1 - theory) / k_races), 0, k_races, "races"));
    }
    return findings;
}

/// Share of time that the best bid queue has each size.
class BidSizes final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        const auto size = static_cast<std::size_t>(last_.bid_quantity.value);
        if (size < time.size() && last_.time.value > 0) {
            time[size] += static_cast<double>((change.time - last_.time).value);
            ++changes;
        }
        last_ = change;
    }
    std::array<double, 30> time{};
    std::uint64_t changes = 0;

  private:
    views::PublicChange last_{};
};

// The law of the paper, by its product, for rates 1.5, 0.2 n and 0.6.
std::vector<Finding> queue_reactive(const Subjects& subjects) {
    Arena arena{subjects, 5, k_flow_tick};
    arena.add("queue-reactive",
              {{"levels", whole(1)}, {"quantity", whole(1)}, {"move", number(0)}});
    BidSizes sizes;
    arena.run_until(200'000, {&sizes});
    double all = 0;
    for (const double time : sizes.time) all += time;
    std::array<double, 30> law{1};
    double sum = 1;
    for (std::size_t n = 1; n < law.size(); ++n) {
        // Rates of cancels end at a queue of 20.
        law[n] = law[n - 1] * 1.5 / (.2 * static_cast<double>(std::min<std::size_t>(n, 20)) + .6);
        sum += law[n];
    }
    double distance = 0;
    double mean = 0;
    double theory = 0;
    for (std::size_t n = 0; n < law.size(); ++n) {
        distance += std::abs(sizes.time[n] / all - law[n] / sum) / 2;
        mean += static_cast<double>(n) * sizes.time[n] / all;
        theory += static_cast<double>(n) * law[n] / sum;
    }
    return {equals("total_variation", 0, distance, 0, 0.01, sizes.changes, "changes"),
            equals("mean_size", theory, mean, 0, 0.05, sizes.changes, "changes")};
}

}  // namespace

std::vector<Check> flow_checks() {
    return {{"zero-intelligence",
             "Smith, Farmer, Gillemot and Krishnamurthy (2003), recomputed on a grid of p_c / 50",
             Tested::engine, zero_intelligence},
            {"cont-stoikov-talreja", "Cont, Stoikov and Talreja (2010), first-passage equations",
             Tested::engine, cont_stoikov_talreja},
            {"cont-de-larrard", "Cont and de Larrard (2013), integral for balanced queues",
             Tested::formula, cont_de_larrard},
            {"queue-reactive", "Huang, Lehalle and Rosenbaum (2015), stationary law of model I",
             Tested::engine, queue_reactive}};
}

}  // namespace damrak::validation::detail
