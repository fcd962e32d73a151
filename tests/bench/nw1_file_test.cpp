// Files of NW-1 records: what is read from a good one, and what is said of a bad one.

#include "support/nw1_file.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <ios>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/generator/nw1_record.hpp>

namespace damrak::bench::nw1_file_test {
namespace {

using generator::Nw1Record;

Nw1Record record(std::uint32_t phase) {
    return {.op = Nw1Op::add,
            .side = 1,
            .ioc = 0,
            .symbol = 3,
            .quantity = 100,
            .order_id = 7,
            .price_ticks = -5,
            .phase = phase,
            .target_age = 11};
}

class Nw1File : public ::testing::Test {
  public:
    Nw1File()
        : path_(std::filesystem::path(::testing::TempDir()) /
                ("nw1_" +
                 std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()))) {}
    ~Nw1File() override { std::filesystem::remove(path_); }
    Nw1File(const Nw1File&) = delete;
    Nw1File& operator=(const Nw1File&) = delete;

  protected:
    void write(const std::vector<Nw1Record>& records, std::size_t cut_bytes = 0) const {
        std::ofstream file(path_, std::ios::binary);
        file.write(reinterpret_cast<const char*>(records.data()),
                   static_cast<std::streamsize>(records.size() * sizeof(Nw1Record) - cut_bytes));
    }

    // Error message for a valid stream of 5,000 records with one corrupted record.
    [[nodiscard]] std::string fault_of(std::size_t index,
                                       const std::function<void(Nw1Record&)>& spoil) const {
        std::vector<Nw1Record> records(5'000, record(1));
        spoil(records.at(index));
        write(records);
        return fault();
    }

    [[nodiscard]] std::string fault() const {
        const auto stream = load_nw1_file(path_);
        return stream ? std::string() : stream.error();
    }

    [[nodiscard]] std::string named(const std::string& text) const {
        return path_.string() + ": " + text;
    }

    std::filesystem::path path_;
};

TEST_F(Nw1File, GivesPrefillTimedPartAndRanges) {
    std::vector<Nw1Record> records(9'000, record(1));
    records[0] = records[1] = record(0);
    records[5'000].symbol = 255;
    records[6'000].price_ticks = 2'000'000'000;
    write(records);
    const auto stream = load_nw1_file(path_);
    ASSERT_TRUE(stream.has_value()) << stream.error();
    EXPECT_EQ(stream->prefill().size(), 2U);
    EXPECT_EQ(stream->timed().size(), 8'998U);
    EXPECT_EQ(stream->info.symbols, 256U);
    EXPECT_EQ(stream->info.price_min_ticks, -5);
    EXPECT_EQ(stream->info.price_max_ticks, 2'000'000'000);
    const Message& message = stream->messages.front();
    EXPECT_EQ(message.op, Nw1Op::add);
    EXPECT_EQ(message.side, 1);
    EXPECT_EQ(message.ioc, 0);
    EXPECT_EQ(message.symbol, 3);
    EXPECT_EQ(message.quantity, 100U);
    EXPECT_EQ(message.order_id, 7U);
    EXPECT_EQ(message.price_ticks, -5);
    EXPECT_EQ(message.target_age, 11U);
}

TEST_F(Nw1File, TimesALateRecordOfThePrefillWithTheRest) {
    write({record(0), record(1), record(0), record(1)});
    const auto stream = load_nw1_file(path_);
    ASSERT_TRUE(stream.has_value()) << stream.error();
    EXPECT_EQ(stream->prefill().size(), 1U);
    EXPECT_EQ(stream->timed().size(), 3U);
}

TEST_F(Nw1File, SaysWhichRecordIsMalformed) {
    EXPECT_EQ(fault_of(4'998, [](Nw1Record& r) { r.op = static_cast<Nw1Op>(3); }),
              named("record 4998 (byte offset 159936): op is 3, expected 0 (add), 1 (cancel) or 2 "
                    "(replace)"));
    EXPECT_EQ(fault_of(0, [](Nw1Record& r) { r.side = 2; }),
              named("record 0 (byte offset 0): side is 2, expected 0 (buy) or 1 (sell)"));
    EXPECT_EQ(fault_of(1, [](Nw1Record& r) { r.ioc = 255; }),
              named("record 1 (byte offset 32): ioc is 255, expected 0 or 1"));
    EXPECT_EQ(fault_of(4'096, [](Nw1Record& r) { r.phase = 2; }),
              named("record 4096 (byte offset 131072): phase is 2, expected 0 (prefill) or 1 "
                    "(timed)"));
}

TEST_F(Nw1File, RefusesHalfARecord) {
    write({record(1), record(1)}, 5);
    EXPECT_EQ(fault(), named("59 bytes are not a whole number of 32-byte records: record 1 at byte "
                             "offset 32 has 27 bytes"));
}

TEST_F(Nw1File, RefusesAFileWithNothingToTime) {
    write({});
    EXPECT_EQ(fault(), named("0 records, none with phase 1 to be timed"));
    write({record(0)});
    EXPECT_EQ(fault(), named("1 records, none with phase 1 to be timed"));
}

TEST_F(Nw1File, RefusesAFileThatIsNotThere) {
    EXPECT_EQ(fault(), named("cannot read: No such file or directory"));
}

}  // namespace
}  // namespace damrak::bench::nw1_file_test
