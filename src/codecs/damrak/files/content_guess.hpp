// Guesses the type of a file from its first bytes, for error messages of readers ("looks like a PNG
// image"). Called once, on failure; reads at most the given bytes.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace damrak::files {

// A noun phrase such as "a PNG image" or "plain text"; empty if the bytes match nothing known.
[[nodiscard]] std::string_view guess_content(std::span<const std::byte> first_bytes);

// Whether these bytes look like the start of a text table such as a LOBSTER file: text from the
// first byte on, with commas or semicolons.
[[nodiscard]] bool looks_like_table(std::span<const std::byte> first_bytes);

}  // namespace damrak::files
