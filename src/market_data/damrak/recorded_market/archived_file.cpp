#include <damrak/recorded_market/archived_file.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <damrak/archive/day_file.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/is_digit.hpp>
#include <damrak/lobster/file_name.hpp>

namespace damrak::recorded_market {

namespace {

constexpr std::string_view k_archived = ".dar";

// The order book file beside a LOBSTER message file, which has the book before the first message.
std::optional<std::filesystem::path> book_beside(const std::filesystem::path& messages) {
    constexpr std::string_view k_messages = "_message_";
    std::string name = messages.filename().string();
    const auto at = name.find(k_messages);
    if (at == std::string::npos) return std::nullopt;
    name.replace(at, k_messages.size(), "_orderbook_");
    std::filesystem::path book = messages.parent_path() / name;
    return std::filesystem::exists(book) ? std::optional{std::move(book)} : std::nullopt;
}

// 20120621 for 2012-06-21; the form of the name has been checked.
std::int32_t date_in(std::string_view text) {
    std::int32_t date = 0;
    for (const char c : text)
        if (is_digit(c)) date = date * 10 + (c - '0');
    return date;
}

}  // namespace

archive::Result<std::filesystem::path> archived_file(const std::filesystem::path& named,
                                                     const std::filesystem::path& folder) {
    const auto found = archive::day_file(named);
    if (!found) return std::unexpected{found.error()};
    const std::filesystem::path& file = *found;
    if (file.extension() == k_archived) return file;
    std::filesystem::path made = folder / file.filename();
    made += k_archived;
    if (std::filesystem::exists(made)) return made;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return std::unexpected{fmt::format("{}: {}", folder.string(), error.message())};
    archive::Import import{.from = file, .to = made, .date = 0, .symbol = {}, .book = {}};
    if (archive::is_lobster(file)) {
        const auto name = lobster::parse_file_name(file);
        if (!name)
            return std::unexpected{
                fmt::format("{}: its name does not begin with a ticker and a date: import it with "
                            "damrak archive import --symbol, and replay the archived day",
                            file.string())};
        import.date = date_in(name->date);
        import.symbol = name->ticker;
        import.book = book_beside(file);
    }
    const auto imported = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
    if (!imported) return std::unexpected{imported.error()};
    return made;
}

}  // namespace damrak::recorded_market
