#include "serve/report.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/domain/phase_names.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/gateway/feeds/l2_gateway.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/net/address.hpp>

#include "cli.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

// What keeps it from continuous trading.
std::string state_of(const InstrumentState& in) {
    if (in.state == TradingState::halted) return ", halted";
    return in.phase == Phase::continuous ? "" : fmt::format(", {}", name(in.phase));
}

// The first ones by name, the others by number.
std::string listed(const std::vector<const InstrumentState*>& instruments) {
    constexpr std::size_t k_most = 8;
    std::string text;
    for (std::size_t i = 0; i < std::min(instruments.size(), k_most); ++i)
        text += fmt::format("{}{} ({}{})", i == 0 ? "" : ", ",
                            instruments[i]->definition().symbol.view(), instruments[i]->id().value,
                            state_of(*instruments[i]));
    if (instruments.size() > k_most)
        text += fmt::format(" and {} more", instruments.size() - k_most);
    return instruments.empty() ? "none" : text;
}

std::string address_of(const std::string& gateway, const ServeSettings& settings) {
    if (gateway == "l2") return gateway::feeds::k_l2_group;
    const std::string& interface = settings.of<gateway::udp::UdpSettings>().interface;
    if (gateway == "udp" && !interface.empty()) return interface;
    return settings.numeric_address;
}

}  // namespace

void tell_recovered(const ServeSettings& settings, const exchange::Exchange& exchange) {
    constexpr std::array<std::string_view, 3> k_durability{
        "async: answers survive the end of the process; synced behind",
        "group: answers wait for the disk, many at a time",
        "sync: answers wait for the disk, one at a time"};
    say("data         {}\n", std::filesystem::absolute(settings.data).string());
    say("durability   {}\n", k_durability.at(static_cast<std::size_t>(settings.durability)));
    const exchange::Recovered& recovered = exchange.recovered();
    const journal::Recovery& journal = recovered.journal;
    for (const std::string& note : recovered.notes) say("note         {}\n", note);
    if (journal.last_sequence == 0) {
        say("recovered    nothing: a new journal\n");
        return;
    }
    const std::string from =
        recovered.snapshot == 0
            ? std::string{}
            : fmt::format("the snapshot of record {}, then ", recovered.snapshot);
    say("recovered    {}{} up to record {} in {:.2f} s; state hash {:016x}\n", from,
        counted(static_cast<std::int64_t>(journal.records), "record"), journal.last_sequence,
        recovered.seconds, exchange.trading().state_hash());
    if (!journal.cut.empty()) say("note         {}\n", journal.cut);
}

void tell_market(const ServeSettings& settings, const exchange::Exchange& exchange,
                 const std::map<std::string, std::uint16_t>& ports) {
    const auto market = exchange.trading().market();
    say("instruments  {}\n", listed(market.instruments));
    if (settings.venue) say("venue        {}: {}\n", settings.venue->name, settings.venue->about);
    for (const auto& [gateway, port] : ports)
        say("gateway      {} on {}\n", gateway,
            net::host_and_port(address_of(gateway, settings), port));
    for (const std::string& line : exchange.trading().descriptions(settings)) say("{}\n", line);
    if (exchange.settings().identified_only) {
        say("entry        at every gateway with one of {}\n", settings.credentials());
    } else if (settings.has_identities()) {
        say("entry        open to everyone who connects, {} known (--anonymous)\n",
            settings.credentials());
    } else {
        say("entry        open to everyone who connects (no API keys are set)\n");
    }
    say("market       {}\n", settings.demo_market
                                 ? "a few built-in participants trade (--demo-market)"
                                 : "quiet until someone trades");
}

void tell_ready(const ServeSettings& settings, const std::map<std::string, std::uint16_t>& ports,
                bool json) {
    if (json) {
        fmt::print("{}\n",
                   nlohmann::ordered_json{
                       {"ready", true}, {"address", settings.numeric_address}, {"ports", ports}}
                       .dump());
    } else {
        fmt::print("ready");
        for (const auto& [gateway, port] : ports) fmt::print(" {}={}", gateway, port);
        fmt::print("\n");
    }
    std::fflush(stdout);
}

void tell_how_to_connect(const ServeSettings& settings,
                         const std::map<std::string, std::uint16_t>& ports) {
    const ServeSettings usual;
    const auto flag = [&](const char* gateway, const char* name) {
        const auto found = ports.find(gateway);
        if (found == ports.end() || usual.port(gateway) == found->second) return std::string{};
        return fmt::format(" {} {}", name, found->second);
    };
    if (!ports.contains("binary")) return;
    // An exchange that listens on all addresses also listens on the clients' default address.
    const bool elsewhere = settings.numeric_address != usual.numeric_address &&
                           settings.numeric_address != "0.0.0.0" &&
                           settings.numeric_address != "::";
    const std::string port =
        (elsewhere ? " --address " + settings.numeric_address : "") + flag("binary", "--port");
    say("connect      from a second terminal, Ctrl-C ends this one\n");
    say("  {} term{}{}{}    trade by hand\n", program_invocation_name, port,
        flag("l2", "--l2-port"), flag("http", "--http-port"));
    say("  {} load{}    put it under load\n", program_invocation_name, port);
}

void tell_closed(const exchange::Exchange& exchange) {
    say("closed       state hash {:016x} after {}\n", exchange.trading().state_hash(),
        counted(static_cast<std::int64_t>(exchange.trading().commands()), "command"));
}

}  // namespace damrak::app
