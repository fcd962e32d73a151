#include "report/run.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

// The directory of the run itself: given, or the newest below.
std::expected<fs::path, std::string> find_run(const fs::path& directory) {
    constexpr const char* k_mark = "metadata.json";
    if (fs::exists(directory / k_mark)) return directory;
    fs::path newest;
    std::error_code ignored;
    for (const char* below : {"runs", "."})
        for (const auto& entry : fs::directory_iterator{directory / below, ignored})
            if (fs::exists(entry.path() / k_mark)) newest = std::max(newest, entry.path());
    if (newest.empty())
        return std::unexpected{fmt::format(
            "{}: no run found: expected a directory with metadata.json, or a data directory of "
            "damrak serve",
            directory.string())};
    return newest;
}

std::expected<Json, std::string> read_json(const fs::path& path) {
    std::ifstream file{path};
    Json parsed = Json::parse(file, nullptr, false);
    if (parsed.is_discarded())
        return std::unexpected{fmt::format("{}: unexpected JSON content", path.string())};
    return parsed;
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream rest{line};
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    return cells;
}

// Numbers by the name of their column.
using NamedRow = std::map<std::string, double, std::less<>>;

std::expected<std::vector<NamedRow>, std::string> read_numbers(const fs::path& path) {
    std::ifstream file{path};
    std::vector<NamedRow> rows;
    std::string line;
    if (!std::getline(file, line)) return rows;
    const auto names = cells_of(line);
    for (int number = 2; std::getline(file, line); ++number) {
        const auto cells = cells_of(line);
        NamedRow row;
        bool sound = cells.size() == names.size();
        for (std::size_t i = 0; sound && i < cells.size(); ++i) {
            double& value = row[names[i]];
            const char* const end = cells[i].data() + cells[i].size();
            sound = std::from_chars(cells[i].data(), end, value).ptr == end;
        }
        if (!sound)
            return std::unexpected{fmt::format("{}:{}: expected {} numbers, found '{}'",
                                               path.string(), number, names.size(), line)};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::expected<std::vector<RunSecond>, std::string> read_seconds(const fs::path& path) {
    constexpr double k_second_ns = 1e9;
    auto rows = read_numbers(path);
    if (!rows) return std::unexpected{std::move(rows.error())};
    std::vector<RunSecond> seconds;
    for (NamedRow& row : *rows) {
        const double interval_s = row["interval_ns"] / k_second_ns;
        if (interval_s <= 0) continue;
        seconds.push_back({.time_ns = static_cast<std::int64_t>(row["time_ns"]),
                           .messages_per_s = row["messages"] / interval_s,
                           .trades_per_s = row["trades"] / interval_s,
                           .sent_bytes_per_s = row["sent_bytes"] / interval_s,
                           .connections = row["connections"],
                           .messages = row["messages"],
                           .trades = row["trades"],
                           .lost_records = row["lost_records"]});
    }
    return seconds;
}

// Lines of "value percentile count …"; everything else is a heading or a comment.
RunDistribution read_distribution(const fs::path& path) {
    const std::string name = path.stem().string();
    const std::size_t dash = name.rfind('-');
    RunDistribution distribution{.request = name.substr(0, dash), .span = name.substr(dash + 1)};
    std::ifstream file{path};
    for (std::string line; std::getline(file, line);) {
        std::istringstream numbers{line};
        RunPercentile point;
        if (numbers >> point.value_us >> point.fraction) distribution.percentiles.push_back(point);
    }
    return distribution;
}

std::vector<RunDistribution> read_distributions(const fs::path& folder) {
    std::vector<RunDistribution> all;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator{folder, ignored})
        if (entry.path().extension() == ".hgrm") all.push_back(read_distribution(entry.path()));
    std::ranges::sort(all, {}, [](const auto& one) { return one.request + one.span; });
    return all;
}

}  // namespace

std::expected<RunRecord, std::string> read_run(const fs::path& directory) {
    auto folder = find_run(directory);
    if (!folder) return std::unexpected{std::move(folder.error())};
    auto metadata = read_json(*folder / "metadata.json");
    if (!metadata) return std::unexpected{std::move(metadata.error())};
    RunRecord run{.folder = *folder, .metadata = std::move(*metadata)};
    if (fs::exists(*folder / "timing.json")) {
        auto timing = read_json(*folder / "timing.json");
        if (!timing) return std::unexpected{std::move(timing.error())};
        run.timing = std::move(*timing);
    }
    auto seconds = read_seconds(*folder / "throughput.csv");
    if (!seconds) return std::unexpected{std::move(seconds.error())};
    run.seconds = std::move(*seconds);
    run.distributions = read_distributions(*folder / "hgrm");
    return run;
}

}  // namespace damrak::app
