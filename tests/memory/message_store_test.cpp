// A FIX session with a helper allocates nothing for its files, and has one index: that of a
// finished file serves the next.
#include <damrak/session/fix/message_store.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <damrak/base/reserved_array.hpp>
#include <damrak/fix_codec/encode.hpp>
#include <damrak/journal/file_system.hpp>

#include "allocation_counter.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::message_store_test {
namespace {

using session::fix::MessageStore;
using session::fix::StoreSettings;

constexpr Timestamp k_now{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00
constexpr StoreSettings k_settings{.file_bytes = 1 << 20,
                                   .first_file_bytes = 1 << 16,
                                   .retained_bytes = 1 << 22,
                                   .prefault_bytes = 1 << 18};

class MessageStoreMemory : public ::testing::Test {
  protected:
    void open(const StoreSettings& settings) {
        store_.reset();
        store_ =
            MessageStore::open(journal::real_files(), folder_ / "session", settings, k_now).value();
    }
    /// A message in each direction.
    void exchange_messages() {
        const std::uint64_t number = store_->next_outgoing();
        fix_codec::MessageWriter writer{store_->claim(512), times_};
        writer.begin(fix_codec::BeginString::fix44, "8");
        writer.put(fix_codec::tag::msg_seq_num, number).put(fix_codec::tag::text, text_);
        store_->commit(number, writer.finish(), {.time = k_now});
        store_->take_incoming(store_->next_incoming() + 1, text_, k_now);
    }

    ScratchFolder folder_;
    std::unique_ptr<MessageStore> store_;
    fix_codec::TimestampCache times_;
    const std::string text_ = std::string(200, 'x');
};

TEST_F(MessageStoreMemory, NoChangeOfFilesAllocates) {
    open(k_settings);
    store_->preallocator().on_start();
    std::int64_t news = 0;
    while (store_->files_begun() < 30) {
        store_->preallocator().do_work(k_now.value);
        const AllocationCounter counter;
        exchange_messages();
        static_cast<void>(store_->find(store_->oldest() + store_->next_outgoing() % 1'000));
        news += counter.news();
    }
    EXPECT_EQ(news, 0);
    EXPECT_EQ(store_->stalls(), 1) << "of the opening";
}

TEST_F(MessageStoreMemory, AnOldFileTakesLittleOfItsSize) {
    constexpr std::int64_t k_files = 30;
    // Its ranges; and its name and mapping, whatever its size.
    constexpr std::int64_t k_most_bytes = k_files * (k_settings.file_bytes / 1'000 + 2'048);
    StoreSettings settings = k_settings;
    settings.retained_bytes = 1 << 30;
    const auto write_until_file = [&](std::uint64_t number) {
        while (store_->files_begun() < number) exchange_messages();
    };
    const std::size_t without = reserved_bytes();
    const auto index_bytes = [&] { return reserved_bytes() - without; };
    open(settings);
    // The sizes grow; the smaller indexes are given back.
    write_until_file(7);
    EXPECT_EQ(index_bytes(), k_settings.file_bytes / 16);
    const AllocationCounter counter;
    write_until_file(7 + k_files);
    EXPECT_EQ(index_bytes(), k_settings.file_bytes / 16);
    EXPECT_LE(counter.malloc_bytes(), k_most_bytes);
    open(settings);
    EXPECT_EQ(index_bytes(), k_settings.file_bytes / 16);
}

}  // namespace
}  // namespace damrak::testing::message_store_test
