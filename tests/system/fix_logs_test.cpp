// Reports of the exchange on its FIX sessions, in both wirings: refused logons with reasons,
// received messages, and metrics.
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_logs_test {
namespace {

using testing::FixClient;
using ::testing::HasSubstr;
using testing::RunningServer;

class FixLogs : public ::testing::TestWithParam<const char*> {
  protected:
    void configure() const {
        std::ofstream{config()} << R"([[fix.session]]
begin_string = "FIX.4.4"
target_comp_id = "KNOWN"
user_name = "known"
password = "secret"
)";
    }
    [[nodiscard]] std::unique_ptr<RunningServer> serve(std::vector<std::string> more = {}) const {
        more.insert(more.end(),
                    {"--only", "fix,binary,http", "--http-port", "0", "--wiring", GetParam()});
        return std::make_unique<RunningServer>((folder_ / "data").string(),
                                               (folder_ / "log").string(), std::move(more));
    }
    [[nodiscard]] std::string config() const { return (folder_ / "config.toml").string(); }
    [[nodiscard]] std::string session_log() const {
        std::ifstream file{folder_ / "data" / "fix" / "sessions.log"};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    testing::ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixLogs, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

TEST_P(FixLogs, TellWhoWasRefusedAndWhy) {
    configure();
    const auto server = serve({"--config", config()});
    FixClient stranger{"FIX.4.4", "STRANGER"};
    EXPECT_FALSE(stranger.connect(server->fix_port()));
    const std::string unknown =
        "FIX.4.4:DAMRAK->STRANGER (MsgType A) ended: no session has these comp ids in this version";
    EXPECT_THAT(server->log_with(unknown), HasSubstr(unknown));
    // A client with the wrong password does not use up sequence numbers of the session.
    FixClient thief{"FIX.4.4", "KNOWN"};
    EXPECT_FALSE(thief.connect(server->fix_port()));
    const std::string refused =
        "FIX.4.4:DAMRAK->KNOWN ended: logon refused: Unknown user or wrong password";
    const std::string told = server->log_with(refused);
    EXPECT_THAT(told, HasSubstr(refused));
    EXPECT_THAT(told, HasSubstr("127.0.0.1:"));
    EXPECT_EQ(server->terminate(), 0);  // the file may lag behind
    EXPECT_THAT(session_log(), HasSubstr(refused));
}

TEST_P(FixLogs, HaveTheMessagesThatCame) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "CLIENT"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    client.send("35=D|11=here|21=1|55=TEST|54=1|60=20260302-09:00:00|38=1|40=2|44=10.00");
    ASSERT_TRUE(client.receive());
    const std::string folder = (folder_ / "data" / "fix" / "FIX.4.4+DAMRAK++CLIENT+").string();
    const auto came = testing::run_program({"fix", "print", "--in", folder});
    EXPECT_THAT(came.out, HasSubstr("Z Logon "));
    EXPECT_THAT(came.out, HasSubstr("ClOrdID(11)=here"));
    EXPECT_EQ(came.out.find("ExecutionReport"), std::string::npos);
    const auto sent = testing::run_program({"fix", "print", folder});
    EXPECT_THAT(sent.out, HasSubstr("ExecutionReport"));
    EXPECT_EQ(sent.out.find("NewOrderSingle"), std::string::npos);
}

TEST_P(FixLogs, HaveNumbersForAMonitor) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "CLIENT"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    const auto ports = nlohmann::json::parse(server->ready_line())["ports"];
    const auto metrics =
        http::ask({.port = ports["http"].get<std::uint16_t>(), .path = "/metrics"});
    ASSERT_TRUE(metrics) << metrics.error();
    EXPECT_THAT(metrics->body,
                HasSubstr("damrak_fix_session_logged_on{session=\"FIX.4.4:DAMRAK->CLIENT\"} 1\n"));
    EXPECT_THAT(metrics->body, HasSubstr("damrak_fix_session_next_incoming{session="
                                         "\"FIX.4.4:DAMRAK->CLIENT\"} 2\n"));
}

}  // namespace
}  // namespace damrak::fix_logs_test
