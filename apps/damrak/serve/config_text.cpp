#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/net/address.hpp>

#include "serve/config.hpp"
#include "serve/fix.hpp"
#include "serve/udp.hpp"

namespace damrak::app {

std::string toml_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
            result += c;
        }
    }
    return result + '"';
}

namespace {

std::string source_text(const gateway::Identities::Source& source) {
    const auto& [address, port] = source;
    const auto of_ipv4 = std::span{address}.last<4>();
    std::array<std::uint8_t, 4> plain{};
    std::ranges::copy(of_ipv4, plain.begin());
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (gateway::Identities::source_of(plain, port) == source)
        ::inet_ntop(AF_INET, plain.data(), text.data(), text.size());
    else
        ::inet_ntop(AF_INET6, address.data(), text.data(), text.size());
    return port == 0 ? std::string{text.data()} : net::host_and_port(text.data(), port);
}

// Of a count of the last of so many decimals; no floating point, so that all digits are right.
std::string decimal(Price price, int decimals) {
    if (decimals == 0) return fmt::format("{}", price.value);
    std::int64_t unit = 1;
    for (int i = 0; i < decimals; ++i) unit *= 10;
    return fmt::format("{}.{:0{}}", price.value / unit, price.value % unit, decimals);
}

std::string hexadecimal(const wire::binary::ApiKey& key) {
    std::string text;
    for (const std::byte byte : key) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

std::string doors_text(const ServeSettings& settings) {
    std::string text = fmt::format("[doors]\naddress = {}\nanonymous = {}\n",
                                   toml_text(settings.address), settings.anonymous);
    for (const std::string_view door : exchange::k_doors) {
        const auto port = settings.port(door);
        text += port ? fmt::format("{} = {}\n", door, *port) : fmt::format("{} = \"off\"\n", door);
    }
    return text;
}

std::string journal_text(const ServeSettings& settings) {
    constexpr std::array<std::string_view, 3> k_durability{"async", "group", "sync"};
    return fmt::format(
        "\n[journal]\ndirectory = {}\ndurability = \"{}\"\nsegment_mib = {}\nsnapshot_every = {}\n"
        "retention_mib = {}\nretention_s = {}\nclock_behind_s = {}\nclock_ahead_s = {}\n",
        toml_text(settings.data.string()),
        k_durability.at(static_cast<std::size_t>(settings.durability)),
        settings.segment_bytes >> 20U, settings.snapshot_every, settings.retention_bytes >> 20U,
        settings.retention_s, settings.clock_behind_s, settings.clock_ahead_s);
}

std::string session_text(const ServeSettings& settings) {
    return fmt::format(
        "\n[session]\ntimeout_s = {}\ncancel_on_disconnect = {}\ncancel_on_logout = {}\n"
        "messages_per_second = {}\nburst_messages = {}\n",
        settings.session_timeout_s, settings.cancel_on_disconnect, settings.cancel_on_logout,
        settings.messages_per_second, settings.burst_messages);
}

std::string capacity_text(const ServeSettings& settings) {
    const EngineConfig& engine = settings.capacity;
    return fmt::format(
        "\n[capacity]\nanonymous_share = {}\nconnections = {}\ninstruments = {}\nparticipants = "
        "{}\naccounts = {}\n"
        "orders = {}\nspecial_orders = {}\nlevels = {}\nladder_nodes = {}\n",
        settings.anonymous_share, settings.connections, engine.maximum_instruments,
        engine.maximum_participants, engine.maximum_accounts, engine.maximum_orders,
        engine.maximum_extensions, engine.maximum_levels, engine.maximum_ladder_nodes);
}

std::string run_text(const ServeSettings& settings) {
    return fmt::format(
        "\n[run]\nspin = {}\nwiring = \"{}\"\nshards = {}\nwait = \"{}\"\npin = {}\n"
        "rings = {{ inbound = {}, commands = {}, notices = {}, events = {} }}\n"
        "demo_market = {}\n",
        settings.spin, exchange::k_wirings.at(static_cast<std::size_t>(settings.wiring)),
        settings.shards, exchange::k_waits.at(static_cast<std::size_t>(settings.waiting)),
        toml_text(settings.pin), settings.rings.inbound, settings.rings.commands,
        settings.rings.notices, settings.rings.events, settings.demo_market);
}

std::string instrument_text(const InstrumentSettings& instrument) {
    const InstrumentDefinition& definition = instrument.definition;
    const int decimals = definition.price_decimals;
    std::string text = fmt::format(
        "\n[[instruments]]\nid = {}\nsymbol = {}\ndecimals = {}\ntick = {}\nlot = {}\n"
        "maximum_price = {}\nmaximum_quantity = {}\nunpublished = {}\nshard_group = {}\n"
        "halted = {}\nisin = {}\n",
        definition.id.value, toml_text(definition.symbol.view()), decimals,
        decimal(definition.tick_bands[0].tick_size, decimals), definition.lot_size.value,
        decimal(definition.maximum_price, decimals), definition.maximum_quantity.value,
        definition.unpublished, definition.shard_group, instrument.halted,
        toml_text(instrument.isin));
    if (definition.band_count == 1) return text;
    text += "tick_bands = [\n";
    for (std::size_t i = 1; i < definition.band_count; ++i)
        text += fmt::format("  {{ from = {}, tick = {} }},\n",
                            decimal(definition.tick_bands[i].from_price, decimals),
                            decimal(definition.tick_bands[i].tick_size, decimals));
    return text + "]\n";
}

std::string limits_text(const LimitDetails& limits, std::string_view prefix) {
    std::string text;
    const std::array<std::pair<std::string_view, std::int64_t>, 5> values{
        {{"order_quantity", limits.order_quantity.value},
         {"order_notional", limits.order_notional},
         {"open_orders", limits.open_orders},
         {"open_notional", limits.open_notional},
         {"position", limits.position.value}}};
    for (const auto& [key, value] : values)
        if (value != LimitDetails::k_unlimited || prefix.empty())
            text += fmt::format("{}{} = {}\n", prefix, key, value);
    return text;
}

std::string participant_text(const ParticipantSettings& participant) {
    std::string text =
        fmt::format("\n[[participants]]\nid = {}\nname = {}\nblocked = {}\n", participant.id.value,
                    toml_text(participant.name), participant.blocked);
    if (participant.api_key)
        text += fmt::format("api_key = \"{}\"\n", hexadecimal(*participant.api_key));
    if (!participant.fix_comp_ids.empty()) {
        std::vector<std::string> quoted;
        for (const std::string& comp_id : participant.fix_comp_ids)
            quoted.push_back(toml_text(comp_id));
        text += fmt::format("fix_comp_ids = [{}]\n", fmt::join(quoted, ", "));
    }
    if (!participant.udp_sources.empty()) {
        std::vector<std::string> quoted;
        for (const gateway::Identities::Source& source : participant.udp_sources)
            quoted.push_back(fmt::format("\"{}\"", source_text(source)));
        text += fmt::format("udp_sources = [{}]\n", fmt::join(quoted, ", "));
    }
    return text + limits_text(participant.limits, "limits.");
}

}  // namespace

std::string config_text(const ServeSettings& settings) {
    std::string text =
        doors_text(settings) + journal_text(settings) + session_text(settings) +
        fix_text(settings.fix) + udp_text(settings.udp) + capacity_text(settings) +
        run_text(settings) +
        fmt::format(
            "\n[telemetry]\ntiming_every = {}\nevent_log = {}\nclassic_logs = {}\n"
            "keep_runs = {}\n",
            settings.timing_every, settings.event_log, settings.classic_logs, settings.keep_runs);
    text += "\n[default_limits]\n" + limits_text(settings.default_limits, "");
    for (const InstrumentSettings& one :
         settings.instruments.value_or(exchange::usual_instruments()))
        text += instrument_text(one);
    for (const ParticipantSettings& one : settings.participants) text += participant_text(one);
    return text;
}

}  // namespace damrak::app
