// Reasons: each has its own name and a sentence; an invalid byte has neither.

#include <damrak/domain/reason.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::reason_test {
namespace {

bool is_reason(unsigned value) {
    return value <= static_cast<unsigned>(Reason::busts_full) ||
           (value >= static_cast<unsigned>(Reason::requested) &&
            value <= static_cast<unsigned>(Reason::participant_kill)) ||
           (value >= static_cast<unsigned>(Reason::good_till_date) &&
            value <= static_cast<unsigned>(Reason::invalid_correction)) ||
           (value >= static_cast<unsigned>(Reason::linked_order) &&
            value <= static_cast<unsigned>(Reason::quote_protection));
}

TEST(Reason, HasANameOfItsOwn) {
    std::set<std::string_view> names;
    std::size_t reasons = 0;
    for (unsigned value = 0; value < 256; ++value) {
        if (!is_reason(value)) continue;
        ++reasons;
        names.insert(name(static_cast<Reason>(value)));
    }
    EXPECT_EQ(names.size(), reasons);
    EXPECT_EQ(reasons, 89U);
}

TEST(Reason, IsNamedAsInTheSource) {
    EXPECT_EQ(name(Reason::none), "none");
    EXPECT_EQ(name(Reason::unknown_command), "unknown_command");
    EXPECT_EQ(name(Reason::invalid_limits), "invalid_limits");
    EXPECT_EQ(name(Reason::end_of_day), "end_of_day");
    for (unsigned value = 0; value < 256; ++value)
        for (const char c : name(static_cast<Reason>(value)))
            EXPECT_TRUE((std::islower(c) != 0) || c == '_') << value;
}

TEST(Reason, HasATextThatIsASentenceWithoutItsName) {
    for (unsigned value = 1; value < 256; ++value) {
        if (!is_reason(value)) continue;
        const std::string_view sentence = text(static_cast<Reason>(value));
        EXPECT_GE(std::ranges::count(sentence, ' '), 2) << value;
        EXPECT_EQ(sentence.find('_'), std::string_view::npos) << value;
    }
    EXPECT_EQ(text(Reason::none), "");
}

TEST(Reason, OfALimitOnEntryNamesThePriceThatItIsMeasuredFrom) {
    EXPECT_TRUE(text(Reason::price_through_limit).contains("the last trade price"));
}

TEST(Reason, ThatIsUnknownReadsAsNone) {
    for (unsigned value = 0; value < 256; ++value) {
        if (is_reason(value)) continue;
        EXPECT_EQ(name(static_cast<Reason>(value)), "none") << value;
        EXPECT_EQ(text(static_cast<Reason>(value)), "") << value;
    }
}

TEST(Reason, IsInTheTableOfTheBinaryProtocol) {
    std::ifstream file{"docs/protocols/binary.md"};
    const std::string page{std::istreambuf_iterator<char>{file}, {}};
    for (unsigned value = 1; value < 256; ++value) {
        if (!is_reason(value)) continue;
        const auto reason = static_cast<Reason>(value);
        EXPECT_THAT(page, ::testing::HasSubstr(fmt::format("\n| {} | `{}` | {} |\n", value,
                                                           name(reason), text(reason))));
    }
}

}  // namespace
}  // namespace damrak::reason_test
