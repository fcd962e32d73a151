// Start on a damaged journal: a torn end is cut and reported, damage to synced records prevents the
// start, and both messages state the place.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/journal.hpp>

#include "small_journal.hpp"

namespace damrak::journal::damage_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t k_records = SmallJournal::k_records;

// Written and closed, hence completely on disk.
struct ClosedJournal : SmallJournal {
    explicit ClosedJournal(std::uint64_t records) {
        start();
        append(records);
        close();
    }
    void flip(std::uint64_t record, std::uint64_t byte) {
        edit(segment(first_in_segment_of(record)), [&](std::byte* content) {
            content[offset_of_record(record) + byte] ^= std::byte{0x10};
        });
    }
    void blank(std::uint64_t first, std::uint64_t last) {
        for (std::uint64_t n = first; n <= last; ++n)
            edit(segment(first_in_segment_of(n)), [&](std::byte* content) {
                std::memset(content + offset_of_record(n), 0, k_record_bytes);
            });
    }
    // Removes the synced marks.
    void unmark() {
        for (const auto& entry : std::filesystem::directory_iterator{config.directory})
            edit(entry.path(), [](std::byte* content) { std::memset(content + 1'024, 0, 2'048); });
    }
};

TEST(JournalDamage, OfAnyByteOfASyncedRecordStopsTheStart) {
    for (std::uint64_t byte = 0; byte < k_record_bytes; byte += 5) {
        ClosedJournal test{8};
        test.flip(5, byte);
        EXPECT_THAT(test.try_start(), AllOf(HasSubstr("record 5"), HasSubstr("damage"))) << byte;
    }
}

TEST(JournalDamage, NamesSegmentOffsetSequenceExpectationAndRemedy) {
    ClosedJournal test{k_records + 20};
    test.flip(k_records + 7, 100);
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr(test.segment(k_records + 1).string() + ", offset 5248: record 49"),
                      HasSubstr("its checksum is "), HasSubstr("and its bytes give "),
                      HasSubstr("on the disk up to record 62"),
                      HasSubstr("restore the segment from a copy"),
                      HasSubstr("a snapshot of sequence 49 or later")));
}

TEST(JournalDamage, ThatPreventsAStartChangesNothing) {
    ClosedJournal test{20};
    test.flip(5, 100);
    const std::string before = damrak::testing::content_of(test.segment(1));
    EXPECT_NE(test.try_start(), "");
    EXPECT_NE(test.try_start(), "");
    EXPECT_EQ(damrak::testing::content_of(test.segment(1)), before);
}

TEST(JournalDamage, AfterTheSyncedMarkIsCutWithAllLaterRecords) {
    ClosedJournal test{2 * k_records + 10};
    test.unmark();
    test.flip(k_records + 3, 64);
    ASSERT_EQ(test.try_start(), "");
    test.expect_read(k_records + 2);
    EXPECT_EQ(test.recovery.cut_records, k_records + 8);
    EXPECT_THAT(test.recovery.cut, AllOf(HasSubstr("torn end"), HasSubstr("record 45 is damaged"),
                                         HasSubstr("50 in all")));
}

TEST(JournalDamage, ThatWasCutDoesNotReappear) {
    ClosedJournal test{2 * k_records + 10};
    test.unmark();
    test.flip(k_records + 3, 64);
    ASSERT_EQ(test.try_start(), "");
    test.append(1);  // overwrites the torn record; the record after it was complete
    test.kill();
    ASSERT_EQ(test.try_start(), "");
    test.expect_read(k_records + 3);
    EXPECT_EQ(test.recovery.cut, "");
}

TEST(JournalDamage, InAHoleOfUnsyncedPagesIsCutFromTheHole) {
    ClosedJournal test{k_records + 5};
    test.unmark();
    test.blank(10, 20);
    ASSERT_EQ(test.try_start(), "");
    test.expect_read(9);
    EXPECT_THAT(test.recovery.cut, HasSubstr("record 10 is not whole"));
    EXPECT_EQ(test.recovery.cut_records, k_records + 5 - 20);
}

TEST(JournalDamage, AMissingSyncedEndIsDamage) {
    ClosedJournal test{30};
    test.blank(25, 30);
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr("record 25 is missing"), HasSubstr("up to record 30")));
}

TEST(JournalDamage, AReadOnlyScanReportsATornEndAndLeavesIt) {
    ClosedJournal test{20};
    test.unmark();
    test.flip(15, 80);
    const std::string before = damrak::testing::content_of(test.segment(1));
    const auto looked = recover(real_files(), test.config.directory, {.cut = false}, [](auto) {});
    ASSERT_TRUE(looked.has_value()) << looked.error();
    EXPECT_EQ(looked->last_sequence, 14U);
    EXPECT_EQ(looked->cut_records, 6U);
    EXPECT_THAT(looked->cut, HasSubstr("would be cut"));
    EXPECT_EQ(damrak::testing::content_of(test.segment(1)), before);
}

TEST(JournalDamage, OfOneMarkLeavesTheOtherValid) {
    ClosedJournal test{20};
    test.start();
    test.append(5);
    test.close();
    for (const std::size_t place : {1'024UL, 2'048UL}) {
        edit(test.segment(1), [&](std::byte* content) { content[place] ^= std::byte{1}; });
        const auto contents = look_into(real_files(), test.config.directory);
        EXPECT_TRUE(contents->synced == 20 || contents->synced == 25) << contents->synced;
        edit(test.segment(1), [&](std::byte* content) { content[place] ^= std::byte{1}; });
    }
}

TEST(JournalDamage, AMissingSegmentIsNamedByItsRecords) {
    ClosedJournal test{3 * k_records};
    std::filesystem::remove(test.segment(k_records + 1));
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr("records 43 to 84 are missing"), HasSubstr("from a copy")));
}

// The last segment with records, and the prepared one after it.
TEST(JournalDamage, ARemovedLastSegmentIsNoticed) {
    for (const Durability durability : {Durability::async, Durability::group, Durability::sync}) {
        for (const std::uint64_t records : {k_records + 1, k_records + 5, 4 * k_records + 1}) {
            SCOPED_TRACE(records);
            SmallJournal test{durability};
            test.start();
            for (std::uint64_t i = 0; i < records; ++i) {
                test.append(1);
                test.work();
            }
            test.kill();
            const std::uint64_t last = SmallJournal::first_in_segment_of(records);
            std::filesystem::remove(test.segment(last));
            std::filesystem::remove(test.segment(last + k_records));
            EXPECT_THAT(test.try_start(),
                        AllOf(HasSubstr(fmt::format("record {} is missing", last)),
                              HasSubstr("segment that held it")));
        }
    }
}

TEST(JournalDamage, ARemovedLastSegmentIsNoticedAfterARestartAtItsBegin) {
    ClosedJournal test{k_records};
    test.start();
    test.append(1);
    test.work();
    test.work();  // the second turn also syncs the page of the next record
    test.kill();
    std::filesystem::remove(test.segment(k_records + 1));
    std::filesystem::remove(test.segment(2 * k_records + 1));
    EXPECT_THAT(test.try_start(), HasSubstr("record 43 is missing"));
}

TEST(JournalDamage, RemovedSegmentsAreNoticedAfterARestartWithoutAppends) {
    ClosedJournal test{3 * k_records + 5};
    for (const std::uint64_t first : {1UL, k_records + 1, 2 * k_records + 1})
        edit(test.segment(first), [&](std::byte* content) {
            for (const std::size_t place : {1'024UL, 2'048UL}) std::memset(content + place, 0, 16);
        });
    test.start();
    test.kill();
    std::filesystem::remove(test.segment(3 * k_records + 1));
    std::filesystem::remove(test.segment(2 * k_records + 1));
    EXPECT_THAT(test.try_start(), HasSubstr("record 85 is missing"));
}

TEST(JournalDamage, ARemovedSpareSegmentIsNotDamage) {
    ClosedJournal test{k_records};
    test.start();
    test.work();
    test.kill();
    std::filesystem::remove(test.segment(k_records + 1));
    std::filesystem::remove(test.segment(2 * k_records + 1));
    test.start();
    test.expect_read(k_records);
}

TEST(JournalDamage, ACopiedSegmentIsRefused) {
    ClosedJournal test{k_records + 5};
    std::filesystem::copy(test.segment(1), test.segment(7));
    EXPECT_THAT(test.try_start(), AllOf(HasSubstr("copied or renamed"),
                                        HasSubstr("journal-00000000000000000001.seg")));
}

TEST(JournalDamage, ASegmentOfAnotherJournalIsRefused) {
    ClosedJournal test{k_records + 5};
    const auto path = test.segment(k_records + 1);
    edit(path, [&](std::byte* content) {
        auto header = *read_header(path, {content, 3 * k_page_bytes});
        header.identity.instance = {7, 8};
        write_header({content, k_header_bytes}, header);
    });
    EXPECT_THAT(test.try_start(), HasSubstr("belongs to another journal (instance "
                                            "00000000000000070000000000000008)"));
}

TEST(JournalDamage, OfAHeaderStopsTheStart) {
    ClosedJournal test{5};
    edit(test.segment(1), [](std::byte* content) { content[50] ^= std::byte{1}; });
    EXPECT_THAT(test.try_start(), AllOf(HasSubstr("offset 0"), HasSubstr("header is damaged")));
}

TEST(JournalDamage, AShortenedSegmentIsRefused) {
    ClosedJournal test{5};
    std::filesystem::resize_file(test.segment(1), 2 * k_page_bytes);
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr("has 8192 bytes"), HasSubstr("header says 12288")));
    std::filesystem::resize_file(test.segment(1), 100);
    EXPECT_THAT(test.try_start(), HasSubstr("100 bytes are too few"));
    std::filesystem::resize_file(test.segment(1), 0);
    EXPECT_THAT(test.try_start(), HasSubstr("0 bytes are too few"));
}

TEST(JournalDamage, AForeignFileIsRefused) {
    ClosedJournal test{5};
    std::ofstream{test.segment(k_records + 1)} << std::string(8'192, 'x');
    EXPECT_THAT(test.try_start(), HasSubstr("not a journal segment"));
}

TEST(JournalDamage, AnUnknownSchemaStopsTheStartEvenAtTheEnd) {
    ClosedJournal test{5};
    test.unmark();
    edit(test.segment(1), [](std::byte* content) {
        auto& record = *reinterpret_cast<Record*>(content + SmallJournal::offset_of_record(5));
        record.head.schema_version = 2;
        record.head.crc = crc_of(record, 5);
    });
    EXPECT_THAT(test.try_start(), AllOf(HasSubstr("record 5 cannot be read: a later version"),
                                        HasSubstr("(schema 2; this one reads schema 1)")));
}

TEST(JournalDamage, TimeThatGoesBackStopsTheStart) {
    ClosedJournal test{5};
    edit(test.segment(1), [](std::byte* content) {
        auto& record = *reinterpret_cast<Record*>(content + SmallJournal::offset_of_record(4));
        record.command.timestamp = Timestamp{5};
        record.head.crc = crc_of(record, 4);
    });
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr("record 4"), HasSubstr("back in time, from 3000 to 5 ns")));
}

TEST(JournalDamage, ARecordInTheWrongPlaceIsDamage) {
    ClosedJournal test{9};
    edit(test.segment(1), [](std::byte* content) {
        std::memcpy(content + SmallJournal::offset_of_record(4),
                    content + SmallJournal::offset_of_record(8), k_record_bytes);
    });
    EXPECT_THAT(test.try_start(),
                AllOf(HasSubstr("record 4 carries the number 8"), HasSubstr("damage")));
}

TEST(JournalDamage, BeforeTheSnapshotIsIgnored) {
    ClosedJournal test{20};
    test.flip(5, 100);
    EXPECT_EQ(test.try_start({.from = 11, .synced = 10}), "");
    EXPECT_EQ(test.read.size(), 10U);
}

TEST(JournalDamage, OfTheSnapshotsOwnRecordIsReported) {
    ClosedJournal test{20};
    test.flip(10, 100);
    EXPECT_THAT(test.try_start({.from = 11, .synced = 10}), HasSubstr("record 10 is damaged"));
}

}  // namespace
}  // namespace damrak::journal::damage_test
