// `damrak replay` from the outside: what it reports, and what it says to hostile files and wrong
// usage.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::replay_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::ProgramRun;
using testing::run_program;
using testing::ScratchFolder;
using ::testing::StartsWith;

ProgramRun replay(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "replay");
    return run_program(arguments);
}

// A failure is one line on stderr, without a word of the machinery behind it.
void expect_one_line(const ProgramRun& run) {
    EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    EXPECT_THAT(run.err, StartsWith("damrak: "));
}

class Replay : public ::testing::Test {
  protected:
    void SetUp() override {
        const auto run =
            run_program({"generate", day_, "--messages", "20000", "--symbols", "3", "--json"});
        ASSERT_EQ(run.exit_code, 0) << run.err;
        messages_ = nlohmann::json::parse(run.out)["messages"];
    }

    ScratchFolder folder_;
    std::string day_ = folder_ / "day.itch";
    std::uint64_t messages_{};
};

TEST_F(Replay, ShowsAMarketInHundredColumns) {
    const auto run = replay({day_});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    for (const char* text : {"symbol", "SIM1", "SIM3", "spread", "bid", "ask"})
        EXPECT_THAT(run.out, HasSubstr(text));
    EXPECT_EQ(run.out.find('\x1b'), std::string::npos);  // no colours for a file
    std::size_t begin = 0;
    for (std::size_t end = run.out.find('\n'); end != std::string::npos;
         begin = end + 1, end = run.out.find('\n', begin))
        EXPECT_LE(end - begin, 100U) << run.out.substr(begin, end - begin);
}

TEST_F(Replay, ReportsTheSameInJson) {
    const auto run = replay({day_, "--json", "--depth", "3"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["format"], "itch");
    EXPECT_EQ(report["mode"], "build");
    EXPECT_EQ(report["complete"], true);
    EXPECT_EQ(report["messages"], messages_);
    EXPECT_EQ(report["anomalies"]["total"], 0);
    ASSERT_EQ(report["instruments"].size(), 3U);
    for (const auto& instrument : report["instruments"]) {
        EXPECT_GT(instrument["messages"], 0);
        ASSERT_EQ(instrument["bids"].size(), 3U);
        EXPECT_GT(instrument["bids"][0]["price"], instrument["bids"][1]["price"]);
        EXPECT_LT(instrument["bids"][0]["price"], instrument["asks"][0]["price"]);
        EXPECT_LE(instrument["spread"]["min"], instrument["spread"]["median"]);
        EXPECT_LE(instrument["spread"]["median"], instrument["spread"]["max"]);
    }
}

TEST_F(Replay, TheEngineMatchesAGeneratedDayAsItWasRecorded) {
    const auto run = replay({day_, "--mode", "rematch", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    const auto& rematch = report["rematch"];
    EXPECT_GT(rematch["executions_recorded"], 0);
    EXPECT_EQ(rematch["price_and_size_equal"], rematch["executions_recorded"]);
    EXPECT_EQ(rematch["resting_order_equal"], rematch["executions_recorded"]);
    EXPECT_EQ(rematch["executions_engine"], rematch["executions_recorded"]);
    EXPECT_EQ(rematch["diverged"], 0);
    EXPECT_EQ(rematch["rejected"], nlohmann::json::object());
    EXPECT_THAT(replay({day_, "--mode", "rematch"}).out, HasSubstr("100.00%"));
}

TEST_F(Replay, TheSameDayUnderTwoVenues) {
    const auto run = replay({day_, "--venue", "continuous,frequent-batch", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json["messages"], messages_);
    const auto& continuous = json["venues"][0]["instruments"][0];
    const auto& batches = json["venues"][1]["instruments"][0];
    EXPECT_EQ(json["venues"][1]["venue"], "frequent-batch");
    EXPECT_EQ(continuous["symbol"], batches["symbol"]);
    EXPECT_EQ(continuous["volume"], continuous["recorded"]["volume"]);
    EXPECT_EQ(continuous["auctions"], 0);
    EXPECT_GT(batches["auctions"], 0);
    EXPECT_EQ(batches["volume"], batches["auction_volume"]);
    // One venue alone has the same figures, at the top.
    const auto alone = replay({day_, "--venue", "frequent-batch", "--json"});
    EXPECT_EQ(nlohmann::json::parse(alone.out)["instruments"], json["venues"][1]["instruments"]);
    const auto table = replay({day_, "--venue", "continuous", "--venue", "frequent-batch"});
    EXPECT_EQ(table.exit_code, 0) << table.err;
    EXPECT_THAT(table.out, HasSubstr("frequent-batch"));
}

TEST_F(Replay, MistakesAboutVenuesAreOneLine) {
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--venue", "nowhere"},
                                                  {"--venue", "continuous", "--plot", "p.svg"},
                                                  {"--venue", "continuous", "--mode", "rematch"}}) {
        std::vector<std::string> arguments{day_};
        arguments.insert(arguments.end(), wrong.begin(), wrong.end());
        const auto run = replay(arguments);
        EXPECT_NE(run.exit_code, 0);
        expect_one_line(run);
    }
}

TEST_F(Replay, OneSymbolUntilATime) {
    const auto all = nlohmann::json::parse(replay({day_, "--json"}).out);
    const auto one = nlohmann::json::parse(replay({day_, "--symbol", "SIM2", "--json"}).out);
    ASSERT_EQ(one["instruments"].size(), 1U);
    for (const auto& instrument : all["instruments"])
        if (instrument["symbol"] == "SIM2") {
            EXPECT_EQ(one["instruments"][0], instrument);
        }
    const auto early = replay({day_, "--until", "10:00:00.000000001", "--json"});
    ASSERT_EQ(early.exit_code, 0) << early.err;
    const auto report = nlohmann::json::parse(early.out);
    EXPECT_LT(report["messages"], all["messages"]);
    EXPECT_GT(report["messages"], 0);
    EXPECT_LE(report["last_time"], "10:00:00.000000001");
}

TEST_F(Replay, ReadsCompressedFilesAlike) {
    for (const char* name : {"day.itch.gz", "day.itch.zst"}) {
        const std::string packed = folder_ / name;
        ASSERT_EQ(
            run_program({"generate", packed, "--messages", "20000", "--symbols", "3"}).exit_code,
            0);
        auto plain_report = nlohmann::json::parse(replay({day_, "--json"}).out);
        auto packed_report = nlohmann::json::parse(replay({packed, "--json"}).out);
        EXPECT_EQ(packed_report["instruments"], plain_report["instruments"]);
    }
}

TEST_F(Replay, DrawsAPlot) {
    const std::string plot = folder_ / "day.svg";
    const auto run = replay({day_, "--plot", plot});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr(plot));
    EXPECT_THAT(content_of(plot), StartsWith("<svg"));
    const auto unknown = replay({day_, "--plot", folder_ / "day.jpg"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_EQ(unknown.out, "");
    expect_one_line(unknown);
    const auto failed = replay({day_, "--plot", folder_ / "no" / "such" / "day.svg"});
    EXPECT_EQ(failed.exit_code, 1);
    expect_one_line(failed);
}

TEST_F(Replay, ATruncatedFileIsReportedUpToItsEnd) {
    const std::string whole = content_of(day_);
    const std::string cut = folder_.write("cut.itch", whole.substr(0, whole.size() - 5));
    const auto run = replay({cut, "--json"});
    EXPECT_EQ(run.exit_code, 1);
    expect_one_line(run);
    EXPECT_THAT(run.err, HasSubstr("offset"));
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    EXPECT_THAT(report["error"], HasSubstr("cut.itch"));
    EXPECT_EQ(report["messages"], messages_ - 1);
    EXPECT_EQ(report["instruments"].size(), 3U);
}

TEST_F(Replay, CorruptBytesAreNamedWithTheirPlaceAndWhatCameBeforeIsShown) {
    std::string bytes = content_of(day_);
    bytes[bytes.size() / 2] = static_cast<char>(0xEE);
    bytes[bytes.size() / 2 + 1] = static_cast<char>(0xEE);
    bytes.replace(bytes.size() / 2 + 2, 60, 60, static_cast<char>(0xEE));
    const std::string bad = folder_.write("bad.itch", bytes);
    for (const char* mode : {"build", "rematch"}) {
        const auto run = replay({bad, "--mode", mode});
        EXPECT_EQ(run.exit_code, 1);
        expect_one_line(run);
        EXPECT_THAT(run.err, HasSubstr("offset"));
        EXPECT_THAT(run.out, HasSubstr("SIM1"));
    }
}

TEST_F(Replay, AMissingPieceShowsAsAnomaliesWithTheFirstPlace) {
    // Half of the adds never came: their cancels and executions are about unknown orders.
    const std::string early = folder_ / "early.itch";
    const std::string whole = content_of(day_);
    std::string kept;
    std::size_t adds = 0;
    for (std::size_t at = 0; at < whole.size();) {
        const auto length = static_cast<unsigned char>(whole[at]) * 256U +
                            static_cast<unsigned char>(whole[at + 1]);
        const bool drop = whole[at + 2] == 'A' && ++adds % 2 == 0;
        if (!drop) kept += whole.substr(at, 2 + length);
        at += 2 + length;
    }
    folder_.write("early.itch", kept);
    const auto run = replay({early, "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const auto unknown = nlohmann::json::parse(run.out)["anomalies"]["unknown_order"];
    EXPECT_GT(unknown["count"], 0);
    const auto place = unknown["first_offset"].get<std::size_t>();
    ASSERT_LT(place + 2, kept.size());
    EXPECT_THAT(std::string{"DXEU"}, HasSubstr(std::string{kept[place + 2]}));
    EXPECT_THAT(replay({early}).out, HasSubstr("unknown_order"));
}

TEST(ReplayOfHostileFiles, EachGetsOneLineAndAnOrderlyEnd) {
    const ScratchFolder folder;
    const std::vector<std::string> files{
        folder.write("empty.itch", ""),
        folder.write("zeros.itch", std::string(100, '\0')),
        folder.write("text.txt", "this is no recording\n"),
        folder.write("image.png", "\x89PNG\r\n\x1a\n and so on"),
        folder.write("random.itch", std::string{"\x00\x24\xff\xff\xff\xff", 6}),
        folder.write("half.gz", std::string{"\x1f\x8b\x08\x00\x00", 5}),
        folder.write("header.csv", "Time,Type,OrderID,Size,Price,Direction\n34200.1,1,5,1,100,1\n"),
        folder.write("semicolons.csv", "34200.1;1;5;1;100;1\n"),
        folder.write("spreadsheet.csv", "34200.00,1,5,1,5.85E+06,1\n"),
        folder.write("short.csv", "34200.1,1,5\n"),
        folder.write("backwards.csv", "34200.1,1,5,1,100,1\n34200.0,1,6,1,100,1\n"),
        folder / "missing.itch",
        folder / "",
    };
    for (const std::string& file : files) {
        for (const char* mode : {"build", "rematch"}) {
            const auto run = replay({file, "--mode", mode});
            EXPECT_EQ(run.exit_code, 1) << file << ": " << run.out;
            expect_one_line(run);
        }
    }
}

TEST(ReplayOfHostileFiles, NumbersBeyondAllMeasureAreAnomalies) {
    const ScratchFolder folder;
    const std::string rows =
        "34200.1,1,1,9000000000000000000,100,1\n"
        "34200.1,1,2,9000000000000000000,100,1\n"
        "34200.1,1,3,5,9000000000000000000,1\n"
        "34200.2,1,18446744073709551615,5,100,1\n"
        "34200.2,3,18446744073709551615,5,100,1\n";
    const std::string file = folder.write("large.csv", rows);
    for (const char* mode : {"build", "rematch"}) {
        const auto run = replay({file, "--trust-messages", "--mode", mode, "--json"});
        ASSERT_LE(run.exit_code, 1) << run.err;
        const auto report = nlohmann::json::parse(run.out);
        if (run.exit_code == 0) {
            EXPECT_GE(report["anomalies"]["total"], 3);
        }
    }
}

TEST(ReplayVerify, ReportsRowsCheckedAndEqualAndFailsWhenTheyDiffer) {
    const ScratchFolder folder;
    const std::string day = folder / "day.itch";
    const std::string messages = folder / "m.csv";
    const std::string book = folder / "b.csv";
    ASSERT_EQ(run_program({"generate", day, "--messages", "5000", "--symbols", "1"}).exit_code, 0);
    ASSERT_EQ(
        run_program({"convert", day, messages, "--symbol", "SIM1", "--book", book, "--levels", "4"})
            .exit_code,
        0);
    const std::size_t rows = lines_in(content_of(book));
    auto run = replay({"--format", "lobster", messages, "--book", book, "--verify", "--json"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["check"], "transition");
    EXPECT_EQ(report["rows_checked"], rows - 1);
    EXPECT_EQ(report["rows_equal"], rows - 1);

    // An extra share is detected by the rows before and after it.
    std::string tampered = content_of(book);
    const std::size_t line = tampered.find('\n', tampered.size() / 2) + 1;
    const std::size_t size = tampered.find(',', line) + 1;
    tampered.insert(size, "9");
    folder.write("b.csv", tampered);
    run = replay({messages, "--book", book, "--verify", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    expect_one_line(run);
    report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["rows_checked"], rows - 1);
    EXPECT_EQ(report["rows_equal"], rows - 3);
    EXPECT_EQ(report["failures"].size(), 2U);
    EXPECT_EQ(report["complete"], true);
    EXPECT_THAT(replay({messages, "--book", book, "--verify"}).out, HasSubstr("expected"));

    folder.write("b.csv", tampered.substr(0, line));
    run = replay({folder / "m.csv", "--book", book, "--verify", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    expect_one_line(run);
}

TEST(ReplayVerify, ADamagedFileIsCheckedUpToTheDamage) {
    const ScratchFolder folder;
    const std::string good = "34200.1,1,1,10,100,1\n34200.2,1,2,5,100,1\n34200.3,3,1,10,100,1\n";
    const std::string rows =
        "200,1,100,10\n"
        "200,1,100,15\n"
        "200,1,100,5\n";
    const std::string book = folder.write("b.csv", rows);
    const std::string messages =
        folder.write("m.csv", good.substr(0, good.rfind("34200.3")) + "34200.3,3,1,ten,100,1\n");
    const auto run = replay({messages, "--book", book, "--verify", "--json"});
    EXPECT_EQ(run.exit_code, 1);
    expect_one_line(run);
    EXPECT_THAT(run.err, HasSubstr("row 3"));
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["complete"], false);
    EXPECT_EQ(report["rows_checked"], 1);
    EXPECT_EQ(report["rows_equal"], 1);
    folder.write("m.csv", good);
    EXPECT_EQ(replay({messages, "--book", book, "--verify"}).exit_code, 0);
    folder.write("b.csv", rows.substr(0, rows.size() - 4));
    EXPECT_EQ(replay({messages, "--book", book, "--verify"}).exit_code, 1);
}

TEST(ReplayUsage, WrongUsageIsReported) {
    const ScratchFolder folder;
    const std::string day = folder / "day.itch";
    ASSERT_EQ(run_program({"generate", day, "--messages", "100"}).exit_code, 0);
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {},
             {day, "--mode", "guess"},
             {day, "--format", "fix"},
             {day, "--until", "noon"},
             {day, "--until", "09:61"},
             {day, "--until", "09:30:00."},
             {day, "--depth", "0"},
             {day, "--verify"},
             {day, "--book", day},
             {day, "--no-such-flag"},
         }) {
        const auto run = replay(arguments);
        EXPECT_EQ(run.exit_code, 2) << run.err;
        expect_one_line(run);
        EXPECT_EQ(run.out, "");
    }
    EXPECT_EQ(replay({"--help"}).exit_code, 0);
    const auto run = replay({day, "--symbol", "NONE"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("no instrument NONE"));
}

}  // namespace
}  // namespace damrak::replay_test
