// The sequencer on a real journal: order and time of commands, continuations, sessions, and the
// state after a restart.
#include <damrak/sequencer/sequencer.hpp>

#include <filesystem>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/journal/journal.hpp>
#include <damrak/journal/snapshot.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/commands.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::sequencer::sequencer_test {
namespace {

using ::testing::ElementsAre;

struct Heard {
    struct Told {
        Event event;
        Origin origin;
        CommandStamp stamp;
    };
    std::vector<Told> events;
    std::vector<Origin> ends;
    std::size_t replayed = 0;

    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        events.push_back({event, origin, stamp});
    }
    void on_command_end(const Origin& origin) { ends.push_back(origin); }
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) { ++replayed; }

    [[nodiscard]] std::vector<EventKind> kinds() const {
        std::vector<EventKind> found;
        for (const Told& told : events) found.push_back(told.event.kind);
        return found;
    }
};

constexpr EngineConfig k_engine{.maximum_instruments = 2,
                                .maximum_participants = 8,
                                .maximum_orders = 1'000,
                                .maximum_extensions = 10,
                                .maximum_accounts = 16,
                                .maximum_levels = 1'000,
                                .maximum_ladder_nodes = 1'000,
                                .maximum_events = 16};

class SequencerTest : public ::testing::Test {
  protected:
    void SetUp() override { start(); }

    // Recovers the journal and continues; the previous sequencer is gone, as after a kill.
    void start() {
        sequencer_.reset();
        journal_.reset();
        heard_ = {};
        sequencer_ = std::make_unique<Sequencer<Heard>>(k_engine, heard_);
        auto recovery = journal::recover(journal::real_files(), data_, {},
                                         [&](auto records) { sequencer_->replay(records); });
        ASSERT_TRUE(recovery) << recovery.error();
        auto opened = journal::Journal::open(
            journal::real_files(), {.directory = data_, .segment_bytes = 1U << 20U}, *recovery,
            {.instance = {1, 2}, .engine = k_engine}, Timestamp{1});
        ASSERT_TRUE(opened) << opened.error();
        journal_ = std::move(*opened);
        sequencer_->start(journal_->writer(), Timestamp{now_});
    }

    // The same, but another state reads the journal, and goes through a snapshot in between.
    void start_from_snapshot() {
        sequencer_.reset();
        journal_.reset();
        heard_ = {};
        using State = standard_exchange::ExchangeState<>;
        auto& files = journal::real_files();
        State first{k_engine};
        const journal::RecoveryOptions look{.cut = false};
        const auto all =
            journal::recover(files, data_, look, [&](auto records) { first.apply(records); });
        ASSERT_TRUE(all) << all.error();
        ASSERT_TRUE(journal::write_snapshot(files, data_,
                                            {.sequence = all->last_sequence,
                                             .state_hash = first.state_hash(),
                                             .layout = State::state_layout(),
                                             .instance = all->identity->instance},
                                            first));
        State second{k_engine};
        ASSERT_TRUE(journal::load_newest_snapshot(files, data_, *all->identity, second)->info);
        auto recovery =
            journal::recover(files, data_, {.from = all->last_sequence + 1}, [](auto) {});
        ASSERT_TRUE(recovery) << recovery.error();
        sequencer_ = std::make_unique<Sequencer<Heard>>(k_engine, heard_);
        sequencer_->take_over(second);
        load_bytes(names_, bytes_of(second.gateway<gateway::binary::OrderNames>()));
        load_bytes(fix_orders_, bytes_of(second.gateway<gateway::fix::FixOrders>()));
        auto opened =
            journal::Journal::open(files, {.directory = data_, .segment_bytes = 1U << 20U},
                                   *recovery, *all->identity, Timestamp{1});
        ASSERT_TRUE(opened) << opened.error();
        journal_ = std::move(*opened);
        sequencer_->start(journal_->writer(), Timestamp{now_});
    }

    void submit(const Command& command, const Origin& origin = {}) {
        ASSERT_TRUE(sequencer_->submit(command, origin, Timestamp{now_}));
    }
    void add_instrument() { submit(instrument_command(1)); }
    void order(std::uint32_t participant, Side side, std::int64_t price, std::int64_t quantity = 10,
               const Origin& origin = {}) {
        submit(order_command(1, participant, side, price, quantity), origin);
    }
    void open_session(std::uint64_t id, std::uint32_t participant, bool cancel) {
        Command open{};
        open.kind = CommandKind::session_opened;
        open.participant = ParticipantId{participant};
        if (cancel) open.flags = CommandFlags::k_cancel_on_disconnect;
        submit(open, {.session = {id}});
    }
    [[nodiscard]] std::uint64_t hash() const { return sequencer_->engine().state_hash(); }

    testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "data";
    std::int64_t now_ = 1'000;
    Heard heard_;
    std::unique_ptr<Sequencer<Heard>> sequencer_;
    std::unique_ptr<journal::Journal> journal_;
    gateway::binary::OrderNames names_{k_engine};
    gateway::fix::FixOrders fix_orders_{k_engine};
};

TEST_F(SequencerTest, EventsCarryTheOriginAndTheStampOfTheirCommand) {
    add_instrument();
    const Origin origin{.session = {7}, .inbound_sequence = 3, .tag = {{std::byte{9}}}};
    now_ = 2'000;
    order(1, Side::buy, 500, 10, origin);
    const Heard::Told& told = heard_.events.back();
    EXPECT_EQ(told.event.kind, EventKind::accepted);
    EXPECT_EQ(told.origin, origin);
    EXPECT_EQ(told.stamp.sequence.value, 2U);
    EXPECT_EQ(told.stamp.timestamp.value, 2'000);
    EXPECT_THAT(heard_.ends, ElementsAre(Origin{}, origin));
}

TEST_F(SequencerTest, TimeNeverDecreasesWhenTheClockDoes) {
    add_instrument();
    now_ = 500;
    order(1, Side::buy, 500);
    EXPECT_EQ(heard_.events.back().stamp.timestamp.value, 1'000);
}

TEST_F(SequencerTest, ACommandOfManySlicesIsOneRecordAndEndsOnce) {
    add_instrument();
    for (int i = 0; i < 100; ++i) order(1, Side::buy, 500);
    heard_.ends.clear();
    heard_.events.clear();
    Command cancel{};
    cancel.kind = CommandKind::mass_cancel;
    cancel.participant = ParticipantId{1};
    cancel.flags = CommandFlags::k_both_sides;
    submit(cancel, {.session = {5}});
    EXPECT_EQ(heard_.ends.size(), 1U);
    EXPECT_EQ(heard_.events.size(), 101U);
    EXPECT_EQ(journal_->writer().next_sequence(), 103U);
    const std::uint64_t before = hash();
    start();
    EXPECT_EQ(hash(), before);
}

TEST_F(SequencerTest, ARestartRecoversTheSameState) {
    add_instrument();
    for (std::uint32_t i = 1; i <= 50; ++i)
        order(1 + i % 3, i % 2 == 0 ? Side::buy : Side::sell, std::int64_t{100} * i);
    const std::uint64_t before = hash();
    const std::size_t events = heard_.events.size();
    start();
    EXPECT_EQ(hash(), before);
    EXPECT_EQ(heard_.replayed, events);
    EXPECT_TRUE(heard_.events.empty()) << "there are no clients to answer";
    order(1, Side::buy, 100);
    EXPECT_EQ(heard_.events.back().stamp.sequence.value, 52U);
}

TEST_F(SequencerTest, ASnapshotHasEverythingThatARestartNeeds) {
    add_instrument();
    open_session(11, 1, true);
    open_session(12, 2, false);
    for (std::uint32_t i = 1; i <= 50; ++i) {
        Command named = order_command(1, 1 + i % 2, Side::sell, std::int64_t{100} * i, 10);
        named.client_order_id = ClientOrderId{700 + i};
        submit(named, {.session = SessionId{11 + i % 2}});
    }
    order(3, Side::buy, 500, 25);
    const std::uint64_t commands = sequencer_->commands();
    start();
    const std::uint64_t replayed = hash();
    ASSERT_EQ(heard_.kinds().back(), EventKind::mass_cancelled);
    start_from_snapshot();
    EXPECT_EQ(hash(), replayed);
    EXPECT_EQ(sequencer_->commands(), commands + 1) << "the cancel of participant 1";
    EXPECT_EQ(sequencer_->open_sessions(), 0U);
    EXPECT_EQ(sequencer_->last_session().value, 12U);
    EXPECT_EQ(sequencer_->last_participant(), ParticipantId{2});
    EXPECT_EQ(names_.size(), 24U) << "unfilled orders of participant 2";
    EXPECT_EQ(names_.client_order_id(OrderId{50}), ClientOrderId{0}) << "cancelled";
    EXPECT_EQ(names_.client_order_id(OrderId{49}), ClientOrderId{749});
    EXPECT_EQ(names_.client_order_id(OrderId{1}), ClientOrderId{0}) << "filled";
}

TEST_F(SequencerTest, SessionsOpenInASnapshotAreEndedToo) {
    add_instrument();
    open_session(11, 1, true);
    open_session(12, 2, false);
    order(1, Side::buy, 500);
    order(2, Side::buy, 500);
    start_from_snapshot();
    EXPECT_THAT(heard_.kinds(), ElementsAre(EventKind::cancelled, EventKind::mass_cancelled));
    EXPECT_EQ(sequencer_->open_sessions(), 0U);
}

// Journaled, but not applied: the process ended.
TEST_F(SequencerTest, ARestartAppliesTheLastRecordToItsEnd) {
    add_instrument();
    for (int i = 0; i < 40; ++i) order(1, Side::buy, 500);
    for (const bool from_snapshot : {false, true}) {
        journal::Record begun{};
        begun.command.kind = CommandKind::mass_cancel;
        begun.command.participant = ParticipantId{1};
        begun.command.flags = CommandFlags::k_both_sides;
        begun.command.timestamp = Timestamp{now_};
        ASSERT_TRUE(journal_->writer().append(begun));
        from_snapshot ? start_from_snapshot() : start();
        EXPECT_EQ(sequencer_->engine().used().orders, 0U);
        for (int i = 0; i < 40; ++i) order(1, Side::buy, 500);
    }
}

TEST_F(SequencerTest, StartEndsOpenSessionsAndCancelsTheirOrdersOnRequest) {
    add_instrument();
    open_session(11, 1, true);
    open_session(12, 2, false);
    open_session(13, 3, true);
    Command closed{};
    closed.kind = CommandKind::session_closed;
    closed.participant = ParticipantId{3};
    submit(closed, {.session = {13}});
    for (const std::uint32_t participant : {1U, 2U, 3U}) order(participant, Side::buy, 500);
    EXPECT_EQ(sequencer_->open_sessions(), 2U);
    start();
    EXPECT_EQ(sequencer_->open_sessions(), 0U);
    EXPECT_THAT(heard_.kinds(), ElementsAre(EventKind::cancelled, EventKind::mass_cancelled));
    EXPECT_EQ(heard_.events.front().event.participant, ParticipantId{1});
    EXPECT_EQ(sequencer_->last_session().value, 13U);
    EXPECT_EQ(sequencer_->last_participant(), ParticipantId{3});
    const std::uint64_t before = hash();
    start();
    EXPECT_EQ(hash(), before) << "sessions are ended only once";
    EXPECT_TRUE(heard_.events.empty());
}

TEST_F(SequencerTest, DueOrdersExpireByAJournaledTick) {
    add_instrument();
    Command dated = order_command(1, 1, Side::buy, 500, 1);
    dated.time_in_force = TimeInForce::gtd;
    dated.order.expire_time = Timestamp{5'000};
    submit(dated);
    const std::uint64_t next = journal_->writer().next_sequence();
    EXPECT_TRUE(sequencer_->do_work(Timestamp{4'999}));
    EXPECT_EQ(journal_->writer().next_sequence(), next) << "nothing is due";
    EXPECT_TRUE(sequencer_->do_work(Timestamp{5'000}));
    EXPECT_EQ(heard_.events.back().event.kind, EventKind::expired);
    const std::uint64_t before = hash();
    start();
    EXPECT_EQ(hash(), before);
}

TEST_F(SequencerTest, TheJournalVerifiesToTheSameHash) {
    add_instrument();
    open_session(1, 1, false);
    for (std::uint32_t i = 1; i <= 20; ++i)
        order(1 + i % 2, i % 2 == 0 ? Side::buy : Side::sell, 1'000);
    const auto found =
        journal::verify<standard_exchange::ExchangeState<>>(journal::real_files(), data_);
    ASSERT_TRUE(found) << found.error();
    EXPECT_EQ(found->state_hash, hash());
    EXPECT_EQ(found->commands, sequencer_->commands());
}

}  // namespace
}  // namespace damrak::sequencer::sequencer_test
