// One request over HTTP to an exchange, and its answer: for `damrak fix admin`.
// Blocks, for as long as it is told at most. Over Boost.Beast, which is known in this folder only.
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
    /// JSON that is posted; empty: a GET.
    std::string json{};
    std::chrono::milliseconds patience{5'000};
};

/// The answer whatever its status; or why there is none.
[[nodiscard]] std::expected<HttpAnswer, std::string> ask_http(const HttpQuestion& question);

}  // namespace damrak::telemetry
