// Says what kind of file some first bytes come from, for error messages of readers that were given
// the wrong file ("looks like a PNG image"). Called once, on failure; touches at most the bytes
// given.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace damrak::files {

// A noun phrase such as "a PNG image" or "plain text"; empty when the bytes look like nothing
// known.
[[nodiscard]] std::string_view guess_content(std::span<const std::byte> first_bytes);

// Whether these are the first bytes of a table of text, such as LOBSTER's: text from the first byte
// on, with commas or semicolons in it.
[[nodiscard]] bool looks_like_table(std::span<const std::byte> first_bytes);

}  // namespace damrak::files
