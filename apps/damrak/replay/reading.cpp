#include "replay/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <damrak/files/content_guess.hpp>

namespace damrak::app {

namespace {

/// The name of the instrument of a LOBSTER file: from the file's name, or as it was requested.
std::expected<std::string, std::string> lobster_symbol(const ReplayOptions& options) {
    const auto name = lobster::parse_file_name(options.file);
    if (!name && !options.symbol.empty()) return options.symbol;
    // A symbol has eight characters at most.
    constexpr std::size_t k_most = 8;
    if (!name)
        return options.file == "-" ? "stdin" : options.file.stem().string().substr(0, k_most);
    if (!options.symbol.empty() && options.symbol != name->ticker)
        return std::unexpected{fmt::format("{}: no instrument {}, its name says {}",
                                           options.file.string(), options.symbol, name->ticker)};
    return name->ticker;
}

}  // namespace

int levels_known(const archive::DayDepth& depth, int wanted) {
    return depth.depth == 0 ? wanted : std::min(wanted, static_cast<int>(depth.depth));
}

// A LOBSTER file is text from its first byte on, and an ITCH file begins with a length whose upper
// byte is zero. What is neither is left to the reader of ITCH, which says what it saw.
std::expected<RecordingFormat, std::string> detect_format(files::ByteSource& source) {
    const auto first = source.ahead();
    if (!first) return std::unexpected{first.error()};
    return files::looks_like_table(*first) ? RecordingFormat::lobster : RecordingFormat::itch;
}

std::expected<convert::LobsterDay, std::string> open_lobster(const ReplayOptions& options,
                                                             files::ByteSource source) {
    const auto symbol = lobster_symbol(options);
    if (!symbol) return std::unexpected{symbol.error()};
    const auto pair = lobster::find_pair(options.file, options.book, options.trust_messages);
    if (!pair) return std::unexpected{pair.error()};
    return convert::LobsterDay::open(*pair, *symbol, std::move(source));
}

}  // namespace damrak::app
