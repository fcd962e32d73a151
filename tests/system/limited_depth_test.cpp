// Every command that reads recorded days, with the pairs of a generated day cut to this many
// levels: what does not depend on the depth is that of the full day, and what is not known is said
// to be.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::limited_depth_test {
namespace {

using Json = nlohmann::json;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::run_program;
using Words = std::vector<std::string>;

constexpr std::size_t k_whole = 1'000;

class LimitedDepth : public ::testing::TestWithParam<std::size_t> {
  protected:
    void SetUp() override {
        const std::string day = folder_ / "day.itch";
        ASSERT_EQ(run_program({"generate", day, "--messages", "4000", "--symbols", "1", "--live",
                               "300", "--seed", "5"})
                      .exit_code,
                  0);
        for (const std::size_t levels : {GetParam(), k_whole})
            ASSERT_EQ(run_program({"convert", day, file("message", levels), "--book",
                                   file("orderbook", levels), "--levels", std::to_string(levels)})
                          .exit_code,
                      0);
    }
    [[nodiscard]] std::string file(const std::string& kind, std::size_t levels) const {
        return folder_ / fmt::format("SIM1_2026-01-02_34200000_57600000_{}_{}.csv", kind, levels);
    }
    [[nodiscard]] std::string pair() const { return file("message", GetParam()); }
    [[nodiscard]] std::string whole() const { return file("message", k_whole); }
    [[nodiscard]] std::string said() const {
        return fmt::format("the book is not known below level {}", GetParam());
    }
    [[nodiscard]] static Json json_of(Words words) {
        words.emplace_back("--json");
        const testing::ProgramRun run = run_program(words);
        EXPECT_EQ(run.exit_code, 0) << run.err;
        return Json::parse(run.out, nullptr, false);
    }
    /// The archived day of a pair.
    [[nodiscard]] std::string archived(const std::string& messages) const {
        const auto imported =
            run_program({"archive", "import", messages, "--out", folder_.path().string()});
        EXPECT_EQ(imported.exit_code, 0) << imported.err;
        return std::filesystem::path{messages}.replace_extension(".dar");
    }

    testing::ScratchFolder folder_;
};

TEST_P(LimitedDepth, ReplayCountsTheTradesOfTheDay) {
    const Json all = json_of({"replay", whole()})["instruments"][0];
    const Json cut = json_of({"replay", pair()});
    EXPECT_EQ(cut["book_known_to_level"], GetParam());
    for (const char* same : {"trades", "volume", "hidden_trades", "prices"})
        EXPECT_EQ(cut["instruments"][0][same], all[same]) << same;
    EXPECT_EQ(run_program({"replay", pair(), "--verify"}).exit_code, 0);
}

TEST_P(LimitedDepth, BooksAreThoseOfTheRows) {
    const std::string day = archived(pair());
    std::ifstream messages{pair()};
    std::ifstream rows{file("orderbook", GetParam())};
    std::string message;
    std::string row;
    std::string next;
    std::size_t asked = 0;
    std::getline(messages, message);
    std::getline(rows, row);
    for (std::size_t k = 0; std::getline(messages, next); ++k) {
        const std::string time = message.substr(0, message.find(','));
        // The last row of its time, now and then.
        if (k % 97 == 0 && next.substr(0, next.find(',')) != time) {
            const auto seconds = std::stoll(time);
            const std::string at =
                fmt::format("{:02}:{:02}:{:02}{}", seconds / 3'600, seconds / 60 % 60, seconds % 60,
                            time.find('.') == std::string::npos ? "" : time.substr(time.find('.')));
            const Json book = json_of({"book", day, "--at", at, "--depth", "0"});
            std::string shown;
            for (std::size_t i = 0; i < GetParam(); ++i)
                for (const char* side : {"asks", "bids"}) {
                    const Json& levels = book[side];
                    const bool is_there = i < levels.size();
                    shown += shown.empty() ? "" : ",";
                    shown += !is_there ? (side[0] == 'a' ? "9999999999,0" : "-9999999999,0")
                                       : fmt::format("{:.0f},{}",
                                                     levels[i]["price"].get<double>() * 10'000,
                                                     levels[i]["quantity"].get<std::uint64_t>());
                }
            ASSERT_EQ(shown, row) << at;
            ASSERT_LE(book["bids"].size(), GetParam()) << "no level that is not known";
            ASSERT_THAT(book["not_known"], Contains(said()));
            ++asked;
        }
        message = next;
        std::getline(rows, row);
    }
    EXPECT_GT(asked, 3U);
}

TEST_P(LimitedDepth, BooksBeforeTheFirstRowAreNotKnown) {
    const std::string day = archived(pair());
    for (const Words& more : {Words{}, Words{"--json"}, Words{"--csv"}, Words{"--orders"},
                              Words{"--plot", (folder_.path() / "book.svg").string()}}) {
        Words words{"book", day, "--at", "00:00"};
        words.insert(words.end(), more.begin(), more.end());
        const auto run = run_program(words);
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, HasSubstr("the book is not known before the first message"));
    }
}

TEST_P(LimitedDepth, MeasuresAreThoseOfTheDayOrSaidNotToBe) {
    const Words window{"--from", "09:40", "--until", "15:50"};
    const auto measured = [&](const std::string& messages) {
        Words words{"sim", "measure", messages};
        words.insert(words.end(), window.begin(), window.end());
        return json_of(words);
    };
    const Json all = measured(whole())["measures"];
    const Json cut = measured(pair());
    const std::string not_known = cut["not_known"].dump();
    EXPECT_THAT(not_known, HasSubstr(said()));
    // Named by the sentence, or of the orders below the view.
    const std::set<std::string> of_all_orders{"changes", "cancels_to_adds", "orders_to_trades",
                                              "round_lot_adds", "interarrival_cv"};
    std::size_t compared = 0;
    for (const auto& [name, value] : all.items()) {
        if (of_all_orders.contains(name) || name.starts_with("resiliency") ||
            name.starts_with("fill_rate"))
            continue;
        if (name.starts_with("depth_") && std::stoul(name.substr(6)) > GetParam()) {
            EXPECT_FALSE(cut["measures"].contains(name)) << name;
            continue;
        }
        ASSERT_TRUE(cut["measures"].contains(name)) << name;
        if (value.is_number()) {
            const auto wanted = value.get<double>();
            EXPECT_NEAR(cut["measures"][name].get<double>(), wanted, 1e-9 * std::abs(wanted))
                << name;
        }
        ++compared;
    }
    EXPECT_GT(compared, 50U);
}

TEST_P(LimitedDepth, TradesOfTheArchivedDayAreThoseOfTheDay) {
    const auto trades = [&](const std::string& messages) {
        Json all = json_of({"book", archived(messages), "--trades"})["trades"];
        for (Json& trade : all)
            for (const char* own : {"sequence", "match"}) trade.erase(own);
        return all;
    };
    const Json all = trades(whole());
    EXPECT_GT(all.size(), 100U);
    EXPECT_EQ(trades(pair()), all);
}

TEST_P(LimitedDepth, EveryCommandSaysWhatIsNotKnown) {
    const std::string day = archived(pair());
    const Words commands[] = {
        {"replay", pair()},
        {"replay", pair(), "--mode", "rematch"},
        {"archive", "info", day},
        {"book", day, "--at", "12:00"},
        {"book", day, "--at", "12:00", "--plot", folder_ / "ladder.svg"},
        {"book", day, "--plot", folder_ / "map.svg"},
        {"sim", "measure", pair()},
        {"sim", "measure", day, "--symbol", "SIM1"},
        {"sim", "calibrate", pair(), "--model", "zero-intelligence"},
        {"lab", "queue", pair()},
    };
    for (const Words& command : commands) {
        const testing::ProgramRun run = run_program(command);
        EXPECT_EQ(run.exit_code, 0) << fmt::format("{} {}", command[0], command[1]) << run.err;
        EXPECT_THAT(run.out + run.err, HasSubstr(said()))
            << fmt::format("{} {}", command[0], command[1]);
    }
    for (const char* picture : {"ladder.svg", "map.svg"}) {
        std::ifstream svg{folder_ / picture};
        const std::string text{std::istreambuf_iterator<char>{svg}, {}};
        EXPECT_THAT(text, HasSubstr(said())) << picture;
    }
}

// Each of these gave an answer with exit code 0 that nobody could use.
TEST(QuestionsAboutDays, ThatMakeNoSenseAreRefused) {
    const testing::ScratchFolder folder;
    const std::string day = folder / "day.itch";
    ASSERT_EQ(run_program({"generate", day, "--messages", "500", "--symbols", "1"}).exit_code, 0);
    std::ifstream once{day, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{once}, {}};
    const std::string two = folder.write("two.itch", bytes + bytes);
    const std::string dar = folder / "day.dar";
    ASSERT_EQ(run_program({"archive", "import", day, "--out", folder.path().string()}).exit_code,
              0);
    const std::pair<Words, std::string> questions[] = {
        {{"replay", two}, "another session begins after message"},
        {{"convert", two, folder / "x.csv", "--symbol", "SIM1"}, "another session begins"},
        {{"book", dar, "--between", "10:00", "09:00"}, "before the first"},
        {{"sim", "measure", dar, "--from", "10:00", "--until", "09:00"}, "is before --from"},
        {{"archive", "export", dar, "--to", "csv", "--from", "10:00", "--until", "09:00"},
         "is before --from"},
    };
    for (const auto& [words, why] : questions) {
        const testing::ProgramRun run = run_program(words);
        EXPECT_NE(run.exit_code, 0) << words[0] << " " << words[1];
        EXPECT_THAT(run.err, HasSubstr(why)) << words[0] << " " << words[1];
    }
}

// Of messages of more levels than the rows, which continue after the last row.
TEST(WiderMessages, AreTakenToTheLastRowForWhatNeedsABook) {
    const testing::ScratchFolder folder;
    const std::string messages = folder.write("X_2026-01-02_34200000_57600000_message_5.csv",
                                              "34200,1,11,100,9900,1\n"
                                              "34201,1,12,100,10100,-1\n"
                                              "34205,1,14,10,10000,1\n"  // after the last row
                                              "34206,4,12,40,10100,-1\n");
    const std::string book = folder.write("X_2026-01-02_34200000_57600000_orderbook_1.csv",
                                          "9999999999,0,9900,100\n"
                                          "10100,100,9900,100\n");
    const auto answer = [&](Words words) {
        words.insert(words.end(), {messages, "--book", book, "--json"});
        return Json::parse(run_program(words).out);
    };
    const Json replayed = answer({"replay"});
    EXPECT_EQ(replayed["book_known_until"], "09:30:04.999999999");
    EXPECT_EQ(replayed["instruments"][0]["trades"], 1);
    EXPECT_NEAR(replayed["instruments"][0]["spread"]["seconds"].get<double>(), 4, 1e-6);
    EXPECT_EQ(replayed["instruments"][0]["bids"], Json::array());
    const Json measured = answer({"sim", "measure"});
    EXPECT_EQ(measured["measures"]["trades"], 1);
    EXPECT_EQ(measured["measures"]["quoted_spread_currency"], .02);

    // ITCH says it, too.
    const std::string itch = folder / "x.itch";
    ASSERT_EQ(run_program({"convert", messages, itch, "--book", book}).exit_code, 0);
    EXPECT_EQ(Json::parse(run_program({"replay", itch, "--json"}).out)["book_known_until"],
              replayed["book_known_until"]);
    ASSERT_EQ(run_program({"archive", "import", itch, "--out", folder.path().string()}).exit_code,
              0);
    const auto late = run_program({"book", folder / "x.dar", "--at", "09:30:05"});
    EXPECT_EQ(late.exit_code, 1);
    EXPECT_THAT(late.err, HasSubstr("not known after 09:30:04.999999999"));
}

// Taken, counted, and reported by every command that reads the pair or the day that was made of it.
TEST(RowsThatDoNotFollow, AreToldByEveryCommand) {
    const testing::ScratchFolder folder;
    const std::string messages = folder.write("X_2026-01-02_34200000_57600000_message_1.csv",
                                              "34200,1,11,100,9900,1\n"
                                              "34201,1,12,100,10100,-1\n"
                                              "34202,1,13,100,10000,1\n");
    folder.write("X_2026-01-02_34200000_57600000_orderbook_1.csv",
                 "9999999999,0,9900,100\n"
                 "10100,100,9900,100\n"
                 "10100,100,9950,100\n");  // 9,950 for 10,000
    const std::string said = "the books near 1 of the order book file's rows are doubtful";
    const Words commands[] = {
        {"archive", "import", messages, "--out", folder.path().string()},
        {"archive", "info", std::filesystem::path{messages}.replace_extension(".dar")},
        {"replay", messages},
        {"sim", "measure", messages}};
    for (const Words& command : commands) {
        const testing::ProgramRun run = run_program(command);
        EXPECT_EQ(run.exit_code, 0) << command[1] << run.err;
        EXPECT_THAT(run.out + run.err, HasSubstr(said)) << command[1];
    }
}

INSTANTIATE_TEST_SUITE_P(Levels, LimitedDepth, ::testing::Values(1, 2, 5, 10, 20));

}  // namespace
}  // namespace damrak::limited_depth_test
