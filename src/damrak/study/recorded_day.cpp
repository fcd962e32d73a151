#include <damrak/study/recorded_day.hpp>

#include <optional>

#include <damrak/archive/day.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/lobster/file_name.hpp>

namespace damrak::study {
namespace {

/// The book file of the same pair, if it lies beside the message file.
std::optional<std::filesystem::path> book_beside(const std::filesystem::path& messages) {
    auto name = lobster::parse_file_name(messages);
    if (!name) return std::nullopt;
    name->kind = lobster::FileKind::orderbook;
    const auto path = messages.parent_path() / lobster::to_string(*name);
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path;
}

}  // namespace

std::expected<RecordedDay, std::string> recorded_day(const std::filesystem::path& path,
                                                     const std::string& symbol,
                                                     const std::filesystem::path& book) {
    RecordedDay found{.path = path, .symbol = symbol};
    if (archive::is_lobster(path)) {
        const auto name = lobster::parse_file_name(path);
        if (symbol.empty()) found.symbol = name ? name->ticker : "LOBSTER";
        found.lobster_book = book.empty() ? book_beside(path) : book;
        return found;
    }
    if (!symbol.empty()) return found;
    const auto day = archive::Day::open(path);
    if (!day) return found;  // what is wrong with it is told where it is read
    const auto instruments = day->instruments();
    if (instruments.size() != 1)
        return std::unexpected{std::string{"--symbol: the day has several instruments"}};
    found.symbol = instruments.front().symbol;
    return found;
}

}  // namespace damrak::study
