// `damrak report`: the page of a run, whole or cut short.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::report_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::run_program;
using testing::ScratchFolder;

class Report : public ::testing::Test {
  protected:
    // A run with two seconds of throughput and one kind of message timed.
    void make_run(const std::string& name = "20261121T064954Z-1") {
        std::filesystem::create_directories(folder_ / ("runs/" + name + "/hgrm"));
        const std::string run = "runs/" + name + "/";
        folder_.write(run + "metadata.json",
                      R"({"version":"9.9","build":"release","compiler":"12",)"
                      R"("machine":{"processor":"Fast <One>","processors":2,"system":"Linux"}})");
        folder_.write(run + "throughput.csv",
                      "time_ns,interval_ns,messages,trades,sent_bytes,connections,lost_records\n"
                      "1795243795000000000,1000000000,1000,10,1,3,0\n"
                      "1795243796000000000,500000000,2000,20,1,5,7\n");
        folder_.write(run + "timing.json",
                      R"({"sampled_every":16,"rows":[)"
                      R"({"request":"new_order","span":"match","count":4,"mean":250.0,"p50":1},)"
                      R"({"request":"new_order","span":"internal","count":4,"mean":900.0,)"
                      R"("p50":500,"p99":1500,"p99_9":6000}]})");
        folder_.write(run + "hgrm/new_order-internal.hgrm",
                      "       Value     Percentile TotalCount 1/(1-Percentile)\n\n"
                      "       0.500 0.000000000000          1           1.00\n"
                      "       1.500 0.900000000000          3          10.00\n"
                      "       6.000 1.000000000000          4\n#[Mean    = 1]\n");
    }

    ScratchFolder folder_;
};

TEST_F(Report, MakesAPageThatNeedsNothingElse) {
    make_run();
    const auto run = run_program({"report", folder_ / ""});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("           3,000  messages\n"));
    EXPECT_THAT(run.out, HasSubstr("           4,000  messages/s, busiest second\n"));
    EXPECT_THAT(run.out, HasSubstr("1.5 µs  new order, internal, p99\n"));
    EXPECT_THAT(run.out, HasSubstr("7  records lost by telemetry\n"));
    const std::string page = content_of(folder_ / "runs/20261121T064954Z-1/report.html");
    EXPECT_THAT(page, HasSubstr("<h2>Throughput over time</h2>\n<div class=\"big\"><svg"));
    EXPECT_THAT(page, HasSubstr("From the read's return to the buffered answer"));
    EXPECT_THAT(page, HasSubstr("Median by stage until the answers are buffered"));
    EXPECT_THAT(page, HasSubstr("<td>new_order</td><td>internal</td><td>4</td>"
                                "<td class=\"more\">900 ns</td><td>500 ns</td>"));
    EXPECT_THAT(page, HasSubstr("<div class=\"small\"><svg"));
    EXPECT_THAT(page, HasSubstr("prefers-color-scheme:dark"));
    EXPECT_THAT(page, HasSubstr("Fast &lt;One>"));
    EXPECT_THAT(page, Not(HasSubstr("src=")));
    EXPECT_THAT(page, Not(HasSubstr("href=")));
    EXPECT_TRUE(page.ends_with("</html>\n"));
}

TEST_F(Report, TakesTheNewestRunOfADataDirectoryOrTheOneThatIsNamed) {
    make_run("20261121T064954Z-1");
    make_run("20261122T000000Z-1");
    EXPECT_THAT(run_program({"report", folder_ / ""}).out, HasSubstr("runs/20261122T000000Z-1\n"));
    const auto named = run_program(
        {"report", folder_ / "runs/20261121T064954Z-1", "--out", folder_ / "page.html"});
    EXPECT_THAT(named.out, HasSubstr("runs/20261121T064954Z-1\n"));
    EXPECT_TRUE(std::filesystem::exists(folder_ / "page.html"));
}

TEST_F(Report, TakesARunThatWasKilled) {
    make_run();
    std::filesystem::remove(folder_ / "runs/20261121T064954Z-1/timing.json");
    std::filesystem::remove_all(folder_ / "runs/20261121T064954Z-1/hgrm");
    std::filesystem::remove(folder_ / "runs/20261121T064954Z-1/throughput.csv");
    const auto run = run_program({"report", folder_ / ""});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(content_of(folder_ / "runs/20261121T064954Z-1/report.html"),
                HasSubstr("No message was timed"));
}

TEST_F(Report, ReportsThatThereIsNoRun) {
    const auto run = run_program({"report", folder_ / "nowhere"});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("no run found: expected a directory with metadata.json"));
}

TEST_F(Report, ReportsWhichLineOfTheThroughputIsWrong) {
    make_run();
    folder_.write("runs/20261121T064954Z-1/throughput.csv",
                  "time_ns,interval_ns,messages\n1,2,3\n1,2\n");
    const auto run = run_program({"report", folder_ / ""});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("throughput.csv:3: expected 3 numbers, found '1,2'"));
}

TEST_F(Report, ReportsThatAFileIsNoJson) {
    make_run();
    folder_.write("runs/20261121T064954Z-1/timing.json", "{\"rows\": [");
    const auto run = run_program({"report", folder_ / ""});
    EXPECT_EQ(run.exit_code, 1);
    EXPECT_THAT(run.err, HasSubstr("timing.json: unexpected JSON content"));
}

}  // namespace
}  // namespace damrak::report_test
