#include "replay/reading.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <damrak/base/time_of_day.hpp>
#include <damrak/files/content_guess.hpp>

#include "cli.hpp"
#include "replay/report.hpp"

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

int KnownBook::shown(int wanted) const {
    return levels == 0 ? wanted : std::min(wanted, static_cast<int>(levels));
}

std::vector<std::string> KnownBook::notes() const {
    std::vector<std::string> notes;
    if (levels > 0)
        notes.push_back(fmt::format("the book is not known below level {}: the recording has {}",
                                    levels, counted(static_cast<std::int64_t>(levels), "level")));
    if (is_of_messages_alone)
        notes.emplace_back(
            "the book is what the messages alone say: orders from before them are missing, and "
            "levels that came into view; prices may be wrong");
    if (until_ns != std::numeric_limits<std::int64_t>::max())
        notes.push_back(
            fmt::format("the book is not known after {}: the order book file ends there",
                        time_text(until_ns, 9)));
    return notes;
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

KnownBook known_book(const convert::LobsterDay& day) {
    return {.levels = day.depth(),
            .is_of_messages_alone = day.depth() == 0,
            .until_ns = day.book_until_ns()};
}

std::vector<std::string> row_notes(const convert::RowsReport& report) {
    if (report.equal == report.checked) return {};
    std::vector<std::string> notes{fmt::format(
        "{} of {} order book rows do not follow from the messages; the rows were taken: --verify "
        "shows the first",
        grouped(static_cast<std::int64_t>(report.checked - report.equal)),
        grouped(static_cast<std::int64_t>(report.checked)))};
    return notes;
}

}  // namespace damrak::app
