// The day that a replay plays: modified as by the modifier itself, and made once.
#include <damrak/recorded_market/day_to_replay.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day_search.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/modify/modifier.hpp>
#include <damrak/recorded_market/recorded_messages.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::recorded_market::day_to_replay_test {
namespace {

using ::testing::HasSubstr;
using Messages = std::vector<wire::itch::Message>;

Messages generated() {
    Messages messages;
    auto day = generator::ItchDay::create({.messages = 2'000, .symbols = 2, .live_orders = 200});
    for (;;) {
        const auto& step = day->next();
        if (step.empty()) return messages;
        messages.insert(messages.end(), step.begin(), step.end());
    }
}

struct DayToReplayTest : ::testing::Test {
    testing::ScratchFolder folder;
    std::filesystem::path made = folder.path() / "made";

    std::filesystem::path write(const Messages& messages, const archive::DayDepth& depth = {}) {
        const std::filesystem::path file = folder.path() / "day.dar";
        auto writer = archive::DayWriter::create(
            file, {.date = 20240102, .source = "generated", .depth = depth});
        for (const auto& message : messages)
            std::visit([&](const auto& one) { writer->add(one); }, message);
        if (const auto closed = writer->close(); !closed) ADD_FAILURE() << closed.error();
        return file;
    }
    static Messages read(const std::filesystem::path& file) {
        const auto day = archive::Day::open(file);
        Messages messages;
        const auto read = archive::for_each_message(
            *day, {}, [&](std::uint64_t, const wire::itch::Message& message) {
                messages.push_back(message);
            });
        EXPECT_TRUE(read.is_complete());
        return messages;
    }
};

TEST_F(DayToReplayTest, WithoutAModificationItIsTheRecordedDay) {
    const auto file = write(generated());
    const auto day = day_to_replay(file, made, false, std::nullopt);
    EXPECT_EQ(day->file, file);
    EXPECT_FALSE(day->changes);
}

TEST_F(DayToReplayTest, AModifiedDayHasTheMessagesOfTheModifier) {
    const Messages recorded = generated();
    const modify::Modification modification{.file = "m.toml",
                                            .seed = 3,
                                            .window = {.from_ns = 36'000'000'000'000},
                                            .thin_share = 0.4,
                                            .scale_factor = 0.3,
                                            .delay = {.least_ns = 0, .most_ns = 5'000'000'000}};
    Messages expected;
    modify::Modifier modifier{modification, 0,
                              [&](const wire::itch::Message& one) { expected.push_back(one); }};
    for (const auto& message : recorded) modifier.put(message);
    modifier.finish();

    const auto day = day_to_replay(write(recorded), made, false, modification);
    ASSERT_TRUE(day) << day.error();
    EXPECT_EQ(read(day->file), expected);
    EXPECT_EQ(day->changes->report, modifier.report());
    EXPECT_EQ(day->changes->seed, 3U);
    const auto opened = archive::Day::open(day->file);
    EXPECT_EQ(opened->date(), 20240102);
    EXPECT_EQ(opened->source(), "generated, modified by m.toml");
}

TEST_F(DayToReplayTest, TheSameModificationIsMadeOnceAndToldEachTime) {
    const auto file = write(generated());
    modify::Modification modification{.file = "m.toml", .thin_share = 0.4};
    const auto first = day_to_replay(file, made, false, modification);
    const auto written = std::filesystem::last_write_time(first->file);
    modification.file = "renamed.toml";
    const auto again = day_to_replay(file, made, false, modification);
    EXPECT_EQ(again->file, first->file);
    EXPECT_EQ(std::filesystem::last_write_time(again->file), written);
    EXPECT_EQ(again->changes->report, first->changes->report);
    EXPECT_EQ(again->changes->file, "renamed.toml");
    modification.seed = 2;
    EXPECT_NE(day_to_replay(file, made, false, modification)->file, first->file);
}

TEST_F(DayToReplayTest, ADayOfLimitedDepthRefusesWhatItCannotShow) {
    const auto day = day_to_replay(write(generated(), {.depth = 5}), made, false,
                                   modify::Modification{.file = "m.toml", .thin_share = 0.4});
    ASSERT_FALSE(day);
    EXPECT_THAT(day.error(), HasSubstr("m.toml: [thin]"));
    EXPECT_TRUE(std::filesystem::is_empty(made));
}

TEST_F(DayToReplayTest, ADayThatLacksMessagesIsNotModified) {
    const auto file = write(generated());
    std::filesystem::resize_file(file, std::filesystem::file_size(file) - 100);
    const auto day =
        day_to_replay(file, made, false, modify::Modification{.file = "m.toml", .thin_share = 0.4});
    ASSERT_FALSE(day);
    EXPECT_THAT(day.error(), HasSubstr("day.dar"));
    EXPECT_TRUE(std::filesystem::is_empty(made));
}

}  // namespace
}  // namespace damrak::recorded_market::day_to_replay_test
