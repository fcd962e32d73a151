// A disk that fails under a running journal: it stops or continues as documented, and never reports
// a record as durable that is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/journal/snapshot.hpp>

#include "small_journal.hpp"
#include "support/faulty_files.hpp"

namespace damrak::journal::fault_test {
namespace {

using damrak::testing::FaultyFiles;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t k_records = SmallJournal::k_records;

TEST(JournalOnAFullDisk, ContinuesUntilItsSegmentIsFullAndThenRefuses) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    files.full = true;
    EXPECT_EQ(test.append(2 * k_records), k_records);
    EXPECT_EQ(test.writer().standing(), Standing::refused);
    EXPECT_THAT(test.writer().refusal(),
                AllOf(HasSubstr("No space left"), HasSubstr(segment_name(k_records + 1))));
    files.full = false;
    test.start();
    test.expect_read(k_records);
}

TEST(JournalOnAFullDisk, ReportsItBeforeTheSegmentIsFull) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    files.full = true;
    test.work();
    EXPECT_EQ(test.writer().standing(), Standing::ready);
    EXPECT_THAT(test.writer().refusal(), HasSubstr("No space left"));
}

TEST(JournalOnAFullDisk, ContinuesOnceThereIsRoom) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    files.full = true;
    test.append(k_records + 1);
    EXPECT_EQ(test.writer().standing(), Standing::refused);
    files.full = false;
    for (int second = 0; second < 20; ++second) test.work();
    EXPECT_EQ(test.writer().standing(), Standing::ready);
    EXPECT_EQ(test.writer().refusal(), "") << "all is well";
    EXPECT_EQ(test.append(5), 5U);
    test.start();
    test.expect_read(k_records + 5);
}

TEST(JournalOnAFullDisk, DoesNotStart) {
    FaultyFiles files;
    files.full = true;
    SmallJournal test{Durability::async, files};
    EXPECT_THAT(test.try_start(), HasSubstr("No space left"));
}

TEST(JournalWithAFailingSync, RefusesAllLaterRecords) {
    for (const Durability durability : {Durability::async, Durability::group}) {
        FaultyFiles files;
        SmallJournal test{durability, files};
        test.start();
        test.append(3);
        test.work();
        files.sync_fails = true;
        test.append(2);
        test.work();
        EXPECT_EQ(test.writer().standing(), Standing::refused);
        EXPECT_THAT(test.writer().refusal(),
                    AllOf(HasSubstr("cannot sync"), HasSubstr(segment_name(1))));
        EXPECT_EQ(test.writer().synced_position(), 3U);
        files.sync_fails = false;  // too late: what is on disk is unknown
        test.work();
        EXPECT_FALSE(test.writer().append(numbered_record(6)));
        EXPECT_EQ(test.writer().synced_position(), 3U);
    }
}

TEST(JournalWithAFailingSync, InSyncModeDoesNotKeepTheRecord) {
    FaultyFiles files;
    SmallJournal test{Durability::sync, files};
    test.start();
    test.append(3);
    EXPECT_EQ(test.writer().durable_position(), 3U);
    files.sync_fails = true;
    test.append(1);
    EXPECT_EQ(test.writer().appended_position(), 4U);
    EXPECT_EQ(test.writer().durable_position(), 3U);
    EXPECT_EQ(test.writer().standing(), Standing::refused);
    EXPECT_EQ(test.writer().claim(), nullptr);
}

TEST(JournalWithAFailingSync, DoesNotMakeANextSegment) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    files.sync_fails = true;
    test.journal->preallocator().do_work(1);
    EXPECT_FALSE(std::filesystem::exists(test.segment(k_records + 1)));
    EXPECT_THAT(test.writer().refusal(), HasSubstr("cannot sync"));
}

TEST(JournalWithAFailingRename, DoesNotMakeANextSegment) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    files.rename_fails = true;
    EXPECT_EQ(test.append(2 * k_records), k_records);
    EXPECT_THAT(test.writer().refusal(), HasSubstr("cannot rename"));
    files.rename_fails = false;
    for (int second = 0; second < 20; ++second) test.work();
    EXPECT_EQ(test.append(1), 1U);
}

TEST(JournalPositions, AreAppendedInAsyncAndSyncedInGroup) {
    for (const Durability durability : {Durability::async, Durability::group}) {
        SmallJournal test{durability};
        test.start();
        test.append(4);
        EXPECT_EQ(test.writer().appended_position(), 4U);
        EXPECT_EQ(test.writer().synced_position(), 0U);
        EXPECT_EQ(test.writer().durable_position(), durability == Durability::async ? 4U : 0U);
        test.work();
        EXPECT_EQ(test.writer().durable_position(), 4U);
        EXPECT_EQ(test.writer().synced_position(), 4U);
    }
}

TEST(JournalSyncing, InAsyncWaitsForItsInterval) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.start();
    test.work();
    test.append(1);
    test.journal->syncer().do_work(test.now + 1);
    EXPECT_EQ(test.writer().synced_position(), 0U);
    test.journal->syncer().do_work(test.now + test.config.sync_interval_ns);
    EXPECT_EQ(test.writer().synced_position(), 1U);
}

TEST(JournalSyncing, ContinuesWhenTheClockIsSetBack) {
    SmallJournal test;
    test.now = 1'000'000'000'000;
    test.start();
    test.work();
    test.now -= 900'000'000'000;
    test.append(30);
    test.work();
    test.work();  // the second turn also syncs the page of the next record
    EXPECT_EQ(test.writer().synced_position(), 30U);
}

TEST(JournalOnAFullDisk, TriesAgainWhenTheClockIsSetBack) {
    FaultyFiles files;
    SmallJournal test{Durability::async, files};
    test.now = 1'000'000'000'000;
    test.start();
    files.full = true;
    test.work();
    EXPECT_TRUE(test.writer().out_of_room());
    files.full = false;
    test.now -= 900'000'000'000;
    test.work();
    EXPECT_FALSE(test.writer().out_of_room());
}

TEST(JournalRotation, StallsUntilTheNextSegmentIsMade) {
    SmallJournal test;
    test.start();
    for (std::uint64_t n = 1; n <= k_records; ++n)
        ASSERT_TRUE(test.writer().append(numbered_record(n)));
    EXPECT_EQ(test.writer().standing(), Standing::stalled);
    EXPECT_FALSE(test.writer().append(numbered_record(k_records + 1)));
    EXPECT_EQ(test.writer().claim(), nullptr);
    EXPECT_EQ(test.writer().stalls(), 1U) << "one stall, however often it is polled";
    test.journal->preallocator().do_work(1);
    EXPECT_EQ(test.writer().standing(), Standing::ready);
    EXPECT_TRUE(test.writer().append(numbered_record(k_records + 1)));
    EXPECT_EQ(test.writer().stalls(), 1U);
}

TEST(JournalRotation, DoesNotStallWithThePreallocatorAhead) {
    SmallJournal test;
    test.start();
    for (std::uint64_t n = 1; n <= 5 * k_records; ++n) {
        ASSERT_TRUE(test.writer().append(numbered_record(n)) || n == 1);
        test.journal->preallocator().do_work(1);
    }
    EXPECT_EQ(test.writer().stalls(), 0U);
    EXPECT_EQ(test.journal->preallocator().segments_made(), 5U);
}

/// A minimal state with a snapshot.
struct Nothing {
    template <class Self, class Archive>
    static void transfer(Self& /*self*/, Archive& /*archive*/) {}
};

// Segments are removed one by one, the oldest first, each before the next: those that reappear
// after a power loss leave no gap.
TEST(JournalRetention, LeavesNoGapWhenRemovedFilesReappear) {
    int came_back = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        RandomStream random{seed};
        FaultyFiles files;
        SmallJournal test{Durability::async, files};
        test.start();
        test.append(5 * k_records);
        test.work();
        test.work();
        ASSERT_EQ(test.writer().synced_position(), 5 * k_records);
        ASSERT_TRUE(write_snapshot(
            files, test.config.directory,
            {.sequence = 4 * k_records + 1, .instance = k_test_identity.instance}, Nothing{}));
        files.sync_fails = true;
        const auto removed = apply_retention(files, test.config.directory,
                                             {.bytes = 1, .snapshots = 1}, Timestamp{});
        ASSERT_FALSE(removed.has_value());
        EXPECT_THAT(removed.error(), HasSubstr("cannot sync " + test.config.directory.string()));
        EXPECT_FALSE(std::filesystem::exists(test.segment(1)));
        EXPECT_TRUE(std::filesystem::exists(test.segment(k_records + 1)));
        files.lose_power(random);
        test.kill();
        came_back += std::filesystem::exists(test.segment(1)) ? 1 : 0;

        SmallJournal after;
        std::filesystem::copy(test.config.directory, after.config.directory);
        ASSERT_EQ(after.try_start({.from = 4 * k_records + 2, .synced = 4 * k_records + 1}), "");
        EXPECT_EQ(after.recovery.last_sequence, 5 * k_records);
    }
    EXPECT_GT(came_back, 0);
    EXPECT_LT(came_back, 10);
}

// After any power loss, all durable records exist, and all existing records were written, in order.
TEST(JournalAfterAPowerLoss, HasExactlyTheDurableRecords) {
    std::uint64_t cuts = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        SCOPED_TRACE(seed);
        RandomStream random{seed};
        const auto durability = static_cast<Durability>(random.below(3));
        FaultyFiles files;
        SmallJournal test{durability, files};
        test.start();
        const std::uint32_t steps = random.below(150);
        for (std::uint32_t step = 0; step < steps; ++step) {
            test.append(random.below(4));
            if (random.below(60) == 0) test.work();
        }
        const std::uint64_t written = test.writer().appended_position();
        const std::uint64_t on_disk = test.writer().synced_position();
        files.lose_power(random);
        test.kill();

        SmallJournal after;  // the same folder, and a working disk
        std::filesystem::copy(test.config.directory, after.config.directory);
        ASSERT_EQ(after.try_start(), "");
        EXPECT_GE(after.read.size(), on_disk);
        EXPECT_LE(after.read.size(), written);
        ASSERT_NO_FATAL_FAILURE(after.expect_read(after.read.size()));
        cuts += after.recovery.cut.empty() ? 0U : 1U;
        const std::uint64_t kept = after.read.size();
        after.append(k_records);
        ASSERT_EQ(after.try_start(), "");
        EXPECT_EQ(after.read.size(), kept + k_records);
        EXPECT_EQ(after.recovery.cut, "");
    }
    EXPECT_GT(cuts, 5U) << "the test covers torn ends";
}

}  // namespace
}  // namespace damrak::journal::fault_test
