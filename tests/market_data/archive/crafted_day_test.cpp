// Archived days made by hand, with right checksums and wrong content: each fault is reported with
// its offset, and none gives a wrong book.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/columns.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/crc32c.hpp>
#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/file_writer.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/day_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::crafted_day_test {
namespace {

namespace itch = wire::itch;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A block of a file, taken apart.
struct Block {
    BlockHeader header{};
    std::vector<std::byte> frames;

    /// With another payload: messages, counts and sizes are those of the frames. That of the end
    /// is stored as it is.
    void pack(std::vector<std::byte>& payload) {
        if (header.kind == BlockKind::end) {
            payload = frames;
            return;
        }
        const auto columns = to_columns(frames);
        payload.resize(ZSTD_compressBound(columns.size()));
        payload.resize(
            ZSTD_compress(payload.data(), payload.size(), columns.data(), columns.size(), 3));
        header.raw_bytes = static_cast<std::uint32_t>(columns.size());
        header.payload_bytes = static_cast<std::uint32_t>(payload.size());
    }
};

class CraftedDay : public ::testing::Test {
  protected:
    /// 40,000 orders of one instrument: three blocks of messages, and checkpoints between them.
    void SetUp() override {
        auto writer = DayWriter::create(file_, {.date = 20261123, .source = "crafted"});
        ASSERT_TRUE(writer) << writer.error();
        writer->add(itch::plain_directory(1, 0, *itch::Stock::from("AAPL"), 1));
        for (std::uint64_t i = 1; i < 40'000; ++i) {
            if (i % 2 == 0 && i % 100 != 0)
                writer->add(itch::OrderDelete{.stock_locate = 1,
                                              .timestamp_ns = static_cast<std::int64_t>(i),
                                              .order_ref = i - 1});
            else
                writer->add(itch::AddOrder{.stock_locate = 1,
                                           .timestamp_ns = static_cast<std::int64_t>(i),
                                           .order_ref = i,
                                           .side = Side::buy,
                                           .shares = 10,
                                           .stock = *itch::Stock::from("AAPL"),
                                           .price_e4 = 1'000'000});
        }
        ASSERT_TRUE(writer->close());
        std::ifstream stream{file_, std::ios::binary};
        const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
        std::memcpy(&day_, bytes.data(), sizeof day_);
        source_ = bytes.substr(sizeof day_, day_.source_bytes);
        for (const auto& one : damrak::testing::blocks_of(file_)) {
            Block block{.header = one.header, .frames = {}};
            const char* const payload = bytes.data() + one.payload();
            if (block.header.kind == BlockKind::end) {
                const auto raw =
                    std::as_bytes(std::span{payload, std::size_t{block.header.payload_bytes}});
                block.frames.assign(raw.begin(), raw.end());
            } else {
                std::vector<std::byte> columns(block.header.raw_bytes);
                ASSERT_EQ(ZSTD_decompress(columns.data(), columns.size(), payload,
                                          block.header.payload_bytes),
                          columns.size());
                block.frames = from_columns(columns)->frames;
            }
            blocks_.push_back(std::move(block));
        }
        ASSERT_GE(blocks_.size(), 5U);
        ASSERT_EQ(blocks_[1].header.kind, BlockKind::checkpoint);
    }

    /// `change` sees each header before its checksum is made, which the next one names.
    void write(const std::function<void(std::size_t block, BlockHeader&)>& change) {
        std::ofstream out{file_, std::ios::binary};
        const auto put = [&](const auto& bytes) {
            out.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<std::streamsize>(bytes.size()));
        };
        DayHeader day = day_;
        day.day_id = day_id_of(day.date, source_);
        day.checksum = day_checksum(day, std::as_bytes(std::span{source_}));
        put(bytes_of(day));
        put(std::as_bytes(std::span{source_}));
        std::uint32_t previous = day.checksum;
        for (std::size_t i = 0; i < blocks_.size(); ++i) {
            Block block = blocks_[i];
            std::vector<std::byte> payload;
            block.pack(payload);
            block.header.payload_checksum = crc32c(payload);
            block.header.day_id = day.day_id;
            block.header.previous = previous;
            if (change) change(i, block.header);
            block.header.checksum = previous = header_checksum(block.header);
            put(bytes_of(block.header));
            put(payload);
        }
    }
    void write_with(std::size_t block, const std::function<void(BlockHeader&)>& change) {
        write([&](std::size_t i, BlockHeader& header) {
            if (i == block) change(header);
        });
    }
    [[nodiscard]] std::vector<std::string> damage() const {
        const auto day = Day::open(file_);
        if (!day) return {day.error()};
        return day->verify([] {}).missing;
    }
    /// As the messages have it, which were not changed.
    [[nodiscard]] std::vector<BookOrder> right_book() const {
        write_original();
        return Day::open(file_)->book_at(1, 39'000)->bids;
    }
    void write_original() const { const_cast<CraftedDay*>(this)->write({}); }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path file_ = folder_ / "day.dar";
    DayHeader day_{};
    std::string source_;
    std::vector<Block> blocks_;
};

}  // namespace

TEST_F(CraftedDay, ThatIsNotChangedHasNoDamage) {
    write({});
    EXPECT_THAT(damage(), IsEmpty());
}

TEST_F(CraftedDay, ReportsHeadersThatNoWriterMakes) {
    const struct {
        std::size_t block;
        std::function<void(BlockHeader&)> change;
        const char* text;
    } cases[]{
        {0, [](BlockHeader& h) { h.kind = BlockKind{7}; }, "a block of unknown kind 7"},
        {0, [](BlockHeader& h) { h.first_message = 0; }, "a block of message 0"},
        {2, [](BlockHeader& h) { h.first_message = 5; },
         "a block of message 5 after message 16384"},
        {2, [](BlockHeader& h) { h.first_message += 10; }, "messages 16385 to 16394 before it"},
        {4, [](BlockHeader& h) { h.first_message = UINT64_MAX - 5; }, "a block of message 1844"},
        {0, [](BlockHeader& h) { h.messages = 0; }, "bytes for 0 messages"},
        {0, [](BlockHeader& h) { h.messages = 16'383; }, "its messages differ from its header"},
        {0, [](BlockHeader& h) { h.messages = 1U << 20U; }, "a block of 1048576 messages"},
        {0, [](BlockHeader& h) { h.raw_bytes = UINT32_MAX; },
         "4294967295 bytes for 16384 messages"},
        {0, [](BlockHeader& h) { h.raw_bytes -= 1; }, "not a zstd frame of its length"},
        {0, [](BlockHeader& h) { h.first_time_ns = -1; }, "times -1 to 16383 after 0"},
        {0, [](BlockHeader& h) { h.last_time_ns = 5; }, "its messages differ from its header"},
        {0, [](BlockHeader& h) { h.last_time_ns = -5; }, "times 0 to -5 after 0"},
        {2, [](BlockHeader& h) { h.first_time_ns = 9; }, "times 9 to"},
        {0, [](BlockHeader& h) { h.locates = 0; }, "its messages differ from its header"},
        {1, [](BlockHeader& h) { h.messages += 1; }, "its messages differ from its header"},
        {1, [](BlockHeader& h) { h.raw_bytes = (1U << 30U) + 1; }, "1073741825 bytes for"},
        {1, [](BlockHeader& h) { h.locates = 2; }, "a checkpoint of no range of locates"},
        {1, [](BlockHeader& h) { h.locates = 2 + (9U << 16U); }, "differs from the messages"},
        {1, [](BlockHeader& h) { h.first_message = 9; }, "a block of message 9 after"},
        {1, [](BlockHeader& h) { h.day_id ^= 1; }, "a block of another day"},
        {2, [](BlockHeader& h) { h.previous ^= 1; }, "it does not continue the block before it"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.text);
        write_with(one.block, one.change);
        EXPECT_THAT(damage(), Contains(HasSubstr(one.text)));
        EXPECT_THAT(damage(), Contains(HasSubstr("day.dar: at offset ")));
    }
}

TEST_F(CraftedDay, ReportsBlocksThatComeTwiceOrAfterTheEnd) {
    blocks_.insert(blocks_.begin() + 1, blocks_[0]);
    write({});
    EXPECT_THAT(damage(), Contains(HasSubstr("a block of message 1 after message 16384")));
    blocks_.erase(blocks_.begin() + 1);
    blocks_.push_back(blocks_[0]);
    write({});
    EXPECT_THAT(damage(), Contains(HasSubstr("a block after the end of the day")));
}

TEST_F(CraftedDay, ReportsAnEndThatDoesNotFit) {
    const std::size_t end = blocks_.size() - 1;
    write_with(end, [](BlockHeader& header) { header.first_message += 3; });
    EXPECT_THAT(damage(), Contains(HasSubstr("messages 40001 to 40003 before it are missing")));
    write_with(end, [](BlockHeader& header) { header.first_message -= 3; });
    EXPECT_THAT(damage(), Contains(HasSubstr("a block of message 39998 after message 40000")));
}

TEST_F(CraftedDay, IsNotOpenedWithoutADate) {
    for (const std::int32_t date : {-1, 1, 20261301, 20260230, INT32_MAX, INT32_MIN}) {
        day_.date = date;
        write({});
        EXPECT_THAT(damage(), Contains(HasSubstr("is not a date"))) << date;
    }
}

TEST_F(CraftedDay, ReportsACheckpointThatTheMessagesDoNotGive) {
    // Another quantity of the last order, in the last four bytes but four of its message.
    std::vector<std::byte>& frames = blocks_[1].frames;
    frames[frames.size() - 4 - 8 - 1] ^= std::byte{1};
    write({});
    EXPECT_THAT(damage(),
                Contains(HasSubstr("the checkpoint differs from the messages before it")));
}

TEST_F(CraftedDay, ReportsMessagesThatAreNotInTheOrderOfTheirTimes) {
    std::vector<std::byte>& frames = blocks_[0].frames;
    frames[frames.size() - 38 + 2 + 10] ^= std::byte{1};  // the time of the last one, an order
    blocks_[0].header.last_time_ns ^= 1;
    write({});
    EXPECT_THAT(damage(), IsEmpty()) << "one nanosecond earlier or later is as good";
    frames[frames.size() - 38 + 2 + 9] = std::byte{0};
    blocks_[0].header.last_time_ns &= 0xFF;
    write({});
    EXPECT_THAT(damage(), Contains(HasSubstr("its messages differ from its header")));
}

TEST_F(CraftedDay, IsNotImportedFromMessagesThatGoBackInTime) {
    const std::filesystem::path file = folder_ / "day.itch";
    auto writer = itch::FileWriter::create(file);
    ASSERT_TRUE(writer);
    for (const std::int64_t time_ns : {5, 7, 6})
        writer->write(itch::SystemEvent{.timestamp_ns = time_ns, .event_code = 'Q'});
    ASSERT_TRUE(writer->close());
    Import wanted;
    wanted.from = file;
    wanted.to = folder_ / "imported.dar";
    const auto imported = import_day(wanted, [](std::uint64_t, std::uint64_t) {});
    ASSERT_FALSE(imported);
    EXPECT_THAT(imported.error(), HasSubstr("day.itch: message 3 is earlier than the one before"));
    EXPECT_FALSE(std::filesystem::exists(wanted.to));
}

TEST_F(CraftedDay, GivesTheRightBookOrNone) {
    const auto right = right_book();
    ASSERT_FALSE(right.empty());
    std::fstream stream{file_, std::ios::binary | std::ios::in | std::ios::out};
    const auto put = [&](std::size_t at, BlockHeader header) {
        header.checksum = header_checksum(header);
        stream.seekp(static_cast<std::streamoff>(at));
        stream.write(reinterpret_cast<const char*>(&header), sizeof header).flush();
    };
    const auto places = damrak::testing::blocks_of(file_);
    for (std::size_t block = 0; block < places.size(); ++block) {
        const BlockHeader& original = places[block].header;
        const std::uint64_t at = places[block].offset;
        for (std::size_t field = 0; field < sizeof(BlockHeader) - 4; ++field) {
            // A checkpoint whose range has more locates, without orders, says nothing wrong.
            constexpr std::size_t k_highest = offsetof(BlockHeader, locates) + 2;
            if (original.kind == BlockKind::checkpoint && field / 2 == k_highest / 2) continue;
            BlockHeader changed = original;
            reinterpret_cast<std::byte*>(&changed)[field] ^= std::byte{0x81};
            put(at, changed);
            const auto day = Day::open(file_);
            if (!day) continue;
            const auto book = day->book_at(1, 39'000);
            if (book) {
                EXPECT_EQ(book->bids, right) << "block " << block << ", byte " << field;
            }
            EXPECT_THAT(day->verify([] {}).missing, ::testing::Not(IsEmpty()))
                << "block " << block << ", byte " << field;
        }
        put(at, original);
    }
    EXPECT_THAT(damage(), IsEmpty()) << "every change was undone";
}

}  // namespace damrak::archive::crafted_day_test
