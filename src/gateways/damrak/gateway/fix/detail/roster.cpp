#include <damrak/gateway/fix/detail/roster.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/fix_codec/versions.hpp>
#include <damrak/session/fix/directory.hpp>

namespace damrak::gateway::fix {

namespace {

constexpr std::string_view k_gone = "gone";
constexpr std::string_view k_added = "added";
constexpr std::string_view k_removed = "removed";

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

// What stands behind a word and a space; nothing where the line begins otherwise.
std::optional<std::string_view> behind(std::string_view word, std::string_view line) {
    if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ')
        return std::nullopt;
    return line.substr(word.size() + 1);
}

std::optional<std::uint32_t> number_in(std::string_view text) {
    std::uint32_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (number == 0 || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

std::string line_of(std::string_view word, const session::fix::SessionName& name) {
    return fmt::format("{} {}\n", word, session::fix::folder_name(name));
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
    const auto version = fix_codec::parse_begin_string(parts[0]);
    if (version == fix_codec::BeginString::unknown)
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
    const auto has_it = [](const auto& entry) {
        return entry.name == k_roster_file && entry.bytes > 0;
    };
    if (std::ranges::none_of(*contents, has_it)) return roster;
    const auto path = roster.folder_ / k_roster_file;
    const auto file = files.open_mapped(path, journal::FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    std::string_view text{reinterpret_cast<const char*>((*file)->data()), (*file)->size()};
    std::size_t line = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        ++line;
        if (const auto read = roster.read_line(text.substr(0, end)); !read)
            return std::unexpected{fmt::format("{}:{}: {}", path.string(), line, read.error())};
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return roster;
}

std::expected<void, std::string> FixRoster::read_line(std::string_view line) {
    if (const auto count = behind(k_gone, line)) {
        const auto numbers = number_in(*count);
        if (!numbers) return std::unexpected{std::string{"expected how many are gone"}};
        entries_.resize(entries_.size() + *numbers);
        return {};
    }
    for (const auto& [word, names] : {std::pair{k_added, &added_}, std::pair{k_removed, &removed_}})
        if (const auto folder = behind(word, line)) {
            auto name = parse_folder_name(*folder);
            if (!name) return std::unexpected{name.error()};
            names->push_back(*std::move(name));
            return {};
        }
    const std::size_t space = std::min(line.find(' '), line.size());
    const auto participant = number_in(line.substr(0, space));
    if (!participant || space == line.size())
        return std::unexpected{
            std::string{"expected a participant, a space and the name of a session"}};
    auto name = parse_folder_name(line.substr(space + 1));
    if (!name) return std::unexpected{name.error()};
    entries_.push_back({.participant = {*participant}, .name = *std::move(name)});
    return {};
}

std::uint32_t FixRoster::enter(Entry entry) {
    entries_.push_back(std::move(entry));
    return static_cast<std::uint32_t>(entries_.size());
}

void FixRoster::add(const Name& name) {
    std::erase(removed_, name);
    if (std::ranges::find(added_, name) == added_.end()) added_.push_back(name);
}

void FixRoster::remove(const Name& name) {
    std::erase(added_, name);
    if (std::ranges::find(removed_, name) == removed_.end()) removed_.push_back(name);
}

std::expected<void, std::string> FixRoster::write() const {
    std::string text;
    std::size_t gone = 0;
    const auto tell_gone = [&] {
        if (gone > 0) text += fmt::format("{} {}\n", k_gone, std::exchange(gone, 0));
    };
    for (const Entry& one : entries_) {
        if (!one.participant) {
            ++gone;
            continue;
        }
        tell_gone();
        text += line_of(fmt::to_string(one.participant.value), one.name);
    }
    tell_gone();
    for (const Name& name : added_) text += line_of(k_added, name);
    for (const Name& name : removed_) text += line_of(k_removed, name);
    const auto path = folder_ / k_roster_file;
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

}  // namespace damrak::gateway::fix
