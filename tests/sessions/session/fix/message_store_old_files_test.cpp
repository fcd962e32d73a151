// Files that a FIX store has finished: each of their messages is found, after any history and after
// damage, and a search reads only a little. What they take in memory: memory/message_store_test.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "sessions/session/fix/store_messages.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_size.hpp"

namespace damrak::session::fix::message_store_old_files_test {
namespace {

using namespace store_messages;  // NOLINT(google-build-using-namespace): its own helpers

constexpr std::size_t k_page_bytes = 4'096;
constexpr std::size_t k_search_bytes = 16'384;

/// Copy of a file, with the offsets of its records.
class Contents {
  public:
    explicit Contents(const std::filesystem::path& path)
        : text_(damrak::testing::content_of(path)),
          number_(parse_store_file_name(path.filename().string()).value()) {}

    /// Calls `use` with the offset of each record and the record.
    template <class Use>
    void each(const Use& use) const {
        StoreFileReader reader{std::as_bytes(std::span{text_}), number_};
        while (reader.next() == StoreFileReader::Found::record) use(reader.record());
    }
    [[nodiscard]] std::size_t offset_of(std::span<const char> content) const {
        return static_cast<std::size_t>(content.data() - text_.data());
    }
    [[nodiscard]] std::size_t bytes() const { return text_.size(); }

  private:
    std::string text_;
    std::uint64_t number_;
};

class OldFilesTest : public ::testing::Test {
  protected:
    void open(const StoreSettings& settings) {
        store_.reset();
        store_ = open_store(path(), settings);
        ASSERT_NE(store_, nullptr);
    }
    [[nodiscard]] std::filesystem::path path() const { return folder_ / "session"; }
    [[nodiscard]] std::filesystem::path file(std::uint64_t number) const {
        return path() / store_file_name(number);
    }

    damrak::testing::ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
};

/// A store, and what it must contain.
class History {
  public:
    explicit History(std::uint64_t seed) : random_(seed) { reopen(); }

    void reopen() {
        store_.reset();
        store_ = open_store(folder_ / "session", k_settings);
    }
    void step() {
        const std::uint64_t next = store_->next_outgoing();
        expect(next - random_.below(static_cast<std::uint32_t>(next)));
        const std::uint64_t kind = random_.below(1'000);
        if (kind < 600) return write(next);
        if (kind < 650) return write(next + random_.below(400));
        if (kind < 990) return receive();
        if (kind < 994) return store_->set_next_outgoing(next + random_.below(400), k_now);
        if (kind < 999)
            return set_back(next - random_.below(static_cast<std::uint32_t>(
                                       std::min<std::uint64_t>(next, 300))));
        if (random_.below(4) != 0) return;
        sent_.clear();
        store_->reset(k_now);
    }
    /// Compares all numbers, used and unused ones.
    void expect_all() const {
        ASSERT_TRUE(store_->notes().empty()) << store_->notes().front();
        for (std::uint64_t n = 0; n <= store_->next_outgoing(); ++n)
            ASSERT_NO_FATAL_FAILURE(expect(n));
        ASSERT_EQ(store_->oldest(), sent_.empty() ? store_->next_outgoing() : sent_.begin()->first);
    }
    [[nodiscard]] std::size_t files() const { return files_of(folder_ / "session").size(); }

  private:
    static constexpr StoreSettings k_settings{.file_bytes = 65'536,
                                              .first_file_bytes = 16'384,
                                              .retained_bytes = 1 << 30,
                                              .prefault_bytes = 8'192};
    void expect(std::uint64_t number) const {
        const auto found = store_->find(number);
        const auto sent = sent_.find(number);
        ASSERT_EQ(found.has_value(), sent != sent_.end()) << number;
        if (!found) return;
        ASSERT_EQ(std::string(found->message.begin(), found->message.end()), sent->second);
        ASSERT_EQ(found->sequence, number);
    }
    void write(std::uint64_t number) {
        // Each differs from earlier ones of its number.
        const Kept kept{.time = time_of(number), .position = {++written_, 0}};
        sent_[number] = write_message(*store_, number, kept);
        EXPECT_EQ(store_->find(number)->kept.position.command_sequence, written_);
    }
    void receive() {
        const std::string message(random_.below(20) == 0 ? 9'000 : random_.below(300), 'i');
        store_->take_incoming(store_->next_incoming() + 1, message, k_now);
    }
    void set_back(std::uint64_t number) {
        sent_.erase(sent_.lower_bound(number), sent_.end());
        store_->set_next_outgoing(number, k_now);
    }

    RandomStream random_;
    damrak::testing::ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
    std::map<std::uint64_t, std::string> sent_;
    std::uint64_t written_ = 0;
};

TEST(OldFilesHistoryTest, EveryNumberIsFoundAsSentLastAndNoOther) {
    const auto seeds = test_size::scaled(std::uint64_t{30});
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        SCOPED_TRACE(seed);
        History history{seed};
        for (int round = 0; round < 8; ++round) {
            for (int i = 0; i < 500; ++i) history.step();
            ASSERT_NO_FATAL_FAILURE(history.expect_all());
            if (round % 3 == 2) history.reopen();
            ASSERT_NO_FATAL_FAILURE(history.expect_all());
        }
        EXPECT_GT(history.files(), 5);
    }
}

TEST_F(OldFilesTest, DamageLosesOnlyTheMessagesThatItHits) {
    constexpr StoreSettings k_settings{
        .file_bytes = 65'536, .first_file_bytes = 65'536, .prefault_bytes = 8'192};
    open(k_settings);
    while (store_->files_begun() < 3) write_message(*store_, store_->next_outgoing());
    const std::uint64_t next = store_->next_outgoing();
    store_.reset();
    const Contents contents{file(1)};
    RandomStream random{1};
    contents.each([&](const StoreRecord& record) {
        if (record.kind != RecordKind::message || random.below(8) != 0) return;
        // The length, the number, or the message.
        constexpr std::array<std::uint64_t, 3> k_places{1, 16, 90};
        const std::uint64_t at = record.offset + k_places[random.below(k_places.size())];
        flip_bit(file(1), at);
        open(k_settings);
        ASSERT_EQ(store_->notes().size(), 1);
        EXPECT_EQ(store_->next_outgoing(), next);
        for (std::uint64_t n = 1; n < next; ++n) {
            ASSERT_TRUE(n == record.sequence ? !store_->find(n) : has_message(*store_, n))
                << "message " << record.sequence << " is lost";
        }
        store_.reset();
        flip_bit(file(1), at);
    });
}

TEST_F(OldFilesTest, MessagesAfterALostResetReplaceEarlierOnesOfTheirNumbers) {
    constexpr StoreSettings k_settings{
        .file_bytes = 65'536, .first_file_bytes = 65'536, .prefault_bytes = 8'192};
    open(k_settings);
    write_messages(*store_, 1, 100);
    store_->set_next_outgoing(40, k_now);
    write_message(*store_, 40, {.time = k_now, .position = {7, 7}});
    while (store_->files_begun() < 2) write_message(*store_, store_->next_outgoing());
    const std::uint64_t next = store_->next_outgoing();
    store_.reset();
    std::uint64_t set_back = 0;
    const Contents contents{file(1)};
    contents.each([&](const StoreRecord& record) {
        if (record.kind == RecordKind::numbers && record.sequence == 40) set_back = record.offset;
    });
    ASSERT_NE(set_back, 0);
    flip_bit(file(1), set_back + 20);
    open(k_settings);
    EXPECT_EQ(store_->next_outgoing(), next);
    for (std::uint64_t n = 1; n < next; ++n) ASSERT_TRUE(has_message(*store_, n));
    EXPECT_EQ(store_->find(40)->kept.position, (EventPosition{7, 7}));
}

/// Makes the pages of a mapped file unreadable that do not belong to some bytes of it.
class Unreadable {
  public:
    Unreadable(const char* file, std::size_t file_bytes, std::size_t from, std::size_t to)
        : file_(file), bytes_(file_bytes) {
        protect(0, from / k_page_bytes * k_page_bytes, PROT_NONE);
        const std::size_t end = (to + k_page_bytes - 1) / k_page_bytes * k_page_bytes;
        if (end < bytes_) protect(end, bytes_ - end, PROT_NONE);
    }
    Unreadable(const Unreadable&) = delete;
    Unreadable& operator=(const Unreadable&) = delete;
    ~Unreadable() { protect(0, bytes_, PROT_READ | PROT_WRITE); }

  private:
    void protect(std::size_t offset, std::size_t bytes, int access) {
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): its contents do not change
        char* const begin = const_cast<char*>(file_) + offset;
        EXPECT_EQ(::mprotect(begin, bytes, access), 0);
    }

    const char* file_;
    std::size_t bytes_;
};

// A client decides how much lies between two messages to it, and which ones it asks for again.
TEST_F(OldFilesTest, ASearchReadsOnlyALittleBeforeTheMessage) {
    constexpr StoreSettings k_settings{
        .file_bytes = 1 << 18, .first_file_bytes = 1 << 18, .prefault_bytes = 8'192};
    open(k_settings);
    const std::string large(10'000, 'i');
    while (store_->files_begun() < 2) {
        const std::uint64_t number = store_->next_outgoing();
        write_message(*store_, number);
        if (number % 10 == 0) store_->take_incoming(store_->next_incoming() + 1, large, k_now);
        if (number % 70 == 0) {
            const std::uint64_t incoming = store_->next_incoming();
            for (std::uint64_t i = 1; i <= 500; ++i) store_->set_next_incoming(incoming + i, k_now);
        }
    }
    const auto expect_short_searches = [&] {
        std::uint64_t searched = 0;
        const Contents contents{file(1)};
        contents.each([&](const StoreRecord& record) {
            if (record.kind != RecordKind::message) return;
            const auto found = store_->find(record.sequence);
            ASSERT_TRUE(found) << record.sequence;
            // The next search must not continue from this one.
            ASSERT_TRUE(store_->find(1));
            const char* const file = found->message.data() - contents.offset_of(record.content);
            const Unreadable others{
                file, contents.bytes(),
                record.offset - std::min<std::size_t>(record.offset, k_search_bytes),
                contents.offset_of(record.content) + record.content.size()};
            ASSERT_TRUE(has_message(*store_, record.sequence));
            ++searched;
        });
        EXPECT_GT(searched, 100);
    };
    expect_short_searches();
    open(k_settings);
    expect_short_searches();
}

TEST_F(OldFilesTest, ASearchDoesNotGoOnFromAMessageThatWasSentAgainElsewhere) {
    constexpr StoreSettings k_settings{
        .file_bytes = 65'536, .first_file_bytes = 65'536, .prefault_bytes = 8'192};
    open(k_settings);
    const auto write_until_file = [&](std::uint64_t number) {
        while (store_->files_begun() < number) write_message(*store_, store_->next_outgoing());
    };
    write_until_file(2);
    const std::uint64_t late = store_->next_outgoing() - 20;
    ASSERT_TRUE(has_message(*store_, late));
    store_->reset(k_now);
    write_until_file(3);
    for (std::uint64_t n = late; n <= late + 10; ++n) ASSERT_TRUE(has_message(*store_, n + 1));
}

}  // namespace
}  // namespace damrak::session::fix::message_store_old_files_test
