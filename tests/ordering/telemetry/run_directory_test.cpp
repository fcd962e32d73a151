// The directory of a run.

#include <damrak/telemetry/run_directory.hpp>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::telemetry::run_directory_test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t k_time_ns = 1'795'243'794'000'000'000;  // 2026-11-21 06:49:54 UTC

TEST(RunDirectory, IsNamedAfterTimeAndProcess) {
    EXPECT_EQ(run_name(k_time_ns, 4'711), "20261121T064954Z-4711");
}

TEST(RunDirectory, IsMadeUnderTheData) {
    const testing::ScratchFolder data;
    const std::filesystem::path folder = run_directory(data / "", k_time_ns);
    EXPECT_EQ(folder.parent_path(), data / "runs");
    EXPECT_TRUE(make_run_directory(folder));
    EXPECT_TRUE(make_run_directory(folder)) << "the same once more";
    EXPECT_TRUE(std::filesystem::is_directory(folder));
    EXPECT_EQ(std::filesystem::status(folder).permissions(), std::filesystem::perms::owner_all);
}

TEST(RunDirectory, ReportsWhyItCannotBeCreated) {
    const testing::ScratchFolder data;
    std::ofstream{data / "runs"} << "in the way";
    const auto made = make_run_directory(run_directory(data / "", k_time_ns));
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error(), HasSubstr("cannot create the run directory"));
}

class OldRuns : public ::testing::Test {
  protected:
    void make(const std::string& name) const {
        std::filesystem::create_directories(data_ / ("runs/" + name + "/events"));
        std::ofstream{data_ / ("runs/" + name + "/events/orders.csv")} << "rows";
    }
    [[nodiscard]] std::vector<std::string> runs() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator{data_ / "runs"})
            names.push_back(entry.path().filename());
        return names;
    }
    [[nodiscard]] std::filesystem::path run(const std::string& name) const {
        return data_ / ("runs/" + name);
    }

    testing::ScratchFolder data_;
};

TEST_F(OldRuns, AreRemovedOldestFirstDownToTheLimit) {
    for (const char* name : {"20261121T064954Z-9", "20261121T064954Z-10", "20251231T235959Z-1",
                             "20261122T000000Z-1", "20261123T000000Z-7"})
        make(name);
    const auto removed = remove_old_runs(run("20261123T000000Z-7"), 3);
    ASSERT_TRUE(removed) << removed.error();
    EXPECT_EQ(*removed, 2U);
    EXPECT_THAT(runs(), UnorderedElementsAre("20261121T064954Z-9", "20261122T000000Z-1",
                                             "20261123T000000Z-7"));
    EXPECT_EQ(*remove_old_runs(run("20261123T000000Z-7"), 3), 0U);
}

TEST_F(OldRuns, NeverIncludeTheCurrentOneEvenIfTheClockWentBack) {
    make("20261122T000000Z-1");
    make("20201122T000000Z-1");
    EXPECT_EQ(*remove_old_runs(run("20201122T000000Z-1"), 1), 1U);
    EXPECT_THAT(runs(), UnorderedElementsAre("20201122T000000Z-1"));
}

TEST_F(OldRuns, RemovalLeavesForeignFiles) {
    make("20261123T000000Z-7");
    const std::vector<std::string> others{"kept", "20261121T064954Z", "20261121T064954Z-",
                                          "20261121T064954Z-4711-kept", "20261121X064954Z-4711"};
    for (const std::string& name : others) make(name);
    std::ofstream{run("20261120T000000Z-1")} << "a file";
    std::filesystem::create_directory(data_ / "elsewhere");
    std::filesystem::create_directory_symlink(data_ / "elsewhere", run("20261119T000000Z-1"));
    EXPECT_EQ(*remove_old_runs(run("20261123T000000Z-7"), 1), 0U);
    EXPECT_THAT(runs(), SizeIs(others.size() + 3));
}

TEST(RunDirectory, ContainsAFileForEachHistogram) {
    const testing::ScratchFolder folder;
    const CycleClock clock{{.source = CycleClock::Source::monotonic_clock}};
    Latencies latencies;
    latencies.record(Timing{.request = RequestKind::cancel, .written = 1}, clock);
    ASSERT_TRUE(write_histograms(folder / "", latencies, k_time_ns, k_time_ns + 1));
    EXPECT_TRUE(std::filesystem::exists(folder / "hgrm" / "cancel-internal.hgrm"));
    EXPECT_FALSE(std::filesystem::exists(folder / "hgrm" / "modify-internal.hgrm"));
    std::ifstream log{folder / "timing.hlog"};
    int lines = 0;
    for (std::string line; std::getline(log, line);) lines += line.starts_with("Tag=") ? 1 : 0;
    EXPECT_EQ(lines, static_cast<int>(k_spans));
}

TEST(Machine, IsDescribed) {
    const Machine machine = this_machine();
    EXPECT_THAT(machine.system, HasSubstr("Linux"));
    EXPECT_GT(machine.processors, 0U);
    EXPECT_GT(machine.memory_bytes, 0U);
}

}  // namespace
}  // namespace damrak::telemetry::run_directory_test
