// `damrak load --gateway fix` from the outside, against a FIX acceptor of this process.
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/client/fix_acceptor.hpp>

#include "support/fix_market.hpp"
#include "support/run_program.hpp"

namespace damrak::load_fix_test {
namespace {

using nlohmann::json;
using testing::FixMarket;
using ::testing::HasSubstr;
using testing::ProgramRun;

/// Anybody may log on, in any version.
class FixMarketServer {
  public:
    FixMarketServer() {
        client::FixAcceptorSettings settings{.port = 0};
        auto& anyone = settings.sessions.emplace_back();
        anyone.name = {.begin_string = fix_codec::BeginString::unknown,
                       .sender_comp_id = "DAMRAK",
                       .target_comp_id = "*"};
        acceptor_ = client::FixAcceptor<FixMarket>::make(market_, settings).value();
        port_ = std::to_string(acceptor_->port());
        thread_ = std::jthread{[this](const std::stop_token& stop) {
            acceptor_->run([&] { return stop.stop_requested(); });
        }};
    }

    [[nodiscard]] ProgramRun load(const std::vector<std::string>& more,
                                  const char* at_least = "500") const {
        std::vector<std::string> arguments{"load", "--gateway",  "fix",   "--port",
                                           port_,  "--seconds",  "0.5",   "--warm-up",
                                           "0.2",  "--at-least", at_least};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return testing::run_program(arguments);
    }
    /// What it recorded, after it stopped.
    const FixMarket& stop() {
        thread_.request_stop();
        thread_.join();
        return market_;
    }

  private:
    FixMarket market_;
    std::unique_ptr<client::FixAcceptor<FixMarket>> acceptor_;
    std::string port_;
    std::jthread thread_;
};

TEST(LoadAtTheFixGateway, TradesAsManySessionsAndMeasuresEachType) {
    FixMarketServer server;
    const ProgramRun run =
        server.load({"--clients", "4", "--window", "8", "--threads", "2", "--verify", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const json report = json::parse(run.out);
    EXPECT_EQ(report["gateway"], "fix");
    EXPECT_EQ(report["protocol"], "fix44");
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(report["latency_us"]["count"], report["requests"]);
    EXPECT_GT(report["trade_messages_per_s"], 0);
    for (const char* type : {"new", "cancel", "modify"})
        EXPECT_GT(report["latency_us_by_type"][type]["count"], 0) << type;
    const FixMarket& market = server.stop();
    EXPECT_EQ(market.left, 4U);
    EXPECT_EQ(market.resting(), 0U) << "tidied up";
}

TEST(LoadAtTheFixGateway, KeepsARateInAnyVersion) {
    // A slow machine may catch up in the part that counts, none may run ahead of the schedule.
    FixMarketServer server;
    for (const char* version : {"fix42", "fix50sp2"}) {
        const ProgramRun run = server.load({"--clients", "2", "--protocol", version, "--rate",
                                            "200", "--mix", "100/0/0", "--json"},
                                           "50");
        ASSERT_EQ(run.exit_code, 0) << run.err;
        const json report = json::parse(run.out);
        EXPECT_EQ(report["open_loop"], true);
        EXPECT_EQ(report["errors"], 0);
        EXPECT_GE(report["requests"], 50);
        EXPECT_LE(report["requests"], 200 * (0.2 + report["seconds"].get<double>()) + 1);
    }
}

TEST(LoadAtTheFixGateway, ReportsWhyItIsNotLetIn) {
    const FixMarketServer server;
    const ProgramRun run = server.load({"--clients", "1", "--exchange-comp-id", "OTHER"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("no answer to a login"));
}

TEST(LoadAtTheFixGateway, RefusesWhatIsOfTheBinaryGateway) {
    const auto wrong = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"load", "--gateway", "fix"});
        const ProgramRun run = testing::run_program(more);
        EXPECT_EQ(run.exit_code, 2);
        return run.err;
    };
    EXPECT_THAT(wrong({"--echo"}), HasSubstr("need --gateway binary"));
    EXPECT_THAT(wrong({"--hostile", "flood"}), HasSubstr("need --gateway binary"));
    EXPECT_THAT(wrong({"--protocol", "v2"}), HasSubstr("v2 is a version of the binary protocol"));
    const ProgramRun run = testing::run_program({"load", "--protocol", "fix44"});
    EXPECT_EQ(run.exit_code, 2);
    EXPECT_THAT(run.err, HasSubstr("give --gateway fix"));
}

}  // namespace
}  // namespace damrak::load_fix_test
