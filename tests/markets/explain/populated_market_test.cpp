// Markets from files: what the watch counts ahead of each order is what a walk along the queues of
// the engine finds, and watching changes nothing.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_runs/run.hpp>

#include "markets/explain/queue_checker.hpp"

namespace damrak::explain::populated_market_test {
namespace {

std::vector<Member> members_of(const market_runs::MarketFile& file) {
    std::vector<Member> members;
    for (const market_runs::GroupDescription& group : file.groups)
        for (std::uint32_t i = 0; i < group.count; ++i)
            members.push_back({group.name, i, group.count});
    return members;
}

class PopulatedMarket : public ::testing::TestWithParam<const char*> {};

TEST_P(PopulatedMarket, CountsWhatTheEngineHas) {
    auto file =
        market_runs::read_market_file(std::string{"examples/markets/"} + GetParam() + ".toml");
    ASSERT_TRUE(file) << file.error();
    file->duration_ns = std::min<std::int64_t>(file->duration_ns, 20'000'000'000);
    const auto plain = market_runs::run_market(*file, {.seed = 3});
    std::size_t checked = 0;
    for (const market_runs::GroupDescription& group : file->groups) {
        OrderWatch watch{members_of(*file), {.group = group.name, .number = {}, .limit = 100}};
        QueueChecker checker{watch};
        market_runs::RunOptions options{.seed = 3};
        options.watchers = {&watch, &checker};
        const auto watched = market_runs::run_market(*file, options);
        ASSERT_TRUE(watched && plain);
        EXPECT_EQ(watched->hash, plain->hash);
        EXPECT_EQ(checker.different, 0U) << group.name;
        checked += checker.checked;
        for (const Fate& fate : watch.fates()) {
            std::int64_t traded = 0;
            for (const Trade& trade : fate.trades) traded += trade.quantity.value;
            if (fate.trades_dropped == 0) {
                EXPECT_EQ(traded, fate.filled.value);
            }
            EXPECT_EQ(fate.ending == Ending::filled, fate.open.value == 0 && fate.is_done());
        }
    }
    EXPECT_GT(checked, 1'000U);
}

INSTANTIATE_TEST_SUITE_P(Files, PopulatedMarket,
                         ::testing::Values("execution", "spoofing", "neutral", "outages",
                                           "two_shares"),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::erase(name, '_');
                             return name;
                         });

}  // namespace
}  // namespace damrak::explain::populated_market_test
