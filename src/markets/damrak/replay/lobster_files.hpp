// Whole LOBSTER files in memory, for checks that read them more than once. Takes 40 bytes per
// message and 32 bytes per level of each book row.
#pragma once

#include <algorithm>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <damrak/files/byte_source.hpp>
#include <damrak/lobster/descriptor.hpp>

namespace damrak::replay {

using BookRow = std::span<const lobster::BookLevel>;

class BookRows {
  public:
    explicit BookRows(std::size_t levels) : levels_{levels} {}
    void add(BookRow row) { cells_.insert(cells_.end(), row.begin(), row.end()); }

    /// Keeps the first rows.
    void cut_to(std::size_t rows) { cells_.resize(std::min(cells_.size(), rows * levels_)); }

    [[nodiscard]] std::size_t levels() const { return levels_; }
    [[nodiscard]] std::size_t size() const { return levels_ == 0 ? 0 : cells_.size() / levels_; }
    [[nodiscard]] BookRow operator[](std::size_t row) const {
        return BookRow{cells_}.subspan(row * levels_, levels_);
    }

  private:
    std::size_t levels_;
    std::vector<lobster::BookLevel> cells_;
};

/// The rows, and the error if reading stopped early.
template <class T>
struct Loaded {
    T content;
    std::string error;
    std::vector<std::string> notes;  // what was normalised
};

[[nodiscard]] Loaded<std::vector<lobster::MessageRow>> load_messages(
    const std::filesystem::path& path);
[[nodiscard]] Loaded<std::vector<lobster::MessageRow>> load_messages(files::ByteSource source);
[[nodiscard]] Loaded<BookRows> load_book_rows(const std::filesystem::path& path);

}  // namespace damrak::replay
