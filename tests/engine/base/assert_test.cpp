// Assertions: no effect when they hold; the process ends and names the place when they do not.

#include <damrak/base/assert.hpp>

#include <gtest/gtest.h>

namespace damrak::assert_test {
namespace {

TEST(Assert, DoesNothingWhenTheExpressionHolds) {
    int evaluated = 0;
    DAMRAK_ASSERT(++evaluated == 1);
    EXPECT_EQ(evaluated, 1);
}

TEST(AssertDeathTest, EndsTheProcessAndSaysWhatAndWhere) {
    const bool book_is_sound = false;
    EXPECT_DEATH(DAMRAK_ASSERT(book_is_sound),
                 "assert_test.cpp:[0-9]+: assertion failed: book_is_sound");
}

TEST(AssertDeathTest, IsAStatementThatFitsIntoAnIfWithoutBraces) {
    const bool checked = true;
    if (checked)
        DAMRAK_ASSERT(checked);
    else
        DAMRAK_ASSERT(!checked);
    EXPECT_DEATH(DAMRAK_ASSERT(1 + 1 == 3), "1 \\+ 1 == 3");
}

}  // namespace
}  // namespace damrak::assert_test
