// Fields that `damrak serve` keeps for FIX orders besides their terms, through kill -9 and an
// orderly stop, and clients that send much at once or repeatedly.
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_echoes_test {
namespace {

using testing::FixClient;
using ::testing::HasSubstr;
using testing::run_program;
using testing::RunningServer;

constexpr std::string_view k_time = "60=20260302-09:00:00";

class FixEchoes : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] std::unique_ptr<RunningServer> serve(std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--only", "fix", "--wiring", GetParam()});
        return std::make_unique<RunningServer>(data_, (folder_ / "log").string(), std::move(more));
    }
    /// These tags of the next report.
    static std::string report(FixClient& client) {
        auto message = client.receive();
        if (!message) return "nothing";
        std::string line = (*message)[35];
        for (const int tag : {39, 11, 41, 1, 15, 448, 54, 57, 58, 14})
            if (const std::string& text = (*message)[tag]; !text.empty())
                line += fmt::format(" {}={}", tag, text);
        return line;
    }

    testing::ScratchFolder folder_;
    std::string data_ = (folder_ / "data").string();
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixEchoes, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

TEST_P(FixEchoes, OutliveAKillAndAStop) {
    const std::string uuid = "0f3c1a52-9b7e-4c5d-8e21-7a6b5c4d3e2f";
    const std::string long_name(64, 'n');
    const auto order = [&](const std::string& name, std::string_view more) {
        return fmt::format(
            "35=D|50=DESK|11={}|1=ACC|453=1|448=FUND|447=D|452=3|15=EUR|55=TEST|54=5|"
            "{}|38=10|40=2|44=10.00|58=mine{}",
            name, k_time, more);
    };
    const std::string echoes = " 1=ACC 15=EUR 448=FUND 54=5 57=DESK 58=mine";
    // Fields in the answer to a request with a usual number of fields.
    const std::string plain = " 1=ACC 15=EUR 448=FUND 54=5 58=mine";
    FixClient alice{"FIX.4.4", "ALICE"};
    FixClient bob{"FIX.4.4", "BOB"};
    {
        const auto server = serve();
        ASSERT_TRUE(alice.connect(server->fix_port()));
        alice.send(order(uuid, ""));
        EXPECT_EQ(report(alice), "8 39=0 11=" + uuid + echoes + " 14=0");
        alice.send(order(long_name, ""));
        EXPECT_EQ(report(alice), "8 39=0 11=" + long_name + echoes + " 14=0");
        server->kill();
    }
    for (const bool killed : {true, false}) {
        const auto server = serve();
        ASSERT_TRUE(alice.connect(server->fix_port()));
        if (!killed) {
            EXPECT_THAT(report(alice), HasSubstr("11=" + uuid + echoes + " 14=3"));
        }
        alice.send(fmt::format("35=H|11={}|55=TEST|54=5", uuid));
        EXPECT_THAT(report(alice), HasSubstr("11=" + uuid + plain)) << killed;
        alice.send(order(uuid, ""));
        EXPECT_THAT(report(alice), HasSubstr("was used before"));
        alice.send(fmt::format("35=D|97=Y|11={}|55=TEST|54=5|{}|38=10|40=2|44=10", uuid, k_time));
        EXPECT_THAT(report(alice), HasSubstr("11=" + uuid + plain));
        alice.close();
        ASSERT_TRUE(bob.connect(server->fix_port()));
        bob.send(fmt::format("35=D|11=b{}|55=TEST|54=1|{}|38=3|40=2|44=10", killed, k_time));
        EXPECT_THAT(report(bob), HasSubstr("39=0"));
        EXPECT_THAT(report(bob), HasSubstr("39=2"));
        bob.close();
        if (killed)
            server->kill();
        else
            EXPECT_EQ(server->terminate(), 0);
    }
    const auto server = serve();
    ASSERT_TRUE(alice.connect(server->fix_port()));
    EXPECT_THAT(report(alice), HasSubstr("39=1 11=" + uuid + echoes + " 14=6"));
    alice.send(
        fmt::format("35=F|41={}|11={}|55=TEST|54=5|{}", long_name, std::string(30, 'c'), k_time));
    EXPECT_THAT(report(alice), HasSubstr("39=4 11=" + std::string(30, 'c') + " 41=" + long_name));
    EXPECT_EQ(alice.repeated(), 0);
    EXPECT_EQ(server->terminate(), 0);
    const auto verified = run_program({"journal", "verify", data_});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    const auto dumped = run_program({"journal", "dump", data_});
    EXPECT_EQ(dumped.exit_code, 0) << dumped.err;
    EXPECT_THAT(dumped.out, HasSubstr(" attachment "));
    EXPECT_THAT(dumped.out, HasSubstr("attachment=50=DESK|1=ACC|453=1|448=FUND|"));
}

TEST_P(FixEchoes, AClientMaySendManyOrdersAtOnce) {
    const auto server = serve();
    FixClient alice{"FIX.4.4", "ALICE"};
    ASSERT_TRUE(alice.connect(server->fix_port()));
    constexpr int k_orders = 300;
    for (int i = 0; i < k_orders; ++i)
        alice.send(fmt::format("35=D|11={}-{:024}|1=ACC{}|55=TEST|54=1|{}|38=1|40=2|44=1", i, i, i,
                               k_time));
    for (int i = 0; i < k_orders; ++i)
        ASSERT_EQ(report(alice), fmt::format("8 39=0 11={}-{:024} 1=ACC{} 54=1 14=0", i, i, i));
}

TEST_P(FixEchoes, AnIsinOfTheConfigurationNamesItsInstrument) {
    const std::string file = folder_ / "damrak.toml";
    std::ofstream{file}
        << ("[[instruments]]\nid = 4\nsymbol = \"TEST\"\nisin = \"US0378331005\"\n");
    const auto server = serve({"--config", file});
    FixClient alice{"FIX.4.4", "ALICE"};
    ASSERT_TRUE(alice.connect(server->fix_port()));
    alice.send(
        fmt::format("35=D|11=a|55=[N/A]|48=US0378331005|22=4|54=1|{}|38=1|40=2|44=1", k_time));
    EXPECT_EQ(report(alice), "8 39=0 11=a 54=1 14=0");
    const auto wrong = run_program({"serve", "--print-config", "--config", file});
    EXPECT_THAT(wrong.out, HasSubstr("isin = \"US0378331005\""));
    std::ofstream{file}
        << ("[[instruments]]\nid = 4\nsymbol = \"TEST\"\nisin = \"US0378331006\"\n");
    const auto refused = run_program({"serve", "--print-config", "--config", file});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("isin"));
}

}  // namespace
}  // namespace damrak::fix_echoes_test
