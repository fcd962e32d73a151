#include <damrak/exchange/settings_table.hpp>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

const std::vector<Setting<Settings>>& setting_rows() {
    static const std::vector<Setting<Settings>> all = [] {
        std::vector<Setting<Settings>> rows;
        const auto own = [&rows](const auto&... sections) {
            Rows<Settings> some;
            (sections(some), ...);
            for (auto& row : some.take()) rows.push_back(std::move(row));
        };
        const auto brought = [&rows](const auto& sections) {
            Rows<gateway::Settings> some;
            for (const standard_exchange::AddRows add : sections) add(some);
            for (const auto& row : some.take()) rows.emplace_back(row);
        };
        own(add_gateways, add_journal, add_day);
        brought(standard_exchange::k_feed_rows);
        own(add_session);
        brought(standard_exchange::k_gateway_rows);
        own(add_capacity, add_run, add_telemetry, add_default_limits);
        return rows;
    }();
    return all;
}

}  // namespace damrak::exchange
