// Every command that reads a recorded day says of the file of somebody else what it is, and takes
// none for a book; our own days are recognised by all.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/dbn_file.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::foreign_files_test {
namespace {

using testing::DbnFile;
using ::testing::HasSubstr;
using testing::run_program;
using testing::ScratchFolder;

using Words = std::vector<std::string>;

/// The commands, with `FILE` for the day.
const std::vector<Words>& commands() {
    static const std::vector<Words> all{
        {"archive", "import", "FILE", "--symbol", "A", "--out", "OUT"},
        {"archive", "info", "FILE"},
        {"archive", "verify", "FILE"},
        {"archive", "export", "FILE", "--to", "csv", "--out", "OUT/x.csv"},
        {"book", "FILE", "--at", "12:00:00"},
        {"book", "FILE", "--trades"},
        {"replay", "FILE"},
        {"replay", "FILE", "--trust-messages"},
        {"replay", "FILE", "--mode", "rematch"},
        {"convert", "FILE", "OUT/x.itch", "--symbol", "A"},
        {"sim", "measure", "FILE"},
        {"sim", "calibrate", "FILE"},
        {"sim", "whatif", "FILE", "--with", "OUT/with.toml"},
        {"lab", "queue", "FILE"},
        {"serve", "--replay", "FILE", "--data", "OUT/data"},
    };
    return all;
}

class ForeignFiles : public ::testing::Test {
  protected:
    void SetUp() override { folder_.write("with.toml", "name = \"the record alone\"\n"); }
    [[nodiscard]] testing::ProgramRun run(Words words, const std::string& file) const {
        for (std::string& word : words) {
            if (word == "FILE") word = file;
            if (word.starts_with("OUT")) word.replace(0, 3, folder_.path().string());
        }
        return run_program(words);
    }
    ScratchFolder folder_;
};

std::string joined(const Words& words) {
    std::string text;
    for (const std::string& word : words) text += word + ' ';
    return text;
}

TEST_F(ForeignFiles, AreNamedForWhatTheyAreByEveryCommand) {
    const std::string table =
        folder_.write("snapshot_5.csv",
                      "exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount\n"
                      "binance,X,1,2,3,4\n");
    for (const Words& words : commands()) {
        const auto done = run(words, table);
        EXPECT_NE(done.exit_code, 0) << joined(words);
        EXPECT_THAT(done.err, HasSubstr("a Tardis CSV file, book_snapshot")) << joined(words);
        EXPECT_EQ(done.out, "") << joined(words);
    }
}

TEST_F(ForeignFiles, DaysOfTradesHaveNoBookForAnyCommand) {
    DbnFile file{wire::dbn::Schema::trades};
    for (std::uint64_t i = 0; i < 3; ++i) {
        wire::dbn::LevelRecord trade;
        trade.header.event_ns = DbnFile::k_midnight + i;
        trade.price_e9 = 5'000'000'000;
        trade.size = 1;
        trade.action = 'T';
        trade.side = 'B';
        file.add(trade);
    }
    ASSERT_EQ(run({"archive", "import", "FILE", "--out", "OUT"},
                  folder_.write("trades.dbn", file.content()))
                  .exit_code,
              0);
    const std::string day = folder_ / "trades.dar";
    for (const Words& words : {Words{"book", "FILE", "--at", "12:00:00"},
                               {"book", "FILE", "--plot", "OUT/x.svg"},
                               {"book", "FILE", "--order", "7"},
                               {"replay", "FILE", "--mode", "rematch"},
                               {"replay", "FILE", "--venue", "nasdaq-like"},
                               {"sim", "measure", "FILE"},
                               {"sim", "calibrate", "FILE"},
                               {"sim", "whatif", "FILE", "--with", "OUT/with.toml"},
                               {"lab", "queue", "FILE"},
                               {"serve", "--replay", "FILE", "--data", "OUT/data"}}) {
        const auto done = run(words, day);
        EXPECT_EQ(done.exit_code, 1) << joined(words);
        EXPECT_THAT(done.err, HasSubstr("no book is known: the day has trades alone"))
            << joined(words);
    }
    const auto trades = run({"book", "FILE", "--trades", "--csv"}, day);
    EXPECT_EQ(testing::lines_in(trades.out), 4U) << trades.out << trades.err;
    const auto told = nlohmann::json::parse(run({"archive", "info", "FILE", "--json"}, day).out);
    EXPECT_EQ(told["date"], "2020-12-28");
    EXPECT_EQ(told["not_known"][0], "no book is known: the day has trades alone");
    EXPECT_THAT(run({"archive", "list", "FILE"}, folder_.path()).out,
                HasSubstr("trades.dar                               2020-12-28"));
}

TEST_F(ForeignFiles, AnArchivedDayIsReplayedAsTheDayItCameFrom) {
    const std::string day = folder_ / "day.itch";
    ASSERT_EQ(run_program({"generate", day, "--messages", "20000"}).exit_code, 0);
    ASSERT_EQ(run({"archive", "import", "FILE", "--out", "OUT"}, day).exit_code, 0);
    EXPECT_THAT(run({"archive", "info", "FILE"}, folder_ / "day.dar").out,
                HasSubstr("date         not known"));
    for (const Words& options : {Words{}, {"--mode", "rematch"}, {"--venue", "nasdaq-like"}}) {
        Words words{"replay", "FILE", "--json"};
        words.insert(words.end(), options.begin(), options.end());
        nlohmann::json reports[2];
        for (const std::size_t archived : {0U, 1U}) {
            const auto done = run(words, archived == 1 ? std::string{folder_ / "day.dar"} : day);
            EXPECT_EQ(done.exit_code, 0) << done.err;
            reports[archived] = nlohmann::json::parse(done.out);
            EXPECT_EQ(reports[archived]["format"], archived == 1 ? "archive" : "itch");
            for (const char* differs : {"file", "seconds", "format"})
                reports[archived].erase(differs);
        }
        EXPECT_EQ(reports[0], reports[1]) << joined(words);
    }
    EXPECT_THAT(run({"archive", "import", "FILE", "--out", "OUT"}, folder_ / "day.dar").err,
                HasSubstr("in this archive already"));
}

TEST_F(ForeignFiles, PricesThatCannotBeCarriedMakeTheImportFail) {
    DbnFile file{wire::dbn::Schema::mbo};
    for (const std::int64_t price_e9 : {5'000'000'000, 5'000'000'001, 5'000'000'002}) {
        wire::dbn::MboRecord order;
        order.header.event_ns = DbnFile::k_midnight;
        order.order = static_cast<std::uint64_t>(price_e9);
        order.price_e9 = price_e9;
        order.size = 1;
        order.action = 'A';
        order.side = 'B';
        file.add(order);
    }
    const auto done = run({"archive", "import", "FILE", "--out", "OUT"},
                          folder_.write("fine.dbn", file.content()));
    EXPECT_EQ(done.exit_code, 1);
    EXPECT_THAT(done.err, HasSubstr("2 records with prices finer than 0.0001"));
}

}  // namespace
}  // namespace damrak::foreign_files_test
