// `damrak fix admin` against a running exchange, and what its place on the HTTP gateway refuses.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/eventually.hpp"
#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_admin_test {
namespace {

using ::testing::AllOf;
using testing::FixClient;
using ::testing::HasSubstr;
using testing::ProgramRun;
using testing::RawClient;
using testing::RunningServer;
using ::testing::StartsWith;

class FixAdminProgram : public ::testing::TestWithParam<const char*> {
  protected:
    void serve(const std::string& gateways = "binary,fix,http") {
        server_.reset();
        std::vector<std::string> arguments{"--only", gateways,   "--http-port",
                                           "0",      "--wiring", GetParam()};
        if (!config_.empty()) {
            std::ofstream{folder_ / "config.toml"} << config_;
            arguments.insert(arguments.end(), {"--config", folder_ / "config.toml"});
        }
        server_ = std::make_unique<RunningServer>(folder_ / "data", folder_ / "log", arguments);
        http_port_ = nlohmann::json::parse(server_->ready_line())["ports"]["http"].get<int>();
    }
    [[nodiscard]] ProgramRun admin(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), {"fix", "admin"});
        arguments.insert(arguments.end(), {"--http-port", std::to_string(http_port_)});
        return testing::run_program(arguments);
    }
    [[nodiscard]] std::string ask(const std::string& request) const {
        const RawClient client{static_cast<std::uint16_t>(http_port_)};
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(100'000))
            answer += static_cast<char>(std::to_integer<unsigned char>(b));
        return answer;
    }
    [[nodiscard]] std::string post(const std::string& headers, const std::string& body) const {
        return ask("POST /fix/sessions HTTP/1.1\r\nConnection: close\r\n" + headers +
                   "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
    }

    const testing::ScratchFolder folder_;
    std::unique_ptr<RunningServer> server_;
    int http_port_ = 0;
    std::string config_;
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixAdminProgram, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

constexpr const char* k_order = "35=D|11=a|21=1|55=TEST|54=1|60=20260302-09:00:00|38=1|40=2|44=1";

TEST_P(FixAdminProgram, ListsSessionsForPeopleAndForMachines) {
    serve();
    EXPECT_EQ(admin({"list"}).out,
              "no sessions: none is configured by name, and no client has logged on\n");
    FixClient client{"FIX.4.4", "CLIENT1"};
    ASSERT_TRUE(client.connect(server_->fix_port()));
    const ProgramRun table = admin({"list"});
    EXPECT_EQ(table.exit_code, 0) << table.err;
    EXPECT_EQ(table.out,
              "session                  state       participant     next out      next in\n"
              "FIX.4.4:DAMRAK->CLIENT1  logged on             1            2            2\n");
    client.close();
    std::string state;
    for (int tries = 0; tries < 500 && state != "away"; ++tries)
        state = nlohmann::json::parse(admin({"list", "--json"}).out)["sessions"][0]["state"];
    EXPECT_EQ(state, "away");
}

TEST_P(FixAdminProgram, NumbersThatWereSetOutliveTheServer) {
    serve();
    {
        FixClient client{"FIX.4.4", "CLIENT1"};
        ASSERT_TRUE(client.connect(server_->fix_port()));
        ASSERT_TRUE(client.send(k_order));
        ASSERT_TRUE(client.receive());
        const ProgramRun early = admin({"set", "CLIENT1", "--next-in", "1"});
        EXPECT_EQ(early.exit_code, 1);
        EXPECT_THAT(early.err, HasSubstr("disconnect it first"));
        const ProgramRun ended = admin({"disconnect", "CLIENT1", "--json"});
        EXPECT_EQ(ended.exit_code, 0) << ended.err;
        EXPECT_EQ(nlohmann::json::parse(ended.out)["sessions"][0]["state"], "away")
            << "it waits for the end";
    }
    FixClient forgetful{"FIX.4.4", "CLIENT1"};
    EXPECT_FALSE(forgetful.connect(server_->fix_port())) << "its numbers are too low";
    const ProgramRun set = admin({"set", "CLIENT1", "--next-in", "1", "--next-out", "1"});
    EXPECT_EQ(set.exit_code, 0) << set.err;
    server_->kill();
    serve();
    FixClient again{"FIX.4.4", "CLIENT1"};
    EXPECT_TRUE(again.connect(server_->fix_port()));
}

TEST_P(FixAdminProgram, ResetsASession) {
    serve();
    FixClient client{"FIX.4.4", "CLIENT1"};
    ASSERT_TRUE(client.connect(server_->fix_port()));
    const ProgramRun reset = admin({"reset", "CLIENT1"});
    EXPECT_EQ(reset.exit_code, 0) << reset.err;
    EXPECT_THAT(reset.out, HasSubstr("logged on             1            2            1\n"));
}

TEST_P(FixAdminProgram, ReportsWhatIsWrong) {
    serve();
    EXPECT_THAT(admin({"disconnect", "X"}).err, StartsWith("damrak: there is no session X"));
    EXPECT_EQ(admin({"set", "X"}).exit_code, 2);
    EXPECT_EQ(admin({"set", "X", "--next-out", "none"}).exit_code, 2);
    EXPECT_THAT(admin({"set", "X", "--next-out", "0"}).err, HasSubstr("a whole number from 1"));
    const ProgramRun nobody = testing::run_program({"fix", "admin", "list", "--http-port", "1"});
    EXPECT_EQ(nobody.exit_code, 1);
    EXPECT_THAT(nobody.err, AllOf(HasSubstr("cannot ask 127.0.0.1:1 over HTTP"),
                                  HasSubstr("is an exchange running")));
    serve("binary,http");
    EXPECT_THAT(admin({"list"}).err, HasSubstr("the FIX gateway of this exchange is closed"));
}

TEST_P(FixAdminProgram, AddsASessionThatIsThereAfterAKill) {
    config_ = "[[fix.session]]\nbegin_string = \"FIX.4.4\"\ntarget_comp_id = \"KNOWN\"\n";
    serve();
    FixClient client{"FIX.4.4", "NEW"};
    EXPECT_FALSE(client.connect(server_->fix_port(), true));
    EXPECT_THAT(admin({"add", "NEW"}).err, HasSubstr("such as FIX.4.4:DAMRAK->CLIENT1"));
    EXPECT_THAT(admin({"add", "FIX.4.4:ELSE->NEW"}).err, HasSubstr("of this exchange is DAMRAK"));
    const ProgramRun added = admin({"add", "FIX.4.4:DAMRAK->NEW"});
    EXPECT_EQ(added.exit_code, 0) << added.err;
    EXPECT_THAT(added.out, HasSubstr("FIX.4.4:DAMRAK->NEW  never came"));
    server_->kill();
    serve();
    EXPECT_TRUE(client.connect(server_->fix_port(), true));
    client.close();
    server_->kill();
    serve();
    EXPECT_TRUE(client.connect(server_->fix_port()));
}

TEST_P(FixAdminProgram, RemovesASessionWithItsOrders) {
    config_ = "[[fix.session]]\nbegin_string = \"FIX.4.4\"\ntarget_comp_id = \"KNOWN\"\n";
    serve();
    FixClient client{"FIX.4.4", "KNOWN"};
    ASSERT_TRUE(client.connect(server_->fix_port()));
    ASSERT_TRUE(client.send(k_order));
    ASSERT_TRUE(client.receive());
    const ProgramRun removed = admin({"remove", "KNOWN"});
    EXPECT_EQ(removed.exit_code, 0) << removed.err;
    const auto logout = client.read();
    ASSERT_TRUE(logout);
    EXPECT_EQ(logout->at(35), "5");
    EXPECT_EQ(logout->at(58), "Removed by an administrator");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "data/fix/FIX.4.4+DAMRAK++KNOWN+"));
    EXPECT_EQ(admin({"list"}).out,
              "no sessions: none is configured by name, and no client has logged on\n");
    for (const bool restarted : {false, true}) {
        if (restarted) {
            server_->kill();
            serve();
        }
        FixClient again{"FIX.4.4", "KNOWN"};
        EXPECT_FALSE(again.connect(server_->fix_port()));
        EXPECT_NE(server_->log_with("an administrator removed this session").find("administrator"),
                  std::string::npos);
    }
    EXPECT_EQ(admin({"add", "FIX.4.4:DAMRAK->KNOWN"}).exit_code, 0);
    FixClient anew{"FIX.4.4", "KNOWN"};
    ASSERT_TRUE(anew.connect(server_->fix_port()));
    ASSERT_TRUE(anew.send("35=AF|584=m|585=7"));
    EXPECT_EQ(anew.receive()->at(35), "j") << "nothing is open";
}

TEST_P(FixAdminProgram, UnknownSessionsAreForgottenAndMakeRoom) {
    config_ = "[fix]\nmaximum_unknown_sessions = 20\nunknown_session_lifetime_s = 1\n";
    serve();
    const auto folders = [&] {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator{folder_ / "data/fix"})
            count += entry.is_directory() ? 1 : 0;
        return count;
    };
    {
        std::vector<std::unique_ptr<FixClient>> clients;
        for (int i = 0; i < 20; ++i) {
            clients.push_back(std::make_unique<FixClient>("FIX.4.4", "N" + std::to_string(i)));
            ASSERT_TRUE(clients.back()->connect(server_->fix_port())) << i;
        }
        FixClient one_more{"FIX.4.4", "MORE"};
        EXPECT_FALSE(one_more.connect(server_->fix_port()));
        EXPECT_EQ(folders(), 20);
        EXPECT_NE(server_->log_with("no room for another session").find("N19"), 0U);
    }
    EXPECT_TRUE(testing::eventually([this] {
        FixClient late{"FIX.4.4", "LATE"};
        return late.connect(server_->fix_port());
    }));
    EXPECT_TRUE(testing::eventually([&] { return folders() <= 1; }));
    server_->kill();
    serve();
}

TEST_P(FixAdminProgram, OneNameIsTakenOnceByTwoSessionsOfAParticipant) {
    config_ = "[[participants]]\nid = 7\nfix_comp_ids = [\"A\", \"B\"]\n";
    serve();
    FixClient first{"FIX.4.4", "A"};
    FixClient second{"FIX.4.4", "B"};
    ASSERT_TRUE(first.connect(server_->fix_port()));
    ASSERT_TRUE(second.connect(server_->fix_port()));
    constexpr int k_names = 300;
    for (int i = 0; i < k_names; ++i) {
        const std::string order =
            "35=D|11=n" + std::to_string(i) + "|55=TEST|54=1|60=20260302-09:00:00|38=1|40=2|44=1";
        ASSERT_TRUE(first.send(order));
        ASSERT_TRUE(second.send(order));
    }
    int taken = 0;
    int refused = 0;
    for (FixClient* const client : {&first, &second})
        for (int i = 0; i < k_names; ++i) {
            const auto report = client->receive();
            ASSERT_TRUE(report);
            taken += report->at(150) == "0" ? 1 : 0;
            refused += report->at(150) == "8" && report->at(103) == "6" ? 1 : 0;
        }
    EXPECT_EQ(taken, k_names);
    EXPECT_EQ(refused, k_names);
}

TEST_P(FixAdminProgram, CountsWhatSessionsDo) {
    serve();
    FixClient client{"FIX.4.4", "CLIENT1"};
    ASSERT_TRUE(client.connect(server_->fix_port()));
    FixClient low{"FIX.4.4", "CLIENT1"};
    EXPECT_FALSE(low.connect(server_->fix_port()));
    ASSERT_TRUE(client.send(k_order));
    ASSERT_TRUE(client.receive());
    ASSERT_TRUE(client.send("35=D|11=b"));
    ASSERT_TRUE(client.receive());
    ASSERT_TRUE(client.send("35=2|7=1|16=0"));
    ASSERT_TRUE(client.send("35=BE|923=u|924=1|553=me"));
    ASSERT_TRUE(client.receive());
    const std::string metrics =
        ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: "
            "close\r\n\r\n");
    for (const std::string_view line :
         {"damrak_fix_sessions{state=\"known\"} 1\n",
          "damrak_fix_sessions{state=\"logged_on\"} 1\n",
          "damrak_fix_sessions{state=\"unknown\"} 1\n", "damrak_fix_logons_total 1\n",
          "damrak_fix_logons_refused_total{reason=\"already_logged_on\"} 1\n",
          "damrak_fix_messages_total{direction=\"in\",type=\"orders\"} 2\n",
          "damrak_fix_rejects_total{direction=\"out\",type=\"session\"} 1\n",
          "damrak_fix_rejects_total{direction=\"out\",type=\"business\"} 1\n",
          "damrak_fix_resend_requests_total{direction=\"in\"} 1\n",
          "damrak_fix_messages_resent_total 1\n", "damrak_fix_gaps_total 0\n",
          "damrak_fix_heartbeats_missed_total 0\n"})
        EXPECT_THAT(metrics, HasSubstr(std::string{line}));
}

TEST_P(FixAdminProgram, PagesInBrowsersChangeNothing) {
    serve();
    const std::string change = R"({"action":"reset","session":"X"})";
    const std::string json = "Content-Type: application/json\r\n";
    EXPECT_THAT(post("Host: localhost\r\n" + json, change), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(post("Host: localhost\r\n", change), StartsWith("HTTP/1.1 415"));
    EXPECT_THAT(post("Host: localhost\r\nContent-Type: text/plain\r\n", change),
                StartsWith("HTTP/1.1 415"));
    EXPECT_THAT(post("Host: localhost\r\nOrigin: http://elsewhere\r\n" + json, change),
                StartsWith("HTTP/1.1 403"));
    EXPECT_THAT(post("Host: elsewhere\r\n" + json, change), StartsWith("HTTP/1.1 421"));
    EXPECT_THAT(post("Host: localhost.elsewhere\r\n" + json, change), StartsWith("HTTP/1.1 421"));
    EXPECT_THAT(post("Host: localhost\r\n" + json, "{"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(post("Host: localhost\r\n" + json, std::string(5'000, ' ')),
                StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(ask("POST /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
                StartsWith("HTTP/1.1 405"));
}

}  // namespace
}  // namespace damrak::fix_admin_test
