// Retention removes only files that no snapshot needs, and no journal begins over the remains of a
// lost one.
#include <damrak/journal/retention.hpp>

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/restore.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "small_exchange.hpp"
#include "support/faulty_files.hpp"

namespace damrak::journal::retention_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint64_t k_records = SmallJournal::k_records;

TEST(Retention, RemovesNothingWithoutASnapshot) {
    SmallExchange exchange;
    exchange.trade(5 * static_cast<int>(k_records));
    const auto removed = apply_retention(real_files(), exchange.journal_config.directory,
                                         {.bytes = 1, .age_ns = 1}, Timestamp{INT64_MAX});
    ASSERT_TRUE(removed.has_value());
    EXPECT_EQ(removed->segments, 0U);
}

TEST(Retention, MayRemoveASegmentWhileSomebodyLooksIntoTheFolder) {
    SmallExchange exchange;
    exchange.trade(5 * static_cast<int>(k_records));
    const std::filesystem::path folder = exchange.journal_config.directory;
    const auto before = look_into(real_files(), folder);
    ASSERT_TRUE(before.has_value()) << before.error();
    testing::FaultyFiles files;
    files.removed_after_listing = before->segments.front().path;
    const auto after = look_into(files, folder);
    ASSERT_TRUE(after.has_value()) << after.error();
    EXPECT_EQ(after->segments.size(), before->segments.size() - 1);
    EXPECT_EQ(after->segments.front().path, before->segments[1].path);
}

TEST(Retention, KeepsTheSegmentsThatTheOlderKeptSnapshotNeeds) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica =
        exchange.replica(state, {.snapshot_every = 60, .retention = {.bytes = 1, .snapshots = 2}});
    for (int i = 0; i < 5; ++i) {
        exchange.trade(60);
        exchange.work();
        replica.do_work(1);
    }
    ASSERT_THAT(exchange.snapshots(), ElementsAre(300, 240));
    EXPECT_EQ(exchange.segments().front(), 211U) << "the segment with record 240";

    const auto verified =
        verify<standard_exchange::ExchangeState<>>(real_files(), exchange.journal_config.directory);
    ASSERT_TRUE(verified.has_value()) << verified.error();
    EXPECT_EQ(verified->from_snapshot, 300U);
    EXPECT_EQ(verified->state_hash, exchange.hash());
}

TEST(Retention, KeepsTheSegmentsThatAnotherFollowerHasNotRead) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    std::uint64_t read = 100;
    JournalPositions positions = exchange.positions();
    positions.read = [&read] { return read; };
    auto reader = JournalReader::open(real_files(), exchange.journal_config.directory, 1);
    Replica<standard_exchange::ExchangeState<>> replica{
        real_files(),
        {.directory = exchange.journal_config.directory,
         .snapshot_every = 60,
         .retention = {.bytes = 1}},
        exchange.identity(),
        std::move(*reader),
        state,
        std::move(positions)};
    const auto go_on = [&] {
        exchange.trade(60);
        exchange.work();
        replica.do_work(1);
    };
    for (int i = 0; i < 5; ++i) go_on();
    EXPECT_EQ(exchange.segments().front(), 85U) << "the segment with record 101";
    read = 126;
    go_on();
    EXPECT_EQ(exchange.segments().front(), 127U) << "the previous segment is read completely";
}

// A feed that lags resumes at a restart from a snapshot no later than its own position.
TEST(Retention, KeepsASnapshotAndSegmentsForTheSlowestFollower) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    std::uint64_t kept = 100;
    JournalPositions positions = exchange.positions();
    positions.resumed = [&kept] { return kept; };
    auto reader = JournalReader::open(real_files(), exchange.journal_config.directory, 1);
    Replica<standard_exchange::ExchangeState<>> replica{
        real_files(),
        {.directory = exchange.journal_config.directory,
         .snapshot_every = 60,
         .retention = {.bytes = 1}},
        exchange.identity(),
        std::move(*reader),
        state,
        std::move(positions)};
    const auto go_on = [&] {
        exchange.trade(60);
        exchange.work();
        replica.do_work(1);
    };
    for (int i = 0; i < 5; ++i) go_on();
    EXPECT_THAT(exchange.snapshots(), ElementsAre(300, 240, 180, 120, 60));
    EXPECT_EQ(exchange.segments().front(), 43U) << "the segment with record 60";

    kept = 310;
    go_on();
    EXPECT_THAT(exchange.snapshots(), ElementsAre(360, 300));

    const auto identity = exchange.identity();
    exchange.journal.reset();
    standard_exchange::ExchangeState<> resumed{identity.engine};
    const auto restored = restore(real_files(), exchange.journal_config.directory, identity,
                                  resumed, {.latest_snapshot = kept});
    ASSERT_TRUE(restored.has_value()) << restored.error();
    EXPECT_EQ(restored->snapshot, 300U);
}

TEST(Retention, RemovesNothingWhileAFollowerNeedsTheFirstRecord) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state, {.retention = {.snapshots = 1}});
    exchange.trade(200);
    exchange.work();
    replica.finish(1);
    const auto removed =
        apply_retention(real_files(), exchange.journal_config.directory,
                        {.bytes = 1, .snapshots = 1}, Timestamp{1}, {.resumed = 10});
    ASSERT_TRUE(removed.has_value());
    EXPECT_EQ(removed->segments, 0U);
}

// Snapshots of another journal may be all that is left of it, and do not belong to this one.
TEST(Retention, LeavesSnapshotsOfAnotherJournalAndDoesNotCountThem) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    const auto& directory = exchange.journal_config.directory;
    for (const std::uint64_t sequence : {1'000UL, 900UL, 5UL, 3UL})
        ASSERT_TRUE(write_snapshot(real_files(), directory,
                                   {.sequence = sequence, .instance = {9, 9}}, state));
    auto replica =
        exchange.replica(state, {.snapshot_every = 60, .retention = {.bytes = 1, .snapshots = 2}});
    for (int i = 0; i < 3; ++i) {
        exchange.trade(60);
        exchange.work();
        replica.do_work(1);
    }
    EXPECT_THAT(exchange.snapshots(), ElementsAre(1'000, 900, 180, 120, 5, 3));
    EXPECT_EQ(exchange.segments().front(), 85U) << "the segment with record 120";
}

TEST(Restore, BeginsNoNewJournalOverSnapshotsOfALostOne) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    exchange.trade(100);
    exchange.work();
    auto replica = exchange.replica(state);
    replica.finish(1);
    exchange.journal.reset();
    const auto& directory = exchange.journal_config.directory;
    std::ofstream{directory / (snapshot_name(90) + ".new")} << "unfinished";
    for (const std::uint64_t first : exchange.segments())
        std::filesystem::remove(directory / segment_name(first));
    standard_exchange::ExchangeState<> restarted{exchange.identity().engine};
    const auto restored = restore(real_files(), directory, exchange.identity(), restarted);
    ASSERT_FALSE(restored.has_value());
    EXPECT_THAT(restored.error(), AllOf(HasSubstr("a snapshot of record 100 and no segment"),
                                        HasSubstr("from a copy")));
    EXPECT_THAT(exchange.snapshots(), ElementsAre(100));
    EXPECT_TRUE(std::filesystem::exists(directory / (snapshot_name(90) + ".new")));
}

TEST(Retention, AppliesAnAgeLimit) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state, {.retention = {.snapshots = 1}});
    exchange.trade(200);
    exchange.work();
    replica.finish(1);
    const auto& directory = exchange.journal_config.directory;
    const auto removed = [&](const Retention& retention, std::int64_t now) {
        return apply_retention(real_files(), directory, retention, Timestamp{now})->segments;
    };
    EXPECT_EQ(removed({.age_ns = 1'000'000'000'000, .snapshots = 1}, exchange.now), 0U);
    EXPECT_EQ(removed({.age_ns = 1, .snapshots = 2}, INT64_MAX), 0U)
        << "the only snapshot could be damaged";
    EXPECT_EQ(removed({.age_ns = 1, .snapshots = 1}, INT64_MAX), 4U);
}

}  // namespace
}  // namespace damrak::journal::retention_test
