// Splits a byte source into lines for the readers of this folder. Lines may end in LF or CRLF, the
// last line end may be missing, a UTF-8 byte order mark is skipped, and blank lines may end the
// file. None of these loses data, so they are normalised and remembered. One thread; memory is one
// buffer.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/files/byte_source.hpp>

namespace damrak::lobster {

class LineReader {
  public:
    struct Line {
        std::string_view text;  // without its line end; valid until the next call
        std::uint64_t row{};    // counted from 1
        std::uint64_t offset{};
        bool is_last_without_end{};
    };

    explicit LineReader(files::ByteSource source);

    // Empty at the end. The error is a sentence with the file's name.
    [[nodiscard]] std::expected<std::optional<Line>, std::string> next();

    [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }
    [[nodiscard]] bool saw_byte_order_mark() const noexcept { return saw_byte_order_mark_; }
    [[nodiscard]] bool saw_carriage_return() const noexcept { return saw_carriage_return_; }
    /// The first row is separated by semicolons, as spreadsheets write where the comma marks
    /// decimals: the rows are given with commas and points in their places.
    [[nodiscard]] bool has_semicolons() const noexcept { return has_semicolons_; }
    [[nodiscard]] const files::ByteSource& source() const noexcept { return source_; }

  private:
    [[nodiscard]] std::expected<std::optional<Line>, std::string> next_line();
    [[nodiscard]] std::expected<void, std::string> refill();
    void use_commas(std::string_view row);
    [[nodiscard]] std::string_view pending() const noexcept {
        return {buffer_.get() + begin_, end_ - begin_};
    }

    files::ByteSource source_;
    std::unique_ptr<char[]> buffer_;
    std::size_t begin_{};  // the unread bytes: [begin_, end_)
    std::size_t end_{};
    std::uint64_t offset_{};  // of begin_ in the content
    std::uint64_t rows_{};
    bool begun_{};
    bool source_ended_{};
    bool saw_byte_order_mark_{};
    bool saw_carriage_return_{};
    bool has_semicolons_{};
};

}  // namespace damrak::lobster
