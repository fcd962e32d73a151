// `--modify` of the commands that replay recorded days: its file, and what it changed.
#pragma once

#include <filesystem>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <damrak/modify/report.hpp>

namespace damrak::app {

/// `file` must outlive the parsing.
inline CLI::Option* add_modify(CLI::App& command, std::filesystem::path& file) {
    return command.add_option(
        "--modify", file,
        "first change the recorded day as this TOML file says: thin or scale it, drop classes "
        "of orders or messages, use a coarser price grid, delay it, cut a window");
}

/// `modified`: the file, the seed, and what was changed by each table of the file.
inline void add_changes(nlohmann::ordered_json& object, const modify::Changes& changes) {
    nlohmann::ordered_json& modified = object["modified"];
    modified = {{"file", changes.file}, {"seed", changes.seed}};
    for (std::size_t i = 0; i < modify::k_counts.size(); ++i) {
        const modify::CountName& name = modify::k_counts[i];
        auto& table = name.table.empty() ? modified : modified[std::string{name.table}];
        table[std::string{name.key}] = changes.report.all()[i];
    }
}

}  // namespace damrak::app
