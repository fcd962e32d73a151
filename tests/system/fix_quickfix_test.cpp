// QuickFIX, an independent engine, trades through all states of an order at the FIX gateway. It
// validates every message against dictionaries and must reject none.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_quickfix_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* k_dictionaries = "tests/peers/dictionaries";

std::string order(const std::string& who, const std::string& name, int side, int quantity,
                  const std::string& terms) {
    return fmt::format("{} 35=D|11={}|21=1|55=TEST|54={}|38={}|60=20260302-09:00:00|{}\n", who,
                       name, side, quantity, terms);
}
std::string change(const std::string& who, const std::string& type, const std::string& from,
                   const std::string& to, int side, const std::string& terms = "38=100") {
    return fmt::format("{} 35={}|41={}|11={}|{}55=TEST|54={}|60=20260302-09:00:00|{}\n", who, type,
                       from, to, type == "G" ? "21=1|" : "", side, terms);
}

class QuickFix : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override { serve({"--only", "fix"}); }
    void serve(const std::vector<std::string>& options) {
        server_.emplace(folder_ / "data", folder_ / "log", options);
    }

    /// Output of the client.
    [[nodiscard]] std::string trade(const std::string& script) {
        const auto run = testing::run_peer(
            "quickfix_trader", {std::to_string(server_->fix_port()), GetParam(), k_dictionaries},
            script);
        if (!run) return {};
        EXPECT_EQ(run->exit_code, 0) << run->out << run->err;
        EXPECT_THAT(run->out, Not(HasSubstr("REFUSE")));
        return run->out;
    }
    [[nodiscard]] static bool is_old() { return std::string{GetParam()} <= "FIX.4.2"; }

    testing::ScratchFolder folder_;
    std::optional<testing::RunningServer> server_;
};

INSTANTIATE_TEST_SUITE_P(Versions, QuickFix, ::testing::Values("FIX.4.2", "FIX.4.4", "FIX.5.0SP2"),
                         [](const auto& of) {
                             std::string name = of.param;
                             std::erase(name, '.');
                             return name;
                         });

TEST_P(QuickFix, TradesEveryStateAndRefusesNothing) {
    std::string script;
    script += order("ALICE", "a1", 1, 100, "40=2|44=10") + "wait 1\n";
    script += order("BOB", "b1", 2, 30, "40=2|44=10") + "wait 3\n";
    script += order("ALICE", "a1", 1, 100, "40=2|44=10") + "wait 1\n";
    script += order("ALICE", "bad", 1, 100, "40=2|44=10.005") + "wait 1\n";
    script += change("ALICE", "G", "a1", "a2", 1, "38=120|40=2|44=9.5") + "wait 1\n";
    script += "ALICE 35=H|11=a2|55=TEST|54=1\nwait 1\n";
    script += change("ALICE", "F", "a2", "a3", 1) + "wait 1\n";
    script += change("ALICE", "F", "a3", "a4", 1) + "wait 1\n";
    script += order("ALICE", "ioc", 1, 10, "40=2|44=1|59=3") + "wait 2\n";
    script += order("ALICE", "fok", 1, 10, "40=2|44=1|59=4") + "wait 2\n";
    script += order("ALICE", "stop", 1, 10, "40=3|99=20|59=1") + "wait 1\n";
    if (!is_old()) script += "ALICE 35=q|11=q1|530=7|60=20260302-09:00:00\nwait 2\n";
    const std::string told = trade(script);
    if (told.empty())
        GTEST_SKIP() << "quickfix_trader is not built: install libquickfix-dev, configure anew";
    const std::string trans = is_old() ? "20=0 " : "";
    const std::string fill = is_old() ? "150=2" : "150=F";
    for (const std::string& line : {
             "ALICE 8 " + trans + "150=0 39=0 11=a1 54=1 38=100 44=10 14=0 151=100 6=0",
             "BOB 8 " + trans + "150=0 39=0 11=b1",
             "BOB 8 " + trans + fill + " 39=2 11=b1 54=2 38=30 44=10 32=30 31=10 14=30 151=0 6=10",
             "ALICE 8 " + trans + (is_old() ? "150=1" : "150=F") +
                 " 39=1 11=a1 54=1 38=100 44=10 32=30 31=10 14=30 151=70 6=10",
             "ALICE 8 " + trans + "150=8 39=8 103=6 11=a1",
             std::string{"58=Price 10.005: it must be a multiple of the tick 0.01"},
             "ALICE 8 " + trans + "150=5 39=" + (is_old() ? "5" : "1") + " 11=a2 41=a1",
             "ALICE 8 " + trans + "150=4 39=4 11=a3 41=a2",
             std::string{"ALICE 9 39=4 434=1 102=0 11=a4 41=a3"},
             "ALICE 8 " + trans + "150=4 39=4 11=ioc",
             "ALICE 8 " + trans + "150=4 39=4 11=fok",
             "ALICE 8 " + trans + "150=0 39=0 11=stop",
         })
        EXPECT_THAT(told, HasSubstr(line));
    if (!is_old()) {
        EXPECT_THAT(told, HasSubstr("ALICE r 530=7 531=7 533=1 11=q1"));
    }
}

class QuickFixMarket : public QuickFix {
  protected:
    /// ALICE subscribes to market data while BOB trades.
    void watch();
};

void QuickFixMarket::watch() {
    const auto ask = [](const std::string& id, int type, const std::string& terms) {
        return fmt::format("ALICE 35=V|262={}|263={}|264=0|{}\n", id, type, terms);
    };
    const std::string book = "267=3|269=0|269=1|269=2|146=1|55=TEST";
    std::string script;
    script += "ALICE 35=c|320=d1|321=0|55=TEST\nwait 1\n";
    if (!is_old()) script += "ALICE 35=x|320=l1|559=4\nwait 1\n";
    script += ask("none", 0, "267=1|269=0|146=1|55=NONE") + "wait 1\n";
    script += order("BOB", "b1", 1, 100, "40=2|44=10") + "wait 1\n";
    script += order("BOB", "b2", 2, 50, "40=2|44=10.05") + "wait 1\n";
    script += ask("once", 0, book) + "wait 1\n";
    script += ask("changes", 1, "265=1|" + book) + "wait 1\n";
    script += ask("full", 1, "265=0|" + book) + "wait 1\n";
    script += order("BOB", "b3", 2, 30, "40=2|44=10") + "wait 5\n";
    script += change("BOB", "F", "b2", "b4", 2) + "wait 3\n";
    script += ask("full", 2, "265=0|" + book) + ask("changes", 2, "265=1|" + book);
    script += ask("sync", 0, book) + "wait 1\n";
    script += order("BOB", "b5", 2, 1, "40=2|44=11") + "wait 1\n";
    script += ask("again", 0, "267=1|269=1|146=2|55=TEST|55=SPY") + "wait 2\n";
    const std::string told = trade(script);
    if (told.empty())
        GTEST_SKIP() << "quickfix_trader is not built: install libquickfix-dev, configure anew";
    for (const std::string& line : {
             std::string{"ALICE d"},
             std::string{"ALICE Y 58=Symbol NONE: no such instrument 262=none 281=0"},
             std::string{"262=once 268=2 269=0 270=10 271=100 346=1 269=1 270=10.05 271=50 346=1"},
             std::string{
                 "262=changes 268=2 269=0 270=10 271=100 346=1 269=1 270=10.05 271=50 346=1"},
             std::string{
                 "ALICE X 262=changes 268=2 279=1 269=0 55=TEST 270=10 271=70 346=1 279=0 269=2 "
                 "278="},
             std::string{" 55=TEST 270=10 271=30 272="},
             std::string{
                 "262=full 268=3 269=0 270=10 271=70 346=1 269=1 270=10.05 271=50 346=1 269=2 "
                 "270=10 271=30 272="},
             std::string{"ALICE X 262=changes 268=1 279=2 269=1 55=TEST 270=10.05"},
             std::string{"262=again 268=1 269=1 270=11 271=1 346=1"},
             std::string{"ALICE W 55=SPY 262=again"},
         })
        EXPECT_THAT(told, HasSubstr(line));
    if (!is_old()) {
        EXPECT_THAT(told, HasSubstr("ALICE y 146=4 55=AAPL "));
    }
    const bool has_update_time = std::string{GetParam()} == "FIX.5.0SP2";
    EXPECT_EQ(told.find(" 779=") != std::string::npos, has_update_time);
}

INSTANTIATE_TEST_SUITE_P(Versions, QuickFixMarket,
                         ::testing::Values("FIX.4.2", "FIX.4.4", "FIX.5.0SP2"), [](const auto& of) {
                             std::string name = of.param;
                             std::erase(name, '.');
                             return name;
                         });

TEST_P(QuickFixMarket, WatchesAndRefusesNothing) { watch(); }

TEST_P(QuickFixMarket, WatchesWhereMatchingHasThreadsOfItsOwn) {
    serve({"--only", "fix", "--wiring", "pipelined"});
    watch();
}

}  // namespace
}  // namespace damrak::fix_quickfix_test
