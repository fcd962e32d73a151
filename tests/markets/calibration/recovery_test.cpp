// Each model is found again in days that it made itself: its intervals contain the truth as often
// as they say, and no event of it is lost on the way.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <damrak/calibration/calibration.hpp>
#include <damrak/market_runs/recorded_flow.hpp>
#include <damrak/participants/hawkes_flow.hpp>

#include "calibrated_day.hpp"
#include "support/kolmogorov_smirnov.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_size.hpp"

namespace damrak::calibration::recovery_test {
namespace {

/// Whether 95 % intervals contain the truth over many days: twenty in the nightly run, of which 17
/// must; in the suite two, in which no estimate may be four standard errors off.
class Recovery {
  public:
    static std::uint64_t days() { return test_size::is_whole() ? 20 : 2; }

    void see(const ModelEstimate& model, const std::string& name, double truth) {
        const Estimate& estimate = named(model, name);
        EXPECT_GT(estimate.standard_error, 0) << name;
        z_[name].push_back((estimate.value - truth) / estimate.standard_error);
    }
    void expect_found() const {
        for (const auto& [name, all] : z_) {
            const auto inside =
                std::ranges::count_if(all, [](double z) { return std::abs(z) < 1.96; });
            if (test_size::is_whole()) {
                EXPECT_GE(inside, 17) << name << fmt::format(" {:.1f}", fmt::join(all, " "));
            }
            for (const double z : all) EXPECT_LT(std::abs(z), 4) << name;
        }
    }

  private:
    std::map<std::string, std::vector<double>> z_;
};

TEST(Recovery, ZeroIntelligence) {
    Recovery recovery;
    for (std::uint64_t seed = 1; seed <= Recovery::days(); ++seed) {
        const auto found = calibrated(
            "kind = \"zero-intelligence\"\nlimit_per_tick_per_s = 0.5\nmarket_per_s = 10\n"
            "cancel_per_s = 0.2\nwindow_ticks = 30\nquantity = 10\n",
            "5min", {.ticks = 30, .model = "zero-intelligence"}, seed);
        const ModelEstimate& model = found.models.at(0);
        recovery.see(model, "limit_per_tick_per_s", .5);
        recovery.see(model, "market_per_s", 10);
        recovery.see(model, "cancel_per_s", .2);
    }
    recovery.expect_found();
}

TEST(Recovery, ContStoikovTalreja) {
    Recovery recovery;
    const std::vector<double> limits{1.85, 1.51, 1.09, 0.88, 0.77};
    const std::vector<double> cancels{0.71, 0.81, 0.68, 0.56, 0.47};
    for (std::uint64_t seed = 1; seed <= Recovery::days(); ++seed) {
        const auto found = calibrated("kind = \"cont-stoikov-talreja\"\nquantity = 10\n", "30min",
                                      {.ticks = 5, .model = "cont-stoikov-talreja"}, seed);
        const ModelEstimate& model = found.models.at(0);
        for (std::size_t i = 0; i < 5; ++i) {
            recovery.see(model, fmt::format("limit_per_s[{}]", i + 1), limits[i]);
            recovery.see(model, fmt::format("cancel_per_s[{}]", i + 1), cancels[i]);
        }
        recovery.see(model, "market_per_s", .94);
    }
    recovery.expect_found();
}

// The reference price moves and the book is drawn again, hundreds of times a day.
TEST(Recovery, QueueReactive) {
    Recovery recovery;
    for (std::uint64_t seed = 1; seed <= Recovery::days(); ++seed) {
        const auto found = calibrated("kind = \"queue-reactive\"\nquantity = 10\n", "1h",
                                      {.queues = 3, .model = "queue-reactive"}, seed);
        const ModelEstimate& model = found.models.at(0);
        EXPECT_EQ(named(model, "quantity").value, 10);
        for (std::size_t n = 1; n <= 6; ++n) {
            const std::string at = fmt::format("[{}]", n);
            recovery.see(model, "limit_per_s" + at, 1.5);
            recovery.see(model, "cancel_per_s" + at, .2 * static_cast<double>(n));
            recovery.see(model, "market_per_s" + at, .6);
        }
        recovery.see(model, "move", .7);
        recovery.see(model, "reinitialise", .85);
    }
    recovery.expect_found();
}

const participants::HawkesFlow::Parameters k_default;

// Of the default flow, whose books are often empty on a side, so that cancels and market orders
// find nothing.
TEST(Recovery, Hawkes) {
    Recovery recovery;
    const std::vector<std::string> types{"market_buy", "market_sell", "limit_buy",
                                         "limit_sell", "cancel_buy",  "cancel_sell"};
    for (std::uint64_t seed = 1; seed <= Recovery::days(); ++seed) {
        const auto found = calibrated("kind = \"hawkes\"\n", "20min", {.model = "hawkes"}, seed);
        const ModelEstimate& model = found.models.at(0);
        for (std::size_t i = 0; i < types.size(); ++i) {
            recovery.see(model, fmt::format("base_per_s[{}]", types[i]), k_default.base_per_s[i]);
            for (std::size_t j = 0; j < types.size(); ++j)
                if (const double truth = k_default.branching[i * types.size() + j]; truth > 0)
                    recovery.see(model, fmt::format("branching[{}, {}]", types[i], types[j]),
                                 truth);
        }
        recovery.see(model, "decay_per_s", 2);
    }
    recovery.expect_found();
}

/// Waits of each type in the compensated time of a Hawkes process (Ogata 1988), as uniform numbers.
std::vector<std::vector<double>> residuals_of(const std::vector<FlowEvent>& events,
                                              const participants::models::HawkesDescription& is) {
    const std::size_t types = is.base_per_s.size();
    std::vector<double> excess(types);
    std::vector<double> compensated(types);
    std::vector<std::vector<double>> uniform(types);
    double last_s = 0;
    std::uint8_t possible = FlowEvent::k_all;
    for (const FlowEvent& event : events) {
        const double wait_s = event.time_s - last_s;
        const double decayed = std::exp(-is.decay_per_s * wait_s);
        for (std::size_t type = 0; type < types; ++type) {
            if ((possible >> type & 1U) != 0)
                compensated[type] +=
                    is.base_per_s[type] * wait_s + excess[type] * (1 - decayed) / is.decay_per_s;
            excess[type] *= decayed;
        }
        uniform[event.type].push_back(1 - std::exp(-compensated[event.type]));
        compensated[event.type] = 0;
        for (std::size_t type = 0; type < types; ++type)
            excess[type] += is.branching[type * types + event.type] * is.decay_per_s;
        last_s = event.time_s;
        possible = event.possible;
    }
    return uniform;
}

void expect_whole(const std::string& participant,
                  const participants::models::HawkesDescription& is) {
    const testing::ScratchFolder folder;
    const auto day = market_runs::recorded_day(kept_day(folder, participant, "40min", 5));
    ASSERT_TRUE(day) << day.error();
    FlowRecorder recorder{{}};
    ASSERT_TRUE(
        market_runs::read_recorded_day(*day, std::numeric_limits<std::int64_t>::max(), recorder));
    const auto uniform = residuals_of(recorder.record().events, is);
    for (std::size_t type = 0; type < uniform.size(); ++type) {
        EXPECT_GT(uniform[type].size(), 300U);
        EXPECT_LT(testing::distance_from_uniform(uniform[type]),
                  testing::one_per_cent(uniform[type].size()))
            << "type " << type;
    }
}

// With an event lost now and then, the waits of its type are too long.
TEST(FlowRecorder, LosesNoEventOfAHawkesFlow) {
    expect_whole(k_hawkes, {{.1, .1, 1.5, 1.5, .2, .2},
                            {.4, 0,  0, 0,  0, 0, 0, .4, 0,  0, 0,  0, .3, .2, .3, 0,  0, 0,
                             .2, .3, 0, .3, 0, 0, 0, .2, .1, 0, .1, 0, .2, 0,  0,  .1, 0, .1},
                            2});
}

TEST(FlowRecorder, KnowsWhatCannotHappenWhileASideIsEmpty) {
    FlowRecorder recorder{{}};
    const InstrumentId id = recorder.declare("A");
    constexpr std::int64_t k_s = 1'000'000'000;
    recorder.on_add({1 * k_s, id}, OrderId{1}, Side::buy, {9'900}, {100});
    recorder.on_add({2 * k_s, id}, OrderId{2}, Side::sell, {10'100}, {100});
    recorder.on_remove({3 * k_s, id}, OrderId{1});
    recorder.on_add({4 * k_s, id}, OrderId{3}, Side::buy, {9'900}, {100});
    recorder.on_add({5 * k_s, id}, OrderId{4}, Side::buy, {9'900}, {100});
    const auto& events = recorder.record().events;
    ASSERT_EQ(events.size(), 5U);
    // Market buys (bit 0) and cancels of sales (bit 5) need an ask, the others (1 and 4) a bid.
    const std::vector<unsigned> impossible{0b100001, 0, 0b010010, 0};
    for (std::size_t i = 0; i < impossible.size(); ++i)
        EXPECT_EQ(events[i].possible, 0xffU & ~impossible[i]) << i;
}

TEST(FlowRecorder, LosesNoEventOfAFlowWhoseBooksAreOftenEmpty) {
    expect_whole("kind = \"hawkes\"\n",
                 {k_default.base_per_s, k_default.branching, k_default.decay_per_s});
}

}  // namespace
}  // namespace damrak::calibration::recovery_test
