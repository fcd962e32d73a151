// Guarantees of the store of a FIX session: committed messages can be found by number, with the
// sequence numbers, after restarts, changes of files and resets. The first half applies to both
// stores.
#include <damrak/session/fix/message_store.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <damrak/base/runner.hpp>
#include <damrak/session/fix/memory_store.hpp>

#include "sessions/session/fix/store_messages.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::session::fix::message_store_test {
namespace {

using namespace store_messages;  // NOLINT(google-build-using-namespace): its own helpers

constexpr StoreSettings k_small_files{
    .file_bytes = 16'384, .retained_bytes = 1 << 20, .prefault_bytes = 8'192};

struct InFiles {
    damrak::testing::ScratchFolder folder;
    std::unique_ptr<MessageStore> opened = open_store(folder / "session", k_small_files);
    [[nodiscard]] MessageStore& store() const { return *opened; }
};
struct InMemory {
    MemoryStore kept{{.bytes = 1 << 20, .messages = 4'096}, k_now};
    MemoryStore& store() { return kept; }
};

template <class Place>
class StoreTest : public ::testing::Test {
  protected:
    auto& store() { return place_.store(); }

  private:
    Place place_;
};
using Places = ::testing::Types<InFiles, InMemory>;
TYPED_TEST_SUITE(StoreTest, Places);

TYPED_TEST(StoreTest, ANewStoreIsEmptyAndStartsAtOneInBothDirections) {
    EXPECT_EQ(this->store().next_outgoing(), 1);
    EXPECT_EQ(this->store().next_incoming(), 1);
    EXPECT_EQ(this->store().began(), k_now);
    EXPECT_EQ(this->store().last_position(), EventPosition{});
    EXPECT_FALSE(this->store().find(1));
    EXPECT_TRUE(this->store().trouble().empty());
}

TYPED_TEST(StoreTest, MessagesAreFoundByNumberWithTheirMetadata) {
    const std::string sent = write_message(
        this->store(), 1, {.time = k_now, .position = {.command_sequence = 77, .event_index = 5}});
    write_message(this->store(), 2, {.time = time_of(2), .administrative = true});
    EXPECT_EQ(this->store().next_outgoing(), 3);
    const auto first = this->store().find(1);
    ASSERT_TRUE(first);
    EXPECT_EQ(std::string(first->message.begin(), first->message.end()), sent);
    EXPECT_EQ(first->kept.time, k_now);
    EXPECT_EQ(first->kept.position, (EventPosition{77, 5}));
    EXPECT_FALSE(first->kept.administrative);
    EXPECT_TRUE(this->store().find(2)->kept.administrative);
    EXPECT_FALSE(this->store().find(3));
    EXPECT_FALSE(this->store().find(0));
    EXPECT_EQ(this->store().last_position(), (EventPosition{77, 5}));
}

TYPED_TEST(StoreTest, AnUncommittedClaimHasNoEffect) {
    std::ranges::fill(this->store().claim(300), 'x');
    std::ranges::fill(this->store().claim(200), 'y');
    write_messages(this->store(), 1, 2);
    EXPECT_TRUE(has_message(this->store(), 1));
    EXPECT_TRUE(has_message(this->store(), 2));
    EXPECT_FALSE(this->store().find(3));
}

TYPED_TEST(StoreTest, NumbersMayBeSkipped) {
    constexpr std::array<std::uint64_t, 5> k_numbers{1, 2, 5, 6, 100};
    constexpr std::array<std::uint64_t, 5> k_left_out{3, 4, 7, 99, 101};
    for (const std::uint64_t n : k_numbers) write_message(this->store(), n);
    for (const std::uint64_t n : k_numbers) EXPECT_TRUE(has_message(this->store(), n));
    for (const std::uint64_t n : k_left_out) EXPECT_FALSE(this->store().find(n)) << n;
}

TYPED_TEST(StoreTest, SettingTheNextOutgoingBackDropsLaterMessages) {
    write_messages(this->store(), 1, 10);
    this->store().set_next_outgoing(6, k_now);
    EXPECT_TRUE(has_message(this->store(), 5));
    EXPECT_FALSE(this->store().find(6));
    EXPECT_EQ(this->store().next_outgoing(), 6);
    write_message(this->store(), 6);
    EXPECT_TRUE(has_message(this->store(), 6));
    this->store().set_next_outgoing(50, k_now);
    EXPECT_EQ(this->store().next_outgoing(), 50);
    EXPECT_TRUE(has_message(this->store(), 6));
}

TYPED_TEST(StoreTest, ANumberMayBeUsedWithoutAMessage) {
    for (std::uint64_t n = 1; n <= 1'000; n += 2) {
        write_message(this->store(), n);
        this->store().set_next_outgoing(n + 2, k_now);
    }
    EXPECT_EQ(this->store().next_outgoing(), 1'001);
    EXPECT_FALSE(this->store().find(1'000));
    EXPECT_TRUE(has_message(this->store(), 999));
    EXPECT_FALSE(this->store().find(998));
    EXPECT_TRUE(has_message(this->store(), 501));
}

TYPED_TEST(StoreTest, AResetRestartsBothDirections) {
    write_messages(this->store(), 1, 300);
    this->store().set_next_incoming(17, k_now);
    this->store().reset(time_of(999));
    EXPECT_EQ(this->store().next_outgoing(), 1);
    EXPECT_EQ(this->store().next_incoming(), 1);
    EXPECT_EQ(this->store().began(), time_of(999));
    EXPECT_FALSE(this->store().find(1));
    EXPECT_FALSE(this->store().find(300));
    EXPECT_EQ(this->store().last_position(), (EventPosition{3'000, 3}));
    write_messages(this->store(), 1, 3);
    EXPECT_TRUE(has_message(this->store(), 1));
    EXPECT_FALSE(this->store().find(4));
}

TYPED_TEST(StoreTest, ALowerIncomingNumberStartsANewCount) {
    write_messages(this->store(), 1, 3);
    this->store().set_next_incoming(17, time_of(100));
    EXPECT_LT(this->store().began(), time_of(100));
    this->store().set_next_incoming(5, time_of(200));
    EXPECT_EQ(this->store().began(), time_of(200));
    EXPECT_EQ(this->store().next_incoming(), 5);
    EXPECT_EQ(this->store().next_outgoing(), 4);
    EXPECT_TRUE(has_message(this->store(), 3)) << "sent messages are still stored";
}

TYPED_TEST(StoreTest, AnImpossibleClaimIsEmpty) {
    EXPECT_TRUE(this->store().claim((1 << 20) + 1).empty());
    write_messages(this->store(), 1, 1);
    EXPECT_TRUE(has_message(this->store(), 1));
}

TEST(MemoryStoreTest, NewMessagesReplaceOldOnes) {
    MemoryStore store{{.bytes = 2'000, .messages = 100}};
    write_messages(store, 1, 500);
    EXPECT_TRUE(has_message(store, 500));
    EXPECT_TRUE(has_message(store, 499));
    EXPECT_FALSE(store.find(480));
    MemoryStore few{{.bytes = 1 << 20, .messages = 4}};
    write_messages(few, 1, 9);
    EXPECT_FALSE(few.find(5));
    for (std::uint64_t n = 6; n < 10; ++n) EXPECT_TRUE(has_message(few, n));
}

class MessageStoreTest : public ::testing::Test {
  protected:
    void open(StoreSettings settings = k_small_files, Timestamp now = k_now) {
        store_.reset();
        store_ = open_store(folder_ / "session", settings, now);
        ASSERT_NE(store_, nullptr);
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "session"; }

    damrak::testing::ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
};

TEST_F(MessageStoreTest, EverythingSurvivesARestart) {
    open();
    write_messages(*store_, 1, 20);
    store_->set_next_incoming(33, time_of(33));
    open(k_small_files, time_of(1'000));
    EXPECT_EQ(store_->next_outgoing(), 21);
    EXPECT_EQ(store_->next_incoming(), 33);
    EXPECT_EQ(store_->began(), k_now);
    EXPECT_EQ(store_->last_position(), (EventPosition{200, 3}));
    EXPECT_TRUE(store_->notes().empty());
    for (std::uint64_t n = 1; n <= 20; ++n) EXPECT_TRUE(has_message(*store_, n));
    EXPECT_EQ(store_->find(20)->kept.time, time_of(20));
    write_messages(*store_, 21, 22);
    open();
    EXPECT_TRUE(has_message(*store_, 22));
    EXPECT_EQ(store_->next_outgoing(), 23);
}

TEST_F(MessageStoreTest, AResetAndSetNumbersSurviveARestart) {
    open();
    write_messages(*store_, 1, 300);
    store_->reset(time_of(7));
    write_messages(*store_, 1, 2);
    store_->set_next_outgoing(40, k_now);
    open();
    EXPECT_EQ(store_->next_outgoing(), 40);
    EXPECT_EQ(store_->next_incoming(), 1);
    EXPECT_EQ(store_->began(), time_of(7));
    EXPECT_TRUE(has_message(*store_, 2));
    EXPECT_FALSE(store_->find(3));
    EXPECT_FALSE(store_->find(300));
    EXPECT_EQ(store_->last_position(), (EventPosition{3'000, 3}));
}

TEST_F(MessageStoreTest, MessagesAreFoundInAllFilesThatAreRetained) {
    open();
    write_messages(*store_, 1, 2'000);
    EXPECT_GT(store_->files_begun(), 10);
    EXPECT_EQ(store_->oldest(), 1);
    for (std::uint64_t n = 1; n <= 2'000; ++n) ASSERT_TRUE(has_message(*store_, n));
    open();
    for (std::uint64_t n = 1; n <= 2'000; ++n) ASSERT_TRUE(has_message(*store_, n));
    EXPECT_EQ(store_->next_outgoing(), 2'001);
}

TEST_F(MessageStoreTest, DiskUseIsBoundedAndRemovedMessagesAreNotFound) {
    constexpr StoreSettings k_few{
        .file_bytes = 16'384, .retained_bytes = 5 * 16'384, .prefault_bytes = 4'096};
    open(k_few);
    write_messages(*store_, 1, 5'000);
    store_->set_next_incoming(9, k_now);
    EXPECT_LE(files_of(path()).size(), 6);
    const std::uint64_t oldest = store_->oldest();
    EXPECT_GT(oldest, 1'000);
    EXPECT_FALSE(store_->find(oldest - 1));
    for (std::uint64_t n = oldest; n <= 5'000; ++n) ASSERT_TRUE(has_message(*store_, n));
    open(k_few);
    EXPECT_EQ(store_->oldest(), oldest);
    EXPECT_EQ(store_->next_outgoing(), 5'001);
    EXPECT_EQ(store_->next_incoming(), 9);
    EXPECT_EQ(store_->last_position(), (EventPosition{50'000, 3}));
    EXPECT_TRUE(store_->notes().empty());
}

TEST_F(MessageStoreTest, IncomingNumbersAloneChangeFilesToo) {
    open();
    for (std::uint64_t n = 2; n <= 2'000; ++n) store_->set_next_incoming(n, k_now);
    EXPECT_GT(store_->files_begun(), 3);
    open();
    EXPECT_EQ(store_->next_incoming(), 2'000);
    EXPECT_EQ(store_->next_outgoing(), 1);
}

TEST_F(MessageStoreTest, TheHelperPreparesFilesSoThatTheSessionNeverDoes) {
    open();
    store_->preallocator().on_start();
    store_->preallocator().do_work(k_now.value);
    for (std::uint64_t n = 1; n <= 1'000; ++n) {
        write_message(*store_, n);
        store_->preallocator().do_work(k_now.value);
    }
    EXPECT_GT(store_->files_begun(), 5);
    // Opening creates the very first file.
    EXPECT_EQ(store_->stalls(), 1);
    store_->preallocator().on_close();
}

TEST_F(MessageStoreTest, APreparedUnusedFileIsNotReportedAsALoss) {
    open();
    write_messages(*store_, 1, 3);
    store_->preallocator().do_work(k_now.value);
    ASSERT_EQ(files_of(path()).size(), 2);
    // As after a kill: the file was not removed.
    std::filesystem::copy(path(), folder_ / "copy");
    store_ = open_store(folder_ / "copy", k_small_files);
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->next_outgoing(), 4);
    write_messages(*store_, 4, 400);
    EXPECT_TRUE(has_message(*store_, 3));
    EXPECT_TRUE(has_message(*store_, 400));
}

TEST_F(MessageStoreTest, AThreadMayDriveTheHelperWhileTheSessionWrites) {
    constexpr StoreSettings k_few{
        .file_bytes = 65'536, .retained_bytes = 4 * 65'536, .prefault_bytes = 16'384};
    open(k_few);
    {
        const Runner helper{{.name = "store"}, {AgentRef{store_->preallocator()}}};
        write_messages(*store_, 1, 20'000);
    }
    EXPECT_LE(files_of(path()).size(), 6);
    EXPECT_TRUE(has_message(*store_, 20'000));
    EXPECT_TRUE(has_message(*store_, store_->oldest()));
    open(k_few);
    EXPECT_EQ(store_->next_outgoing(), 20'001);
    EXPECT_TRUE(store_->notes().empty());
}

TEST_F(MessageStoreTest, AFolderHasOneOwner) {
    open();
    const auto second = MessageStore::open(journal::real_files(), path(), k_small_files, k_now);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().find("in use"), std::string::npos) << second.error();
}

std::ptrdiff_t open_descriptors() {
    using Entries = std::filesystem::directory_iterator;
    return std::distance(Entries{"/proc/self/fd"}, Entries{});
}

// A client with many sessions has few descriptors: a client could use them up with names.
TEST_F(MessageStoreTest, TakesADescriptorForItsLockAndNoneForItsFiles) {
    for (const bool lock_folder : {true, false}) {
        StoreSettings settings = k_small_files;
        settings.lock_folder = lock_folder;
        store_.reset();
        const std::ptrdiff_t without = open_descriptors();
        open(settings);
        const std::ptrdiff_t of_lock = lock_folder ? 1 : 0;
        EXPECT_EQ(open_descriptors() - without, of_lock) << "just opened";
        write_messages(*store_, store_->next_outgoing(), store_->next_outgoing() + 2'000);
        EXPECT_GT(files_of(path()).size(), 6);
        EXPECT_EQ(open_descriptors() - without, of_lock) << "many files later";
        open(settings);
        EXPECT_EQ(open_descriptors() - without, of_lock) << "opened with many files";
    }
}

TEST_F(MessageStoreTest, WithoutALockOfItsOwnItMindsNone) {
    const auto above = journal::real_files().lock(path().parent_path());
    ASSERT_TRUE(above) << above.error();
    StoreSettings settings = k_small_files;
    settings.lock_folder = false;
    open(settings);
    write_messages(*store_, 1, 10);
    EXPECT_TRUE(has_message(*store_, 10));
}

TEST_F(MessageStoreTest, InvalidSettingsAreRejectedWithTheReason) {
    for (const std::uint64_t bytes :
         {std::uint64_t{0}, std::uint64_t{4'096}, std::uint64_t{20'000}, std::uint64_t{8} << 30U}) {
        const auto refused =
            MessageStore::open(journal::real_files(), path(), {.file_bytes = bytes}, k_now);
        ASSERT_FALSE(refused) << bytes;
        EXPECT_NE(refused.error().find("a multiple of"), std::string::npos) << refused.error();
    }
}

}  // namespace
}  // namespace damrak::session::fix::message_store_test
