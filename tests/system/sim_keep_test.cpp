// `damrak sim run --keep` as a user sees it: a kept run can be looked into with the commands that
// look into an exchange.
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sim_keep_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;

/// Two buyers, one behind the other, and a seller for the first and half of the second.
const std::string k_orders = R"(duration = "10s"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "scripted"
name = "first"
orders = ["1s buy 300 limit 100"]
[[participants]]
kind = "scripted"
name = "second"
orders = ["2s buy 200 limit 100", "2s buy 10 limit 90"]
[[participants]]
kind = "scripted"
name = "seller"
orders = ["3s sell 400 limit 100"]
)";

const std::string k_crowd = R"(duration = "30s"
[[instrument]]
symbol = "AAA"
[[instrument]]
symbol = "BBB"
[[participants]]
kind = "noise"
name = "crowd"
count = 40
orders_per_s = 2
[[participants]]
kind = "fixed-maker"
name = "makers"
count = 2
)";

using Row = std::map<std::string, std::string>;

/// The lines of a table, by the names of its first line.
std::vector<Row> rows_of(std::istream& table) {
    const auto cells_of = [](const std::string& line) {
        std::vector<std::string> cells;
        std::istringstream stream{line};
        for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(cell);
        return cells;
    };
    std::string line;
    std::getline(table, line);
    const std::vector<std::string> names = cells_of(line);
    std::vector<Row> rows;
    while (std::getline(table, line)) {
        const std::vector<std::string> cells = cells_of(line);
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < std::min(names.size(), cells.size()); ++i)
            row[names[i]] = cells[i];
    }
    return rows;
}

class SimKeep : public ::testing::Test {
  protected:
    ProgramRun keep(const std::string& market, std::vector<std::string> more = {}) {
        const std::string file = folder_.write("market.toml", market);
        more.insert(more.begin(), {"sim", "run", file, "--keep", kept_, "--json"});
        return run_program(more);
    }
    [[nodiscard]] std::vector<Row> table(const char* name) const {
        std::ifstream file{std::filesystem::path{kept_} / name};
        return rows_of(file);
    }

    testing::ScratchFolder folder_;
    std::string kept_ = folder_ / "kept";
};

TEST_F(SimKeep, ShowsTheBookAtAnyTime) {
    ASSERT_EQ(keep(k_orders).exit_code, 0);
    const auto best_bid = [this](const char* at) {
        const ProgramRun shown = run_program({"book", kept_, "--at", at, "--json"});
        EXPECT_EQ(shown.exit_code, 0) << shown.err;
        return json::parse(shown.out).at("bids").at(0).at("quantity").get<int>();
    };
    EXPECT_EQ(best_bid("09:30:01.5"), 300);
    EXPECT_EQ(best_bid("09:30:02.5"), 500);
    EXPECT_EQ(best_bid("09:30:03.5"), 100);
}

TEST_F(SimKeep, NamesTheOwnerOfEachOrder) {
    ASSERT_EQ(keep(k_orders).exit_code, 0);
    std::map<std::string, std::string> groups;  // by participant
    for (const Row& row : table("participants.csv"))
        groups[row.at("participant")] = row.at("group");
    EXPECT_EQ(groups.size(), 3U);
    const ProgramRun events = run_program({"archive", "events", kept_});
    ASSERT_EQ(events.exit_code, 0) << events.err;
    std::istringstream lines{events.out};
    std::map<std::string, int> traded;  // by group
    for (const Row& row : rows_of(lines))
        if (row.at("event") == "executed")
            traded[groups.at(row.at("participant"))] += std::stoi(row.at("quantity"));
    EXPECT_EQ(traded,
              (std::map<std::string, int>{{"first", 300}, {"second", 100}, {"seller", 400}}));
    std::map<std::string, int> labelled;
    for (const Row& row : table("events.csv"))
        if (row.at("event") == "executed")
            labelled[row.at("group")] += std::stoi(row.at("quantity"));
    EXPECT_EQ(labelled, traded);
}

TEST_F(SimKeep, ExportsTheTradesThatTheRunHad) {
    const json run = json::parse(keep(k_crowd).out);
    ASSERT_GT(run["trades"], 100);
    const ProgramRun exported =
        run_program({"archive", "export", kept_, "--to", "csv", "--table", "trades", "--out", "-"});
    ASSERT_EQ(exported.exit_code, 0) << exported.err;
    std::istringstream lines{exported.out};
    int trades = 0;
    int shares = 0;
    for (const Row& row : rows_of(lines)) {
        if (!std::string{"ECP"}.contains(row.at("type"))) continue;
        ++trades;
        shares += std::stoi(row.at("size"));
    }
    EXPECT_EQ(trades, run["trades"]);
    int volume = 0;
    for (const Row& row : table("participants.csv"))  // the volume is that of both instruments
        if (row.at("instrument") == "AAA") volume += std::stoi(row.at("volume"));
    EXPECT_EQ(2 * shares, volume);
}

TEST_F(SimKeep, ChangesNothingAndCanBeRunAgain) {
    const json kept = json::parse(keep(k_crowd, {"--seed", "7", "--duration", "20s"}).out);
    const std::string file = folder_.write("again.toml", k_crowd);
    const json plain = json::parse(
        run_program({"sim", "run", file, "--seed", "7", "--duration", "20s", "--json"}).out);
    EXPECT_EQ(kept["hash"], plain["hash"]) << "keeping changes nothing";
    // The file beside the journal has the seed and the duration of the run.
    const json again =
        json::parse(run_program({"sim", "run", kept_ + "/market.toml", "--json"}).out);
    EXPECT_EQ(again["hash"], kept["hash"]);
    const std::string twin = folder_ / "twin";
    ASSERT_EQ(run_program({"sim", "run", kept_ + "/market.toml", "--keep", twin}).exit_code, 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator{kept_}) {
        if (!entry.is_regular_file()) continue;
        const auto name = std::filesystem::relative(entry.path(), kept_);
        const auto content = [](const std::filesystem::path& path) {
            std::ifstream stream{path, std::ios::binary};
            return std::string{std::istreambuf_iterator<char>{stream}, {}};
        };
        EXPECT_TRUE(content(entry.path()) == content(twin / name)) << name;
    }
}

TEST_F(SimKeep, ItsJournalReplaysToTheSameState) {
    ASSERT_EQ(keep(k_crowd).exit_code, 0);
    const ProgramRun verified = run_program({"journal", "verify", kept_, "--json"});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    const json said = json::parse(verified.out);
    EXPECT_EQ(said["ok"], true);
    EXPECT_GT(said["checkpoints"], 0) << "the state at the end is compared";
}

TEST_F(SimKeep, KeepsOnlyTheDayInAFileOfThatName) {
    kept_ = folder_ / "day.dar";
    ASSERT_EQ(keep(k_orders).exit_code, 0);
    EXPECT_TRUE(std::filesystem::is_regular_file(kept_));
    const ProgramRun shown = run_program({"book", kept_, "--at", "09:30:02.5"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(shown.out, HasSubstr("500"));
}

TEST_F(SimKeep, SaysWhereItsDayIsDamaged) {
    kept_ = folder_ / "day.dar";
    ASSERT_EQ(keep(k_orders).exit_code, 0);
    std::fstream{kept_, std::ios::in | std::ios::out | std::ios::binary}.seekp(150) << "damaged";
    const ProgramRun shown = run_program({"book", kept_, "--at", "09:30:02.5"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_THAT(shown.err, HasSubstr("day.dar"));
    EXPECT_THAT(shown.err, HasSubstr("at offset 72"));
}

TEST_F(SimKeep, IsMeasuredAndTradedInLikeARecordedDay) {
    ASSERT_EQ(keep(k_crowd).exit_code, 0);
    const ProgramRun measured = run_program({"sim", "measure", kept_, "--symbol", "AAA", "--json"});
    EXPECT_EQ(measured.exit_code, 0) << measured.err;
    const ProgramRun queues = run_program({"lab", "queue", kept_, "--symbol", "AAA"});
    EXPECT_EQ(queues.exit_code, 0) << queues.err;
    const std::string own = folder_.write("own.toml", R"([[participants]]
kind = "scripted"
name = "own"
orders = ["20s sell 50 limit 90"]
)");
    const ProgramRun tried =
        run_program({"sim", "whatif", kept_, "--symbol", "AAA", "--with", own, "--json"});
    ASSERT_EQ(tried.exit_code, 0) << tried.err;
    EXPECT_GT(json::parse(tried.out)["trades"], 0) << tried.out;
}

TEST_F(SimKeep, IsPlayedAsAMarketBehindTheGateways) {
    ASSERT_EQ(keep(k_crowd).exit_code, 0);
    testing::RunningServer server{
        folder_ / "data", folder_ / "log", {"--only", "binary", "--replay", kept_, "--speed", "1"}};
    const int port = json::parse(server.ready_line())["ports"]["binary"];
    const ProgramRun trader =
        testing::run_shell(fmt::format("printf 'buy 1 #1 999.0\\nquit\\n' | $DAMRAK_PROGRAM term "
                                       "--port {} --l2-port off --http-port off",
                                       port));
    EXPECT_THAT(trader.out, HasSubstr("accepted")) << trader.out << trader.err;
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(SimKeep, OverwritesNothing) {
    ASSERT_EQ(keep(k_orders).exit_code, 0);
    const ProgramRun again = keep(k_orders);
    EXPECT_EQ(again.exit_code, 1);
    EXPECT_THAT(again.err, HasSubstr(kept_ + ": is not empty"));
    EXPECT_THAT(again.err, HasSubstr("an empty or new folder"));
    EXPECT_EQ(lines_in(again.err), 1U);

    kept_ = folder_.write("notes", "precious");
    const ProgramRun on_file = keep(k_orders);
    EXPECT_EQ(on_file.exit_code, 1);
    EXPECT_THAT(on_file.err, HasSubstr(kept_ + ": is a file"));
    std::ifstream notes{kept_};
    std::string text;
    notes >> text;
    EXPECT_EQ(text, "precious");
}

TEST_F(SimKeep, SaysWhereItCannotWrite) {
    for (const char* const nowhere : {"/dev/null/kept", "/proc/kept", "/proc/kept.dar"}) {
        kept_ = nowhere;
        const ProgramRun refused = keep(k_orders);
        EXPECT_EQ(refused.exit_code, 1) << nowhere;
        EXPECT_THAT(refused.err, HasSubstr(nowhere));
        EXPECT_EQ(lines_in(refused.err), 1U) << refused.err;
        EXPECT_TRUE(refused.out.empty()) << "it ends before the run";
    }
    const std::string file = folder_.write("market.toml", k_orders);
    const ProgramRun many =
        run_program({"sim", "run", file, "--keep", folder_ / "many", "--seeds", "2"});
    EXPECT_EQ(many.exit_code, 2);
    EXPECT_THAT(many.err, HasSubstr("--keep, --export and --explain are for one seed"));
}

TEST_F(SimKeep, SaysWhenAFolderHasNoDay) {
    std::filesystem::create_directory(kept_);
    const ProgramRun none = run_program({"book", kept_, "--at", "09:31"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_THAT(none.err, HasSubstr(kept_ + ": the folder has no archived day"));
    EXPECT_EQ(lines_in(none.err), 1U);
    ASSERT_EQ(keep(k_orders).exit_code, 0) << "an empty folder is as good as a new one";
    std::filesystem::copy_file(kept_ + "/archive/2025010200.dar",
                               kept_ + "/archive/2025010300.dar");
    const ProgramRun two = run_program({"book", kept_, "--at", "09:31"});
    EXPECT_EQ(two.exit_code, 1);
    EXPECT_THAT(two.err, HasSubstr("has more than one archived day: give one, such as"));
}

}  // namespace
}  // namespace damrak::sim_keep_test
