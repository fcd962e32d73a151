#include <damrak/exchange/check.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <net/if.h>

#include <damrak/net/address.hpp>
#include <damrak/net/tcp.hpp>
#include <damrak/net/tls.hpp>
#include <damrak/venue/venue_file.hpp>

namespace damrak::exchange {

namespace {

using Found = std::optional<Misfit>;

bool takes_orders(std::string_view gateway) {
    constexpr std::array<std::string_view, 6> k_others{"itch",    "mold", "retransmit",
                                                       "glimpse", "l2",   "http"};
    return std::ranges::find(k_others, gateway) == k_others.end();
}

bool is_tcp(std::string_view gateway) {
    constexpr std::array<std::string_view, 4> k_datagrams{"udp", "mold", "retransmit", "l2"};
    return std::ranges::find(k_datagrams, gateway) == k_datagrams.end();
}

std::string gateway_key(std::string_view gateway) { return fmt::format("gateways.{}", gateway); }

Found check_gateways(const Settings& settings) {
    if (std::ranges::none_of(settings.ports | std::views::keys, takes_orders))
        return Misfit{"gateways",
                      "all gateways are closed to orders: open binary, fix, ouch or udp"};
    for (const auto& [gateway, port] : settings.ports)
        for (const auto& [other, same] : settings.ports)
            if (gateway < other && port == same && port != 0 && is_tcp(gateway) && is_tcp(other))
                return Misfit{
                    gateway_key(other),
                    fmt::format("port {} is that of the {} gateway already", port, gateway)};
    return {};
}

Found check_threads(const Settings& settings) {
    if (settings.wiring == Wiring::pipelined) return {};
    if (settings.shards > 1)
        return Misfit{"run.shards",
                      fmt::format("{} shards need run.wiring = \"pipelined\"; inline, one thread "
                                  "matches",
                                  settings.shards)};
    static const Settings usual;
    if (settings.waiting != usual.waiting)
        return Misfit{"run.wait",
                      "is of run.wiring = \"pipelined\"; inline, run.spin says whether to wait"};
    return {};
}

Found check_udp(const Settings& settings) {
    if (!settings.port("udp")) return {};
    const UdpSettings& udp = settings.udp;
    if (!udp.interface.empty() && ::if_nametoindex(udp.interface.c_str()) == 0)
        return Misfit{"udp.interface",
                      fmt::format("there is no network interface '{}'", udp.interface)};
    if (udp.path == net::PathChoice::xdp && udp.interface.empty())
        return Misfit{"udp.path", "AF_XDP needs udp.interface, the name of a network interface"};
    const auto& instruments = settings.instruments;
    const auto is_it = [&](const InstrumentSettings& one) {
        return one.definition.id.value == udp.instrument;
    };
    if (udp.instrument != 0 && instruments && std::ranges::none_of(*instruments, is_it))
        return Misfit{"udp.instrument", fmt::format("there is no instrument {}", udp.instrument)};
    return {};
}

Found check_feed(const Settings& settings) {
    const bool has_unicast = !settings.mold_unicast_a.empty() || !settings.mold_unicast_b.empty();
    if (!has_unicast || settings.port("mold")) return {};
    return Misfit{settings.mold_unicast_a.empty() ? "feed.mold_unicast_b" : "feed.mold_unicast_a",
                  "MoldUDP64 is off: give it a port with gateways.mold"};
}

Found check_tls(const Settings& settings) {
    const net::TlsFiles& files = settings.fix.tls;
    if (files == net::TlsFiles{}) return {};
    const auto context = net::TlsContext::acceptor(files);
    if (context) return {};
    const bool has_certificate = !files.certificate.empty();
    const bool has_key = !files.key.empty();
    return Misfit{has_certificate ? "fix.tls.certificate"
                  : has_key       ? "fix.tls.key"
                                  : "fix.tls.client_ca",
                  context.error()};
}

Found check_data(const Settings& settings) {
    if (settings.data.empty())
        return Misfit{"journal.directory", "expected the name of a directory, found nothing"};
    std::error_code ignored;
    if (std::filesystem::exists(settings.data, ignored) &&
        !std::filesystem::is_directory(settings.data, ignored))
        return Misfit{"journal.directory",
                      fmt::format("{} is not a directory", settings.data.string())};
    return {};
}

// The venue leads the phases; its trading day holds where none is configured.
Found complete_venue(Settings& settings) {
    settings.venue = nullptr;
    if (settings.venue_name.empty()) return {};
    auto found = venue::find_venue(settings.venue_name);
    if (!found) return Misfit{"run.venue", found.error()};
    if (settings.replayed)
        return Misfit{"run.venue", "a replayed day has the rules of its recording"};
    for (const InstrumentSettings& one : settings.instruments.value_or(usual_instruments()))
        if (one.phase != Phase{} || one.auction != AuctionRule{})
            return Misfit{"run.venue",
                          fmt::format("instrument {} has a phase or auction of its own, which the "
                                      "venue's timetable decides: leave them out",
                                      one.definition.id.value)};
    if (settings.day == DaySettings{})
        settings.day = {
            .zone = found->zone, .begin_ns = found->day_begin_ns, .end_ns = found->day_end_ns};
    settings.venue = std::make_shared<const venue::Venue>(*std::move(found));
    return {};
}

}  // namespace

std::optional<Misfit> complete_settings(Settings& settings) {
    auto cores = pinned_cores(settings.pin);
    if (!cores) return Misfit{"run.pin", cores.error()};
    settings.cores = std::move(*cores);
    const auto address = net::resolve(settings.address, 0);
    if (!address) return Misfit{"gateways.address", address.error()};
    settings.numeric_address = address->host();
    if (auto found = complete_venue(settings)) return found;
    for (const auto check :
         {check_gateways, check_threads, check_udp, check_feed, check_tls, check_data})
        if (auto found = check(settings)) return found;
    return {};
}

std::optional<Misfit> check_ports(const Settings& settings) {
    if (const auto listens = net::can_listen(settings.numeric_address, 0); !listens)
        return Misfit{"gateways.address", listens.error()};
    for (const auto& [gateway, port] : settings.ports) {
        if (!is_tcp(gateway) || port == 0) continue;
        if (const auto listens = net::can_listen(settings.numeric_address, port); !listens)
            return Misfit{gateway_key(gateway),
                          fmt::format("cannot listen on {} (another exchange, perhaps: 0 takes a "
                                      "free port, \"off\" closes the gateway)",
                                      listens.error())};
    }
    return {};
}

}  // namespace damrak::exchange
