// QuickFIX, an engine of another make, trades all states of an order at the FIX door. It checks
// what it is told against dictionaries, and must refuse nothing.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* k_dictionaries = "src/damrak/wire/fix/dictionaries";

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
    void SetUp() override {
        server_.emplace(folder_ / "data", folder_ / "log",
                        std::vector<std::string>{"--only", "fix"});
    }

    /// What the client printed.
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

}  // namespace
}  // namespace damrak
