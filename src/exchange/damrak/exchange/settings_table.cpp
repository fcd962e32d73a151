#include <damrak/exchange/settings_table.hpp>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

const std::vector<Setting<Settings>>& setting_rows() {
    static const std::vector<Setting<Settings>> all = [] {
        Rows<Settings> rows;
        for (const auto add : {add_gateways, add_journal, add_day, add_session, add_fix, add_ouch,
                               add_udp, add_capacity, add_run, add_telemetry, add_default_limits})
            add(rows);
        return rows.take();
    }();
    return all;
}

}  // namespace damrak::exchange
