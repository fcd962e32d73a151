#include "serve/config_reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/did_you_mean.hpp>

namespace damrak::app {

namespace {

using gateway::Decimal;
using gateway::SettingInfo;
using gateway::SettingKind;
using gateway::SettingValue;

// A value as the file has it, so that a reader finds it.
std::string shown(const toml::node& node) {
    switch (node.type()) {
        case toml::node_type::table:
            return "a table";
        case toml::node_type::array:
            return "an array";
        default:
            break;
    }
    std::ostringstream text;
    node.visit([&text]<class Node>(const Node& value) {
        if constexpr (toml::is_value<Node>) text << value;
    });
    return text.str();
}

// The entries of an array, if all of them are of this type and fit.
template <class T>
std::optional<std::vector<T>> list_of(const toml::node& node, auto&& fits) {
    const toml::array* const array = node.as_array();
    if (array == nullptr) return {};
    std::vector<T> list;
    for (const toml::node& entry : *array) {
        const auto value = entry.value_exact<T>();
        if (!value || !fits(*value)) return {};
        list.push_back(*value);
    }
    return list;
}

std::optional<Decimal> decimal_of(const toml::node& node, int decimals, bool below_zero = false) {
    const double unit = std::pow(10, decimals);
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    // Below this, two neighbouring counts are never the same floating-point number.
    constexpr double k_exact = 9'007'199'254'740'992.0;
    if (!value || (*value < 0 && !below_zero) || std::abs(*value) * unit >= k_exact) return {};
    const double count = std::round(*value * unit);
    // The text that the count gives is that of the file, or the file has more decimals.
    if (count / unit != *value) return {};
    return Decimal{static_cast<std::int64_t>(count), decimals};
}

std::string decimal_wanted(int decimals, bool below_zero = false) {
    return fmt::format("a number{} of at most {} decimals", below_zero ? "" : ", not below zero,",
                       decimals);
}

// What a row expects, in words.
std::string wanted(const SettingInfo& row, int decimals) {
    switch (row.kind) {
        case SettingKind::truth:
            return "true or false";
        case SettingKind::number:
            return row.most == std::numeric_limits<std::int64_t>::max()
                       ? fmt::format("a whole number from {}", row.least)
                       : fmt::format("a whole number from {} to {}", row.least, row.most);
        case SettingKind::port:
            return R"(expected a port from 0 (a free one) to 65535, or "off")";
        case SettingKind::word:
            return fmt::format("one of \"{}\"", fmt::join(row.words, "\", \""));
        case SettingKind::texts:
            return "texts in quotes, none of them empty, in brackets";
        case SettingKind::numbers:
            return fmt::format("expected a list of {}, {} to {}", row.words.front(), row.least,
                               row.most);
        case SettingKind::text:
            return "a text in quotes";
        case SettingKind::decimal:
        case SettingKind::steps:
            break;
    }
    return decimal_wanted(decimals, row.least < 0);
}

// The value of a node, if it is of the row's kind and range.
std::optional<SettingValue> value_of(const toml::node& node, const SettingInfo& row, int decimals) {
    const auto in_range = [&](std::int64_t value) {
        return value >= row.least && value <= row.most;
    };
    const auto checked = [](const auto& value, bool fits) {
        return value && fits ? std::optional<SettingValue>{*value} : std::nullopt;
    };
    switch (row.kind) {
        case SettingKind::truth:
            return checked(node.value_exact<bool>(), true);
        case SettingKind::port:
            if (node.value_exact<std::string>() == "off") return SettingValue{};
            [[fallthrough]];
        case SettingKind::number: {
            const auto value = node.value_exact<std::int64_t>();
            return checked(value, value && in_range(*value));
        }
        case SettingKind::decimal:
            return checked(decimal_of(node, decimals, row.least < 0), true);
        case SettingKind::text:
            return checked(node.value_exact<std::string>(), true);
        case SettingKind::word: {
            const auto word = node.value_exact<std::string>();
            return checked(word, word && std::ranges::find(row.words, *word) != row.words.end());
        }
        case SettingKind::texts:
            return checked(list_of<std::string>(node, [](auto& text) { return !text.empty(); }),
                           true);
        case SettingKind::numbers: {
            const auto list = list_of<std::int64_t>(node, in_range);
            return checked(list, list && !list->empty());
        }
        case SettingKind::steps:
            break;
    }
    return {};
}

}  // namespace

void ConfigError::tell(const toml::node& where, std::string_view what) {
    if (message_.empty()) message_ = fmt::format("{}: {}", place(where), what);
}

void ConfigError::note(const std::string& key, const toml::node& where) {
    (*places_)[key] = fmt::format("{}: {}", place(where), key);
}

std::string ConfigError::place(const toml::node& where) const {
    return fmt::format("{}:{}", file_, where.source().begin.line);
}

std::string ConfigTable::full_name(std::string_view key) const {
    return name_.empty() ? std::string{key} : fmt::format("{}.{}", name_, key);
}

const toml::node* ConfigTable::find(std::string_view key) {
    known_.emplace(key);
    const toml::node* const node = table_->get(key);
    if (node != nullptr) error_->note(full_name(key), *node);
    return node;
}

std::pair<ConfigTable*, std::string_view> ConfigTable::resolve(std::string_view name) {
    const auto dot = name.find('.');
    if (dot == std::string_view::npos) return {this, name};
    ConfigTable* const inner = child(name.substr(0, dot));
    if (inner == nullptr) return {nullptr, {}};
    return inner->resolve(name.substr(dot + 1));
}

ConfigTable* ConfigTable::child(std::string_view key) {
    if (const auto made = children_.find(key); made != children_.end()) return made->second.get();
    const toml::node* const node = find(key);
    if (node == nullptr) return nullptr;
    const toml::table* const table = node->as_table();
    if (table == nullptr) {
        expected(key, *node, fmt::format("a table, [{}]", full_name(key)));
        return nullptr;
    }
    auto inner = std::make_unique<ConfigTable>(*table, full_name(key), *error_);
    return children_.emplace(key, std::move(inner)).first->second.get();
}

void ConfigTable::refuse(std::string_view name, std::string_view what) {
    if (name.empty()) return error_->tell(*table_, fmt::format("{}: {}", name_, what));
    const auto [table, key] = resolve(name);
    if (table != nullptr) table->refuse_here(key, what);
}

void ConfigTable::refuse_here(std::string_view key, std::string_view what) const {
    const toml::node* const node = table_->get(key);
    error_->tell(node == nullptr ? *table_ : *node, fmt::format("{}: {}", full_name(key), what));
}

ConfigTable::Value ConfigTable::expected(std::string_view key, const toml::node& found,
                                         std::string_view what) const {
    refuse_here(key, fmt::format("expected {}, found {}", what, shown(found)));
    return {};
}

bool ConfigTable::require(std::string_view key) {
    if (find(key) != nullptr) return true;
    refuse("", fmt::format("{} is missing", key));
    return false;
}

ConfigTable::Value ConfigTable::steps(std::string_view key, const SettingInfo& row, int decimals) {
    auto tables = sections(key);
    if (!tables) return {};
    std::vector<std::vector<Decimal>> all;
    for (ConfigTable& table : *tables) {
        std::vector<Decimal> step;
        for (const std::string_view column : row.words) {
            if (!table.require(column)) return {};
            const auto value = decimal_of(*table.find(column), decimals);
            if (!value) {
                table.expected(column, *table.find(column), decimal_wanted(decimals));
                return {};
            }
            step.push_back(*value);
        }
        table.finish();
        all.push_back(std::move(step));
    }
    return all;
}

ConfigTable::Value ConfigTable::read_value(const SettingInfo& row, int decimals) {
    const auto [table, key] = resolve(row.name);
    const toml::node* const node = table == nullptr ? nullptr : table->find(key);
    if (node == nullptr) return {};
    if (row.secret && node->value_exact<std::string>() == gateway::k_secret_mark) {
        table->refuse_here(key, fmt::format("\"{}\" stands for a secret that was left out of this "
                                            "file: write its value, or remove the line",
                                            gateway::k_secret_mark));
        return {};
    }
    if (row.kind == SettingKind::steps) return table->steps(key, row, decimals);
    if (auto value = value_of(*node, row, decimals)) return value;
    if (row.kind == SettingKind::port || row.kind == SettingKind::numbers) {
        table->refuse_here(key, wanted(row, decimals));
        return {};
    }
    if (row.secret) {
        table->refuse_here(key, fmt::format("expected {}", wanted(row, decimals)));
        return {};
    }
    return table->expected(key, *node, wanted(row, decimals));
}

std::optional<std::vector<ConfigTable>> ConfigTable::sections(std::string_view name) {
    const auto [table, key] = resolve(name);
    const toml::node* const node = table == nullptr ? nullptr : table->find(key);
    if (node == nullptr) return {};
    std::vector<ConfigTable> found;
    const toml::array* const array = node->as_array();
    if (array == nullptr ||
        std::ranges::any_of(*array, [](const toml::node& one) { return !one.is_table(); })) {
        table->expected(key, *node, fmt::format("tables, [[{}]]", table->full_name(key)));
        return {};
    }
    for (const toml::node& one : *array)
        found.emplace_back(*one.as_table(), table->full_name(key), *error_);
    return found;
}

void ConfigTable::finish() const {
    for (const auto& [key, node] : *table_) {
        if (known_.contains(key.str())) continue;
        const std::string hint = key.str() == "doors"
                                     ? "its name is gateways now"
                                     : did_you_mean(key.str(), {known_.begin(), known_.end()});
        error_->tell(node, fmt::format("{}: there is no such key; {}", full_name(key.str()), hint));
        return;
    }
    for (const auto& [key, inner] : children_) inner->finish();
}

}  // namespace damrak::app
