// Telemetry of `damrak serve`: over HTTP, on a signal, and in the directory of its run.
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "telemetry_run.hpp"

namespace damrak::serve_telemetry_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::rows_of;
using testing::run_program;
using ::testing::SizeIs;
using ::testing::StartsWith;
using testing::untimed;

class ServeTelemetry : public testing::ServeRun {};

TEST_F(ServeTelemetry, IsWatchedOverHttp) {
    serve({"--only", "http", "--http-port", "0", "--timing", "1"});
    ASSERT_NE(http_, 0);
    trade_a_little();
    const std::string metrics =
        get_until("/metrics", "damrak_messages_total{request=\"cancel\"} 1\n");
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"new_order\"} 2\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"modify\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"cancel\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_trades_total 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_traded_quantity_total 25\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_up 1\n"));
    const std::string table = get_until("/timing", "cancel    total");
    EXPECT_THAT(table, HasSubstr("new_order internal           2"));
    EXPECT_THAT(table, HasSubstr("cancel    total              1"));
    EXPECT_THAT(get("/timing?format=json"), HasSubstr("\"span\": \"internal\""));
    EXPECT_THAT(get("/health"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(get("/health"), HasSubstr("\"status\": \"ok\""));
    EXPECT_THAT(get("/nothing"), StartsWith("HTTP/1.1 404"));
}

TEST_F(ServeTelemetry, TimesTheFixGatewayAsTheOther) {
    for (const char* wiring : {"inline", "pipelined"}) {
        SCOPED_TRACE(wiring);
        server_.reset();
        std::filesystem::remove_all(data_);
        std::filesystem::remove(log_);
        serve({"--only", "http,fix", "--http-port", "0", "--timing", "1", "--wiring", wiring});
        testing::FixClient client{"FIX.4.4", "CLIENT"};
        ASSERT_TRUE(client.connect(server_->fix_port()));
        client.send("35=D|11=a|55=TEST|54=1|60=20260302-09:00:00|38=10|40=2|44=10");
        ASSERT_EQ(client.receive().value()[39], "0");
        client.send("35=D|11=b|55=NONE|54=1|60=20260302-09:00:00|38=10|40=2|44=10");
        ASSERT_EQ(client.receive().value()[39], "8") << "told without a command";
        client.send("35=F|41=a|11=c|55=TEST|54=1|60=20260302-09:00:00");
        ASSERT_EQ(client.receive().value()[39], "4");
        const std::string table = get_until("/timing", "cancel    total");
        EXPECT_THAT(table, HasSubstr("new_order internal           2"));
        EXPECT_THAT(table, HasSubstr("new_order total              2"));
        EXPECT_THAT(table, HasSubstr("cancel    total              1"));
        const std::string counted = "damrak_messages_total{request=\"new_order\"} 2\n";
        EXPECT_THAT(get_until("/metrics", counted), HasSubstr(counted));
        EXPECT_THAT(get("/metrics"), HasSubstr("damrak_connections 1\n"));
        EXPECT_THAT(get_until("/timing?window=10", "\"stage\":\"total\""),
                    HasSubstr("\"gateway\":\"fix\",\"stage\":\"match\""));
    }
}

TEST_F(ServeTelemetry, TellsDistributionsOfAWindowAndOfAFinishedRun) {
    serve({"--only", "http", "--http-port", "0", "--timing", "1"});
    trade_a_little();
    const std::string of_now = "/timing?window=60&gateway=binary&stage=total";
    const std::string answer = get_until(of_now, "\"columns\"");
    const auto told = nlohmann::json::parse(answer.substr(answer.find('{')), nullptr, false);
    ASSERT_TRUE(told.is_object()) << answer;
    EXPECT_EQ(told["column_s"], 1);
    EXPECT_TRUE(told["runs"].empty()) << "none is finished";
    EXPECT_THAT(get("/timing?window=9"), StartsWith("HTTP/1.1 400"));
    EXPECT_THAT(get("/timing?run=../data"), StartsWith("HTTP/1.1 404"));
    EXPECT_EQ(server_->terminate(), 0);
    const std::string run = run_folder().filename();
    serve({"--only", "http", "--http-port", "0", "--timing", "off"});
    EXPECT_THAT(get("/timing?window=60"), HasSubstr("\"runs\":[\"" + run + "\"],\"rows\":[]"));
    const std::string finished = get("/timing?run=" + run);
    const auto kept = nlohmann::json::parse(finished.substr(finished.find('{')), nullptr, false);
    std::uint64_t matched = 0;
    for (const auto& row : kept["rows"])
        if (row["stage"] == "match")
            for (const auto& bucket : row["buckets"]) matched += bucket[1].get<std::uint64_t>();
    EXPECT_EQ(matched, 6U) << "two hellos, two orders, a change and a cancel";
}

TEST_F(ServeTelemetry, HasNoHttpUnlessThatGatewayIsOpen) {
    serve({});
    EXPECT_EQ(http_, 0);
    EXPECT_THAT(server_->ready_line(), Not(HasSubstr("http")));
}

TEST_F(ServeTelemetry, ReportsThatThePortIsTaken) {
    serve({"--only", "http", "--http-port", "0"});
    const auto second = run_program({"serve", "--data", folder_ / "other", "--only", "binary,http",
                                     "--binary-port", "0", "--http-port", std::to_string(http_)});
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, HasSubstr("--http-port: cannot listen on 127.0.0.1:"));
}

TEST_F(ServeTelemetry, ReportsTheTableOnASignalAndGoesOn) {
    serve({"--timing", "1"});
    trade_a_little();
    server_->ask_for_timing();
    EXPECT_THAT(server_->log_with("new_order total"), HasSubstr("new_order internal           2"));
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("new_order internal           4"));
}

TEST_F(ServeTelemetry, ARunThatCannotBeRecordedRunsAndSaysSo) {
    std::filesystem::create_directories(data_);
    std::ofstream{folder_ / "data/runs"} << "in the way";
    serve({"--only", "http", "--http-port", "0", "--event-log"});
    EXPECT_THAT(testing::content_of(log_), HasSubstr("cannot create the run directory"));
    trade_a_little();
    // Those of this little trade are more than twenty.
    EXPECT_THAT(get_until("/metrics", "unwritten_rows_total 2"),
                HasSubstr("unwritten_rows_total 2"));
    const std::string health = get("/health");
    EXPECT_THAT(health, AllOf(HasSubstr("HTTP/1.1 200 OK"), HasSubstr("\"status\": \"warning\""),
                              HasSubstr("DATA/runs cannot be written: 2"),
                              HasSubstr(" rows of this run's logs are lost"),
                              Not(HasSubstr(folder_.path().string()))));
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("rows that could not be written"));
    std::filesystem::remove(folder_ / "data/runs");
    serve({"--only", "http", "--http-port", "0"});
    EXPECT_THAT(get("/health"), HasSubstr("\"status\": \"ok\""));
}

TEST_F(ServeTelemetry, KeepsWhatIsKnownOfARun) {
    serve({"--timing", "1", "--event-log"});
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    const auto run = run_folder();
    const auto metadata = nlohmann::json::parse(testing::content_of(run / "metadata.json"));
    EXPECT_EQ(metadata["build"].get<std::string>().empty(), false);
    EXPECT_GT(metadata["clock"]["ns_per_tick"], 0.0);
    EXPECT_GT(metadata["machine"]["processors"], 0);
    EXPECT_EQ(run_program({"serve", "--config", run / "configuration.toml", "--print-config"}).out,
              testing::content_of(run / "configuration.toml"));
    const auto timing = nlohmann::json::parse(testing::content_of(run / "timing.json"));
    std::map<std::string, int> counts;
    for (const auto& row : timing["rows"])
        if (row["span"] == "internal") counts[row["request"]] = row["count"];
    EXPECT_EQ(counts, (std::map<std::string, int>{
                          {"hello", 2}, {"new_order", 2}, {"modify", 1}, {"cancel", 1}}));
    EXPECT_THAT(testing::content_of(run / "timing.hlog"), HasSubstr("Tag=new_order-internal,"));
    EXPECT_TRUE(std::filesystem::exists(run / "hgrm/new_order-internal.hgrm"));
    EXPECT_GE(rows_of(run / "throughput.csv").size(), 2U);
    const auto requests = rows_of(run / "events/requests.csv");
    ASSERT_THAT(requests, SizeIs(1 + 6));
    EXPECT_THAT(untimed(requests[3]), ElementsAre("1", "new_order", "10", "2"));
    EXPECT_THAT(rows_of(run / "events/trades.csv"), SizeIs(1 + 1));
    EXPECT_THAT(rows_of(run / "events/connections_closed.csv"), SizeIs(1 + 2));
    auto orders = rows_of(run / "events/orders.csv");
    // The clients have left; whether their participants have too depends on when the server ends.
    std::erase_if(orders, [](const auto& row) { return row[1] == "participant_released"; });
    ASSERT_THAT(orders, SizeIs(1 + 4));
    EXPECT_EQ(orders[4][1], "cancelled");
    EXPECT_EQ(orders[4][2], "cancel_order");
}

TEST_F(ServeTelemetry, KeepsTheNewestRunsOnly) {
    const auto old = folder_ / "data/runs/20200101T000000Z-";
    for (const int run : {1, 2, 3})
        std::filesystem::create_directories(old.string() + std::to_string(run));
    serve({"--keep-runs", "2"});
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("2 old ones removed; --keep-runs is 2"));
    EXPECT_FALSE(std::filesystem::exists(old.string() + "2"));
    EXPECT_TRUE(std::filesystem::exists(old.string() + "3"));
    const std::filesystem::directory_iterator runs{folder_ / "data/runs"};
    EXPECT_EQ(std::distance(begin(runs), end(runs)), 2);
}

TEST_F(ServeTelemetry, TimesNothingIfThatIsOff) {
    serve({"--timing", "off"});
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_FALSE(std::filesystem::exists(run_folder() / "timing.json"));
    EXPECT_THAT(testing::content_of(log_), Not(HasSubstr("internal")));
}

// Garbage on the HTTP port, or clients that hold all its connections, do not stop trading.
TEST_F(ServeTelemetry, TradesOnUnderHostileHttp) {
    serve({"--only", "http", "--http-port", "0"});
    std::vector<std::unique_ptr<RawClient>> crowd;
    const std::string noise(3'000, '\x80');
    for (int i = 0; i < 100; ++i) {
        crowd.push_back(std::make_unique<RawClient>(http_));
        crowd.back()->send(std::as_bytes(std::span{noise}));
    }
    trade_a_little();
    crowd.clear();
    EXPECT_THAT(get_until("/health", "\"ok\""), StartsWith("HTTP/1.1 200"));
    EXPECT_EQ(server_->terminate(), 0);
}

}  // namespace
}  // namespace damrak::serve_telemetry_test
