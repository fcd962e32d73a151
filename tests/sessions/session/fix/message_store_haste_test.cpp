// The files of a fast session have large pages, which cost less; those of others do not, as each
// message would cause a whole large page to be written to disk.
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>
#include <support/disk.hpp>

#include <damrak/base/random.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "sessions/session/fix/store_messages.hpp"

namespace damrak::session::fix::message_store_haste_test {
namespace {

using namespace store_messages;  // NOLINT(google-build-using-namespace): its own helpers

// A quarter of the prefaulted bytes is some 300 messages.
constexpr StoreSettings k_settings{.file_bytes = 1 << 20,
                                   .first_file_bytes = 1 << 20,
                                   .retained_bytes = 1 << 23,
                                   .prefault_bytes = 1 << 18};
// Time per message; messages have more than 100 bytes and less than 300.
constexpr std::int64_t k_fast_ns = 100'000;
constexpr std::int64_t k_slow_ns = 300'000;

class HasteTest : public ::testing::Test {
  protected:
    void open(StoreSettings settings = k_settings) {
        store_ = MessageStore::open(disk_, "session", settings, k_now).value();
        store_->preallocator().on_start();
    }
    /// The helper runs one turn after each message.
    void write_until_file(std::uint64_t number, std::int64_t step_ns) {
        while (store_->files_begun() < number) {
            ASSERT_FALSE(write_message(*store_, store_->next_outgoing()).empty());
            store_->preallocator().do_work(time_ns_ += step_ns);
        }
    }
    [[nodiscard]] bool is_large(std::uint64_t number) const {
        return disk_.has_large_pages("session/" + store_file_name(number));
    }

    RandomStream random_{1};
    simulation::Disk disk_{random_};
    std::unique_ptr<MessageStore> store_;
    std::int64_t time_ns_ = k_now.value;
};

TEST_F(HasteTest, TheCurrentFileAndLaterOnesHaveLargePages) {
    open();
    EXPECT_FALSE(is_large(1)) << "nobody knows yet";
    write_until_file(2, k_fast_ns);
    EXPECT_TRUE(is_large(1));
    EXPECT_TRUE(is_large(3)) << "it is prepared ahead";
}

TEST_F(HasteTest, ASlowSessionHasSmallPages) {
    open();
    write_until_file(4, k_slow_ns);
    for (std::uint64_t number = 1; number <= 5; ++number) EXPECT_FALSE(is_large(number)) << number;
}

TEST_F(HasteTest, ASessionThatSlowsDownHasSmallPagesInLaterFiles) {
    open();
    write_until_file(3, k_fast_ns);
    EXPECT_TRUE(is_large(4));
    write_until_file(5, k_slow_ns);
    EXPECT_FALSE(is_large(5));
    EXPECT_FALSE(is_large(6));
}

TEST_F(HasteTest, CompletelyPrefaultedFilesHaveLargePagesToo) {
    StoreSettings settings = k_settings;
    settings.prefault_bytes = 1 << 24;
    open(settings);
    write_until_file(3, k_fast_ns);
    EXPECT_TRUE(is_large(4));
    write_until_file(5, k_slow_ns);
    EXPECT_FALSE(is_large(6));
}

}  // namespace
}  // namespace damrak::session::fix::message_store_haste_test
