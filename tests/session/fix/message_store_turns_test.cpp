// A FIX store that keeps by turns: what a turn that did not end wrote has not happened, after a
// kill, and after a loss of power where turns end on the disk.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/sim/disk.hpp>

#include "session/fix/store_messages.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::session::fix {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): its own helpers
using ::testing::HasSubstr;

constexpr StoreSettings k_by_turn{.file_bytes = 16'384,
                                  .retained_bytes = 1 << 20,
                                  .prefault_bytes = 8'192,
                                  .kept_by = KeptBy::turn};

class TurnsTest : public ::testing::Test {
  protected:
    void open(StoreSettings settings = k_by_turn) {
        store_.reset();
        store_ = open_store(path(), settings);
        ASSERT_NE(store_, nullptr);
    }
    void close() { store_.reset(); }
    void write_turn(std::uint64_t first, std::uint64_t last) {
        write_messages(*store_, first, last);
        store_->set_next_incoming(last * 2, k_now);
        ASSERT_TRUE(store_->end_turn(k_now));
    }
    /// The first file with a message, and where that begins; to be damaged once it is closed.
    [[nodiscard]] std::uint64_t offset_of(std::uint64_t sequence) const {
        const std::string content = damrak::testing::content_of(first_file());
        StoreFileReader reader{std::as_bytes(std::span{content}), 1};
        while (reader.next() == StoreFileReader::Found::record)
            if (reader.record().kind == RecordKind::message && reader.record().sequence == sequence)
                return reader.record().offset;
        ADD_FAILURE() << "no message " << sequence;
        return 0;
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "session"; }
    [[nodiscard]] std::filesystem::path first_file() const { return path() / store_file_name(1); }

    damrak::testing::ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
};

TEST_F(TurnsTest, WhatIsBehindTheLastEndHasNotHappened) {
    open();
    write_turn(1, 5);
    write_messages(*store_, 6, 9);
    store_->set_next_incoming(40, k_now);
    open();
    EXPECT_EQ(store_->next_outgoing(), 6);
    EXPECT_EQ(store_->next_incoming(), 10);
    EXPECT_EQ(store_->last_position(), (EventPosition{50, 3}));
    EXPECT_TRUE(has_message(*store_, 5));
    EXPECT_FALSE(store_->find(6));
    EXPECT_TRUE(store_->notes().empty());
    // The same numbers for other messages, as they were not sent.
    write_message(*store_, 6, {.time = k_now, .position = {77, 1}});
    ASSERT_TRUE(store_->end_turn(k_now));
    open();
    EXPECT_EQ(store_->last_position(), (EventPosition{77, 1}));
    EXPECT_EQ(store_->next_outgoing(), 7);
    EXPECT_FALSE(store_->find(7));
}

TEST_F(TurnsTest, AResetInATurnThatDidNotEndHasNotHappened) {
    open();
    write_turn(1, 5);
    store_->reset(time_of(100));
    write_messages(*store_, 1, 2);
    open();
    EXPECT_EQ(store_->next_outgoing(), 6);
    EXPECT_EQ(store_->next_incoming(), 10);
    EXPECT_EQ(store_->began(), k_now);
    EXPECT_TRUE(has_message(*store_, 5));
}

TEST_F(TurnsTest, ATurnOfSeveralFilesIsGivenUpAsAWhole) {
    open();
    write_turn(1, 5);
    write_messages(*store_, 6, 600);
    ASSERT_GT(files_of(path()).size(), 4);
    open();
    EXPECT_EQ(files_of(path()).size(), 1);
    EXPECT_EQ(store_->next_outgoing(), 6);
    write_turn(6, 600);
    open();
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->next_outgoing(), 601);
    for (std::uint64_t n = 1; n <= 600; ++n) ASSERT_TRUE(has_message(*store_, n));
}

TEST_F(TurnsTest, ATurnInWhichNothingHappenedWritesNothing) {
    open();
    write_turn(1, 5);
    for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(store_->end_turn(k_now));
    EXPECT_EQ(store_->files_begun(), 1);
}

TEST_F(TurnsTest, ATurnMayOnlyHaveTakenWhatCame) {
    open();
    write_turn(1, 5);
    store_->set_next_incoming(23, k_now);
    ASSERT_TRUE(store_->end_turn(k_now));
    store_->set_next_incoming(24, k_now);
    open();
    EXPECT_EQ(store_->next_incoming(), 23);
}

TEST_F(TurnsTest, WhatWasKeptAtOnceBeforeCountsWhenTurnsBegin) {
    StoreSettings at_once = k_by_turn;
    at_once.kept_by = KeptBy::commit;
    open(at_once);
    write_messages(*store_, 1, 5);
    store_->set_next_incoming(7, k_now);
    open();
    EXPECT_EQ(store_->next_outgoing(), 6);
    EXPECT_EQ(store_->next_incoming(), 7);
    write_messages(*store_, 6, 9);
    open(at_once);
    EXPECT_EQ(store_->next_outgoing(), 10) << "and everything, when they are over";
}

TEST_F(TurnsTest, DamageBeforeTheLastTurnCostsWhatItHit) {
    open();
    write_turn(1, 3);
    write_turn(4, 6);
    write_turn(7, 9);
    // Of one that did not end, which nobody writes before the last is on the disk.
    write_messages(*store_, 10, 11);
    close();
    for (const std::uint64_t offset : {offset_of(8), offset_of(5)})
        flip_bit(first_file(), offset + 80);
    open();
    ASSERT_EQ(store_->notes().size(), 2);
    for (const std::uint64_t n : {5U, 8U, 10U}) EXPECT_FALSE(store_->find(n)) << n;
    for (const std::uint64_t n : {4U, 6U, 7U, 9U}) EXPECT_TRUE(has_message(*store_, n));
    EXPECT_EQ(store_->next_outgoing(), 10);
    EXPECT_EQ(store_->next_incoming(), 18);
}

TEST_F(TurnsTest, OfADamagedLastTurnNoNumberIsUsedAgain) {
    open();
    write_turn(1, 3);
    write_turn(4, 8);
    close();
    flip_bit(first_file(), offset_of(6) + 80);
    open();
    ASSERT_EQ(store_->notes().size(), 1);
    EXPECT_THAT(store_->notes().front(), HasSubstr("the numbers up to 9 are taken as used"));
    EXPECT_EQ(store_->next_outgoing(), 10);
    EXPECT_EQ(store_->next_incoming(), 6);
    EXPECT_EQ(store_->last_position(), (EventPosition{30, 3}));
    EXPECT_TRUE(has_message(*store_, 3));
    EXPECT_FALSE(store_->find(7));
    open();
    EXPECT_EQ(store_->next_outgoing(), 10);
    EXPECT_TRUE(store_->notes().empty());
}

TEST(SyncedTurnsTest, ATurnThatCannotBeSyncedDoesNotEndAndNoneAfterIt) {
    RandomStream random{1};
    sim::Disk disk{random};
    StoreSettings settings = k_by_turn;
    settings.kept_by = KeptBy::synced_turn;
    auto store = MessageStore::open(disk, "session", settings, k_now).value();
    write_messages(*store, 1, 3);
    disk.sync_fails = true;
    EXPECT_FALSE(store->end_turn(k_now));
    EXPECT_THAT(store->trouble(), HasSubstr("cannot sync session/messages-"));
    disk.sync_fails = false;
    EXPECT_FALSE(store->end_turn(k_now)) << "what the disk has of it cannot be known";
}

// A session that sends what a turn wrote when it has ended, on a disk that loses power.
class Sender {
  public:
    explicit Sender(std::uint64_t seed) : random_(seed), disk_random_(random_.next()) {
        settings_.kept_by = KeptBy::synced_turn;
        settings_.retained_bytes = 1 << 24;
        disk_.on_call = [this] {
            if (running_ && calls_left_-- == 0) throw Dead{};
        };
    }

    /// Lives until the power goes; the next life has to begin with what was sent.
    void live() {
        calls_left_ = random_.below(60);
        running_ = true;
        try {
            open();
            while (!::testing::Test::HasFailure()) play_turn();
        } catch (const Dead&) {
        }
        running_ = false;
        disk_.orphaned = true;
        store_.reset();
        disk_.orphaned = false;
        if (random_.coin()) disk_.write_back_some();
        if (random_.below(4) != 0) disk_.lose_power();
    }
    [[nodiscard]] std::size_t sent() const { return sent_.size(); }

  private:
    struct Dead {};

    void open() {
        auto opened = MessageStore::open(disk_, "session", settings_, k_now);
        ASSERT_TRUE(opened) << opened.error();
        store_ = *std::move(opened);
        // What was written when the power went may have come to the disk as a whole.
        const bool is_whole = store_->last_position() == doubtful_.position &&
                              store_->next_incoming() == doubtful_.incoming;
        if (!is_whole) doubtful_messages_.clear();
        for (const std::uint64_t number : doubtful_messages_)
            EXPECT_TRUE(has_message(*store_, number)) << "it is not made up for";
        const State& expected = is_whole ? doubtful_ : state_;
        EXPECT_EQ(store_->next_incoming(), expected.incoming);
        EXPECT_EQ(store_->last_position(), expected.position);
        EXPECT_GE(store_->next_outgoing(), expected.outgoing);
        for (const auto& [number, event] : sent_) {
            ASSERT_LT(number, store_->next_outgoing()) << "it will be used again";
            ASSERT_TRUE(has_message(*store_, number));
            ASSERT_EQ(store_->find(number)->kept.position.command_sequence, event);
        }
        state_ = expected;
        doubtful_ = state_;
        doubtful_messages_.clear();
    }
    void play_turn() {
        std::map<std::uint64_t, std::uint64_t> written;
        for (std::uint32_t i = random_.below(random_.below(8) == 0 ? 150 : 12); i > 0; --i) {
            const std::uint64_t number = store_->next_outgoing();
            written[number] = ++event_;
            write_message(*store_, number, {.time = k_now, .position = {event_, 1}});
            if (random_.below(4) == 0)
                store_->set_next_incoming(store_->next_incoming() + 1, k_now);
        }
        if (random_.coin()) store_->keeper().do_work(k_now.value);
        if (random_.below(4) == 0) disk_.write_back_some();
        doubtful_messages_.clear();
        for (const auto& [number, event] : written) doubtful_messages_.push_back(number);
        doubtful_ = {store_->next_outgoing(), store_->next_incoming(), store_->last_position()};
        ASSERT_TRUE(store_->end_turn(k_now));
        state_ = doubtful_;
        sent_.merge(written);
    }

    struct State {
        std::uint64_t outgoing = 1;
        std::uint64_t incoming = 1;
        EventPosition position{};
    };
    RandomStream random_;
    RandomStream disk_random_;
    sim::Disk disk_{disk_random_};
    StoreSettings settings_ = k_by_turn;
    std::unique_ptr<MessageStore> store_;
    std::map<std::uint64_t, std::uint64_t> sent_;  ///< events, by the number of their message
    State state_;                                  ///< when the last turn ended
    State doubtful_;                               ///< of the one that was ending, and
    std::vector<std::uint64_t> doubtful_messages_;
    std::uint64_t event_ = 0;
    std::uint64_t calls_left_ = 0;
    bool running_ = false;
};

TEST(SyncedTurnsTest, WhatWasSentIsThereAfterEveryLossOfPower) {
    std::size_t sent = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
        SCOPED_TRACE(seed);
        Sender sender{seed};
        for (int life = 0; life < 12; ++life) {
            sender.live();
            if (::testing::Test::HasFailure()) return;
        }
        sent += sender.sent();
    }
    EXPECT_GT(sent, 3'000U);
}

}  // namespace
}  // namespace damrak::session::fix
