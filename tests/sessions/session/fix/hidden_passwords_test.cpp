// What is kept of messages with passwords: stars of the same length, and a right checksum.
#include <damrak/session/fix/detail/hidden_passwords.hpp>

#include <string>

#include <gtest/gtest.h>

#include "support/fix_text.hpp"

namespace damrak::session::fix::detail::hidden_passwords_test {
namespace {

std::string kept(const std::string& message) {
    std::string room(message.size(), ' ');
    const auto bytes = without_passwords(message, room);
    return {bytes.begin(), bytes.end()};
}

std::string hidden(const std::string& fields) {
    return kept(testing::fix_message("FIX.4.4", fields));
}

TEST(HiddenPasswords, BecomeStarsUnderARightChecksum) {
    constexpr const char* k_head = "35=A|34=1|49=A|52=20260302-09:00:00|56=B|";
    EXPECT_EQ(
        hidden(std::string{k_head} + "553=u|554=secret|925=newer!|"),
        testing::fix_message("FIX.4.4", std::string{k_head} + "553=u|554=******|925=******|"));
}

TEST(HiddenPasswords, LeaveEverythingElse) {
    constexpr const char* k_fields =
        "35=A|34=1|49=A|52=20260302-09:00:00|56=B|553=554=u|58=x925=y|";
    EXPECT_EQ(hidden(k_fields), testing::fix_message("FIX.4.4", k_fields));
}

// Of a broken message, which is kept too.
TEST(HiddenPasswords, NeedNoEnd) {
    EXPECT_EQ(kept("8=FIX.4.4\0019=5\00135=A\001554=secret"),
              "8=FIX.4.4\0019=5\00135=A\001554=******");
    EXPECT_EQ(kept(""), "");
}

TEST(HiddenPasswords, AreLookedForInLogonAndUserRequestOnly) {
    EXPECT_TRUE(may_have_password("A"));
    EXPECT_TRUE(may_have_password("BE"));
    EXPECT_FALSE(may_have_password("D"));
    EXPECT_FALSE(may_have_password("AE"));
}

}  // namespace
}  // namespace damrak::session::fix::detail::hidden_passwords_test
