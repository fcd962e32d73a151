// The files of a FIX session's store, for those who read them.
#include <utility>

#include "fix/jobs.hpp"

namespace damrak::app {

std::expected<FixStoreFile, std::string> open_fix_file(const std::filesystem::path& path) {
    auto file = journal::real_files().open_mapped(path, journal::FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    FixStoreFile opened{.path = path, .file = std::move(*file), .header = {}};
    const auto header = session::fix::read_store_header(path, opened.bytes());
    if (!header) return std::unexpected{header.error()};
    opened.header = *header;
    return opened;
}

std::expected<std::vector<std::uint64_t>, std::string> fix_file_numbers(
    const std::filesystem::path& folder, std::uint64_t from) {
    const auto entries = journal::real_files().list(folder);
    if (!entries) return std::unexpected{entries.error()};
    std::vector<std::uint64_t> numbers;
    for (const auto& entry : *entries) {
        const auto number = session::fix::parse_store_file_name(entry.name);
        if (number && *number >= from) numbers.push_back(*number);
    }
    return numbers;
}

}  // namespace damrak::app
