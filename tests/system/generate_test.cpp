// `damrak generate` as a user sees it: files that other programs can read, and one-line errors with
// the right exit code.

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/generator/flow.hpp>
#include <damrak/generator/nw1_record.hpp>
#include <damrak/wire/itch/file_reader.hpp>

#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::generate_test {
namespace {

using testing::content_of;
using ::testing::HasSubstr;
using testing::lines_in;
using testing::run_program;
using testing::ScratchFolder;
using ::testing::StartsWith;
namespace itch = wire::itch;

struct Counts {
    void on(const itch::StockDirectory&) { ++symbols; }
    void on(const itch::AddOrder&) { ++adds; }
    void on(const itch::OrderExecuted&) { ++trades; }
    void on(const itch::SystemEvent& m) { events += m.event_code; }

    std::uint64_t symbols = 0;
    std::uint64_t adds = 0;
    std::uint64_t trades = 0;
    std::string events;
};

Counts counts_of(const std::filesystem::path& path, std::uint64_t& messages) {
    Counts counts;
    auto reader = itch::FileReader::open(path);
    EXPECT_TRUE(reader.has_value()) << reader.error().text;
    const auto read = reader->read_all(counts);
    EXPECT_TRUE(read.has_value()) << read.error().text;
    messages = reader->messages();
    return counts;
}

TEST(Generate, WritesADayThatAParserReads) {
    const ScratchFolder folder;
    const std::string path = folder / "day.itch";
    const auto run = run_program(
        {"generate", path, "--messages", "20000", "--symbols", "3", "--live", "300", "--json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_EQ(run.err, "");
    const auto report = nlohmann::json::parse(run.out);
    std::uint64_t messages = 0;
    const Counts counts = counts_of(path, messages);
    EXPECT_EQ(counts.events, "OSQMEC");
    EXPECT_EQ(counts.symbols, 3U);
    EXPECT_GT(counts.adds, 5000U);
    EXPECT_EQ(report["messages"], messages);
    EXPECT_EQ(report["trades"], counts.trades);
    EXPECT_EQ(report["content_bytes"], std::filesystem::file_size(path));
}

TEST(Generate, ReportsWhatItWroteInOneLine) {
    const ScratchFolder folder;
    const std::string path = folder / "day.itch";
    const auto run = run_program({"generate", path, "--messages", "1000"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, StartsWith(path + ": "));
    EXPECT_THAT(run.out, HasSubstr("8 symbols"));
    EXPECT_EQ(lines_in(run.out), 1U);
}

TEST(Generate, GivesTheSameBytesForTheSameSeed) {
    const ScratchFolder folder;
    for (const std::string profile : {"nw1", "calm", "volatile", "crash"}) {
        std::vector<std::string> days;
        for (const std::string seed : {"1", "1", "2"}) {
            const std::string path = folder / "day.itch";
            ASSERT_EQ(run_program({"generate", path, "--messages", "5000", "--seed", seed,
                                   "--profile", profile})
                          .exit_code,
                      0);
            days.push_back(content_of(path));
        }
        EXPECT_EQ(days[0], days[1]) << profile;
        EXPECT_NE(days[0], days[2]) << profile;
    }
}

TEST(Generate, CompressesByTheName) {
    const ScratchFolder folder;
    const std::vector<std::string> options{"--messages", "5000"};
    std::vector<std::uint64_t> messages(3);
    std::vector<std::uint64_t> sizes;
    for (const std::string name : {"day.itch", "day.itch.gz", "day.itch.zst"}) {
        const std::string path = folder / name;
        ASSERT_EQ(run_program({"generate", path, options[0], options[1]}).exit_code, 0);
        counts_of(path, messages[sizes.size()]);
        sizes.push_back(std::filesystem::file_size(path));
    }
    EXPECT_EQ(messages[0], messages[1]);
    EXPECT_EQ(messages[0], messages[2]);
    EXPECT_LT(sizes[1], sizes[0] / 2);
    EXPECT_LT(sizes[2], sizes[0] / 2);
}

TEST(Generate, WritesBenchmarkStreams) {
    const ScratchFolder folder;
    const std::string path = folder / "stream.bin";
    const auto run = run_program({"generate", path, "--format", "nw1", "--messages", "2000",
                                  "--symbols", "2", "--live", "100", "--ids", "scattered"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    std::string expected;
    auto flow = generator::OrderFlow::create(
        {.messages = 2000, .symbols = 2, .live_orders = 100, .ids = generator::FlowIds::scattered});
    ASSERT_TRUE(flow.has_value()) << flow.error();
    while (const generator::FlowStep* step = flow->next()) {
        const auto record = generator::to_nw1_record(step->order);
        expected.append(reinterpret_cast<const char*>(&*record), sizeof *record);
    }
    EXPECT_EQ(expected.size(), 2100 * sizeof(generator::Nw1Record));
    EXPECT_TRUE(content_of(path) == expected);
}

TEST(Generate, FailsWithOneLineWhenTheFileCannotBeWritten) {
    for (const std::string path : {"/nowhere/day.itch", "/dev/full", "/"}) {
        const auto run = run_program({"generate", path});
        EXPECT_EQ(run.exit_code, 1) << path;
        EXPECT_EQ(run.out, "");
        EXPECT_THAT(run.err, StartsWith("damrak: " + path + ": cannot "));
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
    }
}

TEST(Generate, RefusesWrongUsageAndLeavesNoFile) {
    const ScratchFolder folder;
    const std::string path = folder / "day.itch";
    const std::vector<std::vector<std::string>> wrong{
        {"--messages", "many"},
        {"--messages", "-1"},
        {"--messages", "99999999999"},
        {"--symbols", "0"},
        {"--symbols", "65536", "--live", "100000"},
        {"--live", "3"},
        {"--profile", "sunny"},
        {"--format", "csv"},
        {"--format", "nw1", "--symbols", "257"},
        {"--ids", "none"},
        {"--unknown"},
        {"more.itch"},
    };
    for (const auto& options : wrong) {
        std::vector<std::string> arguments{"generate", path};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto run = run_program(arguments);
        EXPECT_EQ(run.exit_code, 2) << options[0];
        EXPECT_EQ(lines_in(run.err), 1U) << run.err;
        EXPECT_THAT(run.err, HasSubstr("damrak generate --help"));
        EXPECT_FALSE(std::filesystem::exists(path)) << options[0];
    }
}

TEST(Generate, ExplainsItself) {
    const auto run = run_program({"generate", "--help"});
    EXPECT_EQ(run.exit_code, 0);
    for (const char* option : {"--messages", "--symbols", "--live", "--seed", "--profile"}) {
        EXPECT_THAT(run.out, HasSubstr(option));
    }
}

}  // namespace
}  // namespace damrak::generate_test
