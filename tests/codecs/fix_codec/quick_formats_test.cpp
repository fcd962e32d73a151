// The fast format check accepts only values that the full check accepts.
#include <damrak/fix_codec/detail/quick_formats.hpp>

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/values.hpp>

namespace damrak::fix_codec::detail::quick_formats_test {
namespace {

// With bytes after it, as within a message.
bool is_plain(const std::string& time) {
    const std::string message = time + "|10=123|";
    return is_plain_timestamp(std::string_view{message}.substr(0, time.size()));
}

TEST(QuickFormats, ATimeIsPlainIfEachPartOfItIsInItsRange) {
    const auto expect = [](const std::string& time) {
        EXPECT_EQ(is_plain(time), parse_timestamp(time).has_value()) << time;
    };
    for (int i = 0; i < 100; ++i) {
        expect(fmt::format("2026{:02}21-10:20:30", i));
        expect(fmt::format("202611{:02}-10:20:30", i));
        expect(fmt::format("202607{:02}-10:20:30", i));
        expect(fmt::format("20261121-{:02}:20:30", i));
        expect(fmt::format("20261121-10:{:02}:30.5", i));
        expect(fmt::format("20261121-10:20:{:02}.123456789", i));
    }
}

TEST(QuickFormats, ATimeWithALetterInAnyPlaceIsNotPlain) {
    const std::string time = "20261121-10:20:30.123456789";
    ASSERT_TRUE(is_plain(time));
    for (std::size_t i = 0; i < time.size(); ++i)
        for (const char other : {'/', ';', 'a', '\x7f', '\xb0'}) {
            std::string wrong = time;
            wrong[i] = other;
            EXPECT_FALSE(is_plain(wrong)) << wrong;
        }
}

}  // namespace
}  // namespace damrak::fix_codec::detail::quick_formats_test
