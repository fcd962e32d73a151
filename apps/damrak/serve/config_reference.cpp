#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/exchange/settings_table.hpp>

#include "serve/config.hpp"

namespace damrak::app {

namespace {

using gateway::Setting;
using gateway::SettingInfo;
using gateway::SettingKind;

std::string range_text(std::int64_t least, std::int64_t most) {
    return most == std::numeric_limits<std::int64_t>::max() ? fmt::format("from {}", least)
                                                            : fmt::format("{} to {}", least, most);
}

std::string type_text(const SettingInfo& row) {
    switch (row.kind) {
        case SettingKind::truth:
            return "`true` or `false`";
        case SettingKind::number:
            return range_text(row.least, row.most);
        case SettingKind::port:
            return "port or `\"off\"`";
        case SettingKind::decimal:
            return "decimal number";
        case SettingKind::text:
            return "text";
        case SettingKind::word:
            return fmt::format("`\"{}\"`", fmt::join(row.words, "\"`, `\""));
        case SettingKind::texts:
            return "list of texts";
        case SettingKind::numbers:
            return "list of numbers, " + range_text(row.least, row.most);
        case SettingKind::steps:
            break;
    }
    return fmt::format("list of tables: `{}`", fmt::join(row.words, "`, `"));
}

template <class S>
std::string usual_text(const Setting<S>& row, const S& owner) {
    if (row.required) return "required";
    const auto value = row.get(owner);
    if (!value) return "";
    return *value == gateway::SettingValue{std::numeric_limits<std::int64_t>::max()}
               ? "no limit"
               : fmt::format("`{}`", value_text(row, *value));
}

constexpr std::string_view k_columns =
    "| key | value | default | flag | reload | meaning |\n|---|---|---|---|---|---|\n";

template <class S>
std::string row_text(const Setting<S>& row, std::string_view key, const S& owner) {
    return fmt::format("| `{}` | {}{} | {} | {} | {} | {} |\n", key, type_text(row),
                       row.secret ? ", secret" : "", usual_text(row, owner),
                       row.flag.empty() ? "" : fmt::format("`{}`", row.flag),
                       row.reloadable ? "yes" : "", row.help);
}

template <class T>
std::string list_reference(const gateway::SettingList<T>& list, const ServeSettings& usual) {
    std::string text = fmt::format("\n### `[[{}]]`\n\n{}\n\n{}", list.name, list.help, k_columns);
    const T first = list.first(usual);
    for (const auto& row : list.rows(usual)) text += row_text(row, row.name, first);
    return text;
}

}  // namespace

std::string config_reference() {
    const ServeSettings usual;
    std::string text;
    for (const ConfigSection& section : config_sections()) {
        text +=
            fmt::format("{}### `[{}]`\n\n{}", text.empty() ? "" : "\n", section.name, k_columns);
        for (const auto* const row : section.rows) text += row_text(*row, row->key(), usual);
    }
    exchange::for_each_list([&](const auto& list) { text += list_reference(list, usual); });
    return text;
}

}  // namespace damrak::app
