// A setting as a row: its name, kind, range, help, flag, how to get and set it, and whether a
// reload applies it. The reader of the configuration file, the flags, the printer, the check of a
// reload and the reference page loop over such rows (exchange/settings_table.hpp), and know no
// setting by name. Each gateway has rows of its own. docs/how-to/add-a-setting.md shows how to add
// one. At start and at a reload.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <damrak/gateway/settings.hpp>

namespace damrak::gateway {

/// A number in units of the last of `decimals` decimals.
struct Decimal {
    std::int64_t units = 0;
    int decimals = 0;
    friend bool operator==(const Decimal&, const Decimal&) = default;
};

/// What stands for the value of a secret setting wherever settings are shown; no value itself.
inline constexpr std::string_view k_secret_mark = "(secret)";

/// The value of a setting in the configuration file. std::monostate: the word off of a port.
using SettingValue =
    std::variant<std::monostate, bool, std::int64_t, Decimal, std::string, std::vector<std::string>,
                 std::vector<std::int64_t>, std::vector<std::vector<Decimal>>>;

enum class SettingKind : std::uint8_t {
    truth,    ///< bool
    number,   ///< std::int64_t from `least` to `most`
    port,     ///< std::int64_t from 0 to `most`, or off
    decimal,  ///< Decimal; below zero only with a negative `least`
    text,     ///< std::string
    word,     ///< std::string, one of `words`
    texts,    ///< std::vector<std::string>
    numbers,  ///< std::vector<std::int64_t>, each from `least` to `most`, of `words`[0]
    steps,    ///< a list of tables, each with one decimal per word of `words`
};

/// The part of a setting that does not depend on its owner.
struct SettingInfo {
    std::string name;  ///< full name in the file: journal.durability
    SettingKind kind{};
    std::string help;  ///< for the command line and the reference page
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::vector<std::string_view> words;
    std::string_view flag;       ///< command line flag; empty: none
    bool flag_has_name = false;  ///< the flag needs a text that is not empty
    bool zero_is_off = false;    ///< the flag also takes off for zero
    bool in_file = true;         ///< false: only the flag sets it
    bool required = false;       ///< in each table of a list
    bool reloadable = false;     ///< false: a reload that changes it is refused
    /// Its value is never shown: k_secret_mark is printed for it, and no message about it may quote
    /// it. An empty value is none.
    bool secret = false;

    [[nodiscard]] std::string_view section() const {
        return std::string_view{name}.substr(0, name.rfind('.'));
    }
    /// The name within its section.
    [[nodiscard]] std::string_view key() const {
        return std::string_view{name}.substr(name.rfind('.') + 1);
    }
};

/// A row for an `S`.
template <class S>
struct Setting : SettingInfo {
    /// Nothing: not set, and not printed.
    std::function<std::optional<SettingValue>(const S&)> get;
    /// The value already has the row's kind and range. Returns any other error.
    std::function<std::string(S&, const SettingValue&)> set;
    /// For a decimal.
    std::function<int(const S&)> decimals;

    Setting() = default;
    /// Makes a setting of a base class one of the derived class.
    template <class Base>
        requires std::derived_from<S, Base> && (!std::same_as<S, Base>)
    explicit Setting(const Setting<Base>& other)
        : SettingInfo(other), get(other.get), set(other.set), decimals(other.decimals) {}

    Setting& by_flag(std::string_view flag_name) {
        flag = flag_name;
        return *this;
    }
    Setting& with_name() {
        flag_has_name = true;
        return *this;
    }
    Setting& or_off() {
        zero_is_off = true;
        return *this;
    }
    Setting& or_below_zero() {
        least = std::numeric_limits<std::int64_t>::min();
        return *this;
    }
    Setting& by_flag_only() {
        in_file = false;
        return *this;
    }
    Setting& is_required() {
        required = true;
        return *this;
    }
    Setting& by_reload() {
        reloadable = true;
        return *this;
    }
    Setting& is_secret() {
        secret = true;
        return *this;
    }
    /// Adds a check: `wrong` returns what is wrong with the value.
    template <class Check>
    Setting& checked(Check wrong) {
        set = [assign = std::move(set), wrong](S& owner, const SettingValue& value) {
            std::string why = wrong(std::get<std::string>(value));
            return why.empty() ? assign(owner, value) : why;
        };
        return *this;
    }
    /// Does not print the setting while it has this value.
    Setting& unset_at(SettingValue nothing) {
        get = [read = std::move(get), nothing = std::move(nothing)](const S& owner) {
            auto value = read(owner);
            return value == nothing ? std::nullopt : value;
        };
        return *this;
    }
};

/// Accessor of a member of a member.
template <class Outer, class Inner>
[[nodiscard]] auto at(Outer outer, Inner inner) {
    return [=](auto& owner) -> auto& { return std::invoke(inner, std::invoke(outer, owner)); };
}

/// Builds rows, one section after another. `member` is a member of S, or at(…).
template <class S>
class Rows {
  public:
    Rows& section(std::string_view name) {
        prefix_ = name.empty() ? "" : std::string{name} + ".";
        return *this;
    }

    template <class Member>
    Setting<S>& truth(std::string_view name, Member member, std::string help) {
        return plain<bool>(SettingKind::truth, name, member, std::move(help));
    }
    template <class Member>
    Setting<S>& text(std::string_view name, Member member, std::string help) {
        return custom(
            SettingKind::text, name,
            [=](const S& owner) -> SettingValue { return std::string{std::invoke(member, owner)}; },
            [=](S& owner, const SettingValue& value) {
                std::invoke(member, owner) = std::get<std::string>(value);
                return std::string{};
            },
            std::move(help));
    }
    template <class Member>
    Setting<S>& texts(std::string_view name, Member member, std::string help) {
        return plain<std::vector<std::string>>(SettingKind::texts, name, member, std::move(help));
    }
    /// A number that the file has in `unit`s of the member's unit.
    template <class Member>
    Setting<S>& number(std::string_view name, Member member, std::int64_t least, std::int64_t most,
                       std::string help, std::int64_t unit = 1) {
        Setting<S>& row = custom(
            SettingKind::number, name,
            [=](const S& owner) -> SettingValue {
                return static_cast<std::int64_t>(count(std::invoke(member, owner))) / unit;
            },
            [=](S& owner, const SettingValue& value) {
                auto& target = count(std::invoke(member, owner));
                target = static_cast<std::remove_reference_t<decltype(target)>>(
                    std::get<std::int64_t>(value) * unit);
                return std::string{};
            },
            std::move(help));
        row.least = least;
        row.most = most;
        return row;
    }
    template <class Member>
    Setting<S>& mebibytes(std::string_view name, Member member, std::int64_t least,
                          std::int64_t most, std::string help) {
        return number(name, member, least, most, std::move(help), std::int64_t{1} << 20U);
    }
    /// An enumeration whose values are indices into `words`, times `step`.
    template <class Member>
    Setting<S>& word(std::string_view name, Member member, std::span<const std::string_view> words,
                     std::string help, std::size_t step = 1) {
        Setting<S>& row = custom(
            SettingKind::word, name,
            [=](const S& owner) -> SettingValue {
                return std::string{
                    words[static_cast<std::size_t>(std::invoke(member, owner)) / step]};
            },
            [=](S& owner, const SettingValue& value) {
                auto& target = std::invoke(member, owner);
                for (std::size_t i = 0; i < words.size(); ++i)
                    if (words[i] == std::get<std::string>(value))
                        target = static_cast<std::remove_reference_t<decltype(target)>>(i * step);
                return std::string{};
            },
            std::move(help));
        row.words.assign(words.begin(), words.end());
        return row;
    }
    /// A price whose number of decimals `decimals` gets from its owner.
    template <class Member, class Decimals>
    Setting<S>& price(std::string_view name, Member member, Decimals decimals, std::string help) {
        Setting<S>& row = custom(
            SettingKind::decimal, name,
            [=](const S& owner) -> SettingValue {
                return Decimal{count(std::invoke(member, owner)), decimals(owner)};
            },
            [=](S& owner, const SettingValue& value) {
                count(std::invoke(member, owner)) = std::get<Decimal>(value).units;
                return std::string{};
            },
            std::move(help));
        row.decimals = decimals;
        return row;
    }
    template <class Get, class Set>
    Setting<S>& custom(SettingKind kind, std::string_view name, Get get, Set set,
                       std::string help) {
        Setting<S>& row = rows_.emplace_back();
        row.name = prefix_ + std::string{name};
        row.kind = kind;
        row.help = std::move(help);
        row.get = std::move(get);
        row.set = std::move(set);
        return row;
    }

    [[nodiscard]] std::vector<Setting<S>> take() { return std::move(rows_); }

  private:
    // A number, or the value of a type such as Quantity.
    template <class T>
    static auto& count(T& value) {
        if constexpr (requires { value.value; }) {
            return value.value;
        } else {
            return value;
        }
    }
    template <class T, class Member>
    Setting<S>& plain(SettingKind kind, std::string_view name, Member member, std::string help) {
        return custom(
            kind, name, [=](const S& owner) -> SettingValue { return std::invoke(member, owner); },
            [=](S& owner, const SettingValue& value) {
                std::invoke(member, owner) = std::get<T>(value);
                return std::string{};
            },
            std::move(help));
    }

    std::string prefix_;
    std::vector<Setting<S>> rows_;
};

/// The greatest number of this type that the file may have.
template <class T>
inline constexpr std::int64_t k_most =
    std::in_range<std::int64_t>(std::numeric_limits<T>::max())
        ? static_cast<std::int64_t>(std::numeric_limits<T>::max())
        : std::numeric_limits<std::int64_t>::max();

/// Default bounds of numbers.
inline constexpr std::int64_t k_most_uint32 = k_most<std::uint32_t>;
inline constexpr std::int64_t k_most_int64 = k_most<std::int64_t>;

/// A setting that cannot be used.
struct Misfit {
    std::string key;   ///< as in the configuration file
    std::string what;  ///< what is wrong with it
};

/// A repeated table: [[name]].
template <class T>
struct SettingList {
    std::string name;
    std::string help;
    /// Their ranges may depend on other settings.
    std::function<std::vector<Setting<T>>(const Settings&)> rows;
    /// The initial value of an entry.
    std::function<T(const Settings&)> first;
    /// Checks an entry as a whole and may complete it. Returns what is wrong; the key may be empty.
    std::function<std::optional<Misfit>(Settings&, T&)> complete;
    /// Returns what two entries must not share.
    std::function<std::optional<Misfit>(const T& one, const T& other)> clash;
    std::function<std::vector<T>(const Settings&)> get;
    std::function<void(Settings&, std::vector<T>)> set;
};

/// Names of the rows that differ here but that a reload does not apply.
template <class S>
[[nodiscard]] std::vector<std::string> fixed_rows(const std::vector<Setting<S>>& rows,
                                                  const S& running, const S& wanted) {
    std::vector<std::string> names;
    for (const Setting<S>& row : rows)
        if (!row.reloadable && row.get(running) != row.get(wanted)) names.push_back(row.name);
    return names;
}

/// Credentials of one kind, which participants have in the configuration.
struct CredentialKind {
    std::string_view name;  ///< of one: API key
    /// The rows of a participant that have them.
    void (*add_rows)(Rows<ParticipantSettings>&);
    std::int64_t (*count)(const Settings&);
    void (*add_to)(Identities&, const Settings&);
    /// What two participants must not share.
    std::optional<Misfit> (*clash)(const ParticipantSettings& one,
                                   const ParticipantSettings& other);
};

/// Whether two lists have an entry in common.
template <class T>
[[nodiscard]] bool share_any(const std::vector<T>& some, const std::vector<T>& others) {
    return std::ranges::find_first_of(some, others) != some.end();
}

}  // namespace damrak::gateway
