// A report as blocks of text, tables and pictures, rendered as one self-contained HTML page or as
// Markdown without the pictures. Called when a report is made.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace damrak::lab {

/// A heading of the report.
struct Heading {
    int level = 1;
    std::string text;
};
/// A paragraph of the report.
struct Paragraph {
    std::string text;
};
/// A list of the report.
struct Bullets {
    std::vector<std::string> lines;
};
/// The first column is text, the others are numbers or short words.
struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};
/// SVG.
struct Picture {
    std::string svg;
};

using Block = std::variant<Heading, Paragraph, Bullets, Table, Picture>;
using Document = std::vector<Block>;

[[nodiscard]] std::string to_html(const Document& document, const std::string& title);
[[nodiscard]] std::string to_markdown(const Document& document);

}  // namespace damrak::lab
