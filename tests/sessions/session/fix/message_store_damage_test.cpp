// A FIX store after damage that it must survive: a killed writer, flipped bits, files that are
// truncated or missing.
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/random.hpp>
#include <damrak/base/runner.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "sessions/session/fix/store_messages.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::session::fix::message_store_damage_test {
namespace {

using namespace store_messages;  // NOLINT(google-build-using-namespace): its own helpers
using ::testing::HasSubstr;

constexpr StoreSettings k_settings_of_damage{
    .file_bytes = 65'536, .retained_bytes = 1 << 20, .prefault_bytes = 16'384};

class DamagedStoreTest : public ::testing::Test {
  protected:
    void open() {
        store_.reset();
        store_ = open_store(path(), k_settings_of_damage);
        ASSERT_NE(store_, nullptr);
    }
    void close() { store_.reset(); }
    /// Offset of message `sequence`, and its file; for damaging it after the store is closed.
    [[nodiscard]] std::uint64_t offset_of(std::uint64_t sequence) const {
        StoreFileReader reader{bytes_, 1};
        while (reader.next() == StoreFileReader::Found::record)
            if (reader.record().kind == RecordKind::message && reader.record().sequence == sequence)
                return reader.record().offset;
        ADD_FAILURE() << "no message " << sequence;
        return 0;
    }
    void close_and_read() {
        close();
        const std::string content = damrak::testing::content_of(first_file());
        bytes_.resize(content.size());
        std::ranges::transform(content, bytes_.begin(),
                               [](char c) { return static_cast<std::byte>(c); });
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "session"; }
    [[nodiscard]] std::filesystem::path first_file() const { return path() / store_file_name(1); }

    damrak::testing::ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
    std::vector<std::byte> bytes_;
};

TEST_F(DamagedStoreTest, AnUnfinishedMessageIsCutCompletely) {
    open();
    write_messages(*store_, 1, 5);
    std::ranges::fill(store_->claim(2'000), '8');
    close();
    open();
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->next_outgoing(), 6);
    write_messages(*store_, 6, 7);
    open();
    EXPECT_TRUE(store_->notes().empty());
    for (std::uint64_t n = 1; n <= 7; ++n) EXPECT_TRUE(has_message(*store_, n));
}

TEST_F(DamagedStoreTest, ARecordWithoutItsFirstWordWasNotCommitted) {
    open();
    write_messages(*store_, 1, 5);
    close_and_read();
    std::fstream file{first_file(), std::ios::binary | std::ios::in | std::ios::out};
    file.seekp(static_cast<std::streamoff>(offset_of(5)));
    file.write("\0\0\0\0", 4);
    file.close();
    open();
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->next_outgoing(), 5);
    write_messages(*store_, 5, 6);
    open();
    EXPECT_TRUE(has_message(*store_, 5));
    EXPECT_TRUE(has_message(*store_, 6));
}

TEST_F(DamagedStoreTest, EveryFlippedBitOfARecordIsFoundAndOtherRecordsAreKept) {
    open();
    write_messages(*store_, 1, 9);
    close_and_read();
    const std::uint64_t begin = offset_of(5);
    const std::uint64_t end = offset_of(6);
    std::uint64_t found = 0;
    for (std::uint64_t offset = begin; offset < end; ++offset) {
        flip_bit(first_file(), offset, static_cast<unsigned>(offset % 8));
        open();
        if (!store_->notes().empty()) {
            ++found;
            EXPECT_THAT(store_->notes().front(), HasSubstr("offset " + std::to_string(begin)));
            EXPECT_FALSE(store_->find(5)) << offset;
        } else {
            EXPECT_TRUE(has_message(*store_, 5)) << offset;  // a byte between two records' contents
        }
        for (const std::uint64_t n : {std::uint64_t{4}, std::uint64_t{6}, std::uint64_t{9}})
            EXPECT_TRUE(has_message(*store_, n)) << offset;
        EXPECT_EQ(store_->next_outgoing(), 10) << offset;
        close();
        flip_bit(first_file(), offset, static_cast<unsigned>(offset % 8));
    }
    // All bytes except the room before the message, which varies with the length of its BodyLength,
    // and the few bytes up to the next record.
    EXPECT_GT(found, (end - begin) * 3 / 4);
}

TEST_F(DamagedStoreTest, TheNumberOfADamagedLastMessageIsNotUsedAgain) {
    open();
    write_messages(*store_, 1, 5);
    close_and_read();
    flip_bit(first_file(), offset_of(5) + 80);
    open();
    ASSERT_EQ(store_->notes().size(), 1);
    EXPECT_THAT(store_->notes().front(), HasSubstr("number 5 counts as used"));
    EXPECT_EQ(store_->next_outgoing(), 6);
    EXPECT_FALSE(store_->find(5));
    write_messages(*store_, 6, 8);
    open();
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->next_outgoing(), 9);
    EXPECT_TRUE(has_message(*store_, 4));
    EXPECT_TRUE(has_message(*store_, 8));
}

TEST_F(DamagedStoreTest, ATruncatedFileIsReadToItsEndAndNotWrittenAgain) {
    open();
    write_messages(*store_, 1, 50);
    close_and_read();
    std::filesystem::resize_file(first_file(), offset_of(30) + 70);
    open();
    EXPECT_THAT(store_->notes().front(), HasSubstr("its header says 65536"));
    EXPECT_TRUE(has_message(*store_, 29));
    EXPECT_FALSE(store_->find(30));
    const std::uint64_t next = store_->next_outgoing();
    EXPECT_GE(next, 30);
    write_message(*store_, next);
    EXPECT_EQ(files_of(path()).size(), 2);
    open();
    EXPECT_TRUE(has_message(*store_, next));
    EXPECT_TRUE(has_message(*store_, 29));
}

TEST_F(DamagedStoreTest, AMissingFileIsReportedAndOtherFilesAreKept) {
    open();
    write_messages(*store_, 1, 1'500);
    ASSERT_GT(files_of(path()).size(), 3);
    const std::uint64_t last = store_->next_outgoing() - 1;
    close();
    std::filesystem::remove(path() / store_file_name(2));
    open();
    ASSERT_EQ(store_->notes().size(), 1);
    EXPECT_THAT(store_->notes().front(), HasSubstr("files 2 to 2 are missing"));
    EXPECT_EQ(store_->next_outgoing(), last + 1);
    EXPECT_TRUE(has_message(*store_, 1));
    EXPECT_TRUE(has_message(*store_, last));
}

TEST_F(DamagedStoreTest, ADamagedOrForeignHeaderPreventsOpening) {
    open();
    write_messages(*store_, 1, 5);
    close();
    const auto refusal = [&] {
        const auto refused =
            MessageStore::open(journal::real_files(), path(), k_settings_of_damage, k_now);
        return refused ? std::string{"opened"} : refused.error();
    };
    flip_bit(first_file(), 24);
    EXPECT_THAT(refusal(), HasSubstr("the header is damaged"));
    flip_bit(first_file(), 24);
    flip_bit(first_file(), 0);
    EXPECT_THAT(refusal(), HasSubstr("not a FIX message file"));
    flip_bit(first_file(), 0);
    std::filesystem::rename(first_file(), path() / store_file_name(7));
    EXPECT_THAT(refusal(), HasSubstr("restore its name"));
    std::filesystem::rename(path() / store_file_name(7), first_file());
    EXPECT_EQ(refusal(), "opened");
}

// A process that writes messages, and reports each; the pipe to the test shows what was "sent".
class Writer {
  public:
    explicit Writer(const std::filesystem::path& folder) {
        std::array<int, 2> ends{};
        EXPECT_EQ(::pipe(ends.data()), 0);
        child_ = ::fork();
        if (child_ == 0) write_until_killed(folder, ends[1]);
        ::close(ends[1]);
        pipe_ = ends[0];
    }
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    ~Writer() { ::close(pipe_); }

    /// Kills it once it has sent that many messages. Returns the last number sent.
    [[nodiscard]] std::uint64_t kill_after(std::uint64_t messages) const {
        std::uint64_t last = 0;
        std::uint64_t number = 0;
        while (messages-- > 0 && ::read(pipe_, &number, sizeof number) == sizeof number)
            last = number;
        ::kill(child_, SIGKILL);
        ::waitpid(child_, nullptr, 0);
        while (::read(pipe_, &number, sizeof number) == sizeof number) last = number;
        return last;
    }

  private:
    [[noreturn]] static void write_until_killed(const std::filesystem::path& folder, int pipe) {
        auto store = MessageStore::open(journal::real_files(), folder, k_settings_of_damage, k_now);
        if (!store) ::_exit(1);
        const Runner helper{{.name = "store"}, {AgentRef{(*store)->preallocator()}}};
        for (;;) {
            const std::uint64_t number = (*store)->next_outgoing();
            if (write_message(**store, number).empty()) ::_exit(2);
            (*store)->set_next_incoming(number * 2, k_now);
            if (::write(pipe, &number, sizeof number) != sizeof number) ::_exit(3);
        }
    }

    pid_t child_ = -1;
    int pipe_ = -1;
};

TEST_F(DamagedStoreTest, SentMessagesSurviveAKillOfTheWriterAtAnyMoment) {
    RandomStream random{11};
    std::uint64_t sent = 0;
    for (int round = 0; round < 20; ++round) {
        const std::uint64_t before = sent;
        sent = std::max(sent, Writer{path()}.kill_after(1 + random.below(1'500)));
        open();
        ASSERT_GT(sent, before);
        ASSERT_TRUE(store_->notes().empty()) << store_->notes().front();
        // The last one may have been stored but not yet sent.
        ASSERT_GE(store_->next_outgoing(), sent + 1);
        ASSERT_LE(store_->next_outgoing(), sent + 2);
        ASSERT_GE(store_->next_incoming(), (store_->next_outgoing() - 2) * 2);
        for (std::uint64_t n = std::max(store_->oldest(), before); n < store_->next_outgoing(); ++n)
            ASSERT_TRUE(n == 0 || has_message(*store_, n)) << "round " << round;
        close();
    }
    open();
    for (std::uint64_t n = store_->oldest(); n <= sent; ++n) ASSERT_TRUE(has_message(*store_, n));
}

TEST_F(DamagedStoreTest, AFirstFileWithoutHeaderIsIgnored) {
    open();
    close();
    {
        std::fstream file{first_file(), std::ios::binary | std::ios::in | std::ios::out};
        file << std::string(k_store_header_bytes, '\0');
    }
    open();
    EXPECT_EQ(store_->next_outgoing(), 1U);
    EXPECT_THAT(store_->notes(), ::testing::IsEmpty());
    close();
    std::filesystem::resize_file(first_file(), 0);
    open();
    EXPECT_EQ(store_->next_incoming(), 1U);
}

}  // namespace
}  // namespace damrak::session::fix::message_store_damage_test
