// The journal in operation: the appending thread, its helpers and a replica, each on its own
// thread, over many rotations.
#include <atomic>
#include <memory>
#include <thread>

#include <gtest/gtest.h>

#include <damrak/journal/replica.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "small_journal.hpp"

namespace damrak::journal::threads_test {
namespace {

template <class Agent>
std::thread run(Agent& agent, std::atomic<bool>& stop) {
    return std::thread{[&] {
        for (std::int64_t now = 1; !stop.load(); now += 1'000'000)
            if (agent.do_work(now) == 0) std::this_thread::yield();
    }};
}

TEST(JournalThreads, KeepEveryRecordInOrderAndAReplicaFollows) {
    constexpr std::uint64_t k_count = 20'000;
    for (const Durability durability : {Durability::async, Durability::group}) {
        SmallJournal test{durability};
        test.config.segment_bytes = 16 * k_page_bytes;
        test.config.sync_interval_ns = 1'000'000;
        test.start();
        standard_exchange::ExchangeState<> state{k_test_identity.engine};
        auto reader = JournalReader::open(real_files(), test.config.directory, 1);
        ASSERT_TRUE(reader.has_value()) << reader.error();
        Replica<standard_exchange::ExchangeState<>> replica{
            real_files(),
            {.directory = test.config.directory, .snapshot_every = k_count / 4},
            k_test_identity,
            std::move(*reader),
            state,
            {.appended = [&] { return test.writer().appended_position(); },
             .synced = [&] { return test.writer().synced_position(); }}};

        std::atomic<bool> stop{false};
        std::thread preallocator = run(test.journal->preallocator(), stop);
        std::thread syncer = run(test.journal->syncer(), stop);
        std::thread follower = run(replica, stop);
        std::uint64_t kept = 0;
        for (std::uint64_t n = 1; n <= k_count; ++n) {
            while (!test.writer().append(numbered_record(n))) {
                ASSERT_NE(test.writer().standing(), Standing::refused) << test.writer().refusal();
                std::this_thread::yield();
            }
            const std::uint64_t now_durable = test.writer().durable_position();
            ASSERT_GE(now_durable, kept) << "the durable position never decreases";
            ASSERT_LE(now_durable, n);
            kept = now_durable;
        }
        while (test.writer().synced_position() < k_count) std::this_thread::yield();
        stop.store(true);
        for (std::thread* thread : {&preallocator, &syncer, &follower}) thread->join();
        replica.finish(1);
        EXPECT_EQ(replica.trouble(), "");
        EXPECT_EQ(replica.position(), k_count);
        EXPECT_EQ(state.progress().commands(), k_count);
        EXPECT_GE(replica.snapshots(), 1U);
        test.start();
        test.expect_read(k_count);
    }
}

}  // namespace
}  // namespace damrak::journal::threads_test
