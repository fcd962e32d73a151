// Programs under a library that takes the place of send(), as those do that bypass the kernel.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/fix_codec/decode.hpp>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::replaced_send_test {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using testing::RunningServer;

struct Sent {
    std::uint32_t socket;
    std::string bytes;
};

std::vector<Sent> sent_according_to(const std::string& notes) {
    std::vector<Sent> result;
    for (std::size_t at = 0; at < notes.size();) {
        std::array<std::uint32_t, 2> head{};
        std::memcpy(head.data(), &notes.at(at), sizeof head);
        at += sizeof head;
        result.push_back({head[0], notes.substr(at, head[1])});
        at += head[1];
    }
    return result;
}

/// Sets an environment variable for programs started meanwhile.
class Environment {
  public:
    explicit Environment(const std::vector<std::string>& variables) {
        for (const std::string& variable : variables) {
            const std::size_t end = variable.find('=');
            names_.push_back(variable.substr(0, end));
            ::setenv(names_.back().c_str(), variable.substr(end + 1).c_str(), 1);
        }
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;
    ~Environment() {
        for (const std::string& name : names_) ::unsetenv(name.c_str());
    }

  private:
    std::vector<std::string> names_;
};

class SendIsReplaced : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
        library_ = program.parent_path() / "tests" / "replaced_send.so";
        if (!std::filesystem::exists(library_)) GTEST_SKIP() << "the sanitizers do not allow it";
    }
    /// Its notes go to a file of that name.
    [[nodiscard]] std::vector<std::string> environment(const std::string& name) const {
        return {"LD_PRELOAD=" + library_, "DAMRAK_SENDS_TO=" + (folder_ / name).string()};
    }
    [[nodiscard]] std::vector<Sent> sent(const std::string& name) const {
        return sent_according_to(testing::content_of(folder_ / name));
    }

    testing::ScratchFolder folder_;
    std::string library_;
};

TEST_F(SendIsReplaced, EachMessageOfTheBenchmarkIsOneCall) {
    const Environment environment{this->environment("notes")};
    const auto run =
        testing::run_bench("fix_encode", {"--socket", "--messages", "1000", "--quickfix-messages",
                                          "1", "--json", "--directory", (folder_ / ".").string()});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(nlohmann::json::parse(run.out)["send"], "socket");

    fix_codec::Decoder decoder{64};
    std::vector<std::uint64_t> numbers;
    for (const Sent& call : sent("notes")) {
        fix_codec::Message message;
        const auto scan = decoder.scan(call.bytes, message);
        ASSERT_EQ(scan.status, fix_codec::Scan::Status::message) << call.bytes;
        ASSERT_EQ(scan.bytes, call.bytes.size());
        ASSERT_EQ(message.msg_type(), "D");
        numbers.push_back(message.sequence());
    }
    // Kept in files: the warm-up, those that are clocked, and those that clock the change of files.
    // Then kept in memory.
    std::vector<std::uint64_t> expected(5'000);
    std::iota(expected.begin(), expected.begin() + 3'000, 1);
    std::iota(expected.begin() + 3'000, expected.end(), 1);
    EXPECT_THAT(numbers, ElementsAreArray(expected));
}

TEST_F(SendIsReplaced, TheFixGatewayAnswersThroughItAlsoInPieces) {
    auto environment = this->environment("notes");
    environment.emplace_back("DAMRAK_SEND_AT_MOST=37");
    RunningServer server{folder_ / "data", folder_ / "log", {"--only", "fix"}, environment};
    testing::FixClient client{"FIX.4.4", "CLIENT"};
    ASSERT_TRUE(client.connect(server.fix_port()));
    client.send("35=D|11=a|55=TEST|54=1|60=20260302-09:00:00|38=10|40=2|44=10");
    const auto report = client.receive();
    ASSERT_TRUE(report.has_value());
    EXPECT_EQ(report->at(39), "0");
    EXPECT_EQ(server.terminate(), 0);

    std::string all;
    for (const Sent& call : sent("notes")) {
        EXPECT_LE(call.bytes.size(), 37U);
        all += call.bytes;
    }
    EXPECT_THAT(all, HasSubstr("\00111=a\001")) << "it went through the library";
}

TEST_F(SendIsReplaced, ClientsAndExchangeTradeWithItOnBothSides) {
    RunningServer server{
        folder_ / "data", folder_ / "log", {"--only", "fix"}, environment("exchange")};
    testing::ProgramRun run;
    {
        const Environment environment{this->environment("clients")};
        run = testing::run_program({"load", "--gateway", "fix", "--port",
                                    std::to_string(server.fix_port()), "--clients", "4", "--window",
                                    "8", "--warm-up", "0", "--seconds", "0.4", "--at-least", "500",
                                    "--verify", "--json"});
    }
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const auto report = nlohmann::json::parse(run.out);
    EXPECT_EQ(report["errors"], 0);
    EXPECT_EQ(server.terminate(), 0);

    // Every connection received a sequence of whole messages.
    for (const char* side : {"exchange", "clients"}) {
        SCOPED_TRACE(side);
        std::map<std::uint32_t, std::string> streams;
        for (const Sent& call : sent(side)) streams[call.socket] += call.bytes;
        EXPECT_EQ(streams.size(), 4U);
        fix_codec::Decoder decoder{256};
        std::uint64_t messages = 0;
        for (const auto& [socket, bytes] : streams) {
            for (std::size_t at = 0; at < bytes.size(); ++messages) {
                fix_codec::Message message;
                const auto scan = decoder.scan(std::string_view{bytes}.substr(at), message);
                ASSERT_EQ(scan.status, fix_codec::Scan::Status::message);
                at += scan.bytes;
            }
        }
        EXPECT_GE(messages, report["requests"].get<std::uint64_t>());
    }
}

// A fault in one message of many is found by the clients, whichever field it is in.
TEST_F(SendIsReplaced, LoadFindsWrongPricesAndTimesOfTheExchange) {
    struct Fault {
        const char* protocol;
        const char* spoil;  ///< type, offset, what is added, each so manyth
        const char* rule;
    };
    const std::vector<Fault> all{
        {"v1", "20:32:1:20", ""},  // price of a TRADE, a cent too high
        {"v1", "20:32:-1:20", ""},
        {"v2", "16:40:1:20", ""},
        {"v2", "16:40:-1:20", ""},
        {"v2", "16:40:1:1", ""},   // of every TRADE, the same for both sides
        {"v1", "20:40:1:20", ""},  // its time, a microsecond too late
        {"v2", "16:48:-1:20", ""},
        {"v1", "11:32:1000000:20", "must not precede the event's time"},  // time of an ORDER_ACK
        {"v1", "11:32:-1000000:20", ""},
        {"v2", "11:40:1000000:20", "must not precede the event's time"},
        {"v2", "11:40:-1000000:20", ""},
    };
    int run = 0;
    for (const Fault& fault : all) {
        SCOPED_TRACE(std::string{fault.protocol} + " " + fault.spoil);
        auto environment = this->environment("notes" + std::to_string(++run));
        environment.push_back(std::string{"DAMRAK_SPOIL="} + fault.spoil);
        RunningServer server{
            folder_ / ("data" + std::to_string(run)), folder_ / "log", {}, environment};
        const auto load =
            testing::run_program({"load", "--port", std::to_string(server.port()), "--protocol",
                                  fault.protocol, "--clients", "4", "--warm-up", "0", "--seconds",
                                  "0.5", "--at-least", "2000", "--verify", "--json"});
        EXPECT_EQ(load.exit_code, 1);
        EXPECT_GT(nlohmann::json::parse(load.out)["errors_by_cause"]["rules_broken"], 0);
        EXPECT_THAT(load.err, HasSubstr(fault.rule));
        EXPECT_EQ(server.terminate(), 0);
    }
}

}  // namespace
}  // namespace damrak::replaced_send_test
