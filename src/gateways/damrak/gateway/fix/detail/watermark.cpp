#include <damrak/gateway/fix/detail/watermark.hpp>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

namespace damrak::gateway::fix {

std::expected<FixWatermark, std::string> FixWatermark::open(journal::FileSystem& files,
                                                            const std::filesystem::path& folder) {
    constexpr std::string_view k_mark_file = "told.mark";
    constexpr std::size_t k_mark_file_bytes = 4'096;
    const auto path = folder / k_mark_file;
    const auto contents = files.list(folder);
    if (!contents) return std::unexpected{contents.error()};
    const auto there = std::ranges::find(*contents, k_mark_file, &journal::FileSystem::Entry::name);
    if (there == contents->end()) {
        auto file = files.create_mapped(path, k_mark_file_bytes);
        if (!file) return std::unexpected{file.error()};
        return FixWatermark{*std::move(file), UINT64_MAX};
    }
    if (there->bytes < sizeof(std::uint64_t))
        return std::unexpected{
            fmt::format("{}: {} bytes are too few: remove it, and no report is made up for",
                        path.string(), there->bytes)};
    auto file = files.open_mapped(path, journal::FileSystem::Access::write);
    if (!file) return std::unexpected{file.error()};
    std::uint64_t found = 0;
    std::memcpy(&found, (*file)->data(), sizeof found);
    return FixWatermark{*std::move(file), found};
}

}  // namespace damrak::gateway::fix
