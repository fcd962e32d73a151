#include "replay/reading.hpp"

#include <fmt/format.h>

#include <damrak/files/content_guess.hpp>
#include <damrak/lobster/file_name.hpp>
#include <damrak/replay/lobster_verify.hpp>

namespace damrak::app {

// A LOBSTER file is text from its first byte on, and an ITCH file begins with a length whose upper
// byte is zero. What is neither is left to the reader of ITCH, which says what it saw.
std::expected<RecordingFormat, std::string> detect_format(files::ByteSource& source) {
    const auto first = source.ahead();
    if (!first) return std::unexpected{first.error()};
    return files::looks_like_table(*first) ? RecordingFormat::lobster : RecordingFormat::itch;
}

std::expected<std::optional<lobster::MessageRow>, std::string> LobsterRows::next() {
    if (reader_) {
        auto row = reader_->next();
        if (!row) return std::unexpected{row.error().text};
        return *row;
    }
    if (at_ == loaded_.content.size()) return std::nullopt;
    return loaded_.content[at_++];
}

std::vector<std::string> name_notes(const ReplayOptions& options) {
    const auto name = lobster::parse_file_name(options.file);
    if (!name || name->levels >= static_cast<std::size_t>(options.depth)) return {};
    return {fmt::format(
        "the file's name promises messages of {} level{} a side; deeper levels, shown up to "
        "{} levels, lack the orders that the file does not contain",
        name->levels, name->levels == 1 ? "" : "s", options.depth)};
}

std::expected<std::string, std::string> lobster_symbol(const ReplayOptions& options) {
    const auto name = lobster::parse_file_name(options.file);
    if (!name && !options.symbol.empty()) return options.symbol;
    if (!name) return options.file == "-" ? "stdin" : options.file.stem().string();
    if (!options.symbol.empty() && options.symbol != name->ticker)
        return std::unexpected{fmt::format("{}: no instrument {}, its name says {}",
                                           options.file.string(), options.symbol, name->ticker)};
    return name->ticker;
}

std::expected<LobsterInput, std::string> open_lobster(const ReplayOptions& options,
                                                      files::ByteSource source) {
    if (!options.book) return LobsterInput{LobsterRows{std::move(source)}, {}};
    auto messages = replay::load_messages(std::move(source));
    if (!messages.error.empty()) return std::unexpected{messages.error};
    const auto rows = replay::load_book_rows(*options.book);
    if (!rows.error.empty()) return std::unexpected{rows.error};
    const auto name = lobster::parse_file_name(options.file);
    const auto check =
        replay::choose_check({.message_levels = name ? std::optional{name->levels} : std::nullopt,
                              .message_rows = messages.content.size(),
                              .book_levels = rows.content.levels(),
                              .book_rows = rows.content.size()});
    if (!check) return std::unexpected{check.error()};
    LobsterSeed seed{1, {rows.content[0].begin(), rows.content[0].end()}};
    if (*check == replay::LobsterCheck::full_replay) {
        const auto found = replay::verify_full_replay(messages.content, rows.content);
        if (!found) return std::unexpected{found.error()};
        seed.message_row = found->seed_message_row;
    }
    return LobsterInput{LobsterRows{std::move(messages)}, std::move(seed)};
}

}  // namespace damrak::app
