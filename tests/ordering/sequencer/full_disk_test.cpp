// The sequencer when the disk is full: it continues while its segment has room, then accepts
// nothing more and says why. It does not wait for the preallocator to try the disk again: none runs
// here, so such a wait would never end.
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/journal.hpp>
#include <damrak/sequencer/sequencer.hpp>

#include "support/commands.hpp"
#include "support/faulty_files.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sequencer::full_disk_test {
namespace {

using ::testing::HasSubstr;

constexpr EngineConfig k_engine{.maximum_instruments = 2,
                                .maximum_participants = 8,
                                .maximum_orders = 1'000,
                                .maximum_extensions = 10,
                                .maximum_accounts = 16,
                                .maximum_levels = 1'000,
                                .maximum_ladder_nodes = 1'000,
                                .maximum_events = 16};
constexpr std::uint64_t k_smallest_segment = 8'192;
constexpr std::uint64_t k_records = 21;  // of such a segment

struct Counted {
    std::size_t accepted = 0;
    std::size_t cancelled = 0;
    std::size_t ends = 0;
    void on_event(const Event& event, const Origin& /*origin*/, const CommandStamp& /*stamp*/) {
        accepted += event.kind == EventKind::accepted ? 1U : 0U;
        cancelled += event.kind == EventKind::cancelled ? 1U : 0U;
    }
    void on_command_end(const Origin& /*origin*/) { ++ends; }
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) {}
};

class SequencerOnAFullDisk : public ::testing::Test {
  protected:
    void SetUp() override {
        start();
        ASSERT_TRUE(submit(instrument_command(1, fine_stock())));
        files_.full = true;
        static_cast<void>(journal_->preallocator().do_work(1));
        EXPECT_THAT(journal_->writer().refusal(), HasSubstr("No space left"));
    }
    void start() {
        sequencer_.reset();
        journal_.reset();
        sequencer_ = std::make_unique<Sequencer<Counted>>(k_engine, heard_);
        const journal::JournalConfig config{.directory = folder_ / "data",
                                            .segment_bytes = k_smallest_segment};
        const auto recovery = journal::recover(files_, config.directory, {},
                                               [&](auto records) { sequencer_->replay(records); });
        ASSERT_TRUE(recovery) << recovery.error();
        auto opened = journal::Journal::open(files_, config, *recovery,
                                             {.instance = {1, 2}, .engine = k_engine}, {});
        ASSERT_TRUE(opened) << opened.error();
        journal_ = std::move(*opened);
        sequencer_->start(journal_->writer(), {});
    }
    bool submit(const Command& command) { return sequencer_->submit(command, {}, {}); }
    bool order() { return submit(order_command(1, 1, Side::buy, 100, 1)); }

    testing::ScratchFolder folder_;
    testing::FaultyFiles files_;
    Counted heard_;
    std::unique_ptr<journal::Journal> journal_;
    std::unique_ptr<Sequencer<Counted>> sequencer_;
};

TEST_F(SequencerOnAFullDisk, StopsWhenItsSegmentIsFullWithTheReason) {
    std::size_t taken = 0;
    while (sequencer_->do_work({}) && order()) ++taken;
    EXPECT_EQ(taken, k_records - 1) << "and the instrument";
    EXPECT_FALSE(sequencer_->ready());
    EXPECT_FALSE(order());
    EXPECT_EQ(heard_.accepted, taken) << "events of unjournaled commands are not reported";
    EXPECT_EQ(heard_.ends, taken + 1);
    EXPECT_THAT(journal_->writer().refusal(), HasSubstr("No space left"));
}

TEST_F(SequencerOnAFullDisk, TheLastRecordThatFitsIsAppliedToItsEnd) {
    for (std::uint64_t i = 1; i < k_records - 1; ++i) ASSERT_TRUE(order());
    Command all{};
    all.kind = CommandKind::mass_cancel;
    all.participant = ParticipantId{1};
    all.flags = CommandFlags::k_both_sides;
    EXPECT_TRUE(submit(all)) << "events of several slices, one record";
    EXPECT_EQ(heard_.cancelled, k_records - 2);
    EXPECT_FALSE(order());
}

}  // namespace
}  // namespace damrak::sequencer::full_disk_test
