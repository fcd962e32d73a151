// No command allocates after start: counts every operator new of this program and the bytes that
// malloc has in use, while a broad mix of commands runs.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>

#include "allocation_counter.hpp"
#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::allocation_test {
namespace {

using damrak::testing::AllocationCounter;
using differential::config_of;

struct EventCounter {
    std::int64_t events = 0;
    void on_event(const Event&) { ++events; }
};

std::vector<Command> commands_of(const StreamProfile& profile, int count) {
    CommandStream stream(profile, 3);
    EventRecorder recorder;
    EngineInto<EventRecorder> engine(config_of(stream.settings()), recorder);
    std::vector<Command> commands;
    for (int i = 0; i < count; ++i) {
        commands.push_back(stream.next());
        recorder.events.clear();
        engine.apply(commands.back());
        stream.observe(commands.back(), recorder.events);
    }
    return commands;
}

TEST(AllocationCounter, CountsAllocations) {
    const AllocationCounter counter;
    const auto one = std::make_unique<int>(1);
    const std::vector<std::uint64_t> many(1'000);
    EXPECT_EQ(counter.news(), 2);
}

class Allocation : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(Allocation, NoCommandAllocatesAfterStart) {
    const std::vector<Command> commands = commands_of(GetParam(), 20'000);
    EventCounter sink;
    EngineInto<EventCounter> engine(config_of(CommandStream(GetParam(), 3).settings()), sink);
    std::uint64_t hash = 0;
    const AllocationCounter counter;
    for (const Command& command : commands) {
        engine.apply(command);
        hash ^= engine.state_hash();
    }
    EXPECT_EQ(counter.news(), 0);
    EXPECT_EQ(counter.malloc_bytes(), 0);
    EXPECT_GT(sink.events, 10'000);
    EXPECT_NE(hash, 0U);
}

TEST_P(Allocation, NoQueueOfCommandsAllocatesAfterStart) {
    const std::vector<Command> commands = commands_of(GetParam(), 5'000);
    EventCounter sink;
    EngineInto<EventCounter> engine(config_of(CommandStream(GetParam(), 3).settings()), sink);
    std::size_t applied = 0;
    const AllocationCounter counter;
    engine.apply(commands, [&](std::size_t) { ++applied; });
    EXPECT_EQ(counter.news(), 0);
    EXPECT_EQ(counter.malloc_bytes(), 0);
    EXPECT_EQ(applied, commands.size());
}

INSTANTIATE_TEST_SUITE_P(Streams, Allocation, ::testing::ValuesIn(stream_profiles()),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace damrak::allocation_test
