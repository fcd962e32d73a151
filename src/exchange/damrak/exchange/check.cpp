#include <damrak/exchange/check.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ranges>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/net/address.hpp>
#include <damrak/net/tcp.hpp>
#include <damrak/standard_exchange/gateway_settings.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>
#include <damrak/venue/venue_file.hpp>

namespace damrak::exchange {

namespace {

using Found = std::optional<Misfit>;

// Gateways that are not listed are those of a program that embeds an exchange.
bool takes_orders(std::string_view gateway) {
    const standard_exchange::GatewayRow* const row = standard_exchange::find_gateway(gateway);
    return row == nullptr || row->takes_orders;
}

bool is_tcp(std::string_view gateway) {
    const standard_exchange::GatewayRow* const row = standard_exchange::find_gateway(gateway);
    return row == nullptr || row->has_connections;
}

// As a list in a sentence.
std::string gateways_for_orders() {
    std::vector<std::string_view> names;
    for (const standard_exchange::GatewayRow& gateway : standard_exchange::k_gateways)
        if (gateway.takes_orders) names.push_back(gateway.name);
    const std::string_view last = names.back();
    names.pop_back();
    return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

std::string gateway_key(std::string_view gateway) { return fmt::format("gateways.{}", gateway); }

Found check_gateways(const Settings& settings) {
    if (std::ranges::none_of(settings.ports | std::views::keys, takes_orders))
        return Misfit{"gateways", fmt::format("all gateways are closed to orders: open {}",
                                              gateways_for_orders())};
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
    if (auto found = check_gateways(settings)) return found;
    if (auto found = check_threads(settings)) return found;
    for (const auto check : standard_exchange::k_gateway_checks)
        if (auto found = check(settings)) return found;
    return check_data(settings);
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
