#include <damrak/lobster/reader.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace damrak::lobster {

namespace {

constexpr std::string_view k_original = "take the original file";
constexpr std::size_t k_spreadsheet_decimals = 5;
constexpr std::uint64_t k_enough_rows = 20;  // one random row in 10,000 has so few decimals

bool has_letter(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
}

bool is_not_text(char c) { return (c < ' ' && c != '\t') || c > '~'; }

bool is_scientific(std::string_view text) {
    constexpr std::string_view k_characters = "0123456789+-.,eE";
    return text.find_first_of("eE") != std::string_view::npos && text.front() >= '0' &&
           text.front() <= '9' && text.find_first_not_of(k_characters) == std::string_view::npos;
}

// The probable cause of an unreadable field or row; empty if unknown.
std::string_view cause(const LineReader::Line& line, const FieldFault& fault) {
    const auto field = fault.found;
    if (std::ranges::any_of(line.text, is_not_text)) return "this is not a plain text file";
    if (line.text.find(';') != std::string_view::npos) return "the row is separated by ';'";
    if (line.text.find('\t') != std::string_view::npos) return "the row is separated by tabs";
    if (line.text.find('"') != std::string_view::npos) return "the row has quotes";
    if (fault.missing && line.is_last_without_end) {
        return "the file ends inside this row: it is truncated";
    }
    if (field.empty()) return {};
    if (is_scientific(field)) return "scientific notation has dropped digits";
    if (line.row == 1 && has_letter(field)) return "a LOBSTER file has no header row";
    if (fault.column != k_time && field.find('.') != std::string_view::npos) {
        return "a decimal point has no place here";
    }
    if (field.find(' ') != std::string_view::npos) return "spaces have no place here";
    return {};
}

std::string shown(std::string_view field) {
    constexpr std::size_t k_most = 40;
    std::string text;
    for (const char c : field.substr(0, k_most)) {
        const bool printable = c >= ' ' && c <= '~';
        text +=
            printable ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    if (field.size() > k_most) text += "...";
    return text;
}

RowError make_error(const files::ByteSource& source, const LineReader::Line& line,
                    const FieldFault& fault, std::string_view column_name, std::string_view found,
                    std::string_view expected) {
    const std::size_t at = fault.missing
                               ? line.text.size()
                               : static_cast<std::size_t>(fault.found.data() - line.text.data());
    const std::uint64_t offset = line.offset + at;
    const std::size_t column = fault.column + 1;
    std::string text =
        fmt::format("{}: row {}, column {} ({}, byte {}): found {}; expected {}", source.name(),
                    line.row, column, column_name, offset, found, expected);
    if (const auto why = cause(line, fault); !why.empty()) {
        text += fmt::format(" ({}: {})", why, k_original);
    }
    return {.row = line.row, .offset = offset, .column = column, .text = std::move(text)};
}

RowError source_error(std::string text) { return {.text = std::move(text)}; }

RowError no_rows(const files::ByteSource& source) {
    return {.text = fmt::format("{}: the file holds no rows: take the whole file", source.name())};
}

std::vector<std::string> line_notes(const LineReader& lines) {
    std::vector<std::string> notes;
    if (lines.saw_byte_order_mark()) notes.emplace_back("a UTF-8 byte order mark was skipped");
    if (lines.saw_carriage_return()) notes.emplace_back("CRLF line ends were read as LF");
    if (lines.has_semicolons())
        notes.emplace_back("';' was read as the separator, and ',' as the decimal mark");
    return notes;
}

}  // namespace

std::expected<MessageReader, RowError> MessageReader::open(const std::filesystem::path& path) {
    auto source = files::ByteSource::open(path);
    if (!source) return std::unexpected{source_error(source.error())};
    return MessageReader{std::move(*source)};
}

std::expected<std::optional<MessageRow>, RowError> MessageReader::next() {
    const auto line = lines_.next();
    if (!line) return std::unexpected{source_error(line.error())};
    const bool is_over = !*line;
    if (is_over && lines_.rows() == 0) return std::unexpected{no_rows(lines_.source())};
    if (lines_.has_semicolons() && (is_over || lines_.rows() == k_enough_rows) &&
        has_few_decimals())
        return std::unexpected{source_error(fmt::format(
            "{}: ';' separates, and no time in {} rows has more than {} decimals: a spreadsheet "
            "program has probably cut them: {}",
            lines_.source().name(), lines_.rows(), k_spreadsheet_decimals, k_original))};
    if (is_over) return std::nullopt;
    const auto parsed = parse_message_row((*line)->text);
    if (!parsed) return std::unexpected{explain(**line, parsed.error())};
    if (parsed->row.time_ns < last_time_ns_) {
        const FieldFault fault{.found = (*line)->text.substr(0, (*line)->text.find(','))};
        return std::unexpected{make_error(
            lines_.source(), **line, fault, k_message_columns[k_time].name, shown(fault.found),
            "a time not before that of the row above; the rows are no longer in the order of "
            "events")};
    }
    last_time_ns_ = parsed->row.time_ns;
    most_decimals_ = std::max(most_decimals_, parsed->time_decimals);
    saw_seventh_column_ |= parsed->has_seventh_column;
    return parsed->row;
}

bool MessageReader::has_few_decimals() const { return most_decimals_ <= k_spreadsheet_decimals; }

RowError MessageReader::explain(const LineReader::Line& line, const FieldFault& fault) const {
    const std::size_t columns = count_columns(line.text);
    constexpr std::size_t k_level_width = k_level_columns.size();
    if (columns >= 2 * k_level_width && columns % k_level_width == 0) {
        return {.row = line.row,
                .offset = line.offset,
                .text = fmt::format("{}: row {} (byte {}) has {} columns; a message row has {}: "
                                    "this looks like an order book file of {} levels",
                                    lines_.source().name(), line.row, line.offset, columns,
                                    k_message_columns.size(), columns / k_level_width)};
    }
    if (fault.extra) {
        return make_error(lines_.source(), line, fault, "no such column", shown(fault.found),
                          "the row to end after 6 columns");
    }
    const Column& column = k_message_columns[fault.column];
    return make_error(lines_.source(), line, fault, column.name,
                      fault.missing ? "the end of the row" : "'" + shown(fault.found) + "'",
                      column.expected);
}

std::vector<std::string> MessageReader::notes() const {
    auto notes = line_notes(lines_);
    if (saw_seventh_column_) notes.emplace_back("the seventh column was ignored");
    if (most_decimals_ > k_time_decimals) {
        notes.emplace_back(
            "some times were printed from binary floating point; they were read to the nearest "
            "nanosecond, which is exact");
    }
    if (lines_.rows() >= k_enough_rows && has_few_decimals()) {
        notes.push_back(fmt::format(
            "no time has more than {} decimals: a spreadsheet program has probably cut them; rows "
            "keep their order, but times are not exact",
            k_spreadsheet_decimals));
    }
    return notes;
}

std::expected<BookReader, RowError> BookReader::open(const std::filesystem::path& path) {
    auto source = files::ByteSource::open(path);
    if (!source) return std::unexpected{source_error(source.error())};
    return BookReader{std::move(*source)};
}

BookReader::BookReader(files::ByteSource source)
    : lines_{std::move(source)}, file_name_{parse_file_name(lines_.source().name())} {}

std::expected<std::optional<std::span<const BookLevel>>, RowError> BookReader::next() {
    const auto line = lines_.next();
    if (!line) return std::unexpected{source_error(line.error())};
    if (!*line) {
        if (lines_.rows() == 0) return std::unexpected{no_rows(lines_.source())};
        return std::nullopt;
    }
    if (levels_.empty()) {
        if (auto taken = take_levels(**line); !taken) return std::unexpected{taken.error()};
    }
    if (auto parsed = parse_book_row((*line)->text, levels_); !parsed) {
        return std::unexpected{explain(**line, parsed.error())};
    }
    return std::span<const BookLevel>{levels_};
}

// The first row determines the number of levels, which must match the name if it states one.
std::expected<void, RowError> BookReader::take_levels(const LineReader::Line& line) {
    const auto refuse = [&](std::string what) {
        return std::unexpected{
            RowError{.row = line.row,
                     .offset = line.offset,
                     .text = fmt::format("{}: row {} (byte {}) {}", lines_.source().name(),
                                         line.row, line.offset, what)}};
    };
    constexpr std::size_t k_width = k_level_columns.size();
    const std::size_t columns = count_columns(line.text);
    if (columns % k_width != 0 || columns / k_width > k_max_levels) {
        const FieldFault first_field{.found = line.text.substr(0, line.text.find(','))};
        std::string why{cause(line, first_field)};
        if (columns == k_message_columns.size()) why = "this looks like a message file";
        if (!why.empty()) why.insert(0, ": ");
        return refuse(fmt::format("has {} columns; expected {} for each level, of at most {}{}",
                                  columns, k_width, k_max_levels, why));
    }
    const std::size_t levels = columns / k_width;
    if (file_name_ && file_name_->kind == FileKind::orderbook && file_name_->levels != levels) {
        return refuse(fmt::format("has {} columns, that is {} levels; the file's name states {}",
                                  columns, levels, file_name_->levels));
    }
    levels_.resize(levels);
    return {};
}

RowError BookReader::explain(const LineReader::Line& line, const FieldFault& fault) const {
    constexpr std::size_t k_width = k_level_columns.size();
    if (fault.extra || fault.missing) {
        const std::string found = fmt::format("{} columns", count_columns(line.text));
        const std::string expected =
            fmt::format("{} as in the first row", levels_.size() * k_width);
        return make_error(lines_.source(), line, fault, "number of columns", found, expected);
    }
    const Column& column = k_level_columns[fault.column % k_width];
    return make_error(lines_.source(), line, fault,
                      fmt::format("{} of level {}", column.name, fault.column / k_width + 1),
                      "'" + shown(fault.found) + "'", column.expected);
}

std::vector<std::string> BookReader::notes() const { return line_notes(lines_); }

}  // namespace damrak::lobster
