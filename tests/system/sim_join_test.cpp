// `damrak sim join`: participants of a market file at a running exchange, over real connections.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::sim_join_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string k_market = R"(duration = "1min"
[[instrument]]
symbol = "MSFT"
price = 250.0
[[participants]]
kind = "fixed-maker"
anchor = "fundamental"
[[participants]]
kind = "noise"
count = 3
orders_per_s = 20
market_share = 0.5
)";

class SimJoin : public ::testing::Test {
  protected:
    [[nodiscard]] std::string port(const char* gateway) const {
        return std::to_string(
            nlohmann::json::parse(server_.ready_line()).at("ports").at(gateway).get<int>());
    }
    [[nodiscard]] ProgramRun join(const std::string& file, std::vector<std::string> more) const {
        std::vector<std::string> arguments{"sim", "join", file, "--itch-port", port("itch")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run_program(arguments);
    }

    ScratchFolder folder_;
    std::string data_ = (folder_.path() / "data").string();
    RunningServer server_{
        data_,
        (folder_.path() / "log").string(),
        {"--only", "itch", "fix", "ouch", "--itch-port", "0", "--ouch-port", "0"}};
};

class SimJoinBy : public SimJoin, public ::testing::WithParamInterface<const char*> {};

TEST_P(SimJoinBy, TradesAndLeavesNothingBehind) {
    const std::string gateway = GetParam();
    const auto file = folder_.write("market.toml", k_market);
    const ProgramRun run = join(file, {"--gateway", gateway, "--port", port(gateway.c_str()),
                                       "--duration", "3s", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto said = nlohmann::json::parse(run.out);
    EXPECT_EQ(said["participants"], 4);
    EXPECT_GT(said["messages"], 20);
    EXPECT_GT(said["fills"], 0);
    EXPECT_THAT(said["faults"], IsEmpty());
    // Asked over a connection of its own: anyone left in the book would trade.
    const ProgramRun trader =
        run_shell(fmt::format("printf 'buy 1 #2 999.0\\nquit\\n' | $DAMRAK_PROGRAM term --port {} "
                              "--l2-port off --http-port off",
                              server_.port()));
    EXPECT_THAT(trader.out, ::testing::Not(HasSubstr("filled"))) << trader.out;
    EXPECT_EQ(server_.terminate(), 0);
    const auto verified = run_program({"journal", "verify", data_, "--json"});
    EXPECT_EQ(nlohmann::json::parse(verified.out)["ok"], true);
}

INSTANTIATE_TEST_SUITE_P(Gateways, SimJoinBy, ::testing::Values("binary", "fix", "ouch"));

TEST_F(SimJoin, SaysWhatKeepsItFromTrading) {
    const auto unlisted = folder_.write("unlisted.toml",
                                        "duration = \"1s\"\n[[instrument]]\nsymbol = "
                                        "\"ZZZ\"\n[[participants]]\nkind = \"noise\"\n");
    const ProgramRun missing = join(unlisted, {"--port", port("binary"), "--duration", "4s"});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, HasSubstr("nobody traded: the exchange does not list ZZZ"));
    const auto file = folder_.write("market.toml", k_market);
    const ProgramRun alone = join(file, {"--port", "1", "--duration", "1s"});
    EXPECT_EQ(alone.exit_code, 1) << "nobody could log in";
    EXPECT_EQ(alone.out, "");
    EXPECT_THAT(alone.err, HasSubstr("cannot connect to 127.0.0.1:1"));
    const auto many = folder_.write("many.toml", k_market + "name = \"n\"\n" +
                                                     "[[participants]]\nkind = \"noise\"\n"
                                                     "name = \"crowd\"\ncount = 2000\n");
    const ProgramRun refused = join(many, {"--port", port("binary")});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("at most 1000 join"));
    const ProgramRun long_name =
        join(file, {"--gateway", "ouch", "--port", port("ouch"), "--comp-id", "TRADER"});
    EXPECT_EQ(long_name.exit_code, 1);
    EXPECT_THAT(long_name.err,
                HasSubstr("TRADER1: an OUCH user has at most 6 characters; give a shorter"));
}

}  // namespace
}  // namespace damrak::testing::sim_join_test
