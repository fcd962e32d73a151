// A LOBSTER message file with the order book file of the same day, read together in bounded
// memory. One thread.
//
// Both have the same number of levels and a row for the same events; or the message file is wider
// (say 50 levels against 10), and the order book file has rows only for the messages that change
// its levels. Which of them a message is, only a book can tell: the caller takes rows.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/lobster/reader.hpp>

namespace damrak::lobster {

using BookRow = std::span<const BookLevel>;

struct Pair {
    std::filesystem::path messages;
    std::optional<std::filesystem::path> book;
};

/// The order book file of the same name beside a message file, raw or compressed; empty: none.
[[nodiscard]] std::optional<std::filesystem::path> book_beside(
    const std::filesystem::path& messages);

/// The message file with `book`, or with the order book file beside it; with neither if the
/// messages are to be trusted alone. An error otherwise: a message file shows no book.
[[nodiscard]] std::expected<Pair, std::string> find_pair(
    const std::filesystem::path& messages, const std::optional<std::filesystem::path>& book,
    bool trust_messages);

/// Reads a message file and its order book file row by row, in step.
class PairReader {
  public:
    /// The error is one sentence: a file that cannot be read, names of different symbols or dates,
    /// or a message file that covers fewer levels than the order book file.
    [[nodiscard]] static std::expected<PairReader, std::string> open(const Pair& pair);
    /// The same with an open source of messages.
    [[nodiscard]] static std::expected<PairReader, std::string> open(const Pair& pair,
                                                                     files::ByteSource messages);

    /// Empty at the end.
    [[nodiscard]] std::expected<std::optional<MessageRow>, std::string> next_message();
    /// The first row that was not taken, valid until the next call; empty at the end.
    [[nodiscard]] std::expected<std::optional<BookRow>, std::string> row();
    void take_row() { is_row_read_ = false; }

    [[nodiscard]] bool has_book() const { return book_.has_value(); }
    /// By the names of the files, the message file has more levels than the order book file.
    [[nodiscard]] bool is_wide() const { return message_levels_ > 0; }
    /// Levels of each side whose every event is a message; 0 as levels().
    [[nodiscard]] std::size_t told_levels() const { return is_wide() ? message_levels_ : levels(); }
    [[nodiscard]] std::string book_name() const { return book_name_; }
    [[nodiscard]] std::string messages_name() const { return messages_name_; }
    [[nodiscard]] std::uint64_t messages() const { return messages_.rows(); }
    [[nodiscard]] std::uint64_t rows() const { return book_ ? book_->rows() : 0; }
    /// Of the order book file; 0 before its first row was read.
    [[nodiscard]] std::size_t levels() const { return book_ ? book_->levels() : 0; }
    [[nodiscard]] files::ByteSource::Progress progress() const { return messages_.progress(); }
    /// What was normalised in both files, one sentence each.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    explicit PairReader(MessageReader messages) : messages_{std::move(messages)} {}

    MessageReader messages_;
    std::optional<BookReader> book_;
    std::string messages_name_;
    std::string book_name_;
    std::optional<BookRow> row_;
    bool is_row_read_ = false;
    std::size_t message_levels_ = 0;  ///< of a wide pair
};

}  // namespace damrak::lobster
