// The directory of a run.

#include <damrak/telemetry/run_directory.hpp>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::telemetry {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t k_time_ns = 1'795'243'794'000'000'000;  // 2026-11-21 06:49:54 UTC

TEST(RunDirectory, IsNamedAfterTimeAndProcess) {
    EXPECT_EQ(run_name(k_time_ns, 4'711), "20261121T064954Z-4711");
}

TEST(RunDirectory, IsMadeUnderTheData) {
    const testing::ScratchFolder data;
    const auto folder = make_run_directory(data / "", k_time_ns);
    ASSERT_TRUE(folder);
    EXPECT_TRUE(std::filesystem::is_directory(*folder));
    EXPECT_EQ(folder->parent_path(), data / "runs");
}

TEST(RunDirectory, TellsWhyItCannotBeMade) {
    const testing::ScratchFolder data;
    std::ofstream{data / "runs"} << "in the way";
    const auto folder = make_run_directory(data / "", k_time_ns);
    ASSERT_FALSE(folder);
    EXPECT_THAT(folder.error(), HasSubstr("the directory of the run cannot be made"));
}

TEST(RunDirectory, HoldsAFileForEachHistogram) {
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

TEST(Machine, IsKnown) {
    const Machine machine = this_machine();
    EXPECT_THAT(machine.system, HasSubstr("Linux"));
    EXPECT_GT(machine.processors, 0U);
    EXPECT_GT(machine.memory_bytes, 0U);
}

}  // namespace
}  // namespace damrak::telemetry
