// Reads a TOML file that describes something, such as a market or a venue: in each table each key
// once, with its kind and range, and at the end whatever is left is unknown. The first mistake is
// kept, with line and what is allowed. For the readers of such files only, as it brings toml++ with
// it; at set-up.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#define TOML_HEADER_ONLY 1
#include <fmt/format.h>
#include <fmt/ranges.h>
// Its parser takes for granted what a text may not have ("[)" for a table), and reports the mistake
// right after: without the assumption it always does.
#include <toml++/impl/preprocessor.h>
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expr) static_assert(true)
#include <toml++/toml.h>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_of_day.hpp>

namespace damrak::files {

/// The first mistake of a file.
class Mistake {
  public:
    explicit Mistake(std::string_view where) : where_(where) {}

    void note(const toml::source_region& place, std::string_view what) {
        if (text_.empty()) text_ = fmt::format("{}: {}", name(place), what);
    }
    [[nodiscard]] std::string name(const toml::source_region& place) const {
        return fmt::format("{}:{}", where_, place.begin.line);
    }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] bool is_there() const { return !text_.empty(); }

  private:
    std::string where_;
    std::string text_;
};

/// Reads the keys of one table, and collects what is wrong in it.
class TableReader {
  public:
    /// `what` names the table in messages, such as `participants "makers"`.
    TableReader(const toml::table& table, std::string what, Mistake& mistake)
        : table_(&table), what_(std::move(what)), mistake_(&mistake) {}

    void rename(std::string what) { what_ = std::move(what); }

    [[nodiscard]] std::string text(std::string_view key, std::string_view preset) {
        const toml::node* const node = take(key);
        if (node == nullptr) return std::string{preset};
        const auto value = node->value_exact<std::string>();
        if (!value) refuse(*node, key, "a text in quotes");
        return value.value_or(std::string{});
    }
    [[nodiscard]] bool truth(std::string_view key, bool preset) {
        const toml::node* const node = take(key);
        if (node == nullptr) return preset;
        const auto value = node->value_exact<bool>();
        if (!value) refuse(*node, key, "true or false");
        return value.value_or(preset);
    }
    [[nodiscard]] double number(std::string_view key, double preset, double least, double most) {
        const toml::node* const node = take(key);
        if (node == nullptr) return preset;
        const auto value = node->is_number() ? node->value<double>() : std::nullopt;
        if (!value || !(*value >= least && *value <= most)) {
            refuse(*node, key, fmt::format("a number{}", range_text(least, most)));
            return preset;
        }
        return *value;
    }
    [[nodiscard]] std::int64_t whole(std::string_view key, std::int64_t preset, std::int64_t least,
                                     std::int64_t most) {
        const toml::node* const node = take(key);
        if (node == nullptr) return preset;
        const auto value = node->value_exact<std::int64_t>();
        if (!value || *value < least || *value > most) {
            refuse(*node, key, fmt::format("a whole number from {} to {}", least, most));
            return preset;
        }
        return *value;
    }
    /// Nanoseconds since midnight.
    [[nodiscard]] std::int64_t time_of_day(std::string_view key, std::int64_t preset) {
        const toml::node* const node = take(key);
        if (node == nullptr) return preset;
        const auto text = node->value_exact<std::string>();
        const auto time = text ? parse_time_of_day(*text) : std::nullopt;
        if (!time)
            refuse(*node, key, "a time of day in quotes, such as \"09:30\" or \"10:31:05.5\"");
        return time.value_or(preset);
    }
    [[nodiscard]] std::int64_t duration(
        std::string_view key, std::int64_t preset, std::int64_t least = 0,
        std::int64_t most = std::numeric_limits<std::int64_t>::max()) {
        const toml::node* const node = take(key);
        return node == nullptr ? preset : duration_of(*node, key, least, most);
    }
    [[nodiscard]] std::int64_t duration_of(const toml::node& node, std::string_view key,
                                           std::int64_t least, std::int64_t most) {
        const auto text = node.value_exact<std::string>();
        const auto value = text ? parse_duration(*text) : std::nullopt;
        if (!value || *value < least || *value > most) {
            const std::string range =
                least == 0 && most == std::numeric_limits<std::int64_t>::max()
                    ? std::string{}
                    : fmt::format(" from {} to {}", duration_text(least), duration_text(most));
            refuse(node, key,
                   fmt::format("a duration{} in quotes, such as \"250us\", \"1.5s\" or \"10min\"",
                               range));
            return 0;
        }
        return *value;
    }
    [[nodiscard]] std::string word(std::string_view key, std::string_view preset,
                                   const std::vector<std::string_view>& words) {
        const toml::node* const node = take(key);
        if (node == nullptr) return std::string{preset};
        const auto value = node->value_exact<std::string>();
        for (const std::string_view one : words)
            if (value == one) return *value;
        refuse(*node, key, fmt::format("one of \"{}\"", fmt::join(words, "\", \"")));
        return std::string{preset};
    }
    [[nodiscard]] std::vector<double> numbers(std::string_view key, std::vector<double> preset,
                                              double least, double most) {
        const toml::node* const node = take(key);
        if (node == nullptr) return preset;
        std::vector<double> values;
        const toml::array* const array = node->as_array();
        bool is_good = array != nullptr;
        for (std::size_t i = 0; is_good && i < array->size(); ++i) {
            const toml::node& entry = *array->get(i);
            const auto value = entry.is_number() ? entry.value<double>() : std::nullopt;
            is_good = value && *value >= least && *value <= most;
            if (is_good) values.push_back(*value);
        }
        if (!is_good)
            refuse(*node, key,
                   fmt::format("a list of numbers{} in brackets", range_text(least, most)));
        return values;
    }
    [[nodiscard]] std::vector<std::string> texts(std::string_view key) {
        const toml::node* const node = take(key);
        if (node == nullptr) return {};
        std::vector<std::string> values;
        const toml::array* const array = node->as_array();
        bool is_good = array != nullptr;
        for (std::size_t i = 0; is_good && i < array->size(); ++i) {
            const auto value = array->get(i)->value_exact<std::string>();
            is_good = value.has_value();
            if (is_good) values.push_back(*value);
        }
        if (!is_good) refuse(*node, key, "a list of texts in brackets");
        return values;
    }

    /// Null: the table has no such key.
    [[nodiscard]] const toml::node* take(std::string_view key) {
        if (std::ranges::find(known_, key) == known_.end()) known_.emplace_back(key);
        return table_->get(key);
    }
    [[nodiscard]] bool has(std::string_view key) const { return table_->contains(key); }
    /// Tables of an array of tables.
    [[nodiscard]] std::vector<const toml::table*> tables(std::string_view key) {
        const toml::node* const node = take(key);
        if (node == nullptr) return {};
        std::vector<const toml::table*> found;
        const toml::array* const array = node->as_array();
        if (array == nullptr ||
            (!array->empty() && !array->is_homogeneous(toml::node_type::table))) {
            refuse(*node, key, fmt::format("tables, each headed [[{}]]", key));
            return {};
        }
        for (const toml::node& entry : *array) found.push_back(entry.as_table());
        return found;
    }

    void refuse(const toml::node& node, std::string_view key, std::string_view wanted) {
        mistake_->note(node.source(), fmt::format("{}{} must be {}", prefix(), key, wanted));
    }
    void complain(std::string_view what) {
        mistake_->note(table_->source(), fmt::format("{}{}", prefix(), what));
    }
    /// Whatever was not asked for is unknown.
    void finish() {
        for (const auto& [key, node] : *table_)
            if (std::ranges::find(known_, key.str()) == known_.end())
                mistake_->note(key.source(),
                               fmt::format("{}unknown key '{}'; {}", prefix(), key.str(),
                                           did_you_mean(key.str(), known_)));
    }
    [[nodiscard]] Mistake& mistake() { return *mistake_; }
    [[nodiscard]] const toml::table& table() const { return *table_; }

  private:
    [[nodiscard]] std::string prefix() const { return what_.empty() ? "" : what_ + ": "; }
    [[nodiscard]] static std::string range_text(double least, double most) {
        const bool has_least = least > std::numeric_limits<double>::lowest();
        const bool has_most = most < 1e14;
        if (has_least && has_most) return fmt::format(" from {} to {}", least, most);
        if (has_least) return fmt::format(" of at least {}", least);
        return has_most ? fmt::format(" of at most {}", most) : "";
    }

    const toml::table* table_;
    std::string what_;
    Mistake* mistake_;
    std::vector<std::string> known_;
};

/// The error has the place and what is wrong.
[[nodiscard]] inline std::expected<toml::table, std::string> parse_toml(std::string_view text,
                                                                        std::string_view where) {
    const auto fail = [&](const toml::parse_error& error) {
        return std::unexpected{fmt::format("{}:{}: {}", where, error.source().begin.line,
                                           std::string_view{error.description()})};
    };
    try {
        return toml::parse(text);
    } catch (const toml::parse_error& error) {
        return fail(error);
    }
}

/// The text of a file; `kind` is what the file should be, in words.
[[nodiscard]] inline std::expected<std::string, std::string> read_text(
    const std::filesystem::path& path, std::string_view kind) {
    // A stream of a directory is open, and empty; one of a named pipe waits for a writer. What the
    // shell puts in place of a file, such as /dev/stdin, is a pipe as well.
    std::error_code unknown;
    const std::filesystem::file_status status = std::filesystem::status(path, unknown);
    const bool is_of_shell =
        path.native().starts_with("/dev/") || path.native().starts_with("/proc/self/fd/");
    if (std::filesystem::is_directory(status))
        return std::unexpected{fmt::format("{}: is a directory; give a {}", path.string(), kind)};
    if (std::filesystem::is_other(status) && !is_of_shell)
        return std::unexpected{
            fmt::format("{}: is not a regular file; give a {}", path.string(), kind)};
    std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    if (file) text << file.rdbuf();
    if (!file)
        return std::unexpected{
            fmt::format("{}: cannot be read: {}", path.string(),
                        std::error_code{errno, std::generic_category()}.message())};
    return text.str();
}

}  // namespace damrak::files
