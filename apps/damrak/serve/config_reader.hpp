// Reads values out of TOML tables, and keeps the first thing that is wrong: file, line, key, what
// was expected and what is there. Whoever reads goes on as if nothing had happened, and asks once,
// at the end. Used at start and at a reload.
//
//   ConfigError error{path, places};
//   ConfigTable table{root, "", error};
//   if (auto doors = table.section("doors")) { doors->text("address", address); doors->finish(); }
//   table.finish();   // any key that nobody asked for is an error
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include <damrak/domain/measures.hpp>

namespace damrak::app {

class ConfigError {
  public:
    using Places = std::map<std::string, std::string, std::less<>>;
    /// Notes in `places` where the file sets which key.
    ConfigError(std::string file, Places& places) : file_(std::move(file)), places_(&places) {}

    /// Only the first one is kept.
    void tell(const toml::node& where, std::string_view what);
    [[nodiscard]] const std::string& message() const { return message_; }
    [[nodiscard]] bool empty() const { return message_.empty(); }
    void note(const std::string& key, const toml::node& where);

  private:
    [[nodiscard]] std::string place(const toml::node& where) const;

    std::string file_;
    Places* places_;
    std::string message_;
};

class ConfigTable {
  public:
    ConfigTable(const toml::table& table, std::string name, ConfigError& error)
        : table_(&table), name_(std::move(name)), error_(&error) {}

    // Each leaves its target alone if the key is not there.
    template <class T>
    void integer(std::string_view key, T& target, std::int64_t least = 0,
                 std::int64_t most = std::numeric_limits<T>::max()) {
        if (const auto value = whole_number(key, least, most)) target = static_cast<T>(*value);
    }
    void text(std::string_view key, std::string& target);
    /// A list of texts, none of them empty.
    void texts(std::string_view key, std::vector<std::string>& target);
    void flag(std::string_view key, bool& target);
    /// A number with so many decimals, exactly, in units of the last of them.
    void decimal(std::string_view key, int decimals, Price& target);
    /// One of these words.
    [[nodiscard]] std::optional<std::size_t> word(std::string_view key,
                                                  const std::vector<std::string_view>& words);

    /// The node itself, for what is of several kinds; null if it is not there.
    [[nodiscard]] const toml::node* find(std::string_view key);
    [[nodiscard]] bool require(std::string_view key);
    [[nodiscard]] std::optional<ConfigTable> section(std::string_view key);
    /// Those of [[key]]; nothing if it is not there.
    [[nodiscard]] std::optional<std::vector<ConfigTable>> sections(std::string_view key);

    /// Something is wrong with this key, or with the table.
    void refuse(std::string_view key, std::string_view what) const;
    void refuse(std::string_view what) const;
    /// Whatever was not asked for is unknown.
    void finish() const;
    [[nodiscard]] bool sound() const { return error_->empty(); }

  private:
    [[nodiscard]] std::optional<std::int64_t> whole_number(std::string_view key, std::int64_t least,
                                                           std::int64_t most);
    void expected(std::string_view key, const toml::node& found, std::string_view what) const;
    [[nodiscard]] std::string full_name(std::string_view key) const;

    const toml::table* table_;
    std::string name_;
    ConfigError* error_;
    std::set<std::string, std::less<>> known_;
};

}  // namespace damrak::app
