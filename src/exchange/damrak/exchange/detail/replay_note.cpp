#include <damrak/exchange/detail/replay_note.hpp>

#include <charconv>
#include <cstddef>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

namespace damrak::exchange {

namespace {

constexpr std::string_view k_name = "replay.txt";
constexpr std::string_view k_from = "from ";
constexpr std::string_view k_seeking = "seeking";

}  // namespace

journal::Result<std::optional<ReplayNote>> ReplayNote::read(const std::filesystem::path& data) {
    const std::filesystem::path path = data / k_name;
    std::ifstream in{path};
    if (!in) return std::nullopt;
    ReplayNote note;
    std::getline(in, note.file);
    for (std::string line; std::getline(in, line);) {
        if (line == k_seeking) {
            note.seeking = true;
            continue;
        }
        std::int64_t from_ns = 0;
        const char* const end = line.data() + line.size();
        const bool has_from = line.starts_with(k_from);
        const auto [at, error] =
            std::from_chars(has_from ? line.data() + k_from.size() : end, end, from_ns);
        if (!has_from || error != std::errc{} || at != end || from_ns < 0)
            return std::unexpected{fmt::format(
                "{}: '{}' is not a line of it: begin the day again in another directory (--data)",
                path.string(), line)};
        note.from_ns = from_ns;
    }
    return note;
}

journal::Result<void> ReplayNote::write(const std::filesystem::path& data) const {
    journal::FileSystem& files = journal::real_files();
    std::string text = file + '\n';
    if (from_ns) text += fmt::format("{}{}\n", k_from, *from_ns);
    if (seeking) text += fmt::format("{}\n", k_seeking);
    const std::filesystem::path unfinished = data / "replay.new";
    auto out = files.create_output(unfinished);
    if (!out) return std::unexpected{out.error()};
    if (auto put = (*out)->write(std::as_bytes(std::span{text})); !put) return put;
    if (auto synced = (*out)->sync(); !synced) return synced;
    return files.rename(unfinished, data / k_name);
}

}  // namespace damrak::exchange
