#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>

namespace damrak::exchange {

namespace {

// The flags by gateway: static storage, as the rows refer to the texts.
std::string_view port_flag(std::string_view gateway) {
    static const auto flags = [] {
        std::map<std::string_view, std::string> made;
        for (const standard_exchange::GatewayRow& each : standard_exchange::k_gateways)
            made[each.name] = fmt::format("--{}-port", each.name);
        return made;
    }();
    return flags.at(gateway);
}

void add_port(Rows<Settings>& rows, const standard_exchange::GatewayRow& listed) {
    const std::string_view gateway = listed.name;
    Setting<Settings>& row = rows.custom(
        SettingKind::port, gateway,
        [gateway](const Settings& settings) -> SettingValue {
            const auto port = settings.port(gateway);
            return port ? SettingValue{std::int64_t{*port}} : SettingValue{};
        },
        [gateway](Settings& settings, const SettingValue& value) {
            if (const auto* const port = std::get_if<std::int64_t>(&value))
                settings.ports[std::string{gateway}] = static_cast<std::uint16_t>(*port);
            else
                settings.ports.erase(std::string{gateway});
            return std::string{};
        },
        fmt::format("port of {}; 0: any free port; off: disabled", listed.what));
    row.most = k_most<std::uint16_t>;
    row.by_flag(port_flag(gateway));
}

}  // namespace

void add_gateways(Rows<Settings>& rows) {
    using S = Settings;
    rows.section("gateways");
    rows.text("address", &S::address, "address to listen on: IPv4, IPv6 or a name")
        .by_flag("--address");
    rows.truth("anonymous", &S::anonymous,
               "admit clients without identity although participants have one")
        .by_flag("--anonymous")
        .by_reload();
    for (const standard_exchange::GatewayRow& gateway : standard_exchange::k_gateways)
        add_port(rows, gateway);
}

}  // namespace damrak::exchange
