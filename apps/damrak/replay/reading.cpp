#include "replay/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <damrak/files/day_kind.hpp>

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

std::expected<RecordingFormat, std::string> detect_format(files::ByteSource& source) {
    const auto first = source.ahead();
    if (!first) return std::unexpected{first.error()};
    const auto kind = files::day_kind(*first, source.name());
    if (!kind) return std::unexpected{kind.error()};
    switch (*kind) {
        case files::DayKind::itch:
            return RecordingFormat::itch;
        case files::DayKind::lobster:
            return RecordingFormat::lobster;
        case files::DayKind::archived_day:
            return RecordingFormat::archive;
        case files::DayKind::dbn:
            break;
    }
    return std::unexpected{fmt::format(
        "{}: this is a DBN file: archive it first with damrak archive import, and replay the day",
        source.name())};
}

FormatNames names_of(RecordingFormat format) {
    switch (format) {
        case RecordingFormat::lobster:
            return {"lobster", "LOBSTER", "row"};
        case RecordingFormat::archive:
            return {"archive", "archived day", "message"};
        case RecordingFormat::automatic:
        case RecordingFormat::itch:
            break;
    }
    return {"itch", "ITCH", "offset"};
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
