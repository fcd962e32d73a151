// Logins of browsers: each gets a cookie of random bits, which no script can read and which the
// browser sends to this service's pages alone. They are forgotten with the program. One thread.
#pragma once

#include <cstddef>
#include <deque>
#include <expected>
#include <string>
#include <string_view>

namespace damrak::http {

/// Whether the texts are equal. Takes as long for any two of the same length, so that time does not
/// tell how much of a guess is right.
[[nodiscard]] bool equal_in_constant_time(std::string_view one, std::string_view other);

/// 64 hexadecimal digits from the operating system; an error if it has none.
[[nodiscard]] std::expected<std::string, std::string> random_token();

class SessionCookies {
  public:
    /// More logins end the oldest ones.
    static constexpr std::size_t k_maximum = 64;

    /// `name`: of the cookie. Cookies do not know ports: services of a machine need different ones.
    /// `is_secure`: the browser sends them over TLS alone.
    explicit SessionCookies(std::string name, bool is_secure = false)
        : name_(std::move(name)), is_secure_(is_secure) {}

    /// The Set-Cookie of a new login.
    [[nodiscard]] std::expected<std::string, std::string> open();
    /// Whether a Cookie header has one of the logins.
    [[nodiscard]] bool admits(std::string_view cookie_header) const;
    /// Ends that login. The Set-Cookie that removes it from the browser.
    [[nodiscard]] std::string close(std::string_view cookie_header);

  private:
    [[nodiscard]] std::string_view value_in(std::string_view cookie_header) const;

    [[nodiscard]] std::string cookie(std::string_view value) const;

    std::string name_;
    bool is_secure_;
    std::deque<std::string> open_;
};

}  // namespace damrak::http
