// The rows of every log compared with a simple writer: the same bytes for any values, and never
// more than fit.

#include <damrak/telemetry/detail/csv.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/telemetry/detail/classic_rows.hpp>
#include <damrak/telemetry/detail/throughput.hpp>
#include <damrak/telemetry/log_file.hpp>
#include <damrak/telemetry/records.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::telemetry::csv_test {
namespace {

std::string plain(const Name& name) { return std::string{name.view()}; }
std::string plain(std::integral auto number) { return std::to_string(number); }
template <class T>
    requires requires(const T& strong) { strong.value; }
std::string plain(const T& strong) {
    return plain(strong.value);
}

template <class Record>
std::string plain_row(const Record& record) {
    std::string row;
    record.fields([&](std::string_view, const auto& value) {
        if (!row.empty()) row += ',';
        row += plain(value);
    });
    return row + '\n';
}

template <class Record>
std::string row(const Record& record, csv::RowWriter& writer) {
    constexpr char k_guard = '#';
    constexpr std::size_t k_room = csv::k_row_room<Record>;
    std::array<char, k_room + 64> memory;
    memory.fill(k_guard);
    const char* const end = writer.put_row(memory.data(), record);
    for (std::size_t i = k_room; i < memory.size(); ++i)
        EXPECT_EQ(memory[i], k_guard) << "written beyond the room of a row, at " << i;
    return std::string{static_cast<const char*>(memory.data()), end};
}

template <class Record>
std::string row(const Record& record) {
    csv::RowWriter writer;
    return row(record, writer);
}

// Any bits are a valid value: each word has none, all, only the sign, all but the sign, few or
// random bits set.
template <class Record>
Record random_record(RandomStream& random) {
    std::array<std::uint64_t, (sizeof(Record) + 7) / 8> words{};
    for (std::uint64_t& word : words) {
        constexpr std::array<std::uint64_t, 4> k_extremes{
            0, std::numeric_limits<std::uint64_t>::max(), std::uint64_t{1} << 63U,
            std::numeric_limits<std::uint64_t>::max() >> 1U};
        const std::uint32_t choice = random.below(6);
        word = choice < k_extremes.size() ? k_extremes[choice]
                                          : random.next() >> (choice == 4 ? random.below(64) : 0);
    }
    Record record;
    std::memcpy(static_cast<void*>(&record), words.data(), sizeof record);
    return record;
}

template <class Record>
class EveryRow : public ::testing::Test {};
using Rows =
    ::testing::Types<Opened, Closed, Request, Refusal, GoodTill, Write, OrderFate, Trade,
                     classic::Timings, classic::Received, classic::Sent, classic::Added,
                     classic::Removed, classic::Cancelled, classic::Modified, classic::Traded,
                     classic::Connected, classic::Disconnected, ThroughputRow>;
TYPED_TEST_SUITE(EveryRow, Rows);

TYPED_TEST(EveryRow, EqualsTheSimpleWriterForAnyValues) {
    RandomStream random{1};
    csv::RowWriter writer;
    for (int i = 0; i < 2'000; ++i) {
        const auto record = random_record<TypeParam>(random);
        ASSERT_EQ(row(record, writer), plain_row(record));
    }
}

TYPED_TEST(EveryRow, FillsAFileOfManyBlocksWithoutLossOrGap) {
    const testing::ScratchFolder folder;
    RandomStream random{2};
    std::string expected = csv::header<TypeParam>();
    {
        LogFile file{folder / "rows.csv", expected};
        while (expected.size() < 300'000) {
            const auto record = random_record<TypeParam>(random);
            file.add(record);
            expected += plain_row(record);
        }
    }
    std::ifstream written{folder / "rows.csv"};
    EXPECT_EQ((std::string{std::istreambuf_iterator<char>{written}, {}}), expected);
}

TEST(Csv, WritesTheWidestAndTheLongestValues) {
    constexpr std::int64_t k_lowest = std::numeric_limits<std::int64_t>::min();
    OrderFate order{.sequence = std::numeric_limits<std::uint32_t>::max(),
                    .time = {k_lowest},
                    .session = {std::numeric_limits<std::uint64_t>::max()},
                    .event = EventKind::participant_state_changed,
                    .command = CommandKind::set_participant_state,
                    .side = Side::sell,
                    .type = OrderType::stop_limit,
                    .time_in_force = TimeInForce::fok,
                    .reason = Reason::invalid_self_trade_prevention,
                    .flags = std::numeric_limits<EventFlags::Bits>::max(),
                    .price = {k_lowest}};
    EXPECT_EQ(row(order),
              "-9223372036854775808,participant_state_changed,set_participant_state,"
              "18446744073709551615,4294967295,0,0,0,0,sell,stop_limit,fok,-9223372036854775808,0,"
              "0,invalid_self_trade_prevention,65535\n");
}

TEST(Csv, HasRoomForTheWidestRow) {
    classic::Added widest;
    std::memset(static_cast<void*>(&widest), 0xFF, sizeof widest);
    EXPECT_EQ(row(widest).size() + csv::k_spare_bytes, csv::k_row_room<classic::Added>);
}

TEST(Csv, WritesNumbersOfEveryLength) {
    for (std::uint64_t power = 1; power <= 1'000'000'000'000'000'000; power *= 10) {
        for (const std::uint64_t number : {power - 1, power, power + 1}) {
            const auto small = static_cast<std::uint32_t>(number);
            const GoodTill dated{
                .sequence = small, .time = {-static_cast<std::int64_t>(number)}, .date = number};
            EXPECT_EQ(row(dated), plain_row(dated));
        }
    }
}

TEST(Csv, WritesTimesInAnyOrder) {
    constexpr std::int64_t k_now = 1'700'000'000'099'999'998;
    csv::RowWriter writer;
    for (const std::int64_t time :
         {k_now, k_now, k_now + 1, k_now + 2, k_now + 1, k_now + 100'000'000, std::int64_t{0},
          std::int64_t{99'999'999}, std::int64_t{100'000'000}, std::int64_t{100'000'001}, k_now,
          std::int64_t{-1}, -k_now, std::int64_t{1'000'000'000'000'000}}) {
        const Request request{.time = {time}};
        EXPECT_EQ(row(request, writer), plain_row(request));
    }
}

TEST(Csv, WritesUnknownForUnnamedValues) {
    constexpr std::uint8_t k_beyond = 255;
    EXPECT_EQ(k_request_names[static_cast<RequestKind>(k_request_kinds)].view(), "unknown");
    EXPECT_EQ(k_event_names[static_cast<EventKind>(k_event_kinds)].view(), "unknown");
    EXPECT_EQ(k_command_names[static_cast<CommandKind>(k_beyond)].view(), "unknown");
    EXPECT_EQ(k_order_type_names[static_cast<OrderType>(4)].view(), "unknown");
    EXPECT_EQ(k_time_in_force_names[static_cast<TimeInForce>(8)].view(), "unknown");
    EXPECT_EQ(k_side_names[static_cast<Side>(k_beyond)].view(), "unknown");
}

TEST(Csv, NamesEveryValueAsItsFunctionDoes) {
    for (unsigned number = 0; number < 256; ++number) {
        const auto reason = static_cast<Reason>(number);
        EXPECT_EQ(k_reason_names[reason].view(), name(reason));
        const auto request = static_cast<RequestKind>(number);
        EXPECT_EQ(k_request_names[request].view(), name(request));
    }
    EXPECT_EQ(k_event_names[EventKind::day_ended].view(), "day_ended");
    EXPECT_EQ(k_command_names[CommandKind::session_closed].view(), "session_closed");
    EXPECT_EQ(k_time_in_force_names[TimeInForce::gtd].view(), "gtd");
}

}  // namespace
}  // namespace damrak::telemetry::csv_test
