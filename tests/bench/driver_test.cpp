// How every benchmark program ends, and where its figures go.

#include "support/driver.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::bench::driver_test {
namespace {

int run_with(const char* argument, int status) {
    CLI::App app;
    Output output;
    output.add_to(app);
    const std::array<const char*, 2> arguments{"program", argument};
    return run_driver(app, 2, const_cast<char**>(arguments.data()), [&] { return status; });
}

TEST(Driver, EndsAsTheRunDid) {
    EXPECT_EQ(run_with("--json", 0), 0);
    EXPECT_EQ(run_with("--json", 1), 1);
}

TEST(Driver, HelpIsNoFailureAndWrongUsageIsTwo) {
    EXPECT_EQ(run_with("--help", 1), 0);
    EXPECT_EQ(run_with("--nonsense", 0), 2);
    EXPECT_EQ(run_with("--save", 0), 2) << "a file is missing";
}

TEST(DriverOutput, IsKeptInTheFileAndSaysWhenItCannotBe) {
    const damrak::testing::ScratchFolder folder;
    const nlohmann::ordered_json figures{{"book_ns", 24.5}};
    const Output kept{.save_path = folder / "figures.json"};
    EXPECT_EQ(kept.deliver(figures), 0);
    std::ifstream file{kept.save_path};
    EXPECT_EQ(nlohmann::ordered_json::parse(file), figures);
    const Output lost{.save_path = folder / "no_folder/figures.json"};
    EXPECT_EQ(lost.deliver(figures), 1);
    EXPECT_EQ(Output{}.deliver(figures), 0);
}

TEST(Median, IsTheMiddleOneOrBetweenTheTwo) {
    EXPECT_EQ(median({7.0}), 7.0);
    EXPECT_EQ(median({9.0, 1.0, 5.0}), 5.0);
    EXPECT_EQ(median({9.0, 1.0, 5.0, 4.0}), 4.5);
}

}  // namespace
}  // namespace damrak::bench::driver_test
