// A FIX store whose helper recycles old files: their old contents are never read again, whenever
// the process or the power fails.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <gtest/gtest.h>
#include <support/disk.hpp>
#include <sys/stat.h>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "sessions/session/fix/store_messages.hpp"
#include "support/scratch_folder.hpp"
#include "support/test_size.hpp"

namespace damrak::session::fix::message_store_reuse_test {
namespace {

using namespace store_messages;  // NOLINT(google-build-using-namespace): its own helpers
using Access = journal::FileSystem::Access;

constexpr StoreSettings k_few_files{
    .file_bytes = 16'384, .retained_bytes = 3 * 16'384, .prefault_bytes = 8'192};
constexpr std::size_t k_most_files = 5;  // retained, current, and prepared
constexpr std::uint64_t k_all_in_use = 400;

class ReusedFilesTest : public ::testing::Test {
  protected:
    void SetUp() override { open(k_few_files); }
    void open(StoreSettings settings) {
        store_.reset();
        store_ = MessageStore::open(disk_, "session", settings, k_now).value();
        store_->preallocator().on_start();
    }
    /// The helper runs one turn after each message. False: one could not be stored.
    [[nodiscard]] bool write_until(std::uint64_t last, std::int64_t step_ns = 0) {
        while (store_->next_outgoing() <= last) {
            if (write_message(*store_, store_->next_outgoing()).empty()) return false;
            store_->preallocator().do_work(time_ns_ += step_ns);
        }
        return true;
    }
    [[nodiscard]] auto files() { return disk_.list("session").value(); }

    RandomStream random_{1};
    simulation::Disk disk_{random_};
    std::unique_ptr<MessageStore> store_;
    std::int64_t time_ns_ = k_now.value;
};

TEST_F(ReusedFilesTest, AFewFilesSufficeForever) {
    ASSERT_TRUE(write_until(k_all_in_use));
    disk_.full = true;
    ASSERT_TRUE(write_until(3'000)) << "no new file is created";
    EXPECT_GT(store_->files_begun(), 40);
    EXPECT_EQ(store_->stalls(), 1) << "of the opening";
    EXPECT_LE(files().size(), k_most_files);
    const std::uint64_t oldest = store_->oldest();
    EXPECT_GT(oldest, 2'500);
    EXPECT_FALSE(store_->find(oldest - 1));
    for (std::uint64_t n = oldest; n <= 3'000; ++n) ASSERT_TRUE(has_message(*store_, n));
    disk_.full = false;
    open(k_few_files);
    EXPECT_TRUE(store_->notes().empty());
    EXPECT_EQ(store_->oldest(), oldest);
    EXPECT_EQ(store_->next_outgoing(), 3'001);
    for (std::uint64_t n = oldest; n <= 3'000; ++n) ASSERT_TRUE(has_message(*store_, n));
}

TEST_F(ReusedFilesTest, OldContentsDoNotRemainAfterTheEnd) {
    while (store_->files_begun() < 12) ASSERT_TRUE(write_until(store_->next_outgoing()));
    for (const auto& entry : files()) {
        const auto file = disk_.open_mapped("session/" + entry.name, Access::read).value();
        const std::span bytes{file->data(), file->size()};
        StoreFileReader reader{bytes, parse_store_file_name(entry.name).value()};
        while (reader.next() == StoreFileReader::Found::record) {
        }
        EXPECT_TRUE(std::ranges::all_of(bytes.subspan(reader.offset()), [](std::byte b) {
            return b == std::byte{};
        })) << entry.name;
    }
}

TEST_F(ReusedFilesTest, AnOldFileIsNotRecycledAsItsPagesMayBeEvicted) {
    constexpr std::int64_t k_minute_ns = 60'000'000'000;
    ASSERT_TRUE(write_until(k_all_in_use, k_minute_ns));
    EXPECT_LE(files().size(), k_most_files);
    disk_.full = true;
    EXPECT_FALSE(write_until(3'000, k_minute_ns)) << "a new file is needed";
}

TEST_F(ReusedFilesTest, FilesOfAnotherSizeAreNotRecycled) {
    ASSERT_TRUE(write_until(k_all_in_use));
    StoreSettings larger = k_few_files;
    larger.file_bytes = 32'768;
    open(larger);
    ASSERT_TRUE(write_until(1'500));
    for (const auto& entry : files()) EXPECT_EQ(entry.bytes, 32'768);
    disk_.full = true;
    ASSERT_TRUE(write_until(3'000));
    for (std::uint64_t n = store_->oldest(); n <= 3'000; ++n) ASSERT_TRUE(has_message(*store_, n));
}

TEST_F(ReusedFilesTest, AReaderCanFinishAFileThatIsRetired) {
    ASSERT_TRUE(write_until(k_all_in_use));
    const auto entry = files().front();
    const auto file = disk_.open_mapped("session/" + entry.name, Access::read).value();
    const std::vector<std::byte> before{file->data(), file->data() + file->size()};
    ASSERT_TRUE(write_until(1'000));
    EXPECT_NE(files().front().name, entry.name);
    EXPECT_TRUE(std::ranges::equal(std::span{file->data(), file->size()}, before));
}

TEST(ReusedFilesOfTheSystemTest, AReaderCanFinishAFileThatIsRetired) {
    const damrak::testing::ScratchFolder folder;
    const auto store = open_store(folder / "session", k_few_files);
    store->preallocator().on_start();
    const auto write_until = [&](std::uint64_t last) {
        while (store->next_outgoing() <= last) {
            write_message(*store, store->next_outgoing());
            store->preallocator().do_work(k_now.value);
        }
    };
    const auto open_oldest = [&] {
        return journal::real_files()
            .open_mapped(files_of(folder / "session").front(), Access::read)
            .value();
    };
    write_until(k_all_in_use);
    auto read = open_oldest();
    const std::vector<std::byte> before{read->data(), read->data() + read->size()};
    write_until(1'000);
    EXPECT_TRUE(std::ranges::equal(std::span{read->data(), read->size()}, before));

    // Once nobody has it open, it is recycled.
    read = open_oldest();
    EXPECT_TRUE(journal::real_files().is_being_read(files_of(folder / "session").front()));
    const auto inodes = [&] {
        std::vector<ino_t> of;
        for (const auto& path : files_of(folder / "session")) {
            struct stat status{};
            EXPECT_EQ(::stat(path.c_str(), &status), 0);
            of.push_back(status.st_ino);
        }
        std::ranges::sort(of);
        return of;
    };
    read.reset();
    const auto used = inodes();
    write_until(3'000);
    EXPECT_EQ(inodes(), used);
    for (std::uint64_t n = store->oldest(); n <= 3'000; ++n) ASSERT_TRUE(has_message(*store, n));
}

/// Thrown by a disk call: the process crashes there.
struct Dead {};

/// A session that crashes at one disk call, when its files are already being recycled.
class Victim {
  public:
    Victim(std::uint64_t seed, std::uint64_t calls_until_death)
        : random_(seed), calls_left_(calls_until_death) {
        store_ = MessageStore::open(disk_, "session", k_few_files, k_now).value();
        store_->preallocator().on_start();
        write_until(k_all_in_use);
        disk_.on_call = [this] {
            if (calls_left_-- == 0) throw Dead{};
        };
        try {
            write_until(2 * k_all_in_use);
        } catch (const Dead&) {
            died_ = true;
        }
        disk_.on_call = {};
        disk_.orphaned = true;
        oldest_ = store_->oldest();
        next_ = store_->next_outgoing();
        store_.reset();
        disk_.orphaned = false;
    }
    [[nodiscard]] bool died() const { return died_; }
    [[nodiscard]] simulation::Disk& disk() { return disk_; }
    [[nodiscard]] std::uint64_t oldest() const { return oldest_; }
    [[nodiscard]] std::uint64_t next() const { return next_; }

    [[nodiscard]] auto open_again() {
        return MessageStore::open(disk_, "session", k_few_files, k_now);
    }

  private:
    void write_until(std::uint64_t last) {
        while (store_->next_outgoing() <= last) {
            write_message(*store_, store_->next_outgoing());
            store_->preallocator().do_work(k_now.value);
            if (random_.below(20) == 0) disk_.write_back_some();
        }
    }

    RandomStream random_;
    simulation::Disk disk_{random_};
    std::uint64_t calls_left_;
    std::unique_ptr<MessageStore> store_;
    bool died_ = false;
    std::uint64_t oldest_ = 0;
    std::uint64_t next_ = 0;
};

TEST(ReusedFilesKillTest, RetainedMessagesSurviveAKillAtEachStep) {
    std::uint64_t deaths = 0;
    for (;; ++deaths) {
        Victim victim{1, deaths};
        if (!victim.died()) break;
        const auto store = victim.open_again().value();
        ASSERT_TRUE(store->notes().empty()) << deaths << ": " << store->notes().front();
        ASSERT_EQ(store->next_outgoing(), victim.next()) << deaths;
        for (std::uint64_t n = victim.oldest(); n < victim.next(); ++n)
            ASSERT_TRUE(has_message(*store, n)) << deaths;
    }
    EXPECT_GT(deaths, 20) << "covers the steps of several files";
}

// The system decides what of the last seconds is on disk; but it is never the contents of an old
// file.
TEST(ReusedFilesKillTest, OldContentsDoNotReappearAfterAPowerLossAtEachStep) {
    const auto seeds = test_size::scaled(std::uint64_t{20});
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        for (std::uint64_t deaths = 0;; ++deaths) {
            Victim victim{seed, deaths};
            victim.disk().lose_power();
            const auto store = victim.open_again();
            ASSERT_TRUE(store) << seed << ", " << deaths << ": " << store.error();
            ASSERT_LE((*store)->next_outgoing(), victim.next() + 1);
            for (std::uint64_t n = 1; n <= victim.next(); ++n)
                ASSERT_TRUE(!(*store)->find(n) || has_message(**store, n))
                    << seed << ", " << deaths;
            const std::uint64_t next = (*store)->next_outgoing();
            write_messages(**store, next, next + 200);
            for (std::uint64_t n = next; n <= next + 200; ++n)
                ASSERT_TRUE(has_message(**store, n)) << seed << ", " << deaths;
            if (!victim.died()) break;
        }
    }
}

TEST(ReusedFilesKillTest, APreparedRecycledFileIsNotReportedAsALossAfterAPowerLoss) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RandomStream random{seed};
        simulation::Disk disk{random};
        auto store = MessageStore::open(disk, "session", k_few_files, k_now).value();
        store->preallocator().on_start();
        while (store->files_begun() < 12) {
            store->preallocator().do_work(k_now.value);
            write_message(*store, store->next_outgoing());
        }
        for (int i = 0; i < 100; ++i) disk.write_back_some();
        store->preallocator().do_work(k_now.value);
        const std::uint64_t oldest = store->oldest();
        const std::uint64_t next = store->next_outgoing();
        disk.orphaned = true;
        store.reset();
        disk.orphaned = false;
        disk.lose_power();
        store = MessageStore::open(disk, "session", k_few_files, k_now).value();
        ASSERT_TRUE(store->notes().empty()) << seed << ": " << store->notes().front();
        ASSERT_EQ(store->next_outgoing(), next) << seed;
        for (std::uint64_t n = oldest; n < next; ++n) ASSERT_TRUE(has_message(*store, n)) << seed;
    }
}

}  // namespace
}  // namespace damrak::session::fix::message_store_reuse_test
