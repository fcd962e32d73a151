#include "serve/config_reader.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "did_you_mean.hpp"

namespace damrak::app {

namespace {

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

void ConfigTable::refuse(std::string_view key, std::string_view what) const {
    const toml::node* const node = table_->get(key);
    error_->tell(node == nullptr ? *table_ : *node, fmt::format("{}: {}", full_name(key), what));
}

void ConfigTable::refuse(std::string_view what) const {
    error_->tell(*table_, fmt::format("{}: {}", name_, what));
}

void ConfigTable::expected(std::string_view key, const toml::node& found,
                           std::string_view what) const {
    refuse(key, fmt::format("expected {}, found {}", what, shown(found)));
}

bool ConfigTable::require(std::string_view key) {
    if (find(key) != nullptr) return true;
    refuse(fmt::format("{} is missing", key));
    return false;
}

std::optional<std::int64_t> ConfigTable::whole_number(std::string_view key, std::int64_t least,
                                                      std::int64_t most) {
    const toml::node* const node = find(key);
    if (node == nullptr) return {};
    const auto* const value = node->as_integer();
    if (value != nullptr && value->get() >= least && value->get() <= most) return value->get();
    expected(key, *node,
             most == std::numeric_limits<std::int64_t>::max()
                 ? fmt::format("a whole number from {}", least)
                 : fmt::format("a whole number from {} to {}", least, most));
    return {};
}

void ConfigTable::text(std::string_view key, std::string& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (const auto* const value = node->as_string()) {
        target = value->get();
    } else {
        expected(key, *node, "a text in quotes");
    }
}

void ConfigTable::texts(std::string_view key, std::vector<std::string>& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    constexpr std::string_view k_wanted = "texts in quotes, in brackets";
    const auto* const list = node->as_array();
    if (list == nullptr) return expected(key, *node, k_wanted);
    target.clear();
    for (const toml::node& entry : *list) {
        const auto* const value = entry.as_string();
        if (value == nullptr || value->get().empty()) return expected(key, entry, k_wanted);
        target.push_back(value->get());
    }
}

void ConfigTable::flag(std::string_view key, bool& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    if (const auto* const value = node->as_boolean()) {
        target = value->get();
    } else {
        expected(key, *node, "true or false");
    }
}

void ConfigTable::decimal(std::string_view key, int decimals, Price& target) {
    const toml::node* const node = find(key);
    if (node == nullptr) return;
    const double unit = std::pow(10, decimals);
    const std::optional<double> value = node->is_number() ? node->value<double>() : std::nullopt;
    // Below this, two neighbouring counts are never the same floating-point number.
    constexpr double k_exact = 9'007'199'254'740'992.0;
    if (value && *value >= 0 && *value * unit < k_exact) {
        const double count = std::round(*value * unit);
        // The text that the count gives is that of the file, or the file has more decimals.
        if (count / unit == *value) {
            target = Price{static_cast<std::int64_t>(count)};
            return;
        }
    }
    expected(key, *node, fmt::format("a number, not below zero, of at most {} decimals", decimals));
}

std::optional<std::size_t> ConfigTable::word(std::string_view key,
                                             const std::vector<std::string_view>& words) {
    const toml::node* const node = find(key);
    if (node == nullptr) return {};
    const auto* const value = node->as_string();
    const auto found = value == nullptr ? words.end() : std::ranges::find(words, value->get());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    expected(key, *node, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
    return {};
}

std::optional<ConfigTable> ConfigTable::section(std::string_view key) {
    const toml::node* const node = find(key);
    if (node == nullptr) return {};
    if (const toml::table* const table = node->as_table())
        return ConfigTable{*table, full_name(key), *error_};
    expected(key, *node, fmt::format("a table, [{}]", full_name(key)));
    return {};
}

std::optional<std::vector<ConfigTable>> ConfigTable::sections(std::string_view key) {
    const toml::node* const node = find(key);
    if (node == nullptr) return {};
    std::vector<ConfigTable> found;
    const toml::array* const array = node->as_array();
    if (array == nullptr ||
        std::ranges::any_of(*array, [](const toml::node& one) { return !one.is_table(); })) {
        expected(key, *node, fmt::format("tables, [[{}]]", full_name(key)));
        return {};
    }
    for (const toml::node& one : *array)
        found.emplace_back(*one.as_table(), full_name(key), *error_);
    return found;
}

void ConfigTable::finish() const {
    for (const auto& [key, node] : *table_) {
        if (known_.contains(key.str())) continue;
        error_->tell(node, fmt::format("{}: there is no such key; {}", full_name(key.str()),
                                       did_you_mean(key.str(), {known_.begin(), known_.end()})));
        return;
    }
}

}  // namespace damrak::app
