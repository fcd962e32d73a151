// What the charts of this room have in common as text: style, escapes, coordinates.
#pragma once

#include <string>
#include <string_view>

namespace damrak::plot::detail {

inline constexpr std::string_view k_style =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',"
    "sans-serif;font-size:12px;fill:#57606a}"
    ".t{font-size:19px;font-weight:600;fill:#1f2328}"
    ".p{font-size:12.5px;font-weight:600;fill:#1f2328}"
    ".v{text-anchor:end}.h{text-anchor:middle}"
    ".g{stroke:#e6e9ed;fill:none}.f{stroke:#aeb6bf;fill:none}"
    ".l{fill:none;stroke-width:1.3;stroke-linejoin:round}"
    ".d{fill:none;stroke-linecap:round;stroke-opacity:.75}";

[[nodiscard]] std::string escaped(std::string_view text);

/// A tenth of a pixel is what a chart can show; "12" rather than "12.0" keeps it small.
[[nodiscard]] std::string pixel(double at);

/// The opening of a picture of this size, with the style and a white ground.
[[nodiscard]] std::string svg_begin(int width, int height, std::string_view label);

}  // namespace damrak::plot::detail
