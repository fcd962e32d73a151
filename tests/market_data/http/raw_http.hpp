// Requests to an HTTP server over a plain socket, byte for byte, and the answers.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "support/running_server.hpp"

namespace damrak::testing {

inline void send_text(const RawClient& client, std::string_view text) {
    client.send(std::as_bytes(std::span{text}));
}

/// Everything received until the server closes the connection.
inline std::string rest_of(const RawClient& client) {
    constexpr std::size_t k_some = 65'536;
    std::string text;
    for (;;) {
        const Bytes bytes = client.receive(k_some);
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (bytes.size() < k_some) return text;
    }
}

inline std::string ask_raw(std::uint16_t port, std::string_view request) {
    const RawClient client{port};
    send_text(client, request);
    return rest_of(client);
}

/// The whole answer to a GET on its own connection; `fields`: further header lines, each with its
/// line end.
inline std::string ask_for(std::uint16_t port, std::string_view target,
                           std::string_view fields = {}) {
    return ask_raw(port, "GET " + std::string{target} + " HTTP/1.1\r\nHost: localhost\r\n" +
                             std::string{fields} + "Connection: close\r\n\r\n");
}

inline std::string body_of(std::string_view answer) {
    const std::size_t end = answer.find("\r\n\r\n");
    return std::string{end == std::string_view::npos ? "" : answer.substr(end + 4)};
}

/// The content of a chunked body; empty if it has no end, or is malformed.
inline std::optional<std::string> dechunked(std::string_view body) {
    std::string text;
    for (;;) {
        std::size_t size = 0;
        const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), size, 16);
        const auto digits = static_cast<std::size_t>(end - body.data());
        if (error != std::errc{} || !body.substr(digits).starts_with("\r\n")) return std::nullopt;
        body.remove_prefix(digits + 2);
        if (body.size() < size + 2 || body.substr(size, 2) != "\r\n") return std::nullopt;
        if (size == 0) return text;
        text += body.substr(0, size);
        body.remove_prefix(size + 2);
    }
}

}  // namespace damrak::testing
