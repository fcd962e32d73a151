// The pipelined wiring under obstruction: a journal that waits or has stopped, readers that do not
// read, a stop in the middle.
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/sequencer/pipelined_sequencer.hpp>

#include "pipelined_exchange.hpp"
#include "support/commands.hpp"
#include "support/faulty_files.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sequencer::pipeline_stop_test {
namespace {

using ::testing::HasSubstr;

constexpr EngineConfig k_engine{.maximum_instruments = 8,
                                .maximum_participants = 8,
                                .maximum_orders = 10'000,
                                .maximum_extensions = 10,
                                .maximum_accounts = 64,
                                .maximum_levels = 10'000,
                                .maximum_ladder_nodes = 10'000,
                                .maximum_events = 16};
constexpr std::uint64_t k_smallest_segment = 8'192;

class PipelineStops : public ::testing::Test {
  protected:
    void SetUp() override { start(journal::real_files()); }
    void start(journal::FileSystem& files, Timestamp now = {1}) {
        agents_.reset();
        exchange_.reset();
        exchange_ = std::make_unique<PipelinedTestExchange>(
            journal::JournalConfig{.directory = data_, .segment_bytes = k_smallest_segment},
            k_engine,
            PipelineConfig{.shards = 2,
                           .waiting = Waiting::yield,
                           .sizes = {.inbound = 8, .commands = 4, .notices = 8, .events = 1}},
            now, files);
        agents_ = std::make_unique<Invoker>(sequencer().pipeline().agents());
    }

    PipelinedSequencer<Hearing>& sequencer() { return exchange_->sequencer(); }
    bool submit(const Command& command) { return sequencer().submit(command, {}, Timestamp{5}); }
    bool add_instrument(std::uint32_t id) { return submit(instrument_command(id, fine_stock())); }
    bool order(std::uint32_t instrument, std::int64_t price) {
        return submit(order_command(instrument, 1, Side::buy, price, 1));
    }
    /// Submits orders while there is room, and steps everything but the journal's helpers.
    std::size_t fill(std::size_t most) {
        std::size_t sent = 0;
        for (std::size_t idle = 0; idle < 20; ++idle) {
            while (sent < most && sequencer().ready()) {
                order(1 + static_cast<std::uint32_t>(sent % 2),
                      100 + static_cast<std::int64_t>(sent % 50));
                ++sent;
                idle = 0;
            }
            agents_->step_all(5);
            if (!sequencer().do_work(Timestamp{5})) break;
        }
        return sent;
    }
    void finish() {
        for (int i = 0; i < 2'000 && sequencer().awaits_answers(); ++i) {
            static_cast<void>(exchange_->journal().preallocator().do_work(i * 1'000'000'000LL));
            static_cast<void>(exchange_->journal().syncer().do_work(i));
            agents_->step_all(5);
            static_cast<void>(sequencer().do_work(Timestamp{5}));
        }
    }
    void expect_as_one_engine() {
        exchange_->journal().syncer().on_close();
        const Replayed replayed = replay_in_one_engine(data_, k_engine);
        EXPECT_TRUE(exchange_->heard().events == replayed.events);
        EXPECT_EQ(sequencer().state_hash(), replayed.state_hash);
    }

    // Checks the reports since the restart after this record.
    void expect_as_one_engine_from(std::uint64_t record) {
        Replayed replayed = replay_in_one_engine(data_, k_engine);
        std::erase_if(replayed.events, [&](const Told& told) { return told.sequence <= record; });
        EXPECT_FALSE(replayed.events.empty());
        EXPECT_TRUE(exchange_->heard().events == replayed.events);
        EXPECT_EQ(sequencer().state_hash(), replayed.state_hash);
    }

    testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "data";
    std::unique_ptr<PipelinedTestExchange> exchange_;
    std::unique_ptr<Invoker> agents_;
};

TEST_F(PipelineStops, AJournalThatWaitsForASegmentStallsWithoutLoss) {
    add_instrument(1);
    add_instrument(2);
    const std::size_t sent = fill(500);
    EXPECT_LT(sent, 500U) << "the rings before the journal are full";
    EXPECT_FALSE(sequencer().ready());
    EXPECT_TRUE(sequencer().awaits_answers());
    EXPECT_FALSE(sequencer().pipeline().sequencer().stopped());
    finish();
    EXPECT_FALSE(sequencer().awaits_answers());
    EXPECT_TRUE(sequencer().ready());
    EXPECT_EQ(exchange_->heard().ends.size(), sent + 2);
    expect_as_one_engine();
}

TEST_F(PipelineStops, AFullDiskStopsTradingAndOnlyDurableEventsWereReported) {
    testing::FaultyFiles files;
    data_ = folder_ / "full";
    start(files);
    add_instrument(1);
    add_instrument(2);
    files.full = true;
    static_cast<void>(exchange_->journal().preallocator().do_work(1));
    fill(500);
    EXPECT_TRUE(sequencer().pipeline().sequencer().stopped());
    EXPECT_FALSE(sequencer().do_work(Timestamp{5}));
    EXPECT_FALSE(order(1, 100)) << "no more commands are accepted";
    EXPECT_THAT(exchange_->journal().writer().refusal(), HasSubstr("No space left"));
    for (int i = 0; i < 10; ++i) {
        agents_->step_all(5);
        static_cast<void>(sequencer().do_work(Timestamp{5}));
    }
    expect_as_one_engine();
    sequencer().settle(Timestamp{5});  // returns, though answers never come
    agents_.reset();
    exchange_.reset();
}

TEST_F(PipelineStops, AGatewayThatDoesNotReadStallsTheRingsWithoutLoss) {
    add_instrument(1);
    std::size_t sent = 1;
    for (int i = 0; i < 50; ++i) {
        if (sequencer().ready() && order(1, 100)) ++sent;
        agents_->step_all(5);
    }
    EXPECT_FALSE(sequencer().ready());
    EXPECT_LT(sent, 40U);
    finish();
    EXPECT_EQ(exchange_->heard().ends.size(), sent);
    expect_as_one_engine();
}

TEST_F(PipelineStops, ConnectionsThatEndQueueBeyondTheRing) {
    add_instrument(1);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(order(1, 100)) << "beyond ready()";
    EXPECT_FALSE(sequencer().ready());
    finish();
    EXPECT_EQ(exchange_->heard().ends.size(), 101U);
    expect_as_one_engine();
}

// Events of a shard's command, and of one that the sequencer applies itself, in more slices than
// the rings hold.
TEST_F(PipelineStops, ACommandOfManySlicesIsOneRecordAndIsNotInterrupted) {
    add_instrument(1);
    add_instrument(2);
    for (std::uint32_t i = 0; i < 160; ++i) {
        EXPECT_TRUE(order(1 + i % 2, 100));
        finish();
    }
    const std::uint64_t records = exchange_->journal().writer().appended_position();
    Command cancel{};
    cancel.kind = CommandKind::mass_cancel;
    cancel.participant = ParticipantId{1};
    cancel.flags = CommandFlags::k_both_sides;
    EXPECT_TRUE(submit(order_command(1, 2, Side::sell, 100, 60)));
    EXPECT_TRUE(submit(cancel));
    EXPECT_TRUE(order(2, 100));
    finish();
    EXPECT_EQ(exchange_->journal().writer().appended_position(), records + 3);
    const auto events_of = [&](std::uint64_t record) {
        return std::ranges::count(exchange_->heard().events, record, &Told::sequence);
    };
    EXPECT_EQ(events_of(records + 1), 1 + 2 * 60);
    EXPECT_EQ(events_of(records + 2), 100 + 1);
    expect_as_one_engine();
}

TEST_F(PipelineStops, AStopInTheMiddleLeavesAUsableJournal) {
    add_instrument(1);
    add_instrument(2);
    for (std::uint32_t i = 0; i < 6; ++i) order(1 + i % 2, 100);
    // Some records are journaled but not matched, some matched but not reported, some not even
    // stamped.
    agents_->step(0, 5);
    agents_->step(1, 5);
    const std::uint64_t kept = exchange_->journal().writer().next_sequence() - 1;
    EXPECT_GT(kept, exchange_->heard().ends.size());
    SetUp();
    const Replayed replayed = replay_in_one_engine(data_, k_engine);
    EXPECT_EQ(replayed.records, kept);
    EXPECT_EQ(exchange_->taken_over_hash(), replayed.state_hash);
    EXPECT_TRUE(order(1, 101));
    finish();
    EXPECT_EQ(exchange_->heard().events.back().sequence, kept + 1);
}

}  // namespace
}  // namespace damrak::sequencer::pipeline_stop_test
