// `damrak sim validate`, `sim calibrate` and `sim run` as a user sees them: what they print, what
// an interrupt leaves, and errors of one line.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sim_validate_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::lines_in;
using ::testing::Not;
using testing::ProgramRun;
using testing::run_program;
using testing::run_shell;
using testing::ScratchFolder;

constexpr std::string_view k_small_market = R"(name = "small"
duration = "2min"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "noise"
count = 20
orders_per_s = 5
[[participants]]
kind = "fixed-maker"
name = "makers"
)";

/// Two quotes, and no trade.
constexpr std::string_view k_quiet_market = R"(duration = "1min"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "fixed-maker"
)";

/// Interrupts the background once it hears of signals and has used this much processor time.
std::string interrupt(const std::string& seconds) {
    return " & eventually 'grep -q \"SigCgt:.*[2367abef]$\" /proc/$!/status && "
           "[ $(cut -d\" \" -f14 /proc/$!/stat) -ge $((" +
           seconds + " * $(getconf CLK_TCK))) ]'; kill -INT $!; wait $!";
}

class SimValidate : public ::testing::Test {
  protected:
    std::string file(const std::string& name, std::string_view text) {
        std::ofstream{folder_ / name} << text;
        return folder_ / name;
    }
    std::string market() { return file("market.toml", k_small_market); }
    /// A kept run of it.
    std::string day() {
        const auto run = run_program({"sim", "run", market(), "--keep", folder_ / "day.dar"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return folder_ / "day.dar";
    }
    static ProgramRun sim(std::vector<std::string> words) {
        words.insert(words.begin(), "sim");
        return run_program(words);
    }
    static void expect_error(const std::vector<std::string>& words, int exit_code,
                             const std::string& text) {
        const auto run = sim(words);
        EXPECT_EQ(run.exit_code, exit_code) << words.back() << run.err;
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        EXPECT_THAT(run.err, HasSubstr(text));
        EXPECT_EQ(run.out, "") << words.back();
    }

    ScratchFolder folder_;
};

TEST_F(SimValidate, OneCheckSaysByHowMuch) {
    const auto run = sim({"validate", "--only", "almgren-chriss", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["passed"], true);
    EXPECT_EQ(report["complete"], true);
    EXPECT_FALSE(report.contains("stylised_facts"));
    ASSERT_EQ(report["checks"].size(), 1U);
    EXPECT_EQ(report["checks"][0]["source"], "Almgren and Chriss (2001), section 3");
    for (const json& finding : report["checks"][0]["findings"]) {
        EXPECT_EQ(finding["passed"], true);
        EXPECT_LE(finding["distance"], finding["allowed"]) << finding;
        EXPECT_GE(finding["sample"], 1);
        if (finding["name"] != "mean_cost") continue;
        // Recomputed from the paper, and by a simulation.
        EXPECT_EQ(finding["theory_low"], 911'227);
        EXPECT_NEAR(finding["estimate"].get<double>(), 911'227,
                    4 * finding["standard_error"].get<double>());
    }
    const auto again = sim({"validate", "--only", "almgren-chriss", "--json", "--jobs", "1"});
    EXPECT_EQ(again.out, run.out);
}

TEST_F(SimValidate, FactsOfAMarketBesideADay) {
    const std::string report = folder_ / "report";
    const auto run = sim({"validate", "--only", "stylised-facts", "--market", market(), "--day",
                          day(), "--report", report, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json facts = json::parse(run.out)["stylised_facts"];
    EXPECT_EQ(facts.size(), 9U);
    int outside = 0;
    for (const json& fact : facts) {
        // The kept run is the market itself, except for its ends and its replaced orders.
        if (fact["name"] == "variance_ratio_60s" || fact["name"] == "excess_kurtosis_1s") {
            EXPECT_NEAR(fact["market"].get<double>(), fact["day"].get<double>(), .05) << fact;
        }
        if (fact["market_holds"] == false) ++outside;
    }
    EXPECT_GT(outside, 0) << "noise and makers alone are no real market";
    EXPECT_EQ(json::parse(testing::content_of(report + "/validation.json")), json::parse(run.out));
    EXPECT_THAT(testing::content_of(report + "/validation.md"), HasSubstr("| sign_decay |"));
    const auto table = sim({"validate", "--only", "stylised-facts", "--market", market()});
    EXPECT_THAT(table.out, HasSubstr("of 9 bands"));
    EXPECT_THAT(table.out, HasSubstr("outside"));
}

TEST_F(SimValidate, AnInterruptLeavesTheChecksThatAreDone) {
    const auto run = run_shell("\"$DAMRAK_PROGRAM\" sim validate --json --jobs 1 --market " +
                               market() + interrupt("2"));
    EXPECT_EQ(run.exit_code, 1);
    const json report = json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    EXPECT_EQ(report["passed"], false);
    for (const json& check : report["checks"]) EXPECT_EQ(check["passed"], true) << check["name"];
}

TEST_F(SimValidate, ErrorsAreOneLine) {
    const std::string market = this->market();
    expect_error({"validate", "--only", "kile"}, 2, "there is no such check; did you mean kyle?");
    expect_error({"validate", "--only", "stylised-facts", "--market", "no.toml"}, 1, "no.toml");
    expect_error({"validate", "--only", "stylised-facts", "--market", market, "--day", "no.dar"}, 1,
                 "no.dar");
    expect_error({"validate", "--only", "kyle", "--jobs", "0"}, 2, "--jobs");
    expect_error({"validate", "--only", "stylised-facts", "--market",
                  file("typo.toml", "duratoin = \"1s\"\n" + std::string{k_small_market})},
                 1, "typo.toml:1: unknown key 'duratoin'; did you mean duration?");
    const auto nowhere =
        sim({"validate", "--only", "quotes", "--report", market + "/report", "--json"});
    EXPECT_EQ(nowhere.exit_code, 1);
    EXPECT_EQ(lines_in(nowhere.err), 1U) << nowhere.err;
}

TEST_F(SimValidate, ADayOfAQuietMarketHasNoFactsToTell) {
    const std::string quiet = file("quiet.toml", k_quiet_market);
    const std::string day = folder_ / "quiet.dar";
    ASSERT_EQ(sim({"run", quiet, "--keep", day}).exit_code, 0);
    const auto run =
        sim({"validate", "--only", "stylised-facts", "--market", quiet, "--day", day, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    for (const json& fact : json::parse(run.out)["stylised_facts"]) {
        EXPECT_EQ(fact["market_holds"], false) << fact;
        EXPECT_EQ(fact["day_holds"], false) << fact;
    }
}

TEST_F(SimValidate, CalibratesADay) {
    const std::string written = folder_ / "flow.toml";
    const auto run = sim({"calibrate", day(), "--json", "--write", written});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["symbol"], "AAA");
    EXPECT_EQ(report["anomalies"], 0);
    EXPECT_EQ(report["models"].size(), 4U);
    const auto check = sim({"check", written});
    EXPECT_EQ(check.exit_code, 0) << check.err;
    const auto one = sim({"calibrate", day(), "--model", "hawkes"});
    EXPECT_THAT(one.out, HasSubstr("decay_per_s"));
    EXPECT_THAT(one.out, Not(HasSubstr("queue-reactive")));
}

TEST_F(SimValidate, ErrorsOfCalibrateAreOneLine) {
    const std::string day = this->day();
    expect_error({"calibrate", day, "--model", "hawks"}, 2, "did you mean hawkes?");
    expect_error({"calibrate", "no.dar"}, 1, "no.dar");
    expect_error({"calibrate", day, "--symbol", "BBB"}, 1, "BBB");
    expect_error({"calibrate", day, "--from", "25:00"}, 2, "25:00");
    expect_error({"calibrate", day, "--from", "23:59:59"}, 1, "day.dar");
    expect_error({"calibrate", day, "--tick", "0"}, 2, "--tick");
    expect_error({"calibrate", file("text.dar", "not a day")}, 1, "text.dar");
    expect_error({"calibrate", market()}, 1, "market.toml");
}

// The file is written block by block: what is whole of it can be read.
TEST_F(SimValidate, ADayThatIsCutOffIsReadAsFarAsItGoes) {
    const std::string whole = testing::content_of(day());
    const std::string no_end = file("no_end.dar", whole.substr(0, whole.size() - 1));
    const std::string note = "no_end.dar: the day ends at 09:32:00";
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"calibrate", no_end, "--model", "hawkes"},
          {"measure", no_end},
          {"validate", "--only", "stylised-facts", "--market", market(), "--day", no_end}}) {
        for (const bool partial : {false, true}) {
            auto asked = words;
            if (partial) asked.emplace_back("--partial");
            const auto run = sim(asked);
            EXPECT_EQ(run.exit_code, partial ? 0 : 1) << run.err;
            EXPECT_GE(lines_in(run.err), 2U) << run.err;
            EXPECT_THAT(run.err, HasSubstr(note));
            EXPECT_THAT(run.err, HasSubstr("it was not written to its end"));
            EXPECT_THAT(run.err, HasSubstr("it is known until 09:32:00"));
        }
    }
    const std::string half = file("half.dar", whole.substr(0, whole.size() / 2));
    const std::string damage = "half.dar: at offset 72: damaged from here to the end";
    expect_error({"calibrate", half}, 1, damage);
    expect_error({"measure", half}, 1, damage);
    expect_error({"validate", "--only", "stylised-facts", "--market", market(), "--day", half}, 1,
                 damage);
    expect_error({"calibrate", file("empty.dar", "")}, 1, "empty.dar: the file is empty");
    expect_error({"calibrate", file("short.dar", whole.substr(0, 10))}, 1,
                 "short.dar: no archived day: shorter than its header");
}

TEST_F(SimValidate, ADayWithoutTradesIsNotCalibrated) {
    const std::string day = folder_ / "quiet.dar";
    ASSERT_EQ(sim({"run", file("quiet.toml", k_quiet_market), "--keep", day}).exit_code, 0);
    const std::string written = folder_ / "flow.toml";
    expect_error({"calibrate", day, "--write", written}, 1,
                 "AAA has 2 order messages with a price on both sides, but at least 100");
    EXPECT_FALSE(std::filesystem::exists(written));
}

TEST_F(SimValidate, ADayOfSeveralInstrumentsNeedsASymbol) {
    const std::string two = file("two.toml", R"(duration = "1min"
[[instrument]]
symbol = "AAA"
[[instrument]]
symbol = "BBB"
[[participants]]
kind = "noise"
count = 10
orders_per_s = 5
)");
    const std::string day = folder_ / "two.dar";
    ASSERT_EQ(sim({"run", two, "--keep", day}).exit_code, 0);
    expect_error({"calibrate", day}, 2, "the day has 2 instruments; give one of AAA, BBB");
    const auto run = sim({"calibrate", day, "--symbol", "BBB"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
}

/// Fifty instruments in which it enters 105,000 orders, and cancels all of them at once.
std::string endless(const std::string& on_fault) {
    std::string text =
        "duration = \"4s\"\non_fault = \"" + on_fault + "\"\n[exchange]\nmaximum_orders = 300000\n";
    for (int i = 0; i < 50; ++i)
        text += "[[instrument]]\nsymbol = \"A" + std::to_string(i) + "\"\n";
    text += "[[participants]]\nkind = \"noise\"\ncount = 5\norders_per_s = 5\n";
    text += "[[participants]]\nkind = \"scripted\"\nname = \"endless\"\n";
    text += "maximum_orders = 200000\norders = [";
    for (int i = 0; i < 2'100; ++i) text += "\"1s buy 1 limit 50\",\n";
    return text + "\"2s cancel\"]\n";
}

TEST_F(SimValidate, AParticipantThatSendsWithoutEndStopsTheRunOrIsIsolated) {
    const std::string what =
        "endless 1 of 1 at 2s: sent more than 100,000 requests in one callback";
    const auto stopped = sim({"run", file("stop.toml", endless("stop")), "--json"});
    EXPECT_EQ(stopped.exit_code, 1);
    EXPECT_EQ(lines_in(stopped.err), 1U) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr(what));
    const json until = json::parse(stopped.out);  // what there is until then
    EXPECT_EQ(until["complete"], false);
    EXPECT_EQ(until["virtual_s"], 2);
    EXPECT_GE(until["messages"], 105'000);

    const std::string file = this->file("isolate.toml", endless("isolate"));
    const auto isolated = sim({"run", file, "--json"});
    EXPECT_EQ(isolated.exit_code, 0) << isolated.err;
    const json whole = json::parse(isolated.out);
    EXPECT_EQ(whole["complete"], true);
    ASSERT_EQ(whole["faults"].size(), 1U);
    EXPECT_EQ(whole["faults"][0], what);
    EXPECT_GT(whole["messages"], until["messages"]);
}

TEST_F(SimValidate, AFaultInOneOfManySeedsIsTold) {
    const std::string stop = file("stop.toml", endless("stop"));
    const auto run = sim({"run", stop, "--seeds", "2", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    EXPECT_THAT(run.err, HasSubstr("seed 1: endless 1 of 1 at 2s"));
    EXPECT_EQ(json::parse(run.out)["runs"].size(), 2U);
    const std::string isolate = file("isolate.toml", endless("isolate"));
    const auto table = sim({"run", isolate, "--seeds", "2"});
    EXPECT_EQ(table.exit_code, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("fault: seed 2: endless 1 of 1 at 2s"));
    const auto compared =
        sim({"compare", stop, stop, "--seeds", "2", "--results", "off", "--json"});
    EXPECT_EQ(compared.exit_code, 1);
    EXPECT_EQ(lines_in(compared.err), 1U) << compared.err;
    EXPECT_THAT(compared.err, HasSubstr("endless 1 of 1 at 2s"));
}

TEST_F(SimValidate, AnInterruptLeavesTheSeedsThatAreComplete) {
    // Two minutes of virtual time are over in less than a second, a million of them are not.
    const auto run = run_shell("\"$DAMRAK_PROGRAM\" sim run " + market() +
                               " --seeds 1000000 --jobs 2 --json" + interrupt("3"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    ASSERT_GE(report["runs"].size(), 1U);
    EXPECT_LT(report["runs"].size(), 1'000'000U);
    for (const json& one : report["runs"]) EXPECT_EQ(one["complete"], true);
    const json alone = json::parse(sim({"run", market(), "--seed", "1", "--json"}).out);
    EXPECT_EQ(report["runs"][0]["hash"], alone["hash"]);
}

TEST_F(SimValidate, AnInterruptLeavesTheRunSoFar) {
    const auto run = run_shell("\"$DAMRAK_PROGRAM\" sim run " + market() +
                               " --duration 1000h --json" + interrupt("1"));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    EXPECT_GT(report["virtual_s"], 0);
}

TEST_F(SimValidate, MistakesInAMarketFileAreOneLineWithItsNumber) {
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"kind = \"noise\"", "kind = \"nosie\""},
        {"orders_per_s = 5", "orders_per_s = -5"},
        {"orders_per_s = 5", "orders_per_s = \"5s\""},
        {"count = 20", "count = 2e1"},
        {"duration = \"2min\"", "duration = \"2 minutes\""},
        {"duration = \"2min\"", "duration = 120"},
        {"symbol = \"AAA\"", "symbol = \"AAA"},
        {"symbol = \"AAA\"", "symbol = [\"AAA\"]"},
        {"symbol = \"AAA\"", "symbol = \"AAA\"\nprice = 1e18"},
        {"symbol = \"AAA\"", "symbol = \"AAA\"\nvolatility = -1"},
        {"name = \"makers\"", "name = \"makers\"\nhalf_spread_tick = 1"},
        {"name = \"makers\"", "name = \"makers\"\nlatency = \"-1us\""},
        {"name = \"makers\"", "latency = { kind = \"uniform\", least = \"5us\", most = \"4us\" }"},
        {"name = \"makers\"", "latency = { kind = \"gamma\" }"},
        {"kind = \"noise\"\ncount = 20\norders_per_s = 5",
         "kind = \"fcn\"\nfundamental_weight = 0\nchart_weight = 0\nnoise_weight = 0"},
        {"kind = \"noise\"", "kind = 5"},
        {"[[participants]]\nkind = \"noise\"", "[participants]\nkind = \"noise\""},
        {"count = 20", "count = 0"},
        {"count = 20", "count = 1000000000"},
        {"count = 20", "count = 100000000000000000000000"},
        {"orders_per_s = 5", "orders_per_s = nan"},
    };
    for (const auto& [old_text, new_text] : mistakes) {
        std::string text{k_small_market};
        text.replace(text.find(old_text), old_text.size(), new_text);
        const std::string path = file("wrong.toml", text);
        for (const char* const command : {"run", "check"}) {
            const auto run = sim({command, path});
            EXPECT_EQ(run.exit_code, 1) << new_text;
            EXPECT_EQ(lines_in(run.err), 1U) << run.err;
            EXPECT_THAT(run.err, ::testing::ContainsRegex("wrong\\.toml:[0-9]+: ")) << new_text;
            EXPECT_EQ(run.out, "");
        }
    }
}

TEST_F(SimValidate, ChecksAFileForARecordedDay) {
    const std::string path = file("whatif.toml",
                                  "[[participants]]\nkind = \"noise\"\ninstruments = [\"MSFT\"]\n"
                                  "[reaction]\nrecovery = \"5s\"\n");
    const auto run = sim({"check", path, "--symbol", "MSFT"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("1 participant, for a recorded day"));
    expect_error({"check", path}, 1, "there is no instrument \"MSFT\"");
    expect_error({"check", file("wrong.toml", "[[participants]]\nkind = \"nosie\"\n")}, 1,
                 "wrong.toml:1: participants \"nosie\": there is no kind 'nosie'");
}

TEST_F(SimValidate, WhatIsNoMarketFileIsOneLine) {
    const std::string needs =
        ":1: a market needs at least one instrument: add a table [[instrument]]";
    for (const char* const command : {"run", "check"}) {
        expect_error({command, file("empty.toml", "")}, 1, "empty.toml" + needs);
        expect_error({command, file("blank.toml", "# nothing\n")}, 1, "blank.toml" + needs);
        expect_error({command, file("binary.toml", "\x80\xff\x02")}, 1, "binary.toml:1: ");
        expect_error({command, folder_ / "missing.toml"}, 1,
                     "missing.toml: cannot be read: No such file or directory");
        std::filesystem::create_directories(folder_ / "directory");
        expect_error({command, folder_ / "directory"}, 1,
                     "directory: is a directory; give a market file");
    }
    expect_error({"calibrate", folder_ / "directory"}, 2, "the folder has no archived day");
    expect_error({"run", file("alone.toml", "[[instrument]]\nsymbol = \"AAA\"\n")}, 1,
                 "alone.toml:1: a market needs participants: add a table [[participants]]");
}

}  // namespace
}  // namespace damrak::sim_validate_test
