#include <damrak/archive/day_file.hpp>

#include <algorithm>
#include <system_error>
#include <vector>

#include <fmt/format.h>

namespace damrak::archive {
namespace {

using Path = std::filesystem::path;

std::vector<Path> files_of(const Path& folder, const char* extension) {
    std::vector<Path> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator{folder, error})
        if (entry.path().extension() == extension) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

/// `remedy` follows where there is none.
std::expected<Path, std::string> only_file(const Path& path, const char* extension,
                                           const char* what, const char* remedy) {
    std::error_code error;
    if (!std::filesystem::is_directory(path, error)) return path;
    std::vector<Path> files = files_of(path, extension);
    if (files.empty()) files = files_of(path / "archive", extension);
    if (files.empty())
        return std::unexpected{
            fmt::format("{}: the folder has no {}{}", path.string(), what, remedy)};
    if (files.size() > 1)
        return std::unexpected{
            fmt::format("{}: the folder has more than one {}: give one, such as {}", path.string(),
                        what, files.back().string())};
    return files.front();
}

}  // namespace

std::expected<Path, std::string> day_file(const Path& path) {
    return only_file(path, ".dar", "archived day", ": damrak archive import makes one");
}

std::expected<Path, std::string> event_file_of(const Path& path) {
    return only_file(path, ".events", "event file", "");
}

std::expected<Day, std::string> open_day(const std::filesystem::path& path) {
    const auto file = day_file(path);
    if (!file) return std::unexpected{file.error()};
    return Day::open(*file);
}

}  // namespace damrak::archive
