// Runs of market files: the same file and seed give the same market, on any number of threads; the
// timeline happens when it says; a kept run is an archived day.
#include <damrak/market_runs/run.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <support/disk.hpp>

#include <damrak/archive/day.hpp>
#include <damrak/base/random.hpp>
#include <damrak/market_runs/market_file.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::market_runs::run_test {
namespace {

MarketFile parsed(const std::string& timeline = "") {
    const std::string text = R"(duration = "40s"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "noise"
count = 40
orders_per_s = 2
latency = { kind = "lognormal", median = "2ms", sigma = 0.5 }
[[participants]]
kind = "fixed-maker"
name = "makers"
latency = "200us"
)" + timeline;
    auto file = parse_market_file(text, "test");
    EXPECT_TRUE(file) << file.error();
    return *std::move(file);
}

TEST(Run, TheSameFileAndSeedGiveTheSameMarketOnAnyNumberOfThreads) {
    const MarketFile file = parsed();
    const auto alone = run_market(file, {.seed = 3});
    ASSERT_TRUE(alone) << alone.error();
    EXPECT_TRUE(alone->is_complete);
    EXPECT_GT(alone->counts.trades, 100U);
    for (const std::uint32_t jobs : {1U, 3U}) {
        const auto runs = run_seeds(file, 1, 4, jobs);
        ASSERT_EQ(runs.size(), 4U);
        EXPECT_EQ(runs[2].hash, alone->hash);
        EXPECT_NE(runs[1].hash, alone->hash);
        const auto& measures = runs[2].instruments[0].measures.values();
        ASSERT_EQ(measures.size(), alone->instruments[0].measures.values().size());
        for (std::size_t i = 0; i < measures.size(); ++i)
            EXPECT_EQ(measures[i].value, alone->instruments[0].measures.values()[i].value)
                << measures[i].name;
    }
}

TEST(Run, ObligationsAreJudgedAndPaidWithoutChangingTheMarket) {
    const auto without = run_market(parsed(), {});
    const auto run = run_market(parsed(R"(
[[obligation]]
group = "makers"
period = "10s"
reward = 7
)"),
                                {});
    ASSERT_TRUE(run && without);
    EXPECT_EQ(run->hash, without->hash);
    const auto& makers = run->instruments[0].groups[1];
    EXPECT_EQ(makers.quoting.makers, 1U);
    EXPECT_EQ(makers.quoting.periods, 4U);
    EXPECT_EQ(makers.quoting.met, 4U);
    EXPECT_EQ(makers.quoting.payment, 4 * 70'000);
    EXPECT_NEAR(makers.quoting.trading_s, 40, 1e-9);
    EXPECT_EQ(makers.twice_profit,
              without->instruments[0].groups[1].twice_profit + 2 * makers.quoting.payment);
    EXPECT_EQ(run->instruments[0].groups[0].quoting.makers, 0U);
}

TEST(Run, ProfitsOfAllGroupsAddUpToTheFeesPaid) {
    const auto run = run_market(parsed(), {});
    std::int64_t twice_profit = 0;
    std::int64_t position = 0;
    for (const auto& group : run->instruments[0].groups) {
        EXPECT_TRUE(group.has_profit) << group.group;
        twice_profit += group.twice_profit + 2 * group.fees;
        position += group.position;
    }
    EXPECT_EQ(twice_profit, 0);
    EXPECT_EQ(position, 0);
}

/// Times of trades, in seconds since the beginning.
std::vector<double> trade_times(const MarketFile& file) {
    class Trades final : public market_kernel::MarketWatcher {
      public:
        void on_change(InstrumentId /*id*/, const views::PublicChange& change) override {
            if (change.kind == views::PublicChange::Kind::trade)
                times.push_back(static_cast<double>(change.time.value) / 1e9);
        }
        std::vector<double> times;
    };
    Trades trades;
    const auto run = run_market(file, {.watchers = {&trades}});
    EXPECT_TRUE(run && run->is_complete);
    const double begin = static_cast<double>(make_setup(file, 1).begin.value) / 1e9;
    for (double& time : trades.times) time -= begin;
    return trades.times;
}

std::size_t count_between(const std::vector<double>& times, double from, double to) {
    return static_cast<std::size_t>(
        std::ranges::count_if(times, [&](double time) { return time > from && time < to; }));
}

TEST(Run, NothingTradesInAHalt) {
    const auto times = trade_times(parsed(
        "[[timeline]]\nat = \"10s\"\nevent = \"halt\"\ninstrument = \"AAA\"\nfor = \"10s\"\n"));
    EXPECT_GT(count_between(times, 0, 10), 20U);
    EXPECT_EQ(count_between(times, 10, 20), 0U);
    EXPECT_GT(count_between(times, 20, 40), 20U);
}

TEST(Run, AGroupWithoutConnectionDoesNotTrade) {
    const auto times = trade_times(parsed(
        "[[timeline]]\nat = \"10s\"\nevent = \"disconnect\"\ngroup = \"noise\"\nfor = \"10s\"\n"));
    EXPECT_EQ(count_between(times, 10.1, 20), 0U);
    EXPECT_GT(count_between(times, 20, 40), 20U);
}

TEST(Run, AnUneventfulTimelineChangesNothing) {
    const auto plain = run_market(parsed(), {});
    const auto same = run_market(
        parsed("[[timeline]]\nat = \"10s\"\nevent = \"latency\"\ngroup = \"noise\"\nfactor = 1\n"),
        {});
    const auto slower = run_market(
        parsed("[[timeline]]\nat = \"10s\"\nevent = \"latency\"\ngroup = \"noise\"\nfactor = 9\n"),
        {});
    EXPECT_EQ(same->hash, plain->hash);
    EXPECT_NE(slower->hash, plain->hash);
}

TEST(Run, ASpeedBumpForAWhileDelaysWhatTakesAndNothingElse) {
    const auto with_bump = [](const std::string& time, const std::string& rest) {
        return parsed("[[timeline]]\nat = \"10s\"\nevent = \"taker_bump\"\ntime = \"" + time +
                      "\"\n" + rest);
    };
    const auto plain = trade_times(parsed());
    const auto bumped = trade_times(with_bump("900ms", "for = \"10s\"\n"));
    EXPECT_EQ(count_between(bumped, 0, 10), count_between(plain, 0, 10));
    EXPECT_EQ(count_between(bumped, 10.01, 10.9), 0U);
    EXPECT_GT(count_between(plain, 10.01, 10.9), 0U);
    EXPECT_GT(count_between(bumped, 11, 20), 20U);
    EXPECT_EQ(run_market(with_bump("0s", ""), {})->hash, run_market(parsed(), {})->hash);
}

TEST(Run, RulesOfInstrumentsChangeForAWhile) {
    // A collar of one unit of price around the last trade: nothing trades at other prices.
    const auto file = parsed(
        "[[timeline]]\nat = \"10s\"\nevent = \"rules\"\nfor = \"10s\"\n"
        "rules = { allocation = { policy = \"cme-c\" }, on_breach = \"cancel\", "
        "band = { lower = 1, upper = 2 } }\n");
    const auto times = trade_times(file);
    EXPECT_GT(count_between(times, 0, 10), 20U);
    EXPECT_EQ(count_between(times, 10.01, 20), 0U) << "its prices are near 100";
    EXPECT_GT(count_between(times, 21, 40), 20U);
    const auto again = parse_market_file(describe(file), "described");
    ASSERT_TRUE(again) << again.error() << describe(file);
    EXPECT_EQ(run_market(*again, {})->hash, run_market(file, {})->hash);
}

TEST(Run, ACallEndsWithItsAuction) {
    const auto file = parsed(
        "[[participants]]\nkind = \"scripted\"\nname = \"buyer\"\n"
        "orders = [\"12s buy 100 limit 101\"]\n"
        "[[participants]]\nkind = \"scripted\"\nname = \"seller\"\n"
        "orders = [\"13s sell 100 limit 99\"]\n"
        "[[timeline]]\nat = \"10s\"\nevent = \"auction\"\nfor = \"10s\"\nauction = \"lse\"\n");
    const auto times = trade_times(file);
    EXPECT_GT(count_between(times, 0, 10), 20U);
    EXPECT_EQ(count_between(times, 10.001, 19.999), 0U);
    EXPECT_GT(count_between(times, 19.999, 20.001), 0U);
    EXPECT_GT(count_between(times, 20.001, 40), 20U);
    EXPECT_EQ(describe(parse_market_file(describe(file), "described").value()), describe(file));
}

TEST(Run, AKeptRunIsAnArchivedDayWithTheSameTrades) {
    const auto path = std::filesystem::temp_directory_path() / "damrak-kept-run.dar";
    const auto kept = run_market(parsed(), {.keep = path});
    ASSERT_TRUE(kept) << kept.error();
    EXPECT_EQ(kept->hash, run_market(parsed(), {})->hash);
    const auto day = archive::Day::open(path);
    ASSERT_TRUE(day) << day.error();
    EXPECT_GT(day->messages(), kept->counts.messages);
    std::filesystem::remove(path);
    EXPECT_FALSE(run_market(parsed(), {.keep = "/no/such/folder/day.dar"}));
}

TEST(Run, IsNotCompleteIfItsJournalIsNotOnTheDisk) {
    const auto folder = std::filesystem::temp_directory_path() / "damrak-kept-until";
    std::filesystem::remove_all(folder);
    RandomStream random{1};
    simulation::Disk disk{random};
    const auto run = run_market(
        parsed(), {.keep = folder,
                   .progress = [&](double share,
                                   std::uint64_t /*messages*/) { disk.sync_fails = share > 0.3; },
                   .files = &disk});
    ASSERT_TRUE(run) << run.error();
    EXPECT_FALSE(run->is_complete);
    ASSERT_FALSE(run->faults.empty());
    EXPECT_EQ(run->faults.back().find("kept until "), 0U) << run->faults.back();
    const auto day = archive::Day::open(folder / "archive" / "2025010200.dar");
    ASSERT_TRUE(day) << day.error();
    EXPECT_GT(day->messages(), 100U) << "the rest is kept";
    std::filesystem::remove_all(folder);
}

TEST(Run, TheColumnsOfItsTablesAreDocumented) {
    const testing::ScratchFolder folder;
    ASSERT_TRUE(run_market(parsed(), {.tables = folder.path()}));
    const std::string page = testing::content_of("docs/reference/run-tables.md");
    for (const char* const name : {"events.csv", "participants.csv"}) {
        const auto begin = page.find(std::string{"## "} + name);
        ASSERT_NE(begin, std::string::npos);
        const std::string section = page.substr(begin, page.find("\n## ", begin) - begin);
        std::ifstream table{folder.path() / name};
        std::string header;
        std::getline(table, header);
        std::istringstream columns{header};
        for (std::string column; std::getline(columns, column, ',');)
            EXPECT_NE(section.find('`' + column + '`'), std::string::npos) << name << ' ' << column;
    }
}

TEST(Run, ItsTablesHaveEachTradeTwiceAndAccountForAllShares) {
    const auto folder = std::filesystem::temp_directory_path() / "damrak-run-tables";
    const auto run = run_market(parsed(), {.tables = folder});
    ASSERT_TRUE(run) << run.error();
    EXPECT_EQ(run->hash, run_market(parsed(), {})->hash);
    std::uint64_t executed = 0;
    std::ifstream events{folder / "events.csv"};
    for (std::string line; std::getline(events, line);)
        executed += line.find(",executed,AAA,") != std::string::npos ? 1U : 0U;
    EXPECT_EQ(executed, 2 * run->counts.trades);
    std::int64_t shares = 0;
    std::size_t rows = 0;
    std::ifstream participants{folder / "participants.csv"};
    std::string line;
    std::getline(participants, line);
    EXPECT_EQ(line,
              "participant,group,member,instrument,position,cash,fees,messages,trades,volume");
    for (; std::getline(participants, line); ++rows) {
        std::size_t at = 0;
        for (int comma = 0; comma < 4; ++comma) at = line.find(',', at) + 1;
        shares += std::stoll(line.substr(at));
    }
    EXPECT_EQ(rows, 41U);
    EXPECT_EQ(shares, 0);
    std::filesystem::remove_all(folder);
    EXPECT_FALSE(run_market(parsed(), {.tables = "/dev/null/folder"}));
}

measures::Value measure_of(const RunResult& run, std::size_t instrument, std::string_view name) {
    const measures::Value* const found = run.instruments[instrument].measures.find(name);
    EXPECT_NE(found, nullptr) << name;
    return found == nullptr ? measures::Value{} : *found;
}

TEST(Run, AFutureThatIsQuotedWideTradesAtImpliedPrices) {
    auto file = read_market_file("examples/markets/calendar_spread.toml");
    ASSERT_TRUE(file) << file.error();
    file->set_duration(60 * k_second_ns);
    const auto run = run_market(*file, {});
    ASSERT_TRUE(run) << run.error();
    ASSERT_EQ(run->instruments.size(), 3U);
    EXPECT_GT(measure_of(*run, 1, "quoted_spread_ticks").value, 390);
    EXPECT_LT(measure_of(*run, 1, "effective_spread").value, 60);
    EXPECT_GT(measure_of(*run, 1, "effective_spread").count, 20U);
    // What implied prices took from the other two books is their trades, too.
    std::erase_if(file->groups, [](const GroupDescription& one) {
        return one.name == "noise_near" || one.name == "noise_spread";
    });
    const auto quiet = run_market(*file, {});
    ASSERT_TRUE(quiet) << quiet.error();
    EXPECT_GT(measure_of(*quiet, 0, "trades").value, 20);
    EXPECT_EQ(measure_of(*quiet, 0, "trades").value, measure_of(*quiet, 1, "trades").value);
    EXPECT_EQ(measure_of(*quiet, 2, "trades").value, measure_of(*quiet, 1, "trades").value);
    EXPECT_GT(measure_of(*quiet, 0, "effective_spread").value, 0) << "with the taker's side";
}

TEST(Run, StopsWhenAskedAndSaysSo) {
    const auto run = run_market(parsed(), {.stop = [] { return true; }});
    EXPECT_FALSE(run->is_complete);
    EXPECT_LT(run->ran_ns, 40 * k_second_ns);
}

}  // namespace
}  // namespace damrak::market_runs::run_test
