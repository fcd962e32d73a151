#include "replay_reading.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <damrak/replay/lobster_verify.hpp>
#include <damrak/wire/byte_source.hpp>
#include <damrak/wire/lobster/file_name.hpp>

namespace damrak::app {

std::expected<RecordingFormat, std::string> detect_format(const std::filesystem::path& file) {
    auto source = wire::ByteSource::open(file);
    if (!source) return std::unexpected{source.error()};
    std::array<std::byte, 256> first{};
    const auto count = source->read(first);
    if (!count) return std::unexpected{count.error()};
    // A LOBSTER file is text from its first byte on, and an ITCH file begins with a length whose
    // upper byte is zero. What is neither is left to the reader of ITCH, which says what it saw.
    const auto is_text = [](std::byte b) {
        return b >= std::byte{0x20} || b == std::byte{'\n'} || b == std::byte{'\r'} ||
               b == std::byte{'\t'};
    };
    const auto begin = first.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(*count);
    const bool text =
        *count > 0 && std::all_of(begin, end, is_text) && std::any_of(begin, end, [](std::byte b) {
            return b == std::byte{','} || b == std::byte{';'};
        });
    return text ? RecordingFormat::lobster : RecordingFormat::itch;
}

std::expected<std::string, std::string> lobster_symbol(const ReplayOptions& options) {
    const auto name = wire::lobster::parse_file_name(options.file);
    if (!name) return options.symbol.empty() ? options.file.stem().string() : options.symbol;
    if (!options.symbol.empty() && options.symbol != name->ticker)
        return std::unexpected{fmt::format("{}: no instrument {}, by its name it has {}",
                                           options.file.string(), options.symbol, name->ticker)};
    return name->ticker;
}

std::expected<LobsterSeed, std::string> find_seed(const ReplayOptions& options) {
    if (!options.book) return LobsterSeed{};
    const auto messages = replay::load_messages(options.file);
    if (!messages.error.empty()) return std::unexpected{messages.error};
    const auto rows = replay::load_book_rows(*options.book);
    if (!rows.error.empty()) return std::unexpected{rows.error};
    const auto name = wire::lobster::parse_file_name(options.file);
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
    return seed;
}

}  // namespace damrak::app
