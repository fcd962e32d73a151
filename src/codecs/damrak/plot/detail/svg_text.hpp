// Text parts shared by the charts of this room: style, escapes, coordinates, legend.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <damrak/plot/page_style.hpp>

namespace damrak::plot::detail {

inline constexpr std::string_view k_style =
    "text{font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',"
    "sans-serif;font-size:12px;fill:#57606a}"
    ".t{font-size:19px;font-weight:600;fill:#1f2328}"
    ".p{font-size:12.5px;font-weight:600;fill:#1f2328}"
    ".v{text-anchor:end}.h{text-anchor:middle}"
    ".g{stroke:#e6e9ed;fill:none}.f{stroke:#aeb6bf;fill:none}"
    ".l{fill:none;stroke-width:1.3;stroke-linejoin:round}"
    ".d{fill:none;stroke-linecap:round;stroke-opacity:.75}"
    ".b{fill:#fff}.m{fill:#fff;stroke:#1f2328}"
    "@media(prefers-color-scheme:dark){text{fill:#9da7b1}.t,.p{fill:#e6edf3}.b{fill:#0d1117}"
    ".g{stroke:#21262d}.f{stroke:#57606a}.m{fill:#0d1117;stroke:#e6edf3}}";

/// With a tenth of a pixel, which is the resolution of a chart; "12" rather than "12.0" keeps it
/// small.
[[nodiscard]] std::string pixel(double at);

/// Approximate width of a text of the ordinary size, without looking at a font.
[[nodiscard]] double text_width(std::string_view text);

/// The meaning of a colour of a chart.
struct LegendEntry {
    std::string name;
    std::string colour;
};
struct Legend {
    std::string svg;
    int height{};
};
/// Entries in reading order, in as many lines as needed between `left` and `right`.
[[nodiscard]] Legend legend(std::span<const LegendEntry> entries, int left, int right, int top);

/// The start of a picture of this size, with the style and a white background, or a dark one if the
/// reader prefers that.
[[nodiscard]] std::string svg_begin(int width, int height, std::string_view label);

}  // namespace damrak::plot::detail
