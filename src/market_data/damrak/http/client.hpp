// One HTTP request to an exchange, and its answer: for `damrak fix admin`. Blocks up to a time
// limit. Uses Boost.Beast.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/http/server.hpp>

namespace damrak::http {

/// A request to a server.
struct Question {
    std::string address = "127.0.0.1";  ///< address or host name
    std::uint16_t port = 8080;
    std::string path = "/";
    /// JSON to post; empty: a GET.
    std::string json{};
    std::chrono::milliseconds patience{30'000};
};

/// The answer with any status, or why there is none.
[[nodiscard]] std::expected<Answer, std::string> ask(const Question& question);

}  // namespace damrak::http
