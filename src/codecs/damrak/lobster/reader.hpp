// Reads LOBSTER message and order book files (raw, gzip or zstd) row by row. One thread each;
// memory is one buffer. Deviations from the published form that lose nothing are normalised and
// reported by notes(). Files that have lost digits or are ambiguous are rejected, with a sentence
// that says what happened to the file.
//
//   auto messages = lobster::MessageReader::open(path);            // expected
//   for (;;) {
//       auto row = messages->next();              // expected<optional<MessageRow>, RowError>
//       if (!row) return report(row.error().text);
//       if (!*row) break;                                          // end of file
//   }
#pragma once

#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/lobster/detail/line_reader.hpp>
#include <damrak/lobster/detail/parse.hpp>
#include <damrak/lobster/file_name.hpp>

namespace damrak::lobster {

/// What is wrong with a row, and where.
struct RowError {
    std::uint64_t row{};     // counted from 1; 0 if the error is not about a row
    std::uint64_t offset{};  // of the field in the content
    std::size_t column{};    // counted from 1; 0 if the error is about the whole row
    std::string text;        // one sentence: file, position, what was found, what was expected
};

/// Reads a message file row by row.
class MessageReader {
  public:
    [[nodiscard]] static std::expected<MessageReader, RowError> open(
        const std::filesystem::path& path);
    explicit MessageReader(files::ByteSource source) : lines_{std::move(source)} {}

    // Empty at the end. Times must not decrease from row to row; a file in which they do is
    // rejected.
    [[nodiscard]] std::expected<std::optional<MessageRow>, RowError> next();

    [[nodiscard]] std::uint64_t rows() const noexcept { return lines_.rows(); }
    [[nodiscard]] files::ByteSource::Progress progress() const noexcept {
        return lines_.source().progress();
    }
    // What was normalised or looks unusual so far, one sentence each.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    [[nodiscard]] RowError explain(const LineReader::Line& line, const FieldFault& fault) const;
    [[nodiscard]] bool has_few_decimals() const;

    LineReader lines_;
    std::int64_t last_time_ns_{};
    std::size_t most_decimals_{};
    bool saw_seventh_column_{};
};

/// Reads an order book file row by row.
class BookReader {
  public:
    // If the file's name states the number of levels, the rows must have it.
    [[nodiscard]] static std::expected<BookReader, RowError> open(
        const std::filesystem::path& path);
    explicit BookReader(files::ByteSource source);

    // The levels of the next row, best first, valid until the next call; empty at the end.
    [[nodiscard]] std::expected<std::optional<std::span<const BookLevel>>, RowError> next();

    // Of the first row; 0 before it was read.
    [[nodiscard]] std::size_t levels() const noexcept { return levels_.size(); }
    [[nodiscard]] std::uint64_t rows() const noexcept { return lines_.rows(); }
    [[nodiscard]] files::ByteSource::Progress progress() const noexcept {
        return lines_.source().progress();
    }
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    [[nodiscard]] std::expected<void, RowError> take_levels(const LineReader::Line& line);
    [[nodiscard]] RowError explain(const LineReader::Line& line, const FieldFault& fault) const;

    LineReader lines_;
    std::optional<FileName> file_name_;
    std::vector<BookLevel> levels_;
};

}  // namespace damrak::lobster
