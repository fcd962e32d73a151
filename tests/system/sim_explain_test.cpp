// `damrak sim run --explain` and `damrak sim whatif --explain` as a user sees them.
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::sim_explain_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::run_program;

/// A buyer behind another one, and a seller for both.
const std::string k_market = R"(duration = "10s"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "scripted"
name = "first"
orders = ["1s buy 300 limit 100"]
[[participants]]
kind = "scripted"
name = "second"
order_latency = "1ms"
orders = ["2s buy 200 limit 100", "2s buy 10 limit 90"]
[[participants]]
kind = "scripted"
name = "seller"
orders = ["3s sell 100 limit 100", "4s sell 400 limit 100"]
)";

class SimExplain : public ::testing::Test {
  protected:
    ProgramRun run(std::vector<std::string> more) {
        more.insert(more.begin(), {"sim", "run", file_});
        return run_program(more);
    }
    testing::ScratchFolder folder_;
    std::string file_ = folder_.write("market.toml", k_market);
};

TEST_F(SimExplain, TellsTheWholeStoryOfAnOrder) {
    const ProgramRun told = run({"--explain", "second:1"});
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(told.out,
                HasSubstr("order 1 of second, second: buy 200 at 100.00\n"
                          "09:30:02.000000000  sent; there was no ask\n"
                          "09:30:02.001000000  arrived after 1 ms; there was no ask\n"
                          "09:30:02.001000000  joined the queue at 100.00 with 200; ahead of it: "
                          "1 order with 300 at its price\n"
                          "                    of those ahead: 1 order with 300 traded; left "
                          "ahead: none\n"
                          "09:30:04.000000000  reached the front, 1.999 s after it joined\n"
                          "09:30:04.000000000  rested: 200 traded at 100.00 with the incoming "
                          "order for 400 at 100.00 of seller\n"
                          "09:30:04.000000000  filled, 2 s after it was sent\n"));
}

TEST_F(SimExplain, ListsTheFirstOrdersOfAGroup) {
    const ProgramRun listed = run({"--explain", "second"});
    ASSERT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_THAT(listed.out, HasSubstr("2 of 2 orders of second; --explain second:N explains one"));
    EXPECT_THAT(listed.out, HasSubstr("10 open at the end, nothing displayed ahead"));
    const ProgramRun first = run({"--explain", "second", "--limit", "1"});
    EXPECT_THAT(first.out, HasSubstr("1 of 2 orders of second"));
}

TEST_F(SimExplain, SaysTheSameInJson) {
    const json said = json::parse(run({"--explain", "second", "--json"}).out);
    const json plain = json::parse(run({"--json"}).out);
    EXPECT_EQ(said["hash"], plain["hash"]) << "who watches changes nothing";
    EXPECT_FALSE(plain.contains("explained"));
    const json explained = said["explained"];
    EXPECT_EQ(explained["group"], "second");
    EXPECT_EQ(explained["orders_sent"], 2);
    const json order = explained["orders"][0];
    EXPECT_EQ(order["number"], 1);
    EXPECT_EQ(order["ending"], "filled");
    EXPECT_EQ(order["arrived"], "09:30:02.001000000");
    EXPECT_EQ(order["places"][0]["ahead_at_price"], (json{{"orders", 1}, {"quantity", 300}}));
    EXPECT_EQ(order["places"][0]["traded"], (json{{"orders", 1}, {"quantity", 300}}));
    EXPECT_EQ(order["places"][0]["front"], "09:30:04.000000000");
    EXPECT_EQ(order["trades"][0]["with"], "seller");
    EXPECT_EQ(order["average_price"], 100.0);
}

TEST_F(SimExplain, WorksInARecordedDay) {
    testing::SmallDay day;
    day.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .execute(2'000'000, 1, 100)
        .add(2'500'000, 3, Side::sell, 1'000, 20)
        .add(5'000'000, 4, Side::sell, 1'020, 10);
    const std::string recorded = folder_ / "day.itch";
    std::ofstream{recorded, std::ios::binary}.write(
        reinterpret_cast<const char*>(day.bytes().data()),
        static_cast<std::streamsize>(day.bytes().size()));
    const std::string own = folder_.write("own.toml", R"([[participants]]
kind = "scripted"
name = "own"
orders = ["1s buy 50 limit 10"]
)");
    const ProgramRun told =
        run_program({"sim", "whatif", recorded, "--with", own, "--explain", "own:1", "--json"});
    ASSERT_EQ(told.exit_code, 0) << told.err;
    const json order = json::parse(told.out)["explained"]["orders"][0];
    EXPECT_EQ(order["sent"], "09:30:01.000000000");
    EXPECT_EQ(order["places"][0]["ahead_at_price"]["quantity"], 100);
    EXPECT_EQ(order["places"][0]["front"], "09:30:02.000000000");
    EXPECT_EQ(order["trades"][0]["with"], "the record");
    EXPECT_EQ(order["filled"], 20);
    EXPECT_EQ(order["outcome"], "filled 20 of 50; 30 open at the end, nothing displayed ahead");
}

TEST_F(SimExplain, SaysWhatThereIsInstead) {
    const auto expect = [&](std::vector<std::string> words, const std::string& said) {
        const ProgramRun wrong = run(std::move(words));
        EXPECT_EQ(wrong.exit_code, 2);
        EXPECT_THAT(wrong.err, HasSubstr(said));
    };
    expect({"--explain", "third"}, "there is no group 'third'; the groups are first, second");
    expect({"--explain", "second:3"}, "--explain second:3: second sent 2 orders in this run");
    expect({"--explain", "second:x"}, "'x' is no number of an order");
    expect({"--explain", "second", "--seeds", "2"}, "for one seed, without --seeds");
    expect({"--limit", "3"}, "--limit requires --explain");
}

}  // namespace
}  // namespace damrak::sim_explain_test
