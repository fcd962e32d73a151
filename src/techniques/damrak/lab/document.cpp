#include <damrak/lab/document.hpp>

#include <string_view>

#include <fmt/format.h>

#include <damrak/plot/page_style.hpp>

namespace damrak::lab {

namespace {

constexpr std::string_view k_own_style =
    "h2{font-size:21px;margin:2.2em 0 .3em;border-top:1px solid var(--line);padding-top:.8em}"
    "h3{font-size:16px;margin:1.6em 0 .3em}li{margin:.15em 0}";

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
    std::string operator()(const Picture& picture) const {
        return "<div class=\"wide\">" + picture.svg + "</div>\n";
    }
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
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
        "<title>{}</title>\n<style>{}{}</style></head>\n<body>\n{}</body></html>\n",
        escaped(title), plot::k_page_style, k_own_style, joined(document, Html{}));
}

std::string to_markdown(const Document& document) {
    std::string text = joined(document, Markdown{});
    return text.starts_with('\n') ? text.substr(1) : text;
}

}  // namespace damrak::lab
