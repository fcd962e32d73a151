// Archive files: whole, truncated, ended by zeros, or not ITCH at all.
#include <damrak/wire/itch/file_reader.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/file_writer.hpp>

#include "support/bytes.hpp"
#include "support/compress.hpp"
#include "support/itch_collector.hpp"

namespace damrak::wire::itch::file_reader_test {
namespace {

using damrak::testing::append;
using damrak::testing::Bytes;
using damrak::testing::bytes_of;
using damrak::testing::from_hex;
using damrak::testing::itch_frames;
using damrak::testing::ItchCollector;
using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Message> day() {
    return {SystemEvent{.timestamp_ns = 1, .event_code = 'O'},
            StockDirectory{.stock_locate = 1, .stock = Stock::from("TEST").value()},
            AddOrder{.stock_locate = 1,
                     .timestamp_ns = 2,
                     .order_ref = 7,
                     .shares = 100,
                     .stock = Stock::from("TEST").value(),
                     .price_e4 = 12'300},
            OrderDelete{.stock_locate = 1, .timestamp_ns = 3, .order_ref = 7}};
}

struct Outcome {
    std::vector<Message> messages;
    std::expected<ReadStep, ReadError> step;
};

Outcome read(std::span<const std::byte> bytes, std::size_t block_bytes = 4096) {
    FileReader reader{files::ByteSource::over(bytes, "day.itch"), block_bytes};
    ItchCollector collector;
    auto step = reader.read_all(collector);
    return {std::move(collector.messages), std::move(step)};
}

void expect_error(const Outcome& outcome, Fault fault, std::uint64_t offset) {
    ASSERT_FALSE(outcome.step.has_value());
    EXPECT_EQ(outcome.step.error().cause.fault, fault) << outcome.step.error().text;
    EXPECT_EQ(outcome.step.error().cause.offset, offset) << outcome.step.error().text;
    EXPECT_THAT(outcome.step.error().text, StartsWith("day.itch: "));
}

TEST(ItchFileReader, reads_the_same_with_any_block_size) {
    const auto bytes = itch_frames(day());
    for (std::size_t block = 1; block <= bytes.size() + 1; ++block) {
        const auto outcome = read(bytes, block);
        ASSERT_TRUE(outcome.step.has_value()) << block;
        EXPECT_EQ(outcome.messages, day()) << block;
    }
}

std::vector<Message> whole_day() {
    auto messages = day();
    messages.emplace_back(SystemEvent{.timestamp_ns = 4, .event_code = 'C'});
    return messages;
}

TEST(ItchFileReader, accepts_zeros_after_an_end_mark) {
    for (const std::size_t zeros : {2U, 3U, 5U, 10'000U}) {
        for (const std::size_t block : {1U, 13U, 100U, 20'000U}) {
            auto bytes = itch_frames(whole_day());
            bytes.resize(bytes.size() + zeros);
            const auto outcome = read(bytes, block);
            ASSERT_TRUE(outcome.step.has_value()) << outcome.step.error().text;
            EXPECT_EQ(*outcome.step, ReadStep::end);
            EXPECT_EQ(outcome.messages, whole_day());
        }
    }
}

TEST(ItchFileReader, rejects_zeros_before_the_end_of_the_day) {
    const auto frames = itch_frames(day());
    for (const std::size_t zeros : {3U, 4U, 10'000U}) {
        for (const std::size_t block : {1U, 13U, 100U, 20'000U}) {
            auto bytes = frames;
            bytes.resize(bytes.size() + zeros);
            const auto outcome = read(bytes, block);
            expect_error(outcome, Fault::unfinished, frames.size());
            EXPECT_EQ(outcome.messages, day());
        }
    }
    auto marked = frames;
    marked.resize(frames.size() + 2);
    EXPECT_TRUE(read(marked).step.has_value()) << "an explicit end mark";
}

TEST(ItchFileReader, tells_whether_the_day_ended) {
    for (const bool ended : {false, true}) {
        const auto bytes = itch_frames(ended ? whole_day() : day());
        for (std::size_t block = 1; block <= bytes.size() + 1; ++block) {
            FileReader reader{files::ByteSource::over(bytes, "day.itch"), block};
            ItchCollector collector;
            ASSERT_TRUE(reader.read_all(collector).has_value());
            EXPECT_EQ(reader.saw_end_of_messages(), ended) << block;
        }
    }
}

TEST(ItchFileReader, rejects_anything_but_zeros_after_an_end_mark) {
    auto bytes = itch_frames(day());
    const std::size_t end = bytes.size();
    bytes.resize(end + 300);
    append(bytes, itch_frames(day()));
    const auto outcome = read(bytes, 100);
    expect_error(outcome, Fault::after_end, end + 301);  // a length's first byte is itself a zero
    EXPECT_EQ(outcome.messages, day());
}

TEST(ItchFileReader, reports_a_truncated_file_after_delivering_whole_messages) {
    const auto bytes = itch_frames(day());
    const std::size_t last = bytes.size() - k_frame_length<OrderDelete>;
    for (std::size_t size = last + 1; size < bytes.size(); ++size) {
        const auto outcome = read(std::span{bytes}.first(size), 16);
        expect_error(outcome, Fault::truncated, last);
        EXPECT_EQ(outcome.messages.size(), day().size() - 1);
    }
    const auto text = read(std::span{bytes}.first(last + 9)).step.error().text;
    EXPECT_EQ(
        text,
        "day.itch: offset 93: the input ends inside a frame: 9 bytes are left of at least 21; "
        "the file is truncated");
}

TEST(ItchFileReader, reports_a_bad_message_with_its_place_in_the_file) {
    auto bytes = itch_frames(day());
    const std::size_t third = k_frame_length<SystemEvent> + k_frame_length<StockDirectory>;
    bytes[third + 2] = std::byte{'?'};
    for (const std::size_t block : {1U, 50U, 4096U}) {
        const auto outcome = read(bytes, block);
        expect_error(outcome, Fault::unknown_type, third + 2);
        EXPECT_EQ(outcome.messages.size(), 2U);
    }
}

TEST(ItchFileReader, rejects_a_file_without_messages) {
    expect_error(read({}), Fault::no_messages, 0);
    expect_error(read(from_hex("0000")), Fault::no_messages, 0);
    expect_error(read(Bytes(100'000)), Fault::no_messages, 0);
    expect_error(read(from_hex("00")), Fault::not_itch, 0);
    expect_error(read(from_hex("0024 41 00")), Fault::not_itch, 0);
}

TEST(ItchFileReader, says_what_a_foreign_file_looks_like) {
    const auto text_of = [](std::span<const std::byte> bytes) {
        const auto outcome = read(bytes);
        EXPECT_FALSE(outcome.step.has_value());
        EXPECT_EQ(outcome.step.error().cause.fault, Fault::not_itch);
        EXPECT_EQ(outcome.step.error().cause.offset, 0U);
        EXPECT_TRUE(outcome.messages.empty());
        return outcome.step.error().text;
    };
    EXPECT_THAT(text_of(bytes_of("34200.004241176,1,16113575,18,5853300,1\n")),
                EndsWith("(it looks like plain text)"));
    EXPECT_THAT(text_of(from_hex("89504e470d0a1a0a 0000000d49484452")), HasSubstr("PNG image"));
    EXPECT_THAT(text_of(from_hex("d4c3b2a1 0200 0400 00000000")), HasSubstr("pcap"));
    EXPECT_THAT(text_of(from_hex("504b0304 1400")), HasSubstr("zip archive"));

    auto little_endian = itch_frames(day());
    std::swap(little_endian[0], little_endian[1]);
    EXPECT_THAT(text_of(little_endian), HasSubstr("little-endian"));

    Bytes bare;
    for (const auto& message : day()) {
        const auto frame = damrak::testing::itch_frame(message);
        append(bare, std::span{frame}.subspan(2));
    }
    EXPECT_THAT(text_of(bare), HasSubstr("without their 16-bit lengths"));
    const auto single = std::span{bare}.first(Layout<SystemEvent>::k_length);
    EXPECT_THAT(text_of(single), HasSubstr("without their 16-bit lengths"));

    auto soup = from_hex("000d 53");
    append(soup, damrak::testing::itch_message(std::get<SystemEvent>(day()[0])));
    EXPECT_THAT(text_of(soup), HasSubstr("SoupBinTCP"));
}

TEST(ItchFileReader, delivers_the_intact_part_of_a_damaged_archive) {
    std::vector<Message> messages;
    for (std::uint64_t i = 0; i < 20'000; ++i) {
        messages.emplace_back(OrderDelete{.timestamp_ns = static_cast<std::int64_t>(i * i),
                                          .order_ref = i * 2'654'435'761});
    }
    const auto raw = itch_frames(messages);
    for (auto stored : {damrak::testing::gzip(raw), damrak::testing::zstd(raw)}) {
        stored.resize(stored.size() / 2);
        const auto outcome = read(stored);
        ASSERT_FALSE(outcome.step.has_value());
        EXPECT_EQ(outcome.step.error().cause.fault, Fault::source);
        EXPECT_THAT(outcome.step.error().text,
                    AllOf(StartsWith("day.itch: "), HasSubstr("ends early at stored offset")));
        ASSERT_GT(outcome.messages.size(), 1'000U);
        EXPECT_TRUE(std::equal(outcome.messages.begin(), outcome.messages.end(), messages.begin()));
    }
}

TEST(ItchFileReader, continues_after_the_message_that_stopped_it) {
    struct StopAtAdd : ItchCollector {
        using ItchCollector::on;
        bool on(const AddOrder& message) {
            messages.emplace_back(message);
            return false;
        }
    };
    const auto bytes = itch_frames(day());
    FileReader reader{files::ByteSource::over(bytes, "day.itch")};
    StopAtAdd visitor;
    const auto stopped = reader.read_all(visitor);
    ASSERT_TRUE(stopped.has_value());
    EXPECT_EQ(*stopped, ReadStep::stopped);
    EXPECT_EQ(visitor.messages.size(), 3U);
    const auto ended = reader.read_all(visitor);
    ASSERT_TRUE(ended.has_value());
    EXPECT_EQ(*ended, ReadStep::end);
    EXPECT_EQ(visitor.messages, day());
}

// Some programs write 0 for the length of each message, or empty frames between messages.
TEST(ItchFileReader, reads_lengths_of_zero_with_a_note) {
    const auto frames = itch_frames(day());
    Bytes without_lengths;
    Bytes with_empty_frames;
    for (std::size_t at = 0; at < frames.size();) {
        const std::size_t length = 2 + std::to_integer<std::size_t>(frames[at + 1]);
        append(without_lengths, from_hex("0000"));
        append(without_lengths, std::span{frames}.subspan(at + 2, length - 2));
        if (at > 0) append(with_empty_frames, from_hex("0000"));
        append(with_empty_frames, std::span{frames}.subspan(at, length));
        at += length;
    }
    for (const auto& [bytes, note] :
         {std::pair{&without_lengths, "4 messages have a length of 0 before them"},
          std::pair{&with_empty_frames, "3 frames of length 0 between messages"}})
        for (std::size_t block = 1; block <= bytes->size() + 1; ++block) {
            FileReader reader{files::ByteSource::over(*bytes, "day.itch"), block};
            ItchCollector collector;
            const auto step = reader.read_all(collector);
            ASSERT_TRUE(step.has_value()) << step.error().text;
            ASSERT_EQ(collector.messages, day()) << block;
            ASSERT_EQ(reader.notes().size(), 1U);
            EXPECT_THAT(reader.notes().front(), StartsWith(note));
        }
}

TEST(ItchFileReader, says_which_file_it_cannot_open) {
    const auto missing = FileReader::open("no/such/day.itch");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().text, "no/such/day.itch: cannot open: No such file or directory");
}

TEST(ItchFileWriter, writes_files_that_the_reader_reads_and_reports_progress) {
    for (const std::string name : {"day.itch", "day.itch.gz", "day.itch.zst"}) {
        const auto path = std::filesystem::path{::testing::TempDir()} / ("itch_writer_" + name);
        auto writer = FileWriter::create(path);
        ASSERT_TRUE(writer.has_value()) << writer.error();
        for (const auto& message : day()) writer->write(message);
        ASSERT_TRUE(writer->close().has_value());
        auto reader = FileReader::open(path);
        ASSERT_TRUE(reader.has_value()) << reader.error().text;
        ItchCollector collector;
        ASSERT_TRUE(reader->read_all(collector).has_value());
        EXPECT_EQ(collector.messages, day());
        EXPECT_EQ(reader->progress().consumed_bytes, std::filesystem::file_size(path));
        EXPECT_EQ(reader->progress().total_bytes, std::filesystem::file_size(path));
        std::filesystem::remove(path);
    }
}

}  // namespace
}  // namespace damrak::wire::itch::file_reader_test
