#include <damrak/http/session_cookies.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <sys/random.h>

namespace damrak::http {

bool equal_in_constant_time(std::string_view one, std::string_view other) {
    if (one.size() != other.size()) return false;
    // Volatile: the compiler must not end the comparison at the first difference.
    volatile unsigned difference = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        difference = difference | static_cast<unsigned>(static_cast<unsigned char>(one[i]) ^
                                                        static_cast<unsigned char>(other[i]));
    return difference == 0;
}

std::expected<std::string, std::string> random_token() {
    std::array<unsigned char, 32> bytes{};
    if (::getentropy(bytes.data(), bytes.size()) != 0)
        return std::unexpected{fmt::format("no random bits: {}", std::strerror(errno))};
    std::string token;
    for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
    return token;
}

std::expected<std::string, std::string> SessionCookies::open() {
    auto value = random_token();
    if (!value) return value;
    if (open_.size() == k_maximum) open_.pop_front();
    open_.push_back(*value);
    return cookie(*value);
}

bool SessionCookies::admits(std::string_view cookie_header) const {
    const std::string_view value = value_in(cookie_header);
    bool found = false;
    for (const std::string& one : open_) found = equal_in_constant_time(one, value) || found;
    return found;
}

std::string SessionCookies::close(std::string_view cookie_header) {
    std::erase(open_, std::string{value_in(cookie_header)});
    return cookie({}) + "; Max-Age=0";
}

std::string SessionCookies::cookie(std::string_view value) const {
    return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict{}", name_, value,
                       is_secure_ ? "; Secure" : "");
}

std::string_view SessionCookies::value_in(std::string_view cookie_header) const {
    while (!cookie_header.empty()) {
        const std::size_t end = std::min(cookie_header.find(';'), cookie_header.size());
        std::string_view one = cookie_header.substr(0, end);
        one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
        if (one.size() > name_.size() && one.starts_with(name_) && one[name_.size()] == '=')
            return one.substr(name_.size() + 1);
        cookie_header.remove_prefix(std::min(end + 1, cookie_header.size()));
    }
    return {};
}

}  // namespace damrak::http
