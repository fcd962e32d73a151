// A data directory that an earlier version of Damrak wrote: `serve` says so in one line and leaves
// every file as it is, and `make run` starts in a fresh directory.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/crc32c.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using ::testing::AllOf;
using testing::content_of;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

class OtherVersion : public ::testing::Test {
  protected:
    /// A directory that an exchange has left, with a snapshot.
    OtherVersion() {
        testing::RunningServer server{data_.string(), (folder_ / "log").string()};
        EXPECT_EQ(server.terminate(), 0);
    }

    /// The one file whose name begins like this.
    [[nodiscard]] std::filesystem::path file(std::string_view prefix) const {
        std::filesystem::path first;
        for (const auto& entry : std::filesystem::directory_iterator{data_})
            if (entry.path().filename().string().starts_with(prefix) &&
                (first.empty() || entry.path() < first))
                first = entry.path();
        return first;
    }
    /// Writes a number, and at `sum` the checksum of the bytes from `first` to `end`.
    static void change(const std::filesystem::path& path, std::size_t offset, std::uint32_t value,
                       std::size_t first, std::size_t end, std::size_t sum) {
        std::string bytes = content_of(path);
        std::memcpy(bytes.data() + offset, &value, sizeof value);
        const std::uint32_t crc =
            crc32c(std::as_bytes(std::span{bytes}).subspan(first, end - first));
        std::memcpy(bytes.data() + sum, &crc, sizeof crc);
        std::ofstream{path, std::ios::binary} << bytes;
    }
    void make_segment_earlier() const { change(file("journal-"), 116, 1, 116, 252, 252); }
    void make_snapshot_earlier() const {
        const auto path = file("snapshot-");
        const std::size_t bytes = std::filesystem::file_size(path);
        change(path, 56, 1, 0, bytes - 16, bytes - 8);
    }
    [[nodiscard]] std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> found;
        for (const auto& entry : std::filesystem::recursive_directory_iterator{data_})
            found[entry.path().string()] =
                entry.is_regular_file() ? content_of(entry.path()) : std::string{};
        return found;
    }
    void expect_refused(const std::filesystem::path& path) const {
        const auto before = files();
        for (const std::string wiring : {"inline", "pipelined"}) {
            const auto refused =
                testing::run_program({"serve", "--data", data_.string(), "--only", "binary",
                                      "--binary-port", "0", "--wiring", wiring});
            EXPECT_EQ(refused.exit_code, 1);
            EXPECT_EQ(testing::lines_in(refused.err), 1U) << refused.err;
            EXPECT_THAT(refused.err,
                        AllOf(HasSubstr(path.string() +
                                        ": an earlier version of Damrak wrote it (rules version 1"),
                              HasSubstr("use that version, or begin in an empty directory")));
            EXPECT_TRUE(files() == before);
        }
    }
    /// `make run` in a directory that has these data directories, with a program that tells how it
    /// would serve.
    [[nodiscard]] testing::ProgramRun make_run() const {
        std::filesystem::create_directory(folder_ / "scripts");
        std::filesystem::copy("scripts/run", folder_ / "scripts/run");
        const auto program = folder_.write(
            "program", fmt::format("#!/bin/sh\n[ $1 = serve ] || exec {} \"$@\"\necho \"$@\"\n",
                                   std::getenv("DAMRAK_PROGRAM")));
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return testing::run_shell(fmt::format("DAMRAK_PROGRAM={} {}", program.string(),
                                              (folder_ / "scripts/run").string()));
    }

    testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "damrak-data";
};

TEST_F(OtherVersion, OfASegmentIsRefused) {
    make_segment_earlier();
    expect_refused(file("journal-"));
    const auto verified = testing::run_program({"journal", "verify", data_.string()});
    EXPECT_EQ(verified.exit_code, 1);
    EXPECT_THAT(verified.err, HasSubstr("an earlier version of Damrak wrote it"));
}

TEST_F(OtherVersion, OfASnapshotIsRefused) {
    make_snapshot_earlier();
    expect_refused(file("snapshot-"));
}

TEST_F(OtherVersion, IsLeftAloneByMakeRun) {
    make_segment_earlier();
    std::filesystem::copy(data_, folder_ / "damrak-data-2");
    const auto before = files();
    const auto run = make_run();
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, EndsWith(" --data damrak-data-3\n"));
    EXPECT_THAT(run.err,
                AllOf(HasSubstr("note: another version of Damrak wrote damrak-data, "),
                      HasSubstr("note: another version of Damrak wrote damrak-data-2, "),
                      HasSubstr("note: this exchange keeps its journal in damrak-data-3")));
    EXPECT_TRUE(files() == before);
}

TEST_F(OtherVersion, IsNotSeenByMakeRunInADirectoryOfThisOne) {
    const auto run = make_run();
    EXPECT_EQ(run.exit_code, 0);
    EXPECT_THAT(run.out, AllOf(HasSubstr("serve --demo-market"), Not(HasSubstr("--data"))));
}

}  // namespace
}  // namespace damrak
