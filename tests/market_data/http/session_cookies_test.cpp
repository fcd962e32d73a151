// Logins of browsers by cookie.
#include <damrak/http/session_cookies.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/http/origin.hpp>

namespace damrak::http::session_cookies_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string value_of(const std::string& set_cookie) {
    return set_cookie.substr(0, set_cookie.find(';'));
}

TEST(SessionCookies, AdmitTheirOwnValuesAlone) {
    SessionCookies logins{"damrak"};
    EXPECT_FALSE(logins.admits(""));
    EXPECT_FALSE(logins.admits("damrak="));
    const std::string set = logins.open().value();
    EXPECT_THAT(set, AllOf(StartsWith("damrak="), HasSubstr("; HttpOnly"),
                           HasSubstr("; SameSite=Strict"), HasSubstr("; Path=/")));
    const std::string cookie = value_of(set);
    EXPECT_EQ(cookie.size(), 7U + 64U);
    EXPECT_TRUE(logins.admits(cookie));
    EXPECT_TRUE(logins.admits("a=b; " + cookie + "; c=d"));
    EXPECT_FALSE(logins.admits("x" + cookie));
    EXPECT_FALSE(logins.admits(cookie.substr(0, cookie.size() - 1)));
    EXPECT_FALSE(logins.admits(cookie + "0"));
    EXPECT_FALSE(logins.admits("other" + cookie.substr(6)));
    for (const char* const junk : {";", ";;;", "=", "damrak", "damrak;", " ; damrak=;"})
        EXPECT_FALSE(logins.admits(junk)) << junk;
}

TEST(SessionCookies, EndWithTheLogoutOrIfThereAreTooMany) {
    SessionCookies logins{"damrak"};
    const std::string first = value_of(logins.open().value());
    const std::string second = value_of(logins.open().value());
    EXPECT_NE(first, second);
    EXPECT_THAT(logins.close(second), AllOf(StartsWith("damrak=;"), HasSubstr("Max-Age=0")));
    EXPECT_FALSE(logins.admits(second));
    EXPECT_TRUE(logins.admits(first));
    for (std::size_t i = 0; i < SessionCookies::k_maximum; ++i)
        static_cast<void>(logins.open().value());
    EXPECT_FALSE(logins.admits(first));
}

TEST(Origin, KnowsTheNamesOfThisMachineAndItsOwnPages) {
    for (const char* const host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:8080"})
        EXPECT_TRUE(names_this_machine(host)) << host;
    for (const char* const host : {"", "x", "localhost.evil", "127.0.0.11", "evil:localhost"})
        EXPECT_FALSE(names_this_machine(host)) << host;
    Request request;
    request.host = "x:1";
    EXPECT_TRUE(has_sound_host(request)) << "not over loopback";
    request.is_local = true;
    EXPECT_FALSE(has_sound_host(request));
}

}  // namespace
}  // namespace damrak::http::session_cookies_test
