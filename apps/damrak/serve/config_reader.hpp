// Reads rows of settings out of TOML tables, and keeps the first thing that is wrong: file, line,
// key, what was expected and what is there. The reader continues as if nothing had happened, and
// asks once, at the end. Used at start and at a reload.
//
//   ConfigError error{path, places};
//   ConfigTable root{parsed, "", error};
//   root.read(rows, settings);
//   root.finish();   // any key that no row has is an error
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <toml++/toml.h>

#include <damrak/gateway/setting.hpp>

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

    /// Reads each row whose key is there. A key with dots is in a table of this one.
    template <class S>
    void read(const std::vector<gateway::Setting<S>>& rows, S& owner) {
        for (const auto& row : rows)
            if (row.required && !require(row.name)) return;
        for (const auto& row : rows) {
            if (!row.in_file) continue;
            const auto value = read_value(row, row.decimals ? row.decimals(owner) : 0);
            if (!value) continue;
            if (const std::string wrong = row.set(owner, *value); !wrong.empty())
                refuse(row.name, wrong);
        }
    }
    /// The tables of [[name]], dots as above; nothing if it is not there.
    [[nodiscard]] std::optional<std::vector<ConfigTable>> sections(std::string_view name);

    /// Something is wrong with this key, or with the table if it is empty.
    void refuse(std::string_view name, std::string_view what);
    /// Whatever was not asked for is unknown.
    void finish() const;

  private:
    using Value = std::optional<gateway::SettingValue>;

    [[nodiscard]] bool require(std::string_view key);
    [[nodiscard]] Value read_value(const gateway::SettingInfo& row, int decimals);
    [[nodiscard]] Value steps(std::string_view key, const gateway::SettingInfo& row, int decimals);
    /// The table that has this name's last part, and that part; null if there is none.
    [[nodiscard]] std::pair<ConfigTable*, std::string_view> resolve(std::string_view name);
    [[nodiscard]] ConfigTable* child(std::string_view key);
    [[nodiscard]] const toml::node* find(std::string_view key);
    /// Tells what was expected; nothing, for a reader to return.
    Value expected(std::string_view key, const toml::node& found, std::string_view what) const;
    void refuse_here(std::string_view key, std::string_view what) const;
    [[nodiscard]] std::string full_name(std::string_view key) const;

    const toml::table* table_;
    std::string name_;
    ConfigError* error_;
    std::set<std::string, std::less<>> known_;
    std::map<std::string, std::unique_ptr<ConfigTable>, std::less<>> children_;
};

}  // namespace damrak::app
