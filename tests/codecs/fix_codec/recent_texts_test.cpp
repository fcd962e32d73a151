// Remembered texts are those that would be written again, and so are their sums.
#include <damrak/fix_codec/detail/recent_texts.hpp>

#include <array>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

namespace damrak::fix_codec::recent_texts_test {
namespace {

struct Written {
    std::string text;
    std::uint32_t sum = 0;
    friend bool operator==(const Written&, const Written&) = default;
};

template <class Write>
Written written(const Write& write) {
    std::array<char, 64 + detail::k_spare_bytes> room{};
    detail::Cursor cursor{room.data()};
    write(cursor);
    return {{room.data(), cursor.at()}, cursor.sum()};
}

TEST(CounterText, WritesEachNumberOfACount) {
    CounterText counter;
    const auto expect = [&](std::uint64_t number) {
        EXPECT_EQ(written([&](auto& cursor) { counter.write(cursor, number); }),
                  written([&](auto& cursor) { cursor.whole(number); }))
            << number;
    };
    for (std::uint64_t number = 0; number < 2'500; ++number) expect(number);
    // It may go back, and any number may come.
    for (const std::uint64_t number :
         {std::uint64_t{1'700}, std::uint64_t{99'999'999}, std::uint64_t{100'000'000},
          std::uint64_t{7}, (std::uint64_t{3} << 40U) + 12, UINT64_MAX, UINT64_MAX - 20})
        expect(number);
}

TEST(DecimalTexts, WriteEachPriceWithItsDigits) {
    DecimalTexts prices;
    const auto expect = [&](std::int64_t count, unsigned digits) {
        EXPECT_EQ(written([&](auto& cursor) { prices.write(cursor, count, digits); }),
                  written([&](auto& cursor) { cursor.decimal(count, digits); }))
            << count << " with " << digits;
    };
    expect(0, 0);
    for (int round = 0; round < 2; ++round)
        for (std::int64_t count = -2'000; count < 2'000; count += 7)
            for (const unsigned digits : {0U, 2U, 4U, 8U}) expect(1'000'000 + count, digits);
    expect(-12'500, 4);
    expect(INT64_MAX, 18);
    expect(INT64_MIN, 18);
}

}  // namespace
}  // namespace damrak::fix_codec::recent_texts_test
