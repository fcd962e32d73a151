// The head of an HTTP response: its status line and its headers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/budget/row.hpp>
#include <damrak/http/server.hpp>

namespace damrak::http::detail {

/// How the client learns where the response ends.
struct Framing {
    bool keep_alive = false;
    bool chunked = false;
    bool gzip = false;  ///< the content is the compressed one
    std::optional<std::size_t> length{};
};

/// `allowed`: the methods that a 405 names.
[[nodiscard]] std::string head_of(const Answer& answer, const Framing& framing,
                                  const char* allowed);

/// What a client hears that finds no place among the `things`.
[[nodiscard]] Answer busy(std::string_view things, budget::Refusal why);
/// A whole response, after which the connection ends.
[[nodiscard]] std::string whole(const Answer& answer);

}  // namespace damrak::http::detail
