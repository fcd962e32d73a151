// A cell of a CSV file.
#pragma once

#include <string>

namespace damrak {

/// RFC 4180: quoted where a separator, a quote or a line break is in it.
[[nodiscard]] inline std::string csv_cell(std::string text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
    return quoted + '"';
}

}  // namespace damrak
