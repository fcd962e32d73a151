// Guesses the type of a file from its first bytes, for error messages of readers ("looks like a PNG
// image"). Called once, on failure; reads at most the given bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace damrak::files {

// A noun phrase such as "a PNG image" or "plain text"; empty if the bytes match nothing known.
[[nodiscard]] std::string_view guess_content(std::span<const std::byte> first_bytes);

// Whether these are the first bytes of a table of text, such as LOBSTER's: text from the first byte
// on, with commas or semicolons in it.
[[nodiscard]] bool looks_like_table(std::span<const std::byte> first_bytes);

}  // namespace damrak::files
