#include <damrak/recorded_market/archived_file.hpp>

#include <cstdint>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include <damrak/archive/day_file.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/lobster/pair.hpp>
#include <damrak/recorded_market/detail/content_checksum.hpp>

namespace damrak::recorded_market {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_archived = ".dar";

/// Of what the day is made of, so that another content, or another version of the archive, gives
/// another file.
archive::Result<fs::path> made_file(const archive::Import& import, const fs::path& folder) {
    auto key = detail::content_checksum(import.from, archive::k_day_version);
    if (key && import.book) key = detail::content_checksum(*import.book, *key);
    if (!key) return std::unexpected{key.error()};
    return folder / fmt::format("{}.v{}-{:08x}{}", import.from.filename().string(),
                                archive::k_day_version, *key, k_archived);
}

}  // namespace

archive::Result<fs::path> archived_file(const fs::path& named, const fs::path& folder,
                                        bool trust_messages) {
    const auto found = archive::day_file(named);
    if (!found) return std::unexpected{found.error()};
    const auto kind = files::day_kind(*found);
    if (!kind) return std::unexpected{kind.error()};
    if (*kind == files::DayKind::archived_day) return *found;
    archive::Import import{
        .from = *found, .to = {}, .trust_messages = trust_messages, .only_one = true};
    if (*kind == files::DayKind::lobster) {
        auto pair = lobster::find_pair(import.from, {}, trust_messages);
        if (!pair) return std::unexpected{std::move(pair.error())};
        import.book = std::move(pair->book);
    }
    auto made = made_file(import, folder);
    if (!made || fs::exists(*made)) return made;
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return std::unexpected{fmt::format("{}: {}", folder.string(), error.message())};
    import.to = *made;
    const auto imported = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
    if (!imported) return std::unexpected{imported.error()};
    if (!imported->faults.empty()) {
        fs::remove(*made, error);
        return std::unexpected{fmt::format("{}: {}", found->string(), imported->faults.front())};
    }
    return made;
}

}  // namespace damrak::recorded_market
