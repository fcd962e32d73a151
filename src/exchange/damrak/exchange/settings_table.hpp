// All settings of an exchange as rows (exchange/setting.hpp), one file per section in
// detail/settings/, and the repeated tables of a configuration. At start and at a reload.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/exchange/check.hpp>
#include <damrak/exchange/setting.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

/// The settings outside of repeated tables, in the order of a printed configuration.
[[nodiscard]] const std::vector<Setting<Settings>>& setting_rows();

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

[[nodiscard]] const SettingList<FixSessionSettings>& fix_session_list();
[[nodiscard]] const SettingList<InstrumentSettings>& instrument_list();
[[nodiscard]] const SettingList<ParticipantSettings>& participant_list();

/// Calls f(list) for each list.
template <class F>
void for_each_list(F&& f) {
    f(fix_session_list());
    f(instrument_list());
    f(participant_list());
}

/// Names of the rows that differ here but that a reload does not apply.
template <class S>
[[nodiscard]] std::vector<std::string> fixed_rows(const std::vector<Setting<S>>& rows,
                                                  const S& running, const S& wanted) {
    std::vector<std::string> names;
    for (const Setting<S>& row : rows)
        if (!row.reloadable && row.get(running) != row.get(wanted)) names.push_back(row.name);
    return names;
}

}  // namespace damrak::exchange
