// The style of a page with charts: on a wide window, on a phone, in light and dark. For
// self-contained HTML pages.
//
// A table is in a `<div class="wide">`, which scrolls if the window is too narrow; a phone omits
// cells of the class `more`. A chart is included twice, in a `<div class="big">` and a `<div
// class="small">`, of which one is shown; or once, in a `<div class="wide">`.
#pragma once

#include <string>
#include <string_view>

namespace damrak::plot {

/// The width of a chart in a `<div class="small">`.
inline constexpr int k_small_width = 400;

inline constexpr std::string_view k_page_style =
    ":root{color-scheme:light dark;--ink:#1f2328;--quiet:#57606a;--line:#d0d7de;--thin:#e6e9ed;"
    "--ground:#fff}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--quiet:#9da7b1;--line:#30363d;"
    "--thin:#21262d;--ground:#0d1117}}"
    "body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',"
    "sans-serif;color:var(--ink);background:var(--ground);max-width:1360px;margin:2em auto;"
    "padding:0 20px;overflow-wrap:break-word}"
    "h1{font-size:26px;margin:0}"
    ".about{color:var(--quiet);margin:.2em 0 1.4em}"
    "svg{display:block;margin:.6em 0;max-width:100%;height:auto}.wide svg{max-width:none}"
    ".small{display:none}.wide{overflow-x:auto}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "td,th{padding:3px 8px;text-align:right;border-bottom:1px solid var(--thin);font-weight:400;"
    "white-space:nowrap}"
    "th{color:var(--quiet)}td:first-child,th:first-child{text-align:left}"
    "@media(max-width:700px){body{margin:1em auto;padding:0 12px}h1{font-size:21px}"
    ".big,.more{display:none}.small{display:block}td,th{padding:3px 5px;font-size:12px}}";

/// A text as part of a page or a picture.
[[nodiscard]] std::string escaped(std::string_view text);

/// What a page begins with, up to its heading; `about`, a line below it, and `more_style` are as
/// they go into the page.
[[nodiscard]] std::string page_head(std::string_view title, std::string_view about,
                                    std::string_view more_style = {});
inline constexpr std::string_view k_page_end = "</body>\n</html>\n";

}  // namespace damrak::plot
