// Snapshots: a state is restored exactly; damaged, foreign and unfinished snapshots are passed
// over; the replica writes them behind the journal.
#include <damrak/journal/snapshot.hpp>

#include <fstream>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "small_exchange.hpp"
#include "support/faulty_files.hpp"

namespace damrak::journal::snapshot_test {
namespace {

using damrak::testing::FaultyFiles;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Replica, WritesSnapshotsFromWhichARestartContinues) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state, {.snapshot_every = 100});
    for (int i = 0; i < 5; ++i) {
        exchange.trade(60);
        exchange.work();
        replica.do_work(1);
    }
    EXPECT_EQ(replica.position(), 300U);
    EXPECT_EQ(state.state_hash(), exchange.hash());
    EXPECT_THAT(exchange.snapshots(), ElementsAre(240, 120));

    standard_exchange::ExchangeState<> restarted{exchange.identity().engine};
    const auto loaded = load_newest_snapshot(real_files(), exchange.journal_config.directory,
                                             exchange.identity(), restarted);
    ASSERT_TRUE(loaded.has_value()) << loaded.error();
    ASSERT_TRUE(loaded->info.has_value());
    EXPECT_EQ(loaded->info->sequence, 240U);
    EXPECT_THAT(loaded->notes, IsEmpty());
    exchange.journal.reset();
    const auto recovery =
        recover(real_files(), exchange.journal_config.directory, {.from = 241, .synced = 240},
                [&](auto records) { restarted.apply(records); });
    ASSERT_TRUE(recovery.has_value()) << recovery.error();
    EXPECT_EQ(recovery->records, 60U);
    EXPECT_EQ(restarted.state_hash(), exchange.hash());
}

TEST(Replica, PublishesNoSnapshotAheadOfTheDisk) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state, {.snapshot_every = 16});
    exchange.trade(10);
    replica.request_snapshot();
    replica.do_work(1);
    EXPECT_EQ(replica.position(), 10U);
    EXPECT_EQ(state.state_hash(), exchange.hash());
    EXPECT_THAT(exchange.snapshots(), IsEmpty());
    const std::uint64_t hash_at_ten = exchange.hash();
    exchange.trade(5);
    replica.do_work(1);
    EXPECT_EQ(replica.position(), 15U) << "it continues meanwhile";
    EXPECT_THAT(exchange.snapshots(), IsEmpty());
    exchange.work();
    replica.do_work(1);
    EXPECT_THAT(exchange.snapshots(), ElementsAre(10));

    standard_exchange::ExchangeState<> restarted{exchange.identity().engine};
    ASSERT_TRUE(load_newest_snapshot(real_files(), exchange.journal_config.directory,
                                     exchange.identity(), restarted)
                    .has_value());
    EXPECT_EQ(restarted.state_hash(), hash_at_ten) << "the state at its position, not a later one";
}

TEST(Replica, WritesALastSnapshotOfTheEnd) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state);
    exchange.trade(150);
    exchange.journal->syncer().on_close();
    replica.finish(1);
    EXPECT_THAT(exchange.snapshots(), ElementsAre(150));
    replica.finish(1);
    EXPECT_EQ(replica.snapshots(), 1U) << "nothing has changed since";
}

TEST(Replica, ReportsAFailedSnapshotAndContinues) {
    FaultyFiles files;
    SmallExchange exchange{files};
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    exchange.trade(20);
    exchange.journal.reset();  // all appended records are in the files
    auto reader = JournalReader::open(files, exchange.journal_config.directory, 1);
    Replica<standard_exchange::ExchangeState<>> replica{
        files,
        {.directory = exchange.journal_config.directory},
        exchange.identity(),
        std::move(*reader),
        state,
        {.appended = [] { return 20; }, .synced = [] { return 20; }}};
    for (const char* fault : {"full", "short write", "sync", "rename"}) {
        SCOPED_TRACE(fault);
        const std::string_view name = fault;
        files.full = name == "full";
        files.output_bytes_left = name == "short write" ? 1'000 : UINT64_MAX;
        files.sync_fails = name == "sync";
        files.rename_fails = name == "rename";
        standard_exchange::ExchangeState<> again{exchange.identity().engine};
        const auto written =
            write_snapshot(files, exchange.journal_config.directory, {.sequence = 20}, again);
        ASSERT_FALSE(written.has_value());
        EXPECT_THAT(written.error(), HasSubstr("snapshot-00000000000000000020"));
        EXPECT_THAT(exchange.snapshots(), IsEmpty());
    }
    files.rename_fails = false;
    files.full = true;
    replica.finish(1);
    EXPECT_THAT(replica.trouble(), HasSubstr("No space left"));
    EXPECT_FALSE(replica.failed());
    EXPECT_EQ(replica.position(), 20U);
}

TEST(Snapshot, ThatIsDamagedIsPassedOverForAnEarlierOne) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    auto replica = exchange.replica(state, {.snapshot_every = 100});
    for (int i = 0; i < 2; ++i) {
        exchange.trade(100);
        exchange.work();
        replica.do_work(1);
    }
    ASSERT_THAT(exchange.snapshots(), ElementsAre(200, 100));
    const auto newest = exchange.journal_config.directory / snapshot_name(200);
    const auto bytes = std::filesystem::file_size(newest);
    for (std::uint64_t byte = 0; byte < bytes; byte += 1 + bytes / 40) {
        edit(newest, [&](std::byte* content) { content[byte] ^= std::byte{4}; });
        standard_exchange::ExchangeState<> restarted{exchange.identity().engine};
        const auto loaded = load_newest_snapshot(real_files(), exchange.journal_config.directory,
                                                 exchange.identity(), restarted);
        ASSERT_TRUE(loaded.has_value()) << loaded.error();
        EXPECT_EQ(loaded->info->sequence, 100U) << byte;
        EXPECT_THAT(loaded->notes,
                    ElementsAre(AllOf(HasSubstr(snapshot_name(200)), HasSubstr("passed over"))));
        edit(newest, [&](std::byte* content) { content[byte] ^= std::byte{4}; });
    }
}

TEST(Snapshot, OfAnotherJournalOrLayoutOrIncompleteIsPassedOver) {
    SmallExchange exchange;
    standard_exchange::ExchangeState<> state{exchange.identity().engine};
    const auto& directory = exchange.journal_config.directory;
    const SnapshotInfo ours{.sequence = 1,
                            .state_hash = state.state_hash(),
                            .layout = standard_exchange::ExchangeState<>::state_layout(),
                            .instance = exchange.identity().instance};
    SnapshotInfo foreign = ours;
    foreign.sequence = 9;
    foreign.instance = {1, 1};
    SnapshotInfo other_layout = ours;
    other_layout.sequence = 8;
    other_layout.layout += 1;
    SnapshotInfo cut = ours;
    cut.sequence = 7;
    for (const SnapshotInfo& info : {ours, foreign, other_layout, cut})
        ASSERT_TRUE(write_snapshot(real_files(), directory, info, state).has_value());
    std::filesystem::resize_file(directory / snapshot_name(7), 5'000);
    std::filesystem::copy(directory / snapshot_name(1), directory / snapshot_name(6));
    std::ofstream{directory / snapshot_name(5)} << "short";
    std::ofstream{directory / (snapshot_name(4) + ".new")} << "unfinished";

    const auto loaded = load_newest_snapshot(real_files(), directory, exchange.identity(), state);
    ASSERT_TRUE(loaded.has_value()) << loaded.error();
    EXPECT_EQ(loaded->info->sequence, 1U);
    EXPECT_THAT(loaded->notes,
                ElementsAre(HasSubstr("of another journal"), HasSubstr("another version"),
                            HasSubstr("not complete"), HasSubstr("differs from its name"),
                            HasSubstr("5 bytes are too few")));
}

TEST(Verify, GivesTheStateOfTheEngineThatWroteTheJournal) {
    SmallExchange exchange;
    exchange.trade(100);
    exchange.checkpoint_now();
    exchange.trade(100);
    exchange.checkpoint_now();
    const auto verified =
        verify<standard_exchange::ExchangeState<>>(real_files(), exchange.journal_config.directory);
    ASSERT_TRUE(verified.has_value()) << verified.error();
    EXPECT_EQ(verified->state_hash, exchange.hash());
    EXPECT_EQ(verified->commands, 200U);
    EXPECT_EQ(verified->journal.records, 202U);
    EXPECT_EQ(verified->checkpoints, 2U);
    EXPECT_FALSE(verified->divergence.has_value());
    EXPECT_TRUE(verified->journal.in_use);
}

TEST(Verify, NamesTheFirstCheckpointThatDoesNotAgree) {
    SmallExchange exchange;
    exchange.trade(50);
    exchange.checkpoint_now();
    exchange.checkpoint_now(1);
    exchange.checkpoint_now(2);
    const auto verified =
        verify<standard_exchange::ExchangeState<>>(real_files(), exchange.journal_config.directory);
    ASSERT_TRUE(verified->divergence.has_value());
    EXPECT_EQ(verified->divergence->sequence, 52U);
    EXPECT_EQ(verified->divergence->replayed, exchange.hash());
    EXPECT_EQ(verified->divergence->recorded, exchange.hash() + 1);
}

TEST(Verify, LeavesRecordsOfTheSequencerAlone) {
    SmallExchange exchange;
    exchange.trade(50);
    Record session{};
    session.command.kind = static_cast<CommandKind>(k_first_session_kind);
    session.command.timestamp = exchange.journal->writer().last_timestamp();
    exchange.append(session);
    exchange.trade(50);
    const auto verified =
        verify<standard_exchange::ExchangeState<>>(real_files(), exchange.journal_config.directory);
    EXPECT_EQ(verified->commands, 100U);
    EXPECT_EQ(verified->state_hash, exchange.hash());
}

TEST(Verify, ReportsThatAnEmptyDirectoryHasNoJournal) {
    const damrak::testing::ScratchFolder folder;
    EXPECT_THAT(verify<standard_exchange::ExchangeState<>>(real_files(), folder / "").error(),
                HasSubstr("contains no journal"));
    EXPECT_THAT(
        verify<standard_exchange::ExchangeState<>>(real_files(), folder / "nowhere").error(),
        HasSubstr("contains no journal"));
}

}  // namespace
}  // namespace damrak::journal::snapshot_test
