// One HTTP request to an exchange, and its answer: for `damrak fix admin`. Blocks up to a time
// limit. Uses Boost.Beast, which no other folder does.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/telemetry/http/http_server.hpp>

namespace damrak::telemetry {

struct HttpQuestion {
    std::string address = "127.0.0.1";  ///< or a name
    std::uint16_t port = 8080;
    std::string path = "/";
    /// JSON to post; empty: a GET.
    std::string json{};
    std::chrono::milliseconds patience{5'000};
};

/// The answer with any status; or why there is none.
[[nodiscard]] std::expected<HttpAnswer, std::string> ask_http(const HttpQuestion& question);

}  // namespace damrak::telemetry
