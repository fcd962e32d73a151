#include <damrak/lab/document.hpp>

#include <string_view>

#include <fmt/format.h>

namespace damrak::lab {

namespace {

constexpr std::string_view k_style =
    "body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',"
    "sans-serif;color:#1f2328;max-width:1140px;margin:2em auto;padding:0 20px}"
    "h1{font-size:26px;margin:0}h2{font-size:21px;margin:2.2em 0 .3em;border-top:1px solid #d0d7de;"
    "padding-top:.8em}h3{font-size:16px;margin:1.6em 0 .3em}"
    "svg{max-width:100%;height:auto;display:block;margin:.6em 0}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "td,th{padding:3px 8px;text-align:right;border-bottom:1px solid #e6e9ed;font-weight:400}"
    "th{color:#57606a}td:first-child,th:first-child{text-align:left}.wide{overflow-x:auto}"
    "li{margin:.15em 0}";

std::string escaped(std::string_view text, bool for_table = false) {
    std::string out;
    for (const char letter : text) {
        if (letter == '<')
            out += "&lt;";
        else if (letter == '&')
            out += "&amp;";
        else if (letter == '|' && for_table)
            out += "\\|";
        else
            out += letter;
    }
    return out;
}

struct Html {
    std::string operator()(const Heading& heading) const {
        return fmt::format("<h{0}>{1}</h{0}>\n", heading.level, escaped(heading.text));
    }
    std::string operator()(const Paragraph& paragraph) const {
        return fmt::format("<p>{}</p>\n", escaped(paragraph.text));
    }
    std::string operator()(const Bullets& bullets) const {
        std::string out = "<ul>\n";
        for (const std::string& line : bullets.lines)
            out += fmt::format("<li>{}</li>\n", escaped(line));
        return out + "</ul>\n";
    }
    std::string operator()(const Table& table) const {
        std::string out = "<div class=\"wide\"><table>\n";
        const auto add_row = [&out](const std::vector<std::string>& cells, const char* tag) {
            out += "<tr>";
            for (const std::string& cell : cells)
                out += fmt::format("<{0}>{1}</{0}>", tag, escaped(cell));
            out += "</tr>\n";
        };
        add_row(table.head, "th");
        for (const auto& row : table.rows) add_row(row, "td");
        return out + "</table></div>\n";
    }
    std::string operator()(const Picture& picture) const { return picture.svg; }
};

struct Markdown {
    std::string operator()(const Heading& heading) const {
        return fmt::format("\n{} {}\n", std::string(static_cast<std::size_t>(heading.level), '#'),
                           escaped(heading.text));
    }
    std::string operator()(const Paragraph& paragraph) const {
        return fmt::format("\n{}\n", escaped(paragraph.text));
    }
    std::string operator()(const Bullets& bullets) const {
        std::string out = "\n";
        for (const std::string& line : bullets.lines) out += fmt::format("- {}\n", escaped(line));
        return out;
    }
    std::string operator()(const Table& table) const {
        std::string out = "\n";
        const auto add_row = [&out](const std::vector<std::string>& cells) {
            out += "|";
            for (const std::string& cell : cells) out += fmt::format(" {} |", escaped(cell, true));
            out += "\n";
        };
        add_row(table.head);
        out += "|---|";
        for (std::size_t i = 1; i < table.head.size(); ++i) out += "---:|";
        out += "\n";
        for (const auto& row : table.rows) add_row(row);
        return out;
    }
    std::string operator()(const Picture&) const { return {}; }
};

template <class Form>
std::string joined(const Document& document, Form form) {
    std::string out;
    for (const Block& block : document) out += std::visit(form, block);
    return out;
}

}  // namespace

std::string to_html(const Document& document, const std::string& title) {
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n"
        "<style>{}</style></head>\n<body>\n{}</body></html>\n",
        escaped(title), k_style, joined(document, Html{}));
}

std::string to_markdown(const Document& document) {
    std::string text = joined(document, Markdown{});
    return text.starts_with('\n') ? text.substr(1) : text;
}

}  // namespace damrak::lab
