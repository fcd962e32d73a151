// What the exchange opens at its start and cannot open: one line that says what, and exit code 1;
// never a signal.
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_cannot_open_test {
namespace {

using ::testing::HasSubstr;

constexpr const char* k_serve =
    "serve --data {} --binary-port 0 --fix-port 0 --ouch-port 0 --itch-port 0 --glimpse-port 0 "
    "--retransmit-port 0 --http-port 0 --udp-port off --mold-port off --l2-port off --json";

std::string serve(const testing::ScratchFolder& folder) {
    return fmt::format(fmt::runtime(k_serve), (folder / "data").string());
}

class ServeCannotOpen : public ::testing::TestWithParam<const char*> {};

// Root may open everything but a folder as a file, and a file as a folder.
TEST_P(ServeCannotOpen, WhatItNeedsAndSaysSoInOneLine) {
    const testing::ScratchFolder folder;
    std::filesystem::create_directories(folder / "data");
    const std::filesystem::path blocked = folder / "data" / GetParam();
    if (blocked.has_extension() || blocked.filename() == "operator-token")
        std::filesystem::create_directories(blocked);
    else
        std::ofstream{blocked} << "no folder";
    const auto run = testing::run_shell("exec $DAMRAK_PROGRAM " + serve(folder));
    EXPECT_EQ(run.exit_code, 1) << run.err;
    const std::string line = run.err.substr(run.err.find("damrak: "));
    EXPECT_THAT(line, HasSubstr(blocked.string()));
    EXPECT_EQ(testing::lines_in(line), 1U) << line;
}

INSTANTIATE_TEST_SUITE_P(Paths, ServeCannotOpen,
                         ::testing::Values("feed", "fix", "archive", "operator-token"));

// With this limit of open files, until it is ready.
testing::ProgramRun serve_with(int descriptors) {
    const testing::ScratchFolder folder;
    return testing::run_shell(fmt::format(
        "cd {}; mkfifo out; (ulimit -n {}; exec $DAMRAK_PROGRAM {}) > out 2> err & server=$!; "
        "if read -r line < out; then kill $server; fi; "
        "wait $server; code=$?; echo \"$line\"; cat err >&2; exit $code",
        folder.path().string(), descriptors, serve(folder)));
}

TEST(ServeWithFewDescriptors, IsReadyOrSaysThatTheLimitIsTooLow) {
    // With fewer, the loader of the program has none either.
    int limit = 6;
    for (; limit <= 64; ++limit) {
        const auto run = serve_with(limit);
        if (run.out.contains("ready")) break;
        EXPECT_EQ(run.exit_code, 1) << limit << ": " << run.err;
        EXPECT_THAT(run.err, HasSubstr("raise the limit of open files")) << limit;
    }
    EXPECT_LE(limit, 64) << "that many are enough";
    EXPECT_GT(limit, 16);
}

}  // namespace
}  // namespace damrak::serve_cannot_open_test
