// Shards compared with one engine: for the same random commands, exactly the same events and the
// same state hash, whatever the number of shards and the capacities.
#include <damrak/sequencer/partition.hpp>

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/command_stream.hpp"
#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"
#include "support/test_size.hpp"

namespace damrak::sequencer::partition_test {
namespace {

#ifdef NDEBUG
const std::uint64_t k_seeds = test_size::scaled(std::uint64_t{6});
#else
constexpr std::uint64_t k_seeds = 1;
#endif
constexpr int k_commands = 4'000;

class PartitionStreams : public ::testing::TestWithParam<std::tuple<StreamProfile, std::size_t>> {};

void expect_the_same(const StreamProfile& profile, std::uint64_t seed, std::size_t shards,
                     const EngineConfig& config) {
    CommandStream stream{profile, seed};
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    Partition partition{config, shards};
    for (int i = 0; i < k_commands; ++i) {
        const Command command = stream.next();
        recorder.events.clear();
        engine.apply(command);
        stream.observe(command, recorder.events);
        std::vector<Event> events;
        partition.apply(command, [&](const Event& event) { events.push_back(event); });
        ASSERT_EQ(events, recorder.events)
            << "seed " << seed << ", command " << i << ": " << describe(command);
        ASSERT_EQ(partition.state_hash(), engine.state_hash()) << describe(command);
        ASSERT_EQ(partition.next_expiry(), engine.next_expiry());
        if (i % 500 == 0) partition.check_invariants();
    }
}

// Commands of the exchange itself between two commands of the stream.
Command of_exchange(std::uint64_t which, const EngineConfig& config) {
    Command command{};
    switch (which % 4) {
        case 0:
            command.kind = CommandKind::set_capacities;
            command.capacities = config.capacities(static_cast<std::uint32_t>(20 + which * 7 % 81));
            // Capacities grow from time to time; a smaller one is rejected.
            command.capacities.orders += static_cast<std::uint32_t>(which / 8);
            command.capacities.participants += static_cast<std::uint32_t>(which / 8);
            command.capacities.instruments += static_cast<std::uint32_t>(which / 16);
            break;
        case 1:
            command.kind = CommandKind::set_limits;
            command.limits = {.open_orders = static_cast<std::int64_t>(2 + which % 9)};
            break;
        case 2:
            command.kind = CommandKind::set_limits;
            command.participant = {static_cast<std::uint32_t>(1 + which / 4 % 4)};
            command.flags = which % 8 < 4 ? CommandFlags::k_default_limits : CommandFlags::Bits{0};
            break;
        default:
            command.kind = CommandKind::release_participant;
            command.participant = {static_cast<std::uint32_t>(1 + which / 4 % 12)};
            command.flags = which % 8 < 4 ? CommandFlags::k_write_off : CommandFlags::Bits{0};
    }
    return command;
}

TEST_P(PartitionStreams, MatchOneEngineForAnonymousParticipants) {
    const auto& [profile, shards] = GetParam();
    CommandStream stream{profile, 9};
    EngineConfig config = differential::config_of(stream.settings());
    config.maximum_orders = 60;
    config.maximum_extensions = 20;
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    Partition partition{config, shards};
    const auto apply = [&](const Command& command) {
        recorder.events.clear();
        engine.apply(command);
        std::vector<Event> events;
        partition.apply(command, [&](const Event& event) { events.push_back(event); });
        EXPECT_EQ(events, recorder.events) << describe(command);
        EXPECT_EQ(partition.state_hash(), engine.state_hash()) << describe(command);
    };
    for (std::uint64_t i = 0; i < k_commands && !HasFailure(); ++i) {
        const Command command = stream.next();
        apply(command);
        stream.observe(command, recorder.events);
        if (i % 23 != 0) continue;
        Command own = of_exchange(i / 23, config);
        own.timestamp = command.timestamp;
        apply(own);
        partition.check_invariants();
    }
}

EngineConfig config_of(const StreamProfile& profile, std::uint64_t seed) {
    return differential::config_of(CommandStream{profile, seed}.settings());
}

TEST_P(PartitionStreams, MatchOneEngine) {
    const auto& [profile, shards] = GetParam();
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
        SCOPED_TRACE(seed);
        expect_the_same(profile, seed, shards, config_of(profile, seed));
    }
}

TEST_P(PartitionStreams, MatchOneEngineWhenPoolsRunOut) {
    const auto& [profile, shards] = GetParam();
    for (std::uint64_t seed = 1; seed <= k_seeds; ++seed) {
        SCOPED_TRACE(seed);
        EngineConfig config = config_of(profile, seed);
        config.maximum_orders = 40;
        config.maximum_extensions = 8;
        expect_the_same(profile, seed, shards, config);
        config.maximum_accounts = 9;
        expect_the_same(profile, seed + 100, shards, config);
        config = config_of(profile, seed);
        config.maximum_levels = 12;
        config.maximum_ladder_nodes = 60;
        expect_the_same(profile, seed, shards, config);
    }
}

// As after a restart with another number of shards.
TEST_P(PartitionStreams, MatchOneEngineWhoseStateTheyTakeOver) {
    const auto& [profile, shards] = GetParam();
    CommandStream stream{profile, 3};
    const EngineConfig config = differential::config_of(stream.settings());
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    std::unique_ptr<Partition> partition;
    for (int i = 0; i < k_commands; ++i) {
        if (i % 1'000 == 500) {
            partition = std::make_unique<Partition>(config, shards);
            partition->take_over(saved_bytes(
                [&](auto& archive) { Engine::transfer(std::as_const(engine), archive); }));
            ASSERT_EQ(partition->state_hash(), engine.state_hash()) << "command " << i;
            partition->check_invariants();
        }
        const Command command = stream.next();
        recorder.events.clear();
        engine.apply(command);
        stream.observe(command, recorder.events);
        if (!partition) continue;
        std::vector<Event> events;
        partition->apply(command, [&](const Event& event) { events.push_back(event); });
        ASSERT_EQ(events, recorder.events) << "command " << i << ": " << describe(command);
        ASSERT_EQ(partition->state_hash(), engine.state_hash()) << describe(command);
    }
}

INSTANTIATE_TEST_SUITE_P(All, PartitionStreams,
                         ::testing::Combine(::testing::ValuesIn(stream_profiles().begin(),
                                                                stream_profiles().end()),
                                            ::testing::Values(1U, 2U, 3U, 8U)),
                         [](const auto& each) {
                             return std::string{std::get<0>(each.param).name} + "_" +
                                    std::to_string(std::get<1>(each.param));
                         });

}  // namespace
}  // namespace damrak::sequencer::partition_test
