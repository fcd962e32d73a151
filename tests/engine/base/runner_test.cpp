// Agents under a runner, on a thread, and under an invoker, step by step.
#include <damrak/base/runner.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/detail/helper_turns.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/base/spsc_ring.hpp>

#include "support/eventually.hpp"

namespace damrak::runner_test {
namespace {

using ::testing::ElementsAre;

struct Diary {
    std::vector<std::string>* entries;
    std::string name;
    std::size_t work = 1;
    void on_start() const { entries->push_back(name + " starts"); }
    [[nodiscard]] std::size_t do_work(std::int64_t now_ns) const {
        entries->push_back(name + " at " + std::to_string(now_ns));
        return work;
    }
    void on_close() const { entries->push_back(name + " closes"); }
};
static_assert(Agent<Diary> && !Agent<int>);

TEST(Invoker, StepsItsAgentsOnTheCallersThreadWhenAsked) {
    std::vector<std::string> entries;
    Diary first{&entries, "first", 2};
    Diary second{&entries, "second", 3};
    {
        Invoker invoker{{AgentRef{first}, AgentRef{second}}};
        EXPECT_EQ(invoker.size(), 2U);
        EXPECT_EQ(invoker.step(1, 7), 3U);
        EXPECT_EQ(invoker.step_all(8), 5U);
    }
    EXPECT_THAT(entries, ElementsAre("first starts", "second starts", "second at 7", "first at 8",
                                     "second at 8", "first closes", "second closes"));
}

/// Doubles each number of one ring into the next ring.
struct Doubler {
    SpscRing<std::uint64_t>* from;
    SpscRing<std::uint64_t>* to;
    std::thread::id started{};
    std::thread::id closed{};

    void on_start() { started = std::this_thread::get_id(); }
    [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) const {
        std::size_t done = 0;
        for (const std::uint64_t value : from->front()) {
            std::uint64_t* const slot = to->claim();
            if (slot == nullptr) break;
            *slot = 2 * value;
            to->publish();
            ++done;
        }
        from->release(done);
        return done;
    }
    void on_close() { closed = std::this_thread::get_id(); }
};

class RunnerTest : public ::testing::TestWithParam<Waiting> {};

TEST_P(RunnerTest, AgentsOnTheirOwnThreadsExchangeDataThroughRings) {
    SpscRing<std::uint64_t> in{64};
    SpscRing<std::uint64_t> between{64};
    SpscRing<std::uint64_t> out{64};
    Doubler first{&in, &between};
    Doubler second{&between, &out};
    {
        Runner one{{.name = "first", .waiting = GetParam()}, {AgentRef{first}}};
        Runner two{{.name = "second", .waiting = GetParam()}, {AgentRef{second}}};
        // With more threads than cores, threads that spin or sleep progress only one full ring at a
        // time.
        const bool slow = GetParam() == Waiting::spin || GetParam() == Waiting::block;
        const std::uint64_t count = slow ? 1'000 : 20'000;
        std::uint64_t got = 0;
        for (std::uint64_t sent = 0; got < count;) {
            if (std::uint64_t* const slot = sent < count ? in.claim() : nullptr) {
                *slot = sent++;
                in.publish();
            }
            const auto batch = out.front();
            for (const std::uint64_t value : batch) ASSERT_EQ(value, 4 * got++);
            out.release(batch.size());
            if (batch.empty()) std::this_thread::yield();
        }
    }
    EXPECT_NE(first.started, std::this_thread::get_id());
    EXPECT_EQ(first.started, first.closed);
    EXPECT_NE(first.started, second.started);
}

INSTANTIATE_TEST_SUITE_P(Waits, RunnerTest,
                         ::testing::Values(Waiting::spin, Waiting::yield, Waiting::backoff,
                                           Waiting::block));

TEST(Runner, RunsSeveralAgentsOnOneThreadOnTheRequestedCore) {
    struct Watcher {
        std::atomic<int>* turns;
        std::vector<unsigned> cores{};
        void on_start() { cores = allowed_cores(); }
        [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) const {
            turns->fetch_add(1);
            return 0;
        }
        void on_close() {}
    };
    std::atomic<int> turns{0};
    Watcher first{&turns};
    Watcher second{&turns};
    const unsigned core = allowed_cores().back();
    Runner runner{{.name = "a name that is too long for a thread", .core = core},
                  {AgentRef{first}, AgentRef{second}}};
    while (turns.load() < 10) std::this_thread::yield();
    runner.stop();
    const int at_stop = turns.load();
    runner.stop();
    EXPECT_EQ(turns.load(), at_stop) << "a stopped runner does nothing more";
    EXPECT_EQ(at_stop % 2, 0) << "they take turns";
    EXPECT_THAT(first.cores, ElementsAre(core));
    EXPECT_THAT(second.cores, ElementsAre(core));
}

TEST(Runner, ACallEndsAGrowingPause) {
    struct Watcher {
        std::atomic<int> turns{0};
        void on_start() {}
        [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) { return turns++ < 3 ? 1U : 0U; }
        void on_close() {}
    };
    using namespace std::chrono_literals;
    for (const bool is_helper : {false, true}) {
        Watcher watcher;
        Runner runner{{.name = "watcher",
                       .waiting = Waiting::block,
                       .pause = 1us,
                       .longest_pause = 1h,
                       .is_helper = is_helper},
                      {AgentRef{watcher}}};
        // Without calls, 50 turns would take days.
        while (watcher.turns.load() < 200) {
            runner.call();
            std::this_thread::yield();
        }
    }
}

/// Does what it is given, and says what the test wants about its next step.
struct Clerk {
    static constexpr std::int64_t k_never = std::numeric_limits<std::int64_t>::max();

    std::int64_t after_ns = k_never;  ///< until its next step
    std::atomic<int> given{0};
    std::atomic<int> done{0};
    std::atomic<unsigned> turns{0};

    void on_start() {}
    [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) {
        turns.fetch_add(1);
        const int now = given.load(std::memory_order_acquire);
        return done.exchange(now) == now ? 0U : 1U;
    }
    void on_close() {}
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const {
        return after_ns == k_never ? k_never : now_ns + after_ns;
    }
};

class RunnerNaps : public ::testing::TestWithParam<Waiting> {
  protected:
    /// Would sleep for a day if nobody called it.
    RunnerConfig config() const {
        using namespace std::chrono_literals;
        return {.name = "napper", .waiting = GetParam(), .longest_nap = 24h};
    }
};

TEST_P(RunnerNaps, AnIdleThreadSleepsUntilACallOrItsEnd) {
    Clerk clerk;
    Runner runner{config(), {AgentRef{clerk}}};
    for (int piece = 1; piece <= 5; ++piece) {
        ASSERT_TRUE(testing::eventually([&] { return runner.naps(); }));
        clerk.given.store(piece, std::memory_order_release);
        runner.call();
        ASSERT_TRUE(testing::eventually([&] { return clerk.done.load() == piece; }));
    }
    ASSERT_TRUE(testing::eventually([&] { return runner.naps(); }));
    const unsigned turns = clerk.turns.load();
    runner.stop();
    EXPECT_EQ(clerk.turns.load(), turns);
}

// Pieces come while the thread polls, while it falls asleep, and while it sleeps.
TEST_P(RunnerNaps, NoCallIsOverlooked) {
    Clerk clerk;
    Runner runner{config(), {AgentRef{clerk}}};
    for (int piece = 1; piece <= 40; ++piece) {
        const unsigned turns = clerk.turns.load();
        ASSERT_TRUE(testing::turns_until([] { std::this_thread::yield(); },
                                         [&] {
                                             return runner.naps() ||
                                                    clerk.turns.load() - turns >=
                                                        Waiter::k_turns_to_longest - 5U +
                                                            static_cast<unsigned>(piece % 10);
                                         }));
        clerk.given.store(piece, std::memory_order_release);
        runner.call();
        ASSERT_TRUE(testing::turns_until([] { std::this_thread::yield(); },
                                         [&] { return clerk.done.load() == piece; }));
    }
}

TEST_P(RunnerNaps, AnAgentThatNeedsAStepGetsItWithoutACall) {
    constexpr unsigned k_turns = Waiter::k_turns_to_longest + 20;
    for (const std::int64_t after_ns : {-1'000'000, 0, 900'000, 2'000'000}) {
        Clerk patient;
        Clerk clerk;
        clerk.after_ns = after_ns;
        const Runner runner{config(), {AgentRef{patient}, AgentRef{clerk}}};
        EXPECT_TRUE(testing::eventually([&] { return clerk.turns.load() > k_turns; })) << after_ns;
    }
}

TEST_P(RunnerNaps, AnAgentThatDoesNotSayIsPolled) {
    struct Silent {
        std::atomic<unsigned> turns{0};
        void on_start() {}
        [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) {
            return turns++ == 0 ? 1U : 0U;
        }
        void on_close() {}
    };
    constexpr unsigned k_turns = Waiter::k_turns_to_longest + 20;
    Silent silent;
    Clerk patient;
    const Runner runner{config(), {AgentRef{silent}, AgentRef{patient}}};
    EXPECT_TRUE(testing::eventually([&] { return silent.turns.load() > k_turns; }));
}

INSTANTIATE_TEST_SUITE_P(Waits, RunnerNaps, ::testing::Values(Waiting::backoff, Waiting::block));

TEST(Runner, AThreadThatIsToPollNeverNaps) {
    using namespace std::chrono_literals;
    for (const Waiting waiting : {Waiting::spin, Waiting::yield}) {
        Clerk clerk;
        const Runner runner{{.waiting = waiting, .longest_nap = 24h}, {AgentRef{clerk}}};
        EXPECT_TRUE(testing::eventually(
            [&] { return clerk.turns.load() > 10 * Waiter::k_turns_to_longest; }));
    }
}

// SCHED_BATCH: a helper that wakes up does not preempt a running thread.
TEST(Runner, AHelperIsInTheBatchClass) {
    struct Officer {
        int policy = -1;
        void on_start() { policy = ::sched_getscheduler(0); }
        [[nodiscard]] std::size_t do_work(std::int64_t /*now_ns*/) const { return 0; }
        void on_close() {}
    };
    Officer polite;
    Officer usual;
    Runner{{.name = "polite", .is_helper = true}, {AgentRef{polite}}}.stop();
    Runner{{.name = "usual"}, {AgentRef{usual}}}.stop();
    EXPECT_EQ(polite.policy, SCHED_BATCH);
    EXPECT_EQ(usual.policy, ::sched_getscheduler(0)) << "inherited from the creating thread";
}

TEST(PacedThread, UsesTheBatchPolicyExceptWhenItHasMoreWork) {
    const int before = ::sched_getscheduler(0);
    pause_helper();
    sleep_helper({});
    EXPECT_EQ(::sched_getscheduler(0), before) << "a thread that is not a helper is unchanged";
    const int own = ::getpriority(PRIO_PROCESS, 0);
    std::jthread{[niceness = std::min(own + 7, 19)] {
        set_helper_share({.niceness = 7, .rests = 3});
        for (int i = 0; i < 2; ++i) {
            EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
            pause_helper();
            EXPECT_EQ(::sched_getscheduler(0), SCHED_OTHER);
            EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), niceness);
            sleep_helper({});
        }
        EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), niceness);
    }}.join();
}

TEST(HelperTurns, LeavesTheCoreToOthersAfterEachPiece) {
    HelperTurns turns;
    EXPECT_EQ(turns.next_turn(1'000, 50, 3), 1'150) << "alone: after a pause";
    EXPECT_EQ(turns.next_turn(1'010, 20, 3), 1'210) << "after the earlier caller and a pause";
    EXPECT_EQ(turns.next_turn(1'220, 30, 3), 1'310) << "no other helper waits";
    EXPECT_EQ(turns.next_turn(2'000'000, 5'000'000, 3), 2'600'000)
        << "a piece this long was preempted, so it is capped";
}

TEST(HelperTurns, GivesEveryTurnToOneHelperOnly) {
    constexpr std::int64_t k_turns = 10'000;
    HelperTurns helper_turns;
    constexpr int k_rests = 3;
    std::vector<std::int64_t> mine;
    std::vector<std::int64_t> others;
    const auto take = [&helper_turns](std::vector<std::int64_t>& turns) {
        for (std::int64_t i = 0; i < k_turns; ++i)
            turns.push_back(helper_turns.next_turn(0, 1, k_rests));
    };
    {
        const std::jthread other{[&] { take(others); }};
        take(mine);
    }
    std::set<std::int64_t> all{mine.begin(), mine.end()};
    all.insert(others.begin(), others.end());
    EXPECT_EQ(all.size(), 2 * k_turns);
    EXPECT_EQ(*all.rbegin(), 2 * k_turns * k_rests);
}

TEST(Affinity, ReadsListsOfCores) {
    const std::vector<unsigned> allowed = allowed_cores();
    ASSERT_FALSE(allowed.empty());
    const std::string first = std::to_string(allowed.front());
    EXPECT_THAT(parse_cores(first).value(), ElementsAre(allowed.front()));
    EXPECT_THAT(parse_cores(first + "-" + first + "," + first).value(),
                ElementsAre(allowed.front(), allowed.front()));
    for (const std::string text : {"", "x", "1-", "-1", "2-1", "0,", "0 ,1", "99999"})
        EXPECT_FALSE(parse_cores(text)) << text;
    EXPECT_FALSE(parse_cores("1023")) << "no test machine has that many cores";
    EXPECT_FALSE(pin_this_thread(1023));
    EXPECT_FALSE(pin_this_thread(1U << 20U));
}

}  // namespace
}  // namespace damrak::runner_test
