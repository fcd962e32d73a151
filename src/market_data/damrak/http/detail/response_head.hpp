// The head of an HTTP response: its status line and its headers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <damrak/http/server.hpp>

namespace damrak::http::detail {

/// How the client learns where the response ends.
struct Framing {
    bool keep_alive = false;
    bool chunked = false;
    std::optional<std::size_t> length{};
};

/// `allowed`: the methods that a 405 names.
[[nodiscard]] std::string head_of(const Answer& answer, const Framing& framing,
                                  const char* allowed);

}  // namespace damrak::http::detail
