#include <damrak/gateway/fix_roster.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/session/fix/directory.hpp>
#include <damrak/wire/fix/versions.hpp>

namespace damrak::gateway {

namespace {

constexpr std::string_view k_file = "sessions.txt";

// What folder_name() wrote as %XX.
std::expected<std::string, std::string> plain(std::string_view part) {
    std::string text;
    while (!part.empty()) {
        if (part.front() != '%') {
            text += part.front();
            part.remove_prefix(1);
            continue;
        }
        unsigned code = 0;
        const char* const end = part.data() + std::min<std::size_t>(part.size(), 3);
        const auto read = std::from_chars(part.data() + 1, end, code, 16);
        if (read.ptr != end || part.size() < 3)
            return std::unexpected{std::string{"a % is not followed by two hexadecimal digits"}};
        text += static_cast<char>(code);
        part.remove_prefix(3);
    }
    return text;
}

std::expected<FixRoster::Entry, std::string> parse_line(std::string_view line) {
    std::uint32_t participant = 0;
    const auto read = std::from_chars(line.data(), line.data() + line.size(), participant);
    const auto used = static_cast<std::size_t>(read.ptr - line.data());
    if (participant == 0 || used >= line.size() || line[used] != ' ')
        return std::unexpected{
            std::string{"expected a participant, a space and the name of a session"}};
    auto name = parse_folder_name(line.substr(used + 1));
    if (!name) return std::unexpected{name.error()};
    return FixRoster::Entry{.participant = {participant}, .name = *std::move(name)};
}

}  // namespace

std::expected<session::fix::SessionName, std::string> parse_folder_name(std::string_view folder) {
    std::array<std::string, 5> parts;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t end = folder.find('+');
        if ((end == std::string_view::npos) != (i + 1 == parts.size()))
            return std::unexpected{
                std::string{"the name of a session has five parts with + between them"}};
        auto text = plain(folder.substr(0, end));
        if (!text) return std::unexpected{text.error()};
        parts[i] = *std::move(text);
        if (end != std::string_view::npos) folder.remove_prefix(end + 1);
    }
    const auto version = wire::fix::parse_begin_string(parts[0]);
    if (version == wire::fix::BeginString::unknown)
        return std::unexpected{fmt::format("{} is no version of FIX", parts[0])};
    return session::fix::SessionName{.begin_string = version,
                                     .sender_comp_id = parts[1],
                                     .target_comp_id = parts[3],
                                     .sender_sub_id = parts[2],
                                     .target_sub_id = parts[4]};
}

std::expected<FixRoster, std::string> FixRoster::open(journal::FileSystem& files,
                                                      std::filesystem::path folder) {
    FixRoster roster{files, std::move(folder)};
    if (const auto made = files.create_folder(roster.folder_); !made)
        return std::unexpected{made.error()};
    const auto contents = files.list(roster.folder_);
    if (!contents) return std::unexpected{contents.error()};
    const auto has_it = [](const auto& entry) { return entry.name == k_file && entry.bytes > 0; };
    if (std::ranges::none_of(*contents, has_it)) return roster;
    const auto path = roster.folder_ / k_file;
    const auto file = files.open_mapped(path, journal::FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    std::string_view text{reinterpret_cast<const char*>((*file)->data()), (*file)->size()};
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        auto entry = parse_line(text.substr(0, end));
        if (!entry)
            return std::unexpected{
                fmt::format("{}:{}: {}", path.string(), roster.entries_.size() + 1, entry.error())};
        roster.entries_.push_back(*std::move(entry));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return roster;
}

std::expected<void, std::string> FixRoster::add(Entry entry) {
    entries_.push_back(std::move(entry));
    std::string text;
    for (const Entry& one : entries_)
        text += fmt::format("{} {}\n", one.participant.value, session::fix::folder_name(one.name));
    const auto path = folder_ / k_file;
    const auto unfinished = folder_ / "sessions.new";
    const auto written = [&]() -> journal::Result<void> {
        auto file = files_->create_output(unfinished);
        if (!file) return std::unexpected{file.error()};
        if (auto put = (*file)->write(std::as_bytes(std::span{text})); !put) return put;
        return (*file)->sync();
    }();
    if (!written) return written;
    return files_->rename(unfinished, path);
}

}  // namespace damrak::gateway
