#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/toml_text.hpp>
#include <damrak/exchange/settings_table.hpp>

#include "serve/config.hpp"

namespace damrak::app {

namespace {

using gateway::Setting;
using gateway::SettingInfo;

// Of a count of the last of this many decimals; no floating point, so that all digits are right.
std::string decimal_text(gateway::Decimal count) {
    if (count.decimals == 0) return fmt::format("{}", count.units);
    std::int64_t unit = 1;
    for (int i = 0; i < count.decimals; ++i) unit *= 10;
    const std::int64_t size = std::abs(count.units);
    return fmt::format("{}{}.{:0{}}", count.units < 0 ? "-" : "", size / unit, size % unit,
                       count.decimals);
}

// A value, of any kind, as the file has it.
struct ValueText {
    const SettingInfo& row;

    std::string operator()(std::monostate /*off*/) const { return "\"off\""; }
    std::string operator()(bool value) const { return value ? "true" : "false"; }
    std::string operator()(std::int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(gateway::Decimal value) const { return decimal_text(value); }
    std::string operator()(const std::string& value) const { return toml_text(value); }
    std::string operator()(const std::vector<std::string>& values) const {
        std::vector<std::string> quoted;
        quoted.reserve(values.size());
        for (const std::string& value : values) quoted.push_back(toml_text(value));
        return fmt::format("[{}]", fmt::join(quoted, ", "));
    }
    std::string operator()(const std::vector<std::int64_t>& values) const {
        return fmt::format("{}", values);
    }
    std::string operator()(const std::vector<std::vector<gateway::Decimal>>& steps) const {
        std::string text = "[\n";
        for (const auto& step : steps) {
            std::vector<std::string> columns;
            columns.reserve(step.size());
            for (std::size_t i = 0; i < step.size(); ++i)
                columns.push_back(fmt::format("{} = {}", row.words[i], decimal_text(step[i])));
            text += fmt::format("  {{ {} }},\n", fmt::join(columns, ", "));
        }
        return text + "]";
    }
};

// A line of a row; nothing if it is not set.
template <class S>
std::string line_of(const Setting<S>& row, std::string_view key, const S& owner) {
    const auto value = row.get(owner);
    return value ? fmt::format("{} = {}\n", key, value_text(row, *value)) : "";
}

template <class T>
std::string list_text(const gateway::SettingList<T>& list, const ServeSettings& settings) {
    const auto rows = list.rows(settings);
    std::string text;
    for (const T& one : list.get(settings)) {
        text += fmt::format("\n[[{}]]\n", list.name);
        for (const auto& row : rows) text += line_of(row, row.name, one);
    }
    return text;
}

}  // namespace

std::string value_text(const SettingInfo& row, const gateway::SettingValue& value) {
    return row.secret ? toml_text(gateway::k_secret_mark) : std::visit(ValueText{row}, value);
}

std::string config_text(const ServeSettings& settings) {
    std::string text;
    for (const ConfigSection& section : config_sections()) {
        text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section.name);
        for (const auto* const row : section.rows) text += line_of(*row, row->key(), settings);
    }
    exchange::for_each_list([&](const auto& list) { text += list_text(list, settings); });
    return text;
}

}  // namespace damrak::app
