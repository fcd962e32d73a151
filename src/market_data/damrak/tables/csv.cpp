#include <damrak/tables/csv.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/files/byte_sink.hpp>

namespace damrak::tables {

namespace {

void append_number(std::string& csv, auto number) {
    char digits[24];
    const auto end = std::to_chars(std::begin(digits), std::end(digits), number).ptr;
    csv.append(digits, end);
}

constexpr std::int64_t k_scale = 10'000;
constexpr std::int64_t k_billion = 1'000'000'000;

void append_price(std::string& csv, std::int64_t price_e4) {
    append_number(csv, price_e4 / k_scale);
    const std::size_t point = csv.size();
    append_number(csv, k_scale + price_e4 % k_scale);  // one more digit, for the zeros
    csv[point] = '.';
}

void append_text(std::string& csv, std::string_view text) {
    if (text.find_first_of(",\"\n") == std::string_view::npos) {
        csv += text;
        return;
    }
    csv += '"';
    for (const char c : text) {
        if (c == '"') csv += '"';
        csv += c;
    }
    csv += '"';
}

void append_cell(std::string& csv, const Column& column, std::size_t row,
                 const std::vector<std::string>& symbols) {
    if (column.is_null(row)) return;
    switch (column.type()) {
        case Type::time:
            return append_number(csv, column.values<std::int64_t>()[row]);
        case Type::uint64:
            return append_number(csv, column.values<std::uint64_t>()[row]);
        case Type::uint32:
            return append_number(csv, column.values<std::uint32_t>()[row]);
        case Type::number:
            return append_number(csv, column.values<double>()[row]);
        case Type::price:
            return append_price(csv, std::llround(column.values<double>()[row] * double{k_scale}));
        case Type::exact_price:
            return append_price(csv, column.values<std::int64_t>()[row] / (k_billion / k_scale));
        case Type::letter:
            csv += column.values<char>()[row];
            return;
        case Type::code:
            return append_text(csv, column.values<Code>()[row].text());
        case Type::boolean:
            csv += column.values<std::uint8_t>()[row] == 0 ? "false" : "true";
            return;
        case Type::symbol:
            return append_text(csv, symbols[column.values<std::uint32_t>()[row]]);
    }
}

}  // namespace

void append_names(std::string& csv, std::span<const ColumnInfo> columns) {
    for (const ColumnInfo& column : columns) (csv += column.name) += ',';
    csv.back() = '\n';
}

void append_rows(std::string& csv, const Chunk& chunk, const std::vector<std::string>& symbols) {
    for (std::size_t row = 0; row < chunk.front().rows(); ++row) {
        for (const Column& column : chunk) {
            append_cell(csv, column, row, symbols);
            csv += ',';
        }
        csv.back() = '\n';
    }
}

archive::Result<CsvFile> write_csv(const archive::Day& day, const TableQuery& query,
                                   const DayWindow& window, const std::filesystem::path& path,
                                   bool takes_a_part,
                                   const std::function<void(std::uint64_t)>& on_messages) {
    auto reader = TableReader::open(day, {query}, window);
    if (!reader) return std::unexpected{std::move(reader.error())};
    auto sink = files::ByteSink::create(path);
    if (!sink) return std::unexpected{std::move(sink.error())};
    CsvFile written;
    std::string csv;
    append_names(csv, reader->columns());
    std::vector<Chunk> chunks = reader->new_chunks();
    while (reader->next(chunks)) {
        append_rows(csv, chunks.front(), reader->symbols());
        sink->write(std::as_bytes(std::span{csv}));
        csv.clear();
        written.rows += chunks.front().front().rows();
        on_messages(reader->messages());
    }
    sink->write(std::as_bytes(std::span{csv}));
    written.completeness = reader->completeness();
    written.messages = reader->messages();
    if (!written.completeness.is_complete() && !takes_a_part)
        return std::unexpected{fmt::format("{}; --partial exports what is before",
                                           written.completeness.missing.front())};
    if (auto closed = sink->close(); !closed) return std::unexpected{std::move(closed.error())};
    return written;
}

}  // namespace damrak::tables
