// `damrak convert` from the outside: there and back, and what it says to wrong files and usage.

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::convert_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchFolder;
using ::testing::StartsWith;

class Convert : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto run = run_program({"generate", day_, "--messages", "20000", "--symbols", "2"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }

    static ProgramRun convert(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "convert");
        return run_program(arguments);
    }

    ScratchFolder folder_;
    std::string day_ = folder_ / "day.itch";
};

TEST_F(Convert, ThereAndBackGivesTheSameRows) {
    const std::string first = folder_ / "first.csv.gz";
    const std::string itch = folder_ / "back.itch.zst";
    const std::string rows = folder_ / "rows.csv";
    const std::string again = folder_ / "again.csv";
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {day_, first, "--symbol", "SIM2"},
             {day_, rows, "--symbol", "SIM2"},
             {first, itch, "--symbol", "SIM2", "--trust-messages"},
             {itch, again},
         }) {
        const auto run = convert(arguments);
        ASSERT_EQ(run.exit_code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        EXPECT_EQ(lines_in(run.out), 1U);
    }
    EXPECT_GT(lines_in(content_of(rows)), 1000U);
    EXPECT_EQ(content_of(again), content_of(rows));
}

TEST_F(Convert, WritesAPairOfFilesRowForRow) {
    const std::string rows = folder_ / "m.csv";
    const std::string book = folder_ / "b.csv";
    const auto run =
        convert({day_, rows, "--symbol", "SIM1", "--book", book, "--levels", "3", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["symbol"], "SIM1");
    EXPECT_EQ(report["anomalies"], 0);
    EXPECT_EQ(report["rows"], lines_in(content_of(rows)));
    EXPECT_EQ(report["rows"], lines_in(content_of(book)));
    const std::string first = content_of(book).substr(0, content_of(book).find('\n'));
    EXPECT_EQ(std::ranges::count(first, ','), 3 * 4 - 1);
}

TEST_F(Convert, ReadsTheTickerAndTheLevelsFromTheNames) {
    const std::string rows = folder_ / "SIM1_2026-01-02_34200000_57600000_message_5.csv";
    const std::string book = folder_ / "SIM1_2026-01-02_34200000_57600000_orderbook_5.csv";
    ASSERT_EQ(convert({day_, rows, "--symbol", "SIM1", "--book", book}).exit_code, 0);
    const auto run = convert({rows, folder_ / "sim1.itch", "--book", book, "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["symbol"], "SIM1");
    EXPECT_EQ(report["depth"], 5);
    EXPECT_EQ(report["rows_equal"], report["rows_checked"]);
    EXPECT_EQ(report["rows"], lines_in(content_of(rows)));
}

TEST_F(Convert, ChoosesRowsByTime) {
    const std::string rows = folder_ / "m.csv";
    const auto run = convert(
        {day_, rows, "--symbol", "SIM1", "--begin", "12:00", "--end", "12:30:00.000000001"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const std::string text = content_of(rows);
    EXPECT_GE(std::stod(text), 43'200);
    const auto last = text.rfind('\n', text.size() - 2);
    EXPECT_LE(std::stod(text.substr(last + 1)), 45'000.000000001);
}

TEST_F(Convert, FailsWithOneLineForFilesThatAreNotWhatTheirNamesSay) {
    const std::string rows = folder_.write("m.csv", "34200,1,7,100,5853300,1\n");
    const std::string fake_itch = folder_.write("fake.itch", "34200,1,7,100,5853300,1\n");
    const std::string fake_rows = folder_.write("fake.csv", content_of(day_));
    const std::vector<std::vector<std::string>> failing{
        {fake_itch, folder_ / "out.csv"},
        {fake_rows, folder_ / "out.itch", "--symbol", "A", "--trust-messages"},
        {folder_ / "missing.itch", folder_ / "out.csv"},
        {folder_ / "missing.csv", folder_ / "out.itch", "--symbol", "A"},
        {day_, folder_ / "out.csv"},
        {day_, folder_ / "out.csv", "--symbol", "SIM9"},
        {day_, "/nowhere/out.csv", "--symbol", "SIM1"},
        {day_, folder_ / "out.csv", "--symbol", "SIM1", "--book", "/nowhere/out.csv"},
        {rows, "/dev/full", "--symbol", "A"},
        {rows, folder_ / "out.itch", "--symbol", "A", "--book", folder_ / "missing.csv"},
        {rows, folder_ / "out.itch", "--symbol", "A"},  // without a book
        {rows, folder_ / "out.itch", "--symbol", "NINECHARS", "--trust-messages"},
    };
    for (const auto& arguments : failing) {
        const auto run = convert(arguments);
        EXPECT_EQ(run.exit_code, 1) << arguments[0] << " " << arguments[1] << " " << run.out;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, StartsWith("damrak: "));
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
}

TEST_F(Convert, RefusesWrongUsage) {
    const std::string rows = folder_.write("m.csv", "34200,1,7,100,5853300,1\n");
    const std::string out = folder_ / "out.csv";
    const std::vector<std::vector<std::string>> wrong{
        {},
        {day_},
        {day_, folder_ / "other.itch"},
        {rows, out},
        {rows, folder_ / "out.itch"},  // whose symbol?
        {rows, folder_ / "out.itch", "--symbol", "A", "--levels", "5"},
        {day_, out, "--symbol", "SIM1", "--levels", "0"},
        {day_, out, "--symbol", "SIM1", "--begin", "noon"},
        {day_, out, "--symbol", "SIM1", "--end", "25:00"},
        {day_, out, "--symbol", "SIM1", "--book", out},
        {day_, out, "--symbol", "SIM1", "--book", day_},
        {day_, out, "--unknown"},
    };
    for (const auto& arguments : wrong) {
        const auto run = convert(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        EXPECT_THAT(run.err, HasSubstr("damrak convert --help"));
        EXPECT_FALSE(std::filesystem::exists(out));
    }
    EXPECT_GT(std::filesystem::file_size(day_), 0U) << "an input was overwritten";
}

}  // namespace
}  // namespace damrak::convert_test
