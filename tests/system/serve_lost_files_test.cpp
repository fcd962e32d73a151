// Files of the data directory that are missing: the exchange does not start without records that it
// kept, says the rest, and leaves what is there as it is.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_lost_files_test {
namespace {

using ::testing::AllOf;
using testing::content_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;

class ServeWithLostFiles : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        std::ofstream{file_} << "[journal]\nsegment_mib = 1\n"
                                "[capacity]\nparticipants = 1000\naccounts = 4000\norders = 50000\n"
                             << "[run]\nwiring = \"" << GetParam() << "\"\n";
    }
    void order(const RunningServer& server, std::uint32_t count) const {
        const RawClient client{server.port()};
        const std::uint64_t id = testing::hello(client).client;
        for (std::uint32_t sequence = 2; sequence < count + 2; ++sequence)
            ASSERT_EQ(testing::place(client, sequence, id, {}).status, 1U);
    }
    [[nodiscard]] std::set<std::string> files(const std::string& suffix) const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator{data_})
            if (entry.path().string().ends_with(suffix) &&
                entry.path().extension() != ".new")  // a segment that a kill left unfinished
                names.insert(entry.path().string());
        return names;
    }
    /// Without segments that were prepared ahead.
    [[nodiscard]] std::set<std::string> kept_files() const {
        std::set<std::string> names = files("");
        const auto segments = files(".seg");
        for (auto at = segments.begin(); at != segments.end(); ++at)
            if (at != segments.begin()) names.erase(*at);
        return names;
    }
    void expect_no_start(const std::string& reason, const std::string& gateway = "binary") const {
        const auto before = kept_files();
        const auto run = run_program({"serve", "--config", file_, "--data", data_, "--only",
                                      gateway, "--" + gateway + "-port", "0"});
        EXPECT_EQ(run.exit_code, 1);
        EXPECT_THAT(run.err, AllOf(HasSubstr(reason), HasSubstr("from a copy")));
        EXPECT_EQ(kept_files(), before);
    }

    testing::ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::string file_ = folder_ / "exchange.toml";
};

TEST_P(ServeWithLostFiles, DoesNotBeginANewJournalOverTheSnapshotOfALostOne) {
    {
        RunningServer server{data_, log_, {"--config", file_}};
        order(server, 10);
        EXPECT_EQ(server.terminate(), 0);
    }
    for (const std::string& segment : files(".seg")) std::filesystem::remove(segment);
    expect_no_start("and no segment of its journal");
    EXPECT_EQ(files(".snap").size(), 1U);
}

TEST_P(ServeWithLostFiles, NoticesThatTheLastSegmentWithRecordsIsMissing) {
    {
        RunningServer server{data_, log_, {"--config", file_, "--durability", "group"}};
        order(server, 5'600);  // a MiB holds 5,440
        server.kill();
    }
    const auto segments = files(".seg");
    ASSERT_GE(segments.size(), 2U);
    for (auto at = std::next(segments.begin()); at != segments.end(); ++at)
        std::filesystem::remove(*at);
    expect_no_start("record 5441 is missing, and the segment that held it");
}

TEST_P(ServeWithLostFiles, BeginsNoNewJournalUnderFixSessionsOfALostOne) {
    {
        RunningServer server{data_, log_, {"--config", file_, "--only", "fix"}};
        order(server, 10);
        server.kill();
    }
    for (const std::string& segment : files(".seg")) std::filesystem::remove(segment);
    expect_no_start("has FIX sessions with reports up to record", "fix");
    EXPECT_TRUE(files(".seg").empty());
}

TEST_P(ServeWithLostFiles, GivesNoFixSessionTheNumberOfALostOne) {
    const auto trade = [this](const RunningServer& server, const std::string& who) {
        return run_program({"term", "--fix", "--port", std::to_string(server.fix_port()),
                            "--l2-port", "off", "--http-port", "off", "--comp-id", who},
                           "sell 70 AAPL 101.5\nwait 1\nquit\n");
    };
    const std::vector<std::string> arguments{"--config", file_, "--only", "binary", "fix"};
    {
        RunningServer server{data_, log_, arguments};
        EXPECT_THAT(trade(server, "ONE").out, HasSubstr("accepted"));
        EXPECT_THAT(trade(server, "TWO").out, HasSubstr("accepted"));
        EXPECT_EQ(server.terminate(), 0);
    }
    const std::string roster = data_ + "/fix/sessions.txt";
    std::filesystem::remove(roster);
    expect_no_start("sessions.txt has 0 sessions, and the journal has orders of session 2", "fix");
    std::ofstream{roster} << "gone 1\n";
    expect_no_start("append the line \"gone 1\"", "fix");
    std::ofstream{roster, std::ios::app} << "gone 1\n";
    RunningServer server{data_, log_, arguments};
    // Its orders are still there, and nobody else's.
    EXPECT_THAT(trade(server, "THREE").out, HasSubstr("order 1 accepted"));
    EXPECT_EQ(server.terminate(), 0) << content_of(log_);
}

TEST_P(ServeWithLostFiles, SaysThatTheMessagesOfAFixSessionAreGone) {
    const std::vector<std::string> arguments{"--config", file_,        "--only", "binary",
                                             "fix",      "--fix-port", "0"};
    const std::filesystem::path session = data_ + "/fix/FIX.4.4+DAMRAK++ONE+";
    {
        RunningServer server{data_, log_, arguments};
        testing::FixClient client{"FIX.4.4", "ONE"};
        ASSERT_TRUE(client.connect(server.fix_port()));
        EXPECT_EQ(server.terminate(), 0);
    }
    {
        RunningServer server{data_, log_, arguments};
        EXPECT_EQ(server.terminate(), 0);
        EXPECT_THAT(content_of(log_), Not(HasSubstr("are gone"))) << "they are there";
    }
    ASSERT_GT(std::filesystem::remove_all(session), 0U);
    RunningServer server{data_, log_, arguments};
    EXPECT_THAT(content_of(log_),
                AllOf(HasSubstr(session.string() + ": the messages of this session are gone"),
                      HasSubstr("both of its numbers begin at 1"), HasSubstr("from a copy")));
    testing::FixClient client{"FIX.4.4", "ONE"};
    EXPECT_TRUE(client.connect(server.fix_port())) << "number 1 is the next";
    EXPECT_EQ(server.terminate(), 0) << content_of(log_);
}

TEST_P(ServeWithLostFiles, SaysThatTheFeedBeginsAnew) {
    const std::vector<std::string> arguments{"--config", file_,         "--only", "binary",
                                             "itch",     "--itch-port", "0"};
    {
        RunningServer server{data_, log_, arguments};
        order(server, 10);
        EXPECT_EQ(server.terminate(), 0);
        EXPECT_THAT(content_of(log_), Not(HasSubstr("a new session begins")));
    }
    std::filesystem::remove_all(data_ + "/feed");
    RunningServer server{data_, log_, arguments};
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(content_of(log_),
                HasSubstr("feed         a new session begins: the day so far is not in"));
}

nlohmann::json asked(const RunningServer& server, const std::string& path) {
    const auto port = nlohmann::json::parse(server.ready_line())["ports"]["http"];
    const auto answer = http::ask({.port = port.get<std::uint16_t>(), .path = path});
    return answer ? nlohmann::json::parse(answer->body) : nlohmann::json{answer.error()};
}

/// Half of a record behind the last whole one, as a machine leaves it that loses power.
void tear(const std::string& segment) {
    constexpr std::size_t k_header = 4'096;
    constexpr std::size_t k_record = 192;
    const std::string bytes = content_of(segment);
    std::size_t end = k_header;
    while (bytes.find_first_not_of('\0', end) < end + k_record) end += k_record;
    std::fstream{segment, std::ios::in | std::ios::out | std::ios::binary}
        .seekp(static_cast<std::streamoff>(end))
        .write(std::string(k_record / 2, 'x').data(), k_record / 2);
}

TEST_P(ServeWithLostFiles, WhereTheJournalWasCutTheFeedBeginsAnewWithItsBook) {
    const std::vector<std::string> arguments{
        "--config", file_, "--only", "binary,itch,http", "--itch-port", "0", "--http-port", "0"};
    const auto newest_day = [](const RunningServer& server) {
        return asked(server, "/v1/days")["days"][0]["day"].get<std::string>();
    };
    std::string before;
    {
        RunningServer server{data_, log_, arguments};
        order(server, 10);
        before = newest_day(server);
        server.kill();
    }
    tear(*files(".seg").begin());
    RunningServer server{data_, log_, arguments};
    EXPECT_THAT(server.log_with("torn end"), HasSubstr("torn end"));
    order(server, 1);
    EXPECT_TRUE(testing::eventually([&] {
        const auto book = asked(server, "/v1/book?symbol=AAPL&depth=0");
        return book["bids"].size() == 1 && book["bids"][0]["orders"] == 11;
    })) << asked(server, "/v1/book?symbol=AAPL&depth=0");
    EXPECT_GT(newest_day(server), before);
    EXPECT_EQ(server.terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeWithLostFiles, ::testing::Values("inline", "pipelined"));

}  // namespace
}  // namespace damrak::serve_lost_files_test
