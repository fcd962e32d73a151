#include <damrak/market_runs/recorded_day.hpp>

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_file.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/lobster/pair.hpp>

namespace damrak::market_runs {
namespace {

std::string choose_from(const std::vector<archive::Instrument>& instruments) {
    constexpr std::size_t k_most_named = 10;
    std::vector<std::string_view> symbols;
    for (const archive::Instrument& instrument : instruments) {
        if (symbols.size() == k_most_named) break;
        symbols.push_back(instrument.symbol);
    }
    return fmt::format("--symbol: the day has {} instruments; give one of {}{}", instruments.size(),
                       fmt::join(symbols, ", "), instruments.size() > k_most_named ? ", …" : "");
}

}  // namespace

std::expected<RecordedDay, std::string> recorded_day(const std::filesystem::path& path,
                                                     const std::string& symbol,
                                                     const std::filesystem::path& book,
                                                     bool trust_messages) {
    const auto file = archive::day_file(path);
    if (!file) return std::unexpected{file.error()};
    RecordedDay found{.path = *file, .symbol = symbol};
    const auto kind = files::day_kind(*file);
    if (!kind) return found;  // its reader reports why it cannot be read
    if (*kind == files::DayKind::lobster) {
        const auto name = lobster::parse_file_name(path);
        if (symbol.empty()) found.symbol = name ? name->ticker : "LOBSTER";
        auto pair = lobster::find_pair(path, book.empty() ? std::nullopt : std::optional{book},
                                       trust_messages);
        if (!pair) return std::unexpected{std::move(pair.error())};
        found.lobster_book = std::move(pair->book);
        return found;
    }
    const auto day = archive::Day::open(*file);
    // Its reader reports what makes it unreadable.
    if (!day || day->messages() == 0) return found;
    if (!symbol.empty()) return found;
    const auto instruments = day->instruments();
    if (instruments.size() > 1) return std::unexpected{choose_from(instruments)};
    if (!instruments.empty()) found.symbol = instruments.front().symbol;
    return found;
}

}  // namespace damrak::market_runs
