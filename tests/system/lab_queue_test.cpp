// `damrak lab queue` as a user calls it, on a real hour.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/real_data.hpp"
#include "support/run_program.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::lab_queue_test {
namespace {

using ::testing::HasSubstr;
using testing::run_program;
using ::testing::StartsWith;
using Json = nlohmann::json;

TEST(LabQueue, GroupsEveryOrderOfAapl) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const testing::ScratchFolder folder;
    const std::string picture = folder.path() / "queue.svg";
    const auto ran =
        run_program({"lab", "queue", file, "--trust-messages", "--json", "--plot", picture});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const Json report = Json::parse(ran.out);
    std::uint64_t orders = 0;
    for (const Json& group : report["groups"]) {
        orders += group["orders"].get<std::uint64_t>();
        EXPECT_EQ(group["orders"], group["filled"].get<int>() + group["cancelled"].get<int>() +
                                       group["open"].get<int>());
        const Json& last = group["curve"].back();
        EXPECT_LE(last["filled"].get<double>() + last["cancelled"].get<double>(), 1 + 1e-9);
        EXPECT_GE(last["filled_alone"].get<double>(), last["filled"].get<double>() - 1e-9);
    }
    EXPECT_EQ(orders, 44'256U) << "new orders of the file";
    EXPECT_TRUE(std::filesystem::exists(picture));
    const auto table = run_program({"lab", "queue", file, "--trust-messages", "--by-placement"});
    EXPECT_THAT(table.out, HasSubstr("improves"));
    const auto unnamed = run_program({"lab", "queue", file, "--trust-messages"});
    EXPECT_THAT(unnamed.out, StartsWith("AAPL from 09:30:00")) << unnamed.err;
    EXPECT_THAT(unnamed.out, HasSubstr("0.0%; 0.0% (-)")) << "6-10 ahead: no fill within a second";
    const auto csv = run_program({"lab", "queue", file, "--trust-messages", "--csv", "--full"});
    EXPECT_THAT(csv.out, StartsWith("group,duration_s,at_risk,filled,"));
}

TEST(LabQueue, SaysWhatItCannotDo) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const auto refused = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"lab", "queue", "--trust-messages"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto ran = run_program(arguments);
        EXPECT_NE(ran.exit_code, 0);
        EXPECT_EQ(ran.out, "");
        return ran.err;
    };
    EXPECT_THAT(refused({"nowhere.dar"}), HasSubstr("nowhere.dar: cannot open: No such file"));
    EXPECT_THAT(refused({file, "--symbol", "AAPL", "--from", "noon"}), HasSubstr("no time of day"));
    EXPECT_THAT(refused({file, "--symbol", "AAPL", "--from", "12:00"}),
                HasSubstr("the day is from 09:30:00"));
    const testing::ScratchFolder folder;
    std::filesystem::create_symlink(file, folder.path() / "hour.csv");
    EXPECT_THAT(refused({folder.path() / "hour.csv"}), HasSubstr("give --symbol"));
    EXPECT_THAT(refused({file, "--symbol", "AAPL", "--plot", "x.jpg"}), HasSubstr("--plot"));
}

}  // namespace
}  // namespace damrak::lab_queue_test
