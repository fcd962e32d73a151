// `damrak book --live` at a running exchange, and what it says where there is none.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::book_live_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class BookLive : public ::testing::Test {
  protected:
    [[nodiscard]] int port(const char* gateway) const {
        return nlohmann::json::parse(server_.ready_line()).at("ports").at(gateway).get<int>();
    }
    /// Each participant enters orders while it looks; it is interrupted once it shows this.
    [[nodiscard]] ProgramRun look(const std::string& options,
                                  const std::vector<std::string>& participants,
                                  const std::string& until) const {
        std::string orders;
        for (const std::string& each : participants)
            orders += fmt::format(
                "printf '{}quit\\n' | $DAMRAK_PROGRAM term --port {} --l2-port off --http-port off "
                "> /dev/null\n",
                each, server_.port());
        return run_shell(fmt::format(
            "shown={}\n"
            "until_shown() {{ eventually \"grep -q -e '$1' '$shown'\"; }}\n"
            "$DAMRAK_PROGRAM book --live --itch-port {} --glimpse-port {} {} > $shown & "
            "watcher=$!\n"
            "until_shown MSFT\n{}until_shown '{}'\n"
            "kill -INT $watcher; wait $watcher; code=$?; cat $shown; exit $code",
            (folder_.path() / "shown").string(), port("itch"), port("glimpse"), options, orders,
            until));
    }

    ScratchFolder folder_;
    RunningServer server_{(folder_.path() / "data").string(),
                          (folder_.path() / "log").string(),
                          {"--only", "itch", "glimpse", "--itch-port", "0", "--glimpse-port", "0"}};
};

TEST_F(BookLive, PrintsAnObjectForEachChange) {
    const ProgramRun run =
        look("--symbol MSFT --json", {"buy 100 #2 400.1\\nbuy 5 #1 99.0\\n", "sell 30 #2 400.1\\n"},
             "last_trade");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    std::vector<nlohmann::json> lines;
    for (std::size_t at = 0; at < run.out.size();) {
        const std::size_t end = run.out.find('\n', at);
        lines.push_back(nlohmann::json::parse(run.out.substr(at, end - at)));
        at = end + 1;
    }
    ASSERT_THAT(lines, SizeIs(3)) << "as it was, an order, a trade\n" << run.out;
    EXPECT_THAT(lines[0]["bids"], IsEmpty());
    const nlohmann::json level{{"price", 400.1}, {"quantity", 100}, {"orders", 1}};
    EXPECT_THAT(lines[1]["bids"], SizeIs(1));
    EXPECT_EQ(lines[1]["bids"][0], level);
    EXPECT_EQ(lines[2]["bids"][0]["quantity"], 70);
    EXPECT_EQ(lines[2]["last_trade"]["quantity"], 30);
    EXPECT_EQ(lines[2]["symbol"], "MSFT");
    EXPECT_LT(lines[1]["sequence"], lines[2]["sequence"]);
    EXPECT_THAT(lines[2]["asks"], IsEmpty());
}

TEST_F(BookLive, PrintsALadderOfOrders) {
    const ProgramRun run =
        look("--symbol MSFT --orders --depth 1",
             {"buy 100 #2 400.1\\nbuy 50 #2 400.2\\nsell 30 #2 400.5\\n"}, "400.5000");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("50     400.2000   400.5000     30"));
    EXPECT_THAT(run.out, HasSubstr("reference   quantity          bid"));
}

TEST_F(BookLive, NamesTheInstrumentsThereAre) {
    const auto look_for = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"book",           "--live",
                                           "--itch-port",    std::to_string(port("itch")),
                                           "--glimpse-port", std::to_string(port("glimpse"))};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    };
    const ProgramRun unknown = look_for({"--symbol", "NONE"});
    EXPECT_EQ(unknown.exit_code, 2);
    EXPECT_THAT(unknown.err, HasSubstr("there is no NONE on the feed: it has AAPL, MSFT"));
    const ProgramRun several = look_for({});
    EXPECT_EQ(several.exit_code, 2);
    EXPECT_THAT(several.err, HasSubstr("give --symbol, one of AAPL, MSFT"));
}

TEST(BookLiveAlone, SaysWhereNothingListensAndWhatDoesNotGoTogether) {
    const ProgramRun nobody =
        run_program({"book", "--live", "--itch-port", "1", "--glimpse-port", "1"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_EQ(lines_in(nobody.err), 1U);
    EXPECT_THAT(nobody.err, HasSubstr("cannot connect to 127.0.0.1:1: Connection refused"));
    const ProgramRun both = run_program({"book", "day.dar", "--live"});
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_THAT(both.err, HasSubstr("--live goes with"));
    const ProgramRun neither = run_program({"book"});
    EXPECT_EQ(neither.exit_code, 2);
    EXPECT_THAT(neither.err, HasSubstr("give FILE, or --live"));
}

}  // namespace
}  // namespace damrak::testing::book_live_test
