#include <damrak/market_runs/detail/lobster_day.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/replay/lobster_files.hpp>

namespace damrak::market_runs::detail {
namespace {

using Rows = std::vector<lobster::MessageRow>;
using Seeds = std::vector<convert::SeedOrder>;

/// The book before the first message, by the first row of the book file.
std::expected<Seeds, std::string> first_book(const std::filesystem::path& path, const Rows& rows,
                                             const convert::UnseenOrders& unseen) {
    auto reader = lobster::BookReader::open(path);
    if (!reader) return std::unexpected{reader.error().text};
    const auto levels = reader->next();
    if (!levels) return std::unexpected{levels.error().text};
    if (!*levels) return std::unexpected{fmt::format("{}: no rows", path.string())};
    const auto first = std::ranges::find_if(
        rows, [&](const lobster::MessageRow& row) { return convert::reaches(row, **levels); });
    if (first == rows.end()) return Seeds{};
    auto seeds = convert::book_before(*first, **levels, unseen);
    if (!seeds) return std::unexpected{fmt::format("{}: row 1: {}", path.string(), seeds.error())};
    return seeds;
}

}  // namespace

std::expected<LobsterDay, std::string> load_lobster(const RecordedDay& day) {
    auto loaded = replay::load_messages(day.path);
    if (!loaded.error.empty()) return std::unexpected{loaded.error};
    LobsterDay result{.rows = std::move(loaded.content), .unseen = {}, .before = {}};
    for (const lobster::MessageRow& row : result.rows)
        if (const auto seen = result.unseen.see(row); !seen)
            return std::unexpected{fmt::format("{}: {}", day.path.string(), seen.error())};
    if (!day.lobster_book) return result;
    auto read = first_book(*day.lobster_book, result.rows, result.unseen);
    if (!read) return std::unexpected{read.error()};
    result.before = *std::move(read);
    return result;
}

}  // namespace damrak::market_runs::detail
