// Settings that `damrak serve` rejects, in its file and its flags, and the combination of both.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/net/tcp.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_settings_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;

class ServeSettings : public ::testing::Test {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] testing::ProgramRun print(std::vector<std::string> flags = {}) const {
        flags.insert(flags.begin(), {"serve", "--config", file_, "--print-config"});
        return run_program(flags);
    }

    ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

TEST_F(ServeSettings, WhatIsNoFileIsNotTakenForTheDefaults) {
    const auto folder = run_program({"serve", "--config", folder_ / "", "--print-config"});
    EXPECT_EQ(folder.exit_code, 1);
    EXPECT_THAT(folder.err, HasSubstr(": is a directory; expected a file in TOML"));
    const auto nothing = run_program({"serve", "--config", "", "--print-config"});
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("--config: expected a name"));
    const auto endless = run_program({"serve", "--config", "/dev/zero", "--print-config"});
    EXPECT_EQ(endless.exit_code, 1);
    EXPECT_THAT(endless.err, HasSubstr("/dev/zero: is no configuration"));
    for (const auto& run : {folder, nothing, endless}) {
        EXPECT_EQ(run.out, "");
        EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
    }
}

TEST_F(ServeSettings, AFileThatIsNotThereIsNamed) {
    const auto run = print();
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr(file_));
}

TEST_F(ServeSettings, APipeIsReadLikeAFileButNotAgain) {
    const auto run = run_program({"serve", "--config", "/dev/stdin", "--print-config"},
                                 "[gateways]\nbinary = 7\n");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("binary = 7\n"));
    RunningServer server{data_, log_, {"--config", "/dev/null"}};
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("not reloaded"),
                HasSubstr("not reloaded /dev/null: is not a file that can be read again"));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeSettings, TheReferenceDescribesEveryKey) {
    const auto run = run_program({"serve", "--describe-config"});
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const std::string page = testing::content_of("docs/reference/configuration.md");
    EXPECT_TRUE(page.find("<!-- begin of the keys -->\n" + run.out +
                          "<!-- end of the keys -->\n") != std::string::npos)
        << "after a change of settings run scripts/configuration-reference";
    EXPECT_THAT(
        run.out,
        AllOf(HasSubstr("| `durability` | `\"async\"`, `\"group\"`, `\"sync\"` | `\"async\"` | "
                        "`--durability` |  | durability of"),
              HasSubstr("| `connections` | 1 to 1000000 | `20000` | `--connections` |"),
              HasSubstr("### `[[fix.session]]`\n")));
}

// What a file says in full is what each of these flags says, and both are checked alike.
TEST_F(ServeSettings, AFlagAndItsKeyAreTheSameSetting) {
    const auto from_flags = run_program(
        {"serve", "--print-config", "--timing", "off", "--durability", "group", "--shards", "3",
         "--wiring", "pipelined", "--udp-reply-to", "9001", "--anonymous", "--http-port", "off"});
    EXPECT_EQ(from_flags.exit_code, 0) << from_flags.err;
    write(
        "[telemetry]\ntiming_every = 0\n[journal]\ndurability = \"group\"\n"
        "[run]\nshards = 3\nwiring = \"pipelined\"\n[udp]\nreply_to = \"9001\"\n"
        "[gateways]\nanonymous = true\nhttp = \"off\"\n");
    EXPECT_EQ(print().out, from_flags.out);
    const std::vector<std::vector<std::string>> wrong{
        {"--timing", "0"},          {"--durability", "fast"}, {"--shards", "65"},
        {"--udp-reply-to", "here"}, {"--pin", "0-"},          {"--binary-port", "65536"},
        {"--fix-tls-key", ""},      {"--connections", "-1"},  {"--keep-runs", "many"},
        {"--session-timeout", "0"}, {"--udp-path", "xpd"}};
    for (const auto& flags : wrong) {
        const auto run = print(flags);
        EXPECT_EQ(run.exit_code, 2) << flags[0];
        EXPECT_EQ(testing::lines_in(run.err), 1U) << run.err;
        EXPECT_THAT(run.err, HasSubstr(flags[0]));
    }
}

TEST_F(ServeSettings, OnlyOpensWhatItNamesAndNothingElse) {
    write("[gateways]\nfix = \"off\"\n");
    EXPECT_THAT(print({"--only", "fix,binary"}).out,
                AllOf(HasSubstr("fix = 9878\n"), HasSubstr("binary = 12345\n"),
                      HasSubstr("udp = \"off\"")));
    EXPECT_THAT(print({"--only", "fix", "--fix-port", "5", "--udp-port", "6"}).out,
                AllOf(HasSubstr("fix = 5\n"), HasSubstr("udp = \"off\"")));
}

TEST_F(ServeSettings, WhatFlagsAndFileMakeTogetherIsBlamedOnTheOneThatSaidIt) {
    write("[run]\nwiring = \"pipelined\"\nshards = 2\n");
    EXPECT_EQ(print().exit_code, 0);
    const auto by_file = print({"--wiring", "inline"});
    EXPECT_EQ(by_file.exit_code, 1);
    EXPECT_THAT(by_file.err, HasSubstr(file_ + ":3: run.shards: 2 shards need"));
    const auto by_flag = run_program({"serve", "--shards", "2", "--data", data_});
    EXPECT_EQ(by_flag.exit_code, 2);
    EXPECT_THAT(by_flag.err, HasSubstr("--shards: 2 shards need run.wiring"));
    const auto pin = run_program({"serve", "--pin", "0-4294967295", "--data", data_});
    EXPECT_EQ(pin.exit_code, 2);
    EXPECT_THAT(pin.err, HasSubstr("--pin: '0-4294967295' is not a list of cores"));
    EXPECT_FALSE(std::filesystem::exists(data_));
}

TEST_F(ServeSettings, APlaceThatIsTakenIsReportedBeforeTheJournalIsOpened) {
    RunningServer server{data_, log_};
    const std::string other = folder_ / "other";
    write("[gateways]\nbinary = " + std::to_string(server.port()) + "\n");
    const auto taken =
        run_program({"serve", "--config", file_, "--data", other, "--only", "binary"});
    EXPECT_EQ(taken.exit_code, 1);
    EXPECT_THAT(taken.err, AllOf(HasSubstr("cannot listen on 127.0.0.1:"),
                                 HasSubstr("0 takes a free port, \"off\" closes the gateway")));
    const auto elsewhere =
        run_program({"serve", "--address", "192.0.2.1", "--data", other, "--only", "binary"});
    EXPECT_EQ(elsewhere.exit_code, 1);
    EXPECT_THAT(elsewhere.err, HasSubstr("--address: 192.0.2.1 is not an address of this machine"));
    EXPECT_FALSE(std::filesystem::exists(other));
    EXPECT_EQ(server.terminate(), 0);
}

class ServeAt : public ServeSettings, public ::testing::WithParamInterface<const char*> {};

TEST_P(ServeAt, AllGatewaysListenAndClientsFindThem) {
    const std::string address = GetParam();
    const bool ipv6 = address == "::1";
    if (ipv6 && !net::can_listen(address, 0)) GTEST_SKIP() << "no IPv6 here";
    RunningServer server{
        data_, log_, {"--address", address, "--only", "fix,udp,http", "--http-port", "0"}};
    const auto ready = nlohmann::json::parse(server.ready_line());
    EXPECT_EQ(ready["address"], ipv6 ? "::1" : "127.0.0.1");
    const auto port = [&](const char* gateway) {
        return std::to_string(ready["ports"][gateway].get<int>());
    };
    EXPECT_THAT(server.log_with("gateway      http"),
                HasSubstr(std::string{"gateway      binary on "} +
                          (ipv6 ? "[::1]:" : "127.0.0.1:") + port("binary")));
    for (const char* const gateway : {"binary", "fix"}) {
        const auto run = run_program({"load", "--gateway", gateway, "--address", address, "--port",
                                      port(gateway), "--clients", "2", "--warm-up", "0",
                                      "--seconds", "0.1", "--at-least", "20", "--verify"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
    }
    for (const char* const protocol : {"extended", "packed"}) {
        const auto run =
            run_program({"load", "--gateway", "udp", "--address", address, "--port", port("udp"),
                         "--protocol", protocol, "--seconds", "0.1", "--at-least", "20"});
        EXPECT_EQ(run.exit_code, 0) << run.err;
    }
    const auto term = run_program(
        {"term", "--address", address, "--port", port("binary"), "--l2-port", "off"}, "orders\n");
    EXPECT_EQ(term.exit_code, 0) << term.err;
    const auto sessions =
        run_program({"fix", "admin", "list", "--address", address, "--http-port", port("http")});
    EXPECT_EQ(sessions.exit_code, 0) << sessions.err;
    EXPECT_EQ(server.terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Addresses, ServeAt, ::testing::Values("localhost", "::1"),
                         [](const auto& each) {
                             return std::string{each.index == 0 ? "name" : "ipv6"};
                         });

}  // namespace
}  // namespace damrak::serve_settings_test
