#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

namespace {

std::string describe_port(std::string_view gateway) {
    if (!gateway_exists(gateway)) return "not available in this release: off";
    std::string_view what;
    if (gateway == "binary") what = "the binary protocol";
    if (gateway == "fix") what = "FIX, all versions";
    if (gateway == "ouch") what = "OUCH 4.2 and 5.0";
    if (gateway == "udp") what = "orders in UDP datagrams";
    if (gateway == "itch") what = "the ITCH feed over SoupBinTCP";
    if (gateway == "mold") what = "the MoldUDP64 multicast feed, lines A and B";
    if (gateway == "retransmit") what = "MoldUDP64 retransmission requests";
    if (gateway == "glimpse") what = "GLIMPSE snapshots, to join the ITCH feed";
    if (gateway == "l2") what = "the L2 multicast";
    if (gateway == "http") what = "HTTP: market data, metrics, health";
    return fmt::format("port of {}; 0: any free port; off: disabled", what);
}

// The flags by gateway: static storage, as the rows refer to the texts.
std::string_view port_flag(std::string_view gateway) {
    static const auto flags = [] {
        std::map<std::string_view, std::string> made;
        for (const std::string_view each : k_gateways) made[each] = fmt::format("--{}-port", each);
        return made;
    }();
    return flags.at(gateway);
}

void add_port(Rows<Settings>& rows, std::string_view gateway) {
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
        describe_port(gateway));
    row.most = gateway_exists(gateway) ? k_most<std::uint16_t> : -1;
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
    for (const std::string_view gateway : k_gateways) add_port(rows, gateway);
}

}  // namespace damrak::exchange
