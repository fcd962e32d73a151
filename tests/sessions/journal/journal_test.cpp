// A journal from end to end: appended records are read back, over rotations and restarts.
#include <damrak/journal/journal.hpp>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/snapshot.hpp>

#include "small_journal.hpp"

namespace damrak::journal::journal_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t k_records = SmallJournal::k_records;

TEST(Journal, BeginsEmptyInAFolderThatItCreates) {
    SmallJournal test;
    test.start();
    EXPECT_TRUE(test.read.empty());
    EXPECT_FALSE(test.recovery.identity.has_value());
    EXPECT_EQ(test.writer().next_sequence(), 1U);
    EXPECT_EQ(test.writer().durable_position(), 0U);
    EXPECT_TRUE(std::filesystem::exists(test.segment(1)));
}

TEST(Journal, ReadsBackAppendedRecords) {
    SmallJournal test;
    test.start();
    EXPECT_EQ(test.append(10), 10U);
    test.start();
    test.expect_read(10);
    EXPECT_EQ(test.recovery.first_sequence, 1U);
    EXPECT_EQ(test.recovery.last_sequence, 10U);
    EXPECT_EQ(test.recovery.last_timestamp, Timestamp{10'000});
    EXPECT_EQ(test.recovery.identity, k_test_identity);
    EXPECT_EQ(test.recovery.cut, "");
}

TEST(Journal, NumbersRecordsWithoutGapsOverSegmentsAndRestarts) {
    SmallJournal test;
    std::uint64_t written = 0;
    for (const std::uint64_t more : {1UL, k_records - 1, k_records, 2 * k_records + 5, 3UL}) {
        test.start();
        ASSERT_NO_FATAL_FAILURE(test.expect_read(written));
        EXPECT_EQ(test.append(more), more);
        written += more;
    }
    test.start();
    test.expect_read(written);
}

TEST(Journal, LosesNothingWhenItIsKilled) {
    SmallJournal test;
    test.start();
    test.append(2 * k_records + 3);
    test.kill();
    test.start();
    test.expect_read(2 * k_records + 3);
    EXPECT_EQ(test.recovery.cut, "");
}

TEST(Journal, DropsAndReportsAnUnpublishedRecord) {
    SmallJournal test;
    test.start();
    test.append(5);
    test.writer().claim()->command.quantity = Quantity{77};
    test.kill();
    test.start();
    test.expect_read(5);
    EXPECT_EQ(test.recovery.cut_records, 1U);
    EXPECT_THAT(test.recovery.cut, HasSubstr("record 6 is not whole"));
    test.append(1);
    test.start();
    test.expect_read(6);
    EXPECT_EQ(test.recovery.cut, "") << "the cut records are gone";
}

TEST(Journal, IsLockedWhileItIsWritten) {
    SmallJournal test;
    test.start();
    const auto second = recover(real_files(), test.config.directory, {}, [](auto) {});
    ASSERT_FALSE(second.has_value());
    EXPECT_THAT(second.error(), HasSubstr("in use by another exchange"));
}

TEST(Journal, CanBeReadWhileItIsWritten) {
    SmallJournal test;
    test.start();
    test.append(k_records + 2);
    const auto looked = recover(real_files(), test.config.directory, {.cut = false}, [](auto) {});
    ASSERT_TRUE(looked.has_value()) << looked.error();
    EXPECT_EQ(looked->records, k_records + 2);
    EXPECT_TRUE(looked->in_use);
}

TEST(Journal, ContinuesFromASnapshotsRecord) {
    SmallJournal test;
    test.start();
    test.append(2 * k_records);
    ASSERT_EQ(test.try_start({.from = k_records + 4}), "");
    ASSERT_EQ(test.read.size(), k_records - 3);
    SmallJournal::expect_record(test.read.front(), k_records + 4);
    EXPECT_EQ(test.recovery.records, k_records - 3);
    EXPECT_EQ(test.recovery.first_sequence, 1U);
}

TEST(Journal, ContinuesFromASnapshotOfTheLastRecord) {
    SmallJournal test;
    test.start();
    test.append(k_records);  // the segment is full, the next is empty
    ASSERT_EQ(test.try_start({.from = k_records + 1}), "");
    EXPECT_TRUE(test.read.empty());
    EXPECT_EQ(test.writer().next_sequence(), k_records + 1);
}

TEST(Journal, RefusesASnapshotThatIsNewerThanItself) {
    SmallJournal test;
    test.start();
    test.append(5);
    EXPECT_THAT(test.try_start({.from = 8}), HasSubstr("record 7 is not in"));
    EXPECT_THAT(test.try_start({.from = 5 * k_records}), HasSubstr("is not in"));
}

TEST(Journal, RefusesToStartFromASnapshotWithoutAJournal) {
    SmallJournal test;
    EXPECT_THAT(test.try_start({.from = 8}), HasSubstr("contains no journal"));
}

TEST(Journal, RefusesAnEngineOfSmallerCapacities) {
    SmallJournal test;
    test.start();
    test.close();
    const auto recovery = recover(real_files(), test.config.directory, {}, [](auto) {});
    JournalIdentity other = k_test_identity;
    other.engine.maximum_orders = 900;
    other.engine.maximum_levels += 5;
    const auto opened = Journal::open(real_files(), test.config, *recovery, other, Timestamp{1});
    ASSERT_FALSE(opened.has_value());
    EXPECT_THAT(opened.error(), HasSubstr("capacity: orders = 900 (the journal has 1000):"));
    EXPECT_THAT(opened.error(), HasSubstr("empty directory"));
}

TEST(Journal, RefusesSegmentSizesThatAreNotWholePages) {
    SmallJournal test;
    test.config.segment_bytes = 10'000;
    EXPECT_THAT(test.try_start(), HasSubstr("multiple of 4096"));
}

TEST(Journal, ContinuesWithSegmentsOfAnotherSize) {
    SmallJournal test;
    test.start();
    test.append(k_records + 1);
    test.config.segment_bytes = 5 * k_page_bytes;
    test.start();
    test.append(3 * k_records);
    test.config.segment_bytes = 2 * k_page_bytes;
    test.start();
    test.append(3 * k_records);
    test.start();
    test.expect_read(7 * k_records + 1);
}

TEST(Journal, BeginsSmallAndGrowsToTheConfiguredSize) {
    SmallJournal test;
    test.config.first_segment_bytes = 2 * k_page_bytes;
    test.config.segment_bytes = 20 * k_page_bytes;
    const auto sizes = [&] {
        std::vector<std::uint64_t> pages;
        const auto contents = look_into(real_files(), test.config.directory);
        for (const SegmentFile& segment : contents->segments)
            pages.push_back(segment.header.segment_bytes / k_page_bytes);
        return pages;
    };
    test.start();
    test.work();
    EXPECT_EQ(sizes(), (std::vector<std::uint64_t>{2, 8}));
    test.append(records_in(2) + records_in(8) + 1);
    test.work();
    EXPECT_EQ(sizes(), (std::vector<std::uint64_t>{2, 8, 20, 20}));
    test.start();
    test.append(records_in(20));
    test.work();
    EXPECT_EQ(sizes(), (std::vector<std::uint64_t>{2, 8, 20, 20, 20}));
    test.start();
    test.expect_read(records_in(2) + records_in(8) + 1 + records_in(20));
}

TEST(Journal, RemovesTheRemainsOfAnUnfinishedStart) {
    SmallJournal test;
    test.start();
    test.append(3);
    test.close();
    const auto segment = test.segment(k_records + 1).string() + ".new";
    const auto snapshot = (test.config.directory / (snapshot_name(2) + ".new")).string();
    const auto other = (test.config.directory / "notes.new").string();
    const auto copy = (test.config.directory / "journal-of-monday.new").string();
    const auto saved = (test.config.directory / "snapshot-2.snap.new").string();
    for (const auto& path : {segment, snapshot, other, copy, saved})
        std::ofstream{path} << "half made";
    test.start();
    test.expect_read(3);
    EXPECT_FALSE(std::filesystem::exists(segment));
    EXPECT_FALSE(std::filesystem::exists(snapshot));
    for (const auto& path : {other, copy, saved})
        EXPECT_TRUE(std::filesystem::exists(path)) << path << " is not ours";
}

}  // namespace
}  // namespace damrak::journal::journal_test
