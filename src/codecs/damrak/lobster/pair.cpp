#include <damrak/lobster/pair.hpp>

#include <utility>

#include <fmt/format.h>

namespace damrak::lobster {

namespace {

using std::filesystem::path;

/// Why the files cannot be of one day, by their names; empty if they can.
std::string misfit(const path& messages, const path& book) {
    const auto of_messages = parse_file_name(messages);
    const auto of_book = parse_file_name(book);
    if (!of_messages || !of_book) return {};
    if (of_messages->ticker != of_book->ticker || of_messages->date != of_book->date)
        return fmt::format(
            "{} is of {} on {}, but the messages are of {} on {}: use the files of one download",
            book.string(), of_book->ticker, of_book->date, of_messages->ticker, of_messages->date);
    if (of_messages->levels < of_book->levels)
        return fmt::format(
            "{}: a message file of {} levels does not cover an order book file of {}: use the "
            "files "
            "of one download, or a message file with more levels",
            messages.string(), of_messages->levels, of_book->levels);
    return {};
}

}  // namespace

std::optional<path> book_beside(const path& messages) {
    auto name = parse_file_name(messages);
    if (!name || name->kind != FileKind::message) return std::nullopt;
    name->kind = FileKind::orderbook;
    for (const char* packed : {"", ".gz", ".zst"}) {
        path book = messages.parent_path() / (to_string(*name) + packed);
        if (std::filesystem::exists(book)) return book;
    }
    return std::nullopt;
}

std::expected<Pair, std::string> find_pair(const path& messages, const std::optional<path>& book,
                                           bool trust_messages) {
    if (book || trust_messages) return Pair{messages, book};
    if (auto beside = book_beside(messages)) return Pair{messages, std::move(beside)};
    return std::unexpected{fmt::format(
        "{}: a message file shows no book without its order book file, which is not beside it: "
        "give it with --book FILE, or take --trust-messages for the book that the messages alone "
        "give",
        messages.string())};
}

std::expected<PairReader, std::string> PairReader::open(const Pair& pair) {
    auto source = files::ByteSource::open(pair.messages);
    if (!source) return std::unexpected{source.error()};
    return open(pair, std::move(*source));
}

std::expected<PairReader, std::string> PairReader::open(const Pair& pair,
                                                        files::ByteSource messages) {
    PairReader reader{MessageReader{std::move(messages)}};
    reader.messages_name_ = pair.messages.string();
    if (!pair.book) return reader;
    if (auto why = misfit(pair.messages, *pair.book); !why.empty())
        return std::unexpected{std::move(why)};
    auto book = BookReader::open(*pair.book);
    if (!book) return std::unexpected{book.error().text};
    reader.book_ = std::move(*book);
    reader.book_name_ = pair.book->string();
    const auto of_messages = parse_file_name(pair.messages);
    const auto of_book = parse_file_name(*pair.book);
    if (of_messages && of_book && of_messages->levels > of_book->levels)
        reader.message_levels_ = of_messages->levels;
    return reader;
}

std::expected<std::optional<MessageRow>, std::string> PairReader::next_message() {
    auto row = messages_.next();
    if (!row) return std::unexpected{std::move(row.error().text)};
    return *row;
}

std::expected<std::optional<BookRow>, std::string> PairReader::row() {
    if (is_row_read_) return row_;
    auto row = book_->next();
    if (!row) return std::unexpected{std::move(row.error().text)};
    is_row_read_ = true;
    row_ = *row;
    return row_;
}

std::vector<std::string> PairReader::notes() const {
    auto notes = messages_.notes();
    if (!book_) return notes;
    for (const std::string& note : book_->notes())
        notes.push_back(fmt::format("{}: {}", book_name_, note));
    return notes;
}

}  // namespace damrak::lobster
