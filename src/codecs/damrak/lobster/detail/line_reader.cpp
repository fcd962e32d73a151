#include <damrak/lobster/detail/line_reader.hpp>

#include <cstring>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/lobster/descriptor.hpp>

namespace damrak::lobster {

namespace {

constexpr std::size_t k_buffer_bytes = 256UL * 1024;
static_assert(k_buffer_bytes > k_max_row_bytes);

}  // namespace

LineReader::LineReader(files::ByteSource source)
    : source_{std::move(source)}, buffer_{std::make_unique_for_overwrite<char[]>(k_buffer_bytes)} {}

std::expected<void, std::string> LineReader::refill() {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const auto count = source_.read(
        std::as_writable_bytes(std::span{buffer_.get() + end_, k_buffer_bytes - end_}));
    if (!count) return std::unexpected{count.error()};
    source_ended_ = *count == 0;
    end_ += *count;
    return {};
}

std::expected<std::optional<LineReader::Line>, std::string> LineReader::next_line() {
    constexpr std::string_view k_byte_order_mark = "\xef\xbb\xbf";
    if (!begun_) {
        begun_ = true;
        if (auto filled = refill(); !filled) return std::unexpected{filled.error()};
        if (pending().starts_with(k_byte_order_mark)) {
            saw_byte_order_mark_ = true;
            begin_ += k_byte_order_mark.size();
            offset_ += k_byte_order_mark.size();
        }
    }
    std::size_t length = pending().find('\n');
    while (length == std::string_view::npos && !source_ended_ &&
           pending().size() < k_max_row_bytes) {
        if (auto filled = refill(); !filled) return std::unexpected{filled.error()};
        length = pending().find('\n');
    }
    const bool has_end = length != std::string_view::npos;
    if (!has_end) length = pending().size();
    if (length >= k_max_row_bytes) {
        return std::unexpected{fmt::format(
            "{}: row {} (byte {}): no line end within {} bytes; expected rows of comma-separated "
            "numbers, ended by LF or CRLF",
            source_.name(), rows_ + 1, offset_, k_max_row_bytes)};
    }
    if (length == 0 && !has_end) return std::nullopt;
    Line line{.text = pending().substr(0, length),
              .row = ++rows_,
              .offset = offset_,
              .is_last_without_end = !has_end};
    if (line.text.ends_with('\r')) {
        line.text.remove_suffix(1);
        saw_carriage_return_ = true;
    }
    if (rows_ == 1) has_semicolons_ = line.text.find(';') != std::string_view::npos;
    if (has_semicolons_) use_commas(line.text);
    begin_ += length + (has_end ? 1 : 0);
    offset_ += length + (has_end ? 1 : 0);
    return line;
}

void LineReader::use_commas(std::string_view row) {
    char* const first = buffer_.get() + begin_;
    for (char& c : std::span{first, row.size()}) {
        if (c == ',') c = '.';
        if (c == ';') c = ',';
    }
}

std::expected<std::optional<LineReader::Line>, std::string> LineReader::next() {
    auto line = next_line();
    if (!line || !*line || !(*line)->text.empty()) return line;
    const Line blank = **line;
    while (line && *line && (*line)->text.empty()) line = next_line();
    if (!line) return line;
    if (!*line) {
        rows_ = blank.row - 1;  // blank lines at the end of the file are not rows
        return std::nullopt;
    }
    return std::unexpected{
        fmt::format("{}: row {} (byte {}) is empty though rows follow; expected one row a line",
                    source_.name(), blank.row, blank.offset)};
}

}  // namespace damrak::lobster
