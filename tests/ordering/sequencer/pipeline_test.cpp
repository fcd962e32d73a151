// The pipelined wiring compared with one engine. Its agents are stepped in random order on one
// thread, or run on their own threads. Whatever journal results, one engine derives exactly the
// same events and state from it. And either wiring can continue a directory of the other.
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/sequencer/sequencer.hpp>

#include "pipelined_exchange.hpp"
#include "support/command_stream.hpp"
#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sequencer::pipeline_test {
namespace {

constexpr int k_commands = 3'000;

/// The commands that the stream sends to an engine, accepted or not.
std::vector<Command> commands_of(const StreamProfile& profile, std::uint64_t seed,
                                 const EngineConfig& config) {
    CommandStream stream{profile, seed};
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    std::vector<Command> commands;
    for (int i = 0; i < k_commands; ++i) {
        commands.push_back(stream.next());
        // Except for logins, gateways send only commands of the engine.
        if (commands.back().kind >= CommandKind::session_opened)
            commands.back().kind = CommandKind::session_opened;
        recorder.events.clear();
        engine.apply(commands.back());
        stream.observe(commands.back(), recorder.events);
    }
    return commands;
}

EngineConfig config_of(const StreamProfile& profile, std::uint64_t seed) {
    EngineConfig config = differential::config_of(CommandStream{profile, seed}.settings());
    config.maximum_events = std::min(config.maximum_events, 256U);
    return config;
}

void expect_the_same(const std::vector<Told>& told, const std::vector<Told>& expected) {
    for (std::size_t i = 0; i < std::min(told.size(), expected.size()); ++i)
        ASSERT_EQ(told[i], expected[i])
            << "event " << i << " of command " << expected[i].sequence << ": "
            << describe(told[i].event) << " against " << describe(expected[i].event);
    ASSERT_EQ(told.size(), expected.size());
}

// Ring capacities are powers of two.
TEST(PipelineRings, HaveAtLeastTheRequestedCapacity) {
    const RingSizes asked{.inbound = 5, .commands = 8, .notices = 17, .events = 3};
    constexpr std::size_t k_shards = 2;
    const PipelineRings rings{{.maximum_events = 9}, k_shards, asked};
    EXPECT_EQ(rings.inbound.capacity(), 8U);
    EXPECT_EQ(rings.notices.capacity(), 32U);
    ASSERT_EQ(rings.commands.size(), k_shards);
    for (std::size_t i = 0; i < k_shards; ++i) EXPECT_EQ(rings.commands[i]->capacity(), 8U);
    ASSERT_EQ(rings.events.size(), k_shards + 1) << "the sequencer has an event ring too";
    for (const auto& ring : rings.events)
        EXPECT_EQ(ring->capacity(), 32U) << "three times nine events and their end mark";
}

class SteppedPipeline : public ::testing::TestWithParam<std::tuple<StreamProfile, std::size_t>> {
  protected:
    void SetUp() override {
        const auto& [profile, shards] = GetParam();
        config_ = config_of(profile, k_seed);
        commands_ = commands_of(profile, k_seed, config_);
        shards_ = shards;
    }
    /// A test that steps all parts itself waits for nobody.
    [[nodiscard]] PipelineConfig small_rings(Waiting waiting = Waiting::spin) const {
        return {.shards = shards_,
                .waiting = waiting,
                .sizes = {.inbound = 8, .commands = 4, .notices = 16, .events = 1}};
    }
    void expect_as_one_engine(const std::vector<Told>& told, std::uint64_t hash) {
        const Replayed replayed = replay_in_one_engine(data_, config_);
        expect_the_same(told, replayed.events);
        EXPECT_EQ(replayed.state_hash, hash);
        EXPECT_EQ(replayed.wrong_checkpoints, 0U);
        EXPECT_GE(replayed.records, commands_.size());
    }

    static constexpr std::uint64_t k_seed = 7;
    testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "data";
    journal::JournalConfig journal_{.directory = data_, .segment_bytes = 1U << 20U};
    EngineConfig config_;
    std::vector<Command> commands_;
    std::size_t shards_ = 0;
};

Origin origin_of(std::size_t i) {
    return {.session = {1 + i % 5}, .inbound_sequence = i, .tag = {{std::byte{3}}}};
}

TEST_P(SteppedPipeline, ReportsTheEventsOfOneEngineInAnyInterleaving) {
    PipelinedTestExchange exchange{journal_, config_, small_rings(), Timestamp{1}};
    auto& sequencer = exchange.sequencer();
    Invoker agents{sequencer.pipeline().agents()};
    RandomStream random{k_seed};
    std::size_t submitted = 0;
    std::size_t full = 0;
    std::int64_t now = 1;
    while (submitted < commands_.size() || sequencer.awaits_answers()) {
        // Some take long turns, so that rings run full and empty.
        for (std::uint32_t steps = 1 + random.below(4); steps > 0; --steps) {
            const std::size_t who = random.below(static_cast<std::uint32_t>(agents.size()) + 3);
            if (who < agents.size()) {
                agents.step(who, now);
            } else if (who == agents.size()) {
                ASSERT_TRUE(sequencer.do_work(Timestamp{now}));
            } else if (who == agents.size() + 1) {
                static_cast<void>(exchange.journal().preallocator().do_work(now));
            } else if (submitted < commands_.size()) {
                if (!sequencer.ready()) {
                    ++full;
                    continue;
                }
                now = commands_[submitted].timestamp.value;
                ASSERT_TRUE(
                    sequencer.submit(commands_[submitted], origin_of(submitted), Timestamp{now}));
                ++submitted;
            }
        }
    }
    EXPECT_GT(full, 0U) << "a full ring was reported";
    EXPECT_GE(exchange.heard().ends.size(), commands_.size()) << "ticks end too";
    expect_as_one_engine(exchange.heard().events, sequencer.state_hash());
}

INSTANTIATE_TEST_SUITE_P(All, SteppedPipeline,
                         ::testing::Combine(::testing::ValuesIn(stream_profiles().begin(),
                                                                stream_profiles().end()),
                                            ::testing::Values(1U, 2U, 3U, 8U)),
                         [](const auto& each) {
                             return std::string{std::get<0>(each.param).name} + "_" +
                                    std::to_string(std::get<1>(each.param));
                         });

class PipelineThreads : public SteppedPipeline {};

TEST_P(PipelineThreads, ReportTheEventsOfOneEngine) {
    PipelineConfig config = small_rings(Waiting::yield);
    config.sizes = {.inbound = 64, .commands = 32, .notices = 128, .events = 2};
    PipelinedTestExchange exchange{journal_, config_, config, Timestamp{1}};
    auto& sequencer = exchange.sequencer();
    Runner preallocator{{.name = "preallocator", .waiting = Waiting::yield},
                        {AgentRef{exchange.journal().preallocator()}}};
    sequencer.run();
    for (std::size_t i = 0; i < commands_.size(); ++i) {
        while (!sequencer.ready()) ASSERT_TRUE(sequencer.do_work({}));
        ASSERT_TRUE(sequencer.submit(commands_[i], origin_of(i), commands_[i].timestamp));
    }
    sequencer.settle({});
    EXPECT_FALSE(sequencer.awaits_answers());
    sequencer.stop();
    expect_as_one_engine(exchange.heard().events, sequencer.state_hash());
}

INSTANTIATE_TEST_SUITE_P(Some, PipelineThreads,
                         ::testing::Combine(::testing::ValuesIn(stream_profiles().begin(),
                                                                stream_profiles().end()),
                                            ::testing::Values(1U, 3U)),
                         [](const auto& each) {
                             return std::string{std::get<0>(each.param).name} + "_" +
                                    std::to_string(std::get<1>(each.param));
                         });

}  // namespace
}  // namespace damrak::sequencer::pipeline_test
