#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

namespace {

std::string describe_port(std::string_view door) {
    if (!door_exists(door)) return "not available in this release: off";
    std::string_view what;
    if (door == "binary") what = "the binary protocol";
    if (door == "fix") what = "FIX, all versions";
    if (door == "ouch") what = "OUCH 4.2 and 5.0";
    if (door == "udp") what = "orders in UDP datagrams";
    if (door == "itch") what = "the ITCH feed over SoupBinTCP";
    if (door == "mold") what = "the MoldUDP64 multicast feed, lines A and B";
    if (door == "retransmit") what = "MoldUDP64 retransmission requests";
    if (door == "glimpse") what = "GLIMPSE snapshots, to join the ITCH feed";
    if (door == "l2") what = "the L2 multicast";
    if (door == "http") what = "HTTP: market data, metrics, health";
    return fmt::format("port of {}; 0: any free port; off: disabled", what);
}

// The flags by door: static storage, as the rows refer to the texts.
std::string_view port_flag(std::string_view door) {
    static const auto flags = [] {
        std::map<std::string_view, std::string> made;
        for (const std::string_view each : k_doors) made[each] = fmt::format("--{}-port", each);
        return made;
    }();
    return flags.at(door);
}

void add_port(Rows<Settings>& rows, std::string_view door) {
    Setting<Settings>& row = rows.custom(
        SettingKind::port, door,
        [door](const Settings& settings) -> SettingValue {
            const auto port = settings.port(door);
            return port ? SettingValue{std::int64_t{*port}} : SettingValue{};
        },
        [door](Settings& settings, const SettingValue& value) {
            if (const auto* const port = std::get_if<std::int64_t>(&value))
                settings.ports[std::string{door}] = static_cast<std::uint16_t>(*port);
            else
                settings.ports.erase(std::string{door});
            return std::string{};
        },
        describe_port(door));
    row.most = door_exists(door) ? k_most<std::uint16_t> : -1;
    row.by_flag(port_flag(door));
}

}  // namespace

void add_doors(Rows<Settings>& rows) {
    using S = Settings;
    rows.section("doors");
    rows.text("address", &S::address, "address to listen on: IPv4, IPv6 or a name")
        .by_flag("--address");
    rows.truth("anonymous", &S::anonymous,
               "admit clients without identity although participants have one")
        .by_flag("--anonymous")
        .by_reload();
    for (const std::string_view door : k_doors) add_port(rows, door);
}

}  // namespace damrak::exchange
