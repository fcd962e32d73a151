#include "replay_reading.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include <damrak/replay/lobster_verify.hpp>
#include <damrak/wire/byte_source.hpp>
#include <damrak/wire/lobster/file_name.hpp>

namespace damrak::app {

std::optional<std::int64_t> parse_time_of_day(const std::string& text) {
    // HH:MM[:SS[.fraction]]
    const auto digits = [&](std::size_t at, std::size_t count) -> std::optional<std::int64_t> {
        if (at + count > text.size()) return std::nullopt;
        std::int64_t value = 0;
        for (std::size_t i = at; i < at + count; ++i) {
            if (text[i] < '0' || text[i] > '9') return std::nullopt;
            value = value * 10 + (text[i] - '0');
        }
        return value;
    };
    constexpr std::int64_t k_second_ns = 1'000'000'000;
    constexpr std::size_t k_most_decimals = 9;
    const auto hours = digits(0, 2);
    const auto minutes = digits(3, 2);
    if (!hours || !minutes || text[2] != ':' || *hours > 24 || *minutes > 59) return std::nullopt;
    std::int64_t time_ns = (*hours * 60 + *minutes) * 60 * k_second_ns;
    if (text.size() == 5) return time_ns;
    const auto seconds = digits(6, 2);
    if (!seconds || text[5] != ':' || *seconds > 59) return std::nullopt;
    time_ns += *seconds * k_second_ns;
    if (text.size() == 8) return time_ns;
    const std::size_t decimals = text.size() - 9;
    const auto fraction = digits(9, decimals);
    if (text[8] != '.' || decimals == 0 || decimals > k_most_decimals || !fraction)
        return std::nullopt;
    std::int64_t unit_ns = k_second_ns;
    for (std::size_t i = 0; i < decimals; ++i) unit_ns /= 10;
    return time_ns + *fraction * unit_ns;
}

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
