// When the threads of the pipelined wiring may sleep until they are called: what they say
// themselves, stepped on one thread, and that no call is missing on threads of their own.
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <damrak/base/runner.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/base/waiting.hpp>
#include <damrak/sequencer/market_clock.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>

#include "pipelined_exchange.hpp"
#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sequencer::pipeline_naps_test {
namespace {

constexpr EngineConfig k_engine{.maximum_instruments = 8,
                                .maximum_participants = 8,
                                .maximum_orders = 10'000,
                                .maximum_extensions = 100,
                                .maximum_accounts = 64,
                                .maximum_levels = 10'000,
                                .maximum_ladder_nodes = 10'000,
                                .maximum_events = 16};
constexpr std::int64_t k_never = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k_now_ns = 5;

Command order(std::uint32_t instrument) { return order_command(instrument, 1, Side::buy, 100, 1); }

Command order_until(std::int64_t expire_ns) {
    Command command = order(1);
    command.time_in_force = TimeInForce::gtd;
    command.order.expire_time = Timestamp{expire_ns};
    return command;
}

class PipelineNaps : public ::testing::Test {
  protected:
    static PipelineConfig config() {
        return {.shards = 2, .sizes = {.inbound = 8, .commands = 4, .notices = 8, .events = 1}};
    }
    void start(PipelineConfig config) {
        exchange_ = std::make_unique<PipelinedTestExchange>(
            journal::JournalConfig{.directory = folder_ / "data", .segment_bytes = 1U << 20U},
            k_engine, std::move(config), Timestamp{1});
    }
    PipelinedSequencer<Hearing>& sequencer() { return exchange_->sequencer(); }
    void submit(const Command& command, Timestamp now = {k_now_ns}) {
        ASSERT_TRUE(sequencer().submit(command, {}, now));
    }
    void settle() { sequencer().settle(Timestamp{k_now_ns}); }
    void add_instruments() {
        for (const std::uint32_t id : {1U, 2U}) submit(instrument_command(id, fine_stock()));
        settle();
    }
    // Of agents that are stepped:
    AgentRef sequencing() { return sequencer().pipeline().agents().at(0); }
    AgentRef shard(std::size_t i) { return sequencer().pipeline().agents().at(i + 1); }
    [[nodiscard]] static std::int64_t next_step(const AgentRef& agent) {
        return agent.next_step_ns(k_now_ns);
    }
    static void step(const AgentRef& agent, std::int64_t now_ns = k_now_ns) {
        while (agent.do_work(now_ns) > 0) {
        }
    }

    testing::ScratchFolder folder_;
    MarketClock clock_;
    std::unique_ptr<PipelinedTestExchange> exchange_;
};

TEST_F(PipelineNaps, WithoutCommandsNobodyNeedsAStep) {
    start(config());
    EXPECT_EQ(next_step(sequencing()), k_never);
    EXPECT_EQ(next_step(shard(0)), k_never);
    add_instruments();
    submit(order(2));
    EXPECT_EQ(sequencing().do_work(k_now_ns), 1U);
    EXPECT_EQ(next_step(sequencing()), k_never) << "it has passed it on";
    EXPECT_EQ(next_step(shard(0)), k_never);
    EXPECT_EQ(next_step(shard(1)), k_now_ns);
    step(shard(1));
    EXPECT_EQ(next_step(shard(1)), k_never);
}

// Nobody announces that a ring has room again.
TEST_F(PipelineNaps, AFullRingIsPolled) {
    start(config());
    add_instruments();
    for (int i = 0; i < 8; ++i) {
        submit(order(1));
        step(sequencing());
        step(shard(0));
    }
    EXPECT_EQ(next_step(sequencing()), k_never) << "the ring of notices is just full";
    submit(order(1));
    step(sequencing());
    EXPECT_EQ(next_step(sequencing()), k_now_ns);
    ASSERT_TRUE(sequencer().do_work({}));
    step(sequencing());
    EXPECT_EQ(next_step(sequencing()), k_never);
    // A command alone needs the shards to be idle.
    submit(instrument_command(3, fine_stock()));
    step(sequencing());
    EXPECT_EQ(next_step(sequencing()), k_now_ns);
    step(shard(0));
    step(sequencing());
    EXPECT_EQ(next_step(sequencing()), k_never);
    settle();
}

TEST_F(PipelineNaps, AnExpiryNeedsAStepAtItsTime) {
    start(config());
    add_instruments();
    submit(order_until(1'000));
    submit(order_until(700));
    settle();
    EXPECT_EQ(next_step(sequencing()), 700);
    step(sequencing(), 700);
    EXPECT_EQ(next_step(sequencing()), 1'000);
}

// Such a clock is set by a player, not by time.
TEST_F(PipelineNaps, AnExpiryByAClockOfItsOwnIsPolled) {
    start(config());
    sequencer().use(clock_);
    add_instruments();
    EXPECT_EQ(next_step(sequencing()), k_never);
    submit(order_until(1'000));
    settle();
    EXPECT_EQ(next_step(sequencing()), k_now_ns);
    clock_.set(Timestamp{1'000});
    step(sequencing());
    EXPECT_EQ(next_step(sequencing()), k_never);
}

/// How often this thread gave its core away on its own.
long sleeps() {
    rusage used{};
    EXPECT_EQ(::getrusage(RUSAGE_THREAD, &used), 0);
    return used.ru_nvcsw;
}

TEST_F(PipelineNaps, TheGatewaysWaitAnewForEachAnswer) {
    start(config());
    add_instruments();
    submit(order(1));
    for (unsigned turn = 0; turn <= Waiter::k_turns_to_longest; ++turn)
        ASSERT_TRUE(sequencer().do_work({}));
    settle();
    submit(order(1));
    const long before = sleeps();
    for (int turn = 0; turn < 10; ++turn) ASSERT_TRUE(sequencer().do_work({}));
    EXPECT_EQ(sleeps(), before) << "the pauses of the last wait are over";
    settle();
}

TEST_F(PipelineNaps, AStopEndsThem) {
    using namespace std::chrono_literals;
    PipelineConfig napping = config();
    napping.longest_nap = 24h;
    start(napping);
    sequencer().run();
    ASSERT_TRUE(testing::eventually([&] { return sequencer().pipeline().naps(); }));
    sequencer().stop();
    EXPECT_FALSE(sequencer().pipeline().naps());
    add_instruments();
    EXPECT_EQ(exchange_->heard().ends.size(), 2U) << "its agents can be stepped";
}

class NappingPipeline : public PipelineNaps, public ::testing::WithParamInterface<Waiting> {
  protected:
    /// The threads would sleep for a day if nobody called them.
    void SetUp() override {
        using namespace std::chrono_literals;
        PipelineConfig napping = config();
        napping.waiting = GetParam();
        napping.longest_nap = 24h;
        start(napping);
        add_instruments();
        sequencer().run();
    }
    [[nodiscard]] bool all_nap() {
        return testing::eventually([&] { return sequencer().pipeline().naps(); });
    }
};

TEST_P(NappingPipeline, EachCommandWakesWhomItNeeds) {
    for (std::uint32_t i = 0; i < 5; ++i) {
        ASSERT_TRUE(all_nap());
        submit(order(1 + i % 2));
        settle();
        EXPECT_EQ(exchange_->heard().ends.size(), 3 + i);
    }
    ASSERT_TRUE(all_nap());
    submit(instrument_command(3, fine_stock()));
    settle();
    EXPECT_EQ(exchange_->heard().ends.size(), 8U);
}

TEST_P(NappingPipeline, CommandsBeyondTheRingWakeThemToo) {
    constexpr std::uint32_t k_orders = 100;
    ASSERT_TRUE(all_nap());
    for (std::uint32_t i = 0; i < k_orders; ++i) submit(order(1 + i % 2));
    EXPECT_FALSE(sequencer().ready());
    settle();
    EXPECT_EQ(exchange_->heard().ends.size(), 2 + k_orders);
}

TEST_P(NappingPipeline, AnOrderExpiresWhileEverybodySleeps) {
    using namespace std::chrono_literals;
    const std::int64_t now_ns = system_time_ns();
    submit(order_until(now_ns + std::chrono::nanoseconds{400ms}.count()), Timestamp{now_ns});
    settle();
    const auto expired = [&] {
        const auto& events = exchange_->heard().events;
        return !events.empty() && events.back().event.kind == EventKind::expired;
    };
    EXPECT_TRUE(testing::turns_until(
        [&] {
            std::ignore = sequencer().do_work({});
            std::this_thread::yield();
        },
        expired));
}

INSTANTIATE_TEST_SUITE_P(Waits, NappingPipeline,
                         ::testing::Values(Waiting::backoff, Waiting::block));

}  // namespace
}  // namespace damrak::sequencer::pipeline_naps_test
