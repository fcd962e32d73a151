#include "serve/config.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <limits>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>

#include <damrak/sequencer/partition.hpp>
#include <damrak/wire/binary/api_key.hpp>

#include "serve/config_reader.hpp"
#include "serve/fix.hpp"
#include "serve/udp.hpp"

namespace damrak::app {

namespace {

void read_door(ConfigTable& doors, std::string_view door, ServeSettings& settings) {
    const toml::node* const node = doors.find(door);
    if (node == nullptr) return;
    const auto* const port = node->as_integer();
    const auto* const off = node->as_string();
    if (off != nullptr && off->get() == "off") {
        settings.ports.erase(std::string{door});
    } else if (!exchange::door_exists(door)) {
        doors.refuse(door, R"(this release has no such door: expected "off")");
    } else if (port != nullptr && port->get() >= 0 && port->get() <= 65'535) {
        settings.ports.insert_or_assign(std::string{door}, static_cast<std::uint16_t>(port->get()));
    } else {
        doors.refuse(door, R"(expected a port from 0 (a free one) to 65535, or "off")");
    }
}

void read_doors(ConfigTable& root, ServeSettings& settings) {
    auto doors = root.section("doors");
    if (!doors) return;
    doors->text("address", settings.address);
    doors->flag("anonymous", settings.anonymous);
    for (const std::string_view door : exchange::k_doors) read_door(*doors, door, settings);
    doors->finish();
}

void read_journal(ConfigTable& root, ServeSettings& settings) {
    auto journal = root.section("journal");
    if (!journal) return;
    std::string directory = settings.data.string();
    journal->text("directory", directory);
    settings.data = directory;
    if (const auto chosen = journal->word("durability", {"async", "group", "sync"}))
        settings.durability = static_cast<journal::Durability>(*chosen);
    constexpr std::int64_t k_mib = std::int64_t{1} << 20U;
    std::int64_t segment_mib = static_cast<std::int64_t>(settings.segment_bytes) / k_mib;
    std::int64_t retention_mib = static_cast<std::int64_t>(settings.retention_bytes) / k_mib;
    journal->integer("segment_mib", segment_mib, 1, 65'536);
    journal->integer("retention_mib", retention_mib, 0, std::int64_t{1} << 40U);
    settings.segment_bytes = static_cast<std::uint64_t>(segment_mib * k_mib);
    settings.retention_bytes = static_cast<std::uint64_t>(retention_mib * k_mib);
    journal->integer("retention_s", settings.retention_s, 0, 3'153'600'000);
    journal->integer("clock_behind_s", settings.clock_behind_s, 0, 3'153'600'000);
    journal->integer("clock_ahead_s", settings.clock_ahead_s, 0, 3'153'600'000);
    journal->integer("snapshot_every", settings.snapshot_every, 0, std::int64_t{1} << 62U);
    journal->finish();
}

void read_session(ConfigTable& root, ServeSettings& settings) {
    auto session = root.section("session");
    if (!session) return;
    session->integer("timeout_s", settings.session_timeout_s, 1, 1'000'000);
    session->flag("cancel_on_disconnect", settings.cancel_on_disconnect);
    session->flag("cancel_on_logout", settings.cancel_on_logout);
    session->integer("messages_per_second", settings.messages_per_second);
    session->integer("burst_messages", settings.burst_messages);
    session->finish();
}

void read_capacity(ConfigTable& root, ServeSettings& settings) {
    auto capacity = root.section("capacity");
    if (!capacity) return;
    constexpr std::int64_t k_most = 100'000'000;
    EngineConfig& engine = settings.capacity;
    capacity->integer("anonymous_share", settings.anonymous_share, 1, 100);
    capacity->integer("connections", settings.connections, 1, 1'000'000);
    capacity->integer("instruments", engine.maximum_instruments, 1, 1'000'000);
    capacity->integer("participants", engine.maximum_participants, 1, k_most);
    capacity->integer("accounts", engine.maximum_accounts, 1, k_most);
    capacity->integer("orders", engine.maximum_orders, 1, k_most);
    capacity->integer("special_orders", engine.maximum_extensions, 1, k_most);
    capacity->integer("levels", engine.maximum_levels, 1, k_most);
    capacity->integer("ladder_nodes", engine.maximum_ladder_nodes, 1, k_most);
    capacity->finish();
}

void read_rings(ConfigTable& run, sequencer::RingSizes& sizes) {
    auto rings = run.section("rings");
    if (!rings) return;
    constexpr std::int64_t k_most = 1'048'576;
    rings->integer("inbound", sizes.inbound, 8, k_most);
    rings->integer("commands", sizes.commands, 4, k_most);
    rings->integer("notices", sizes.notices, 16, k_most);
    rings->integer("events", sizes.events, 1, 64);
    rings->finish();
}

void read_run(ConfigTable& root, ServeSettings& settings) {
    auto run = root.section("run");
    if (!run) return;
    run->flag("spin", settings.spin);
    if (const auto chosen =
            run->word("wiring", {exchange::k_wirings.begin(), exchange::k_wirings.end()}))
        settings.wiring = static_cast<Wiring>(*chosen);
    run->integer("shards", settings.shards, 1, sequencer::Partition::k_maximum_shards);
    if (const auto chosen = run->word("wait", {exchange::k_waits.begin(), exchange::k_waits.end()}))
        settings.waiting = static_cast<Waiting>(*chosen);
    run->text("pin", settings.pin);
    if (const auto cores = exchange::pinned_cores(settings.pin); !cores)
        run->refuse("pin", cores.error());
    read_rings(*run, settings.rings);
    run->flag("demo_market", settings.demo_market);
    run->finish();
}

void read_telemetry(ConfigTable& root, ServeSettings& settings) {
    auto telemetry = root.section("telemetry");
    if (!telemetry) return;
    telemetry->integer("timing_every", settings.timing_every, 0, 999'999'999);
    telemetry->flag("event_log", settings.event_log);
    telemetry->flag("classic_logs", settings.classic_logs);
    telemetry->integer("keep_runs", settings.keep_runs, 0, 1'000'000);
    telemetry->finish();
}

void read_tick_bands(ConfigTable& table, int decimals, InstrumentDefinition& definition) {
    auto bands = table.sections("tick_bands");
    if (!bands) return;
    for (ConfigTable& band : *bands) {
        TickBand next{};
        if (!band.require("from") || !band.require("tick")) return;
        band.decimal("from", decimals, next.from_price);
        band.decimal("tick", decimals, next.tick_size);
        band.finish();
        if (band.sound() && definition.add_band(next) != Reason::none)
            band.refuse(
                "a band begins above the one before and below maximum_price, at a multiple of both "
                "tick sizes, and of all tick sizes the smallest divides the others; there are at "
                "most 16");
    }
}

// Two letters, nine letters or digits, and a digit that makes the sum of all come out even (ISO
// 6166): letters count as two digits, and every other digit from the right twice.
bool is_isin(std::string_view text) {
    constexpr std::size_t k_length = 12;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (text.size() != k_length || !is_letter(text[0]) || !is_letter(text[1])) return false;
    if (!is_digit(text.back())) return false;
    std::string digits;
    for (const char c : text) {
        if (!is_digit(c) && !is_letter(c)) return false;
        digits += is_digit(c) ? std::string{c} : std::to_string(c - 'A' + 10);
    }
    int sum = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const int digit = digits[digits.size() - 1 - i] - '0';
        const int counted = i % 2 == 0 ? digit : 2 * digit;
        sum += counted > 9 ? counted - 9 : counted;
    }
    return sum % 10 == 0;
}

InstrumentSettings read_instrument(ConfigTable& table, const ServeSettings& settings) {
    InstrumentSettings result;
    InstrumentDefinition& definition = result.definition;
    if (!table.require("id") || !table.require("symbol")) return result;
    table.integer("id", definition.id.value, 1, settings.capacity.maximum_instruments);
    std::string symbol;
    table.text("symbol", symbol);
    if (symbol.size() > definition.symbol.characters.size())
        table.refuse("symbol", "a symbol has at most 16 characters");
    definition.symbol = Symbol::of(symbol);
    table.integer("decimals", definition.price_decimals, 0, 9);
    const int decimals = definition.price_decimals;
    table.decimal("tick", decimals, definition.tick_bands[0].tick_size);
    table.decimal("maximum_price", decimals, definition.maximum_price);
    table.integer("lot", definition.lot_size.value, 1);
    table.integer("maximum_quantity", definition.maximum_quantity.value, 1);
    table.flag("unpublished", definition.unpublished);
    table.integer("shard_group", definition.shard_group);
    table.flag("halted", result.halted);
    table.text("isin", result.isin);
    if (!result.isin.empty() && !is_isin(result.isin))
        table.refuse("isin",
                     "expected an ISIN: two letters, nine letters or digits, and the check "
                     "digit that goes with them");
    if (table.sound() && definition.check() != Reason::none)
        table.refuse(fmt::format(
            "instrument {}: {} Without unpublished = true the largest price is {} units of the "
            "last decimal and the largest quantity {}",
            definition.id.value, text(Reason::invalid_instrument), k_published_maximum_price.value,
            k_published_maximum_quantity.value));
    read_tick_bands(table, decimals, definition);
    table.finish();
    return result;
}

void read_instruments(ConfigTable& root, ServeSettings& settings) {
    auto tables = root.sections("instruments");
    if (!tables) return;
    std::vector<InstrumentSettings> all;
    for (ConfigTable& table : *tables) {
        const InstrumentSettings one = read_instrument(table, settings);
        for (const InstrumentSettings& other : all) {
            if (other.definition.id == one.definition.id)
                table.refuse("id", "another instrument has this id already");
            if (other.definition.symbol == one.definition.symbol)
                table.refuse("symbol", "another instrument has this symbol already");
            if (!one.isin.empty() && other.isin == one.isin)
                table.refuse("isin", "another instrument has this ISIN already");
        }
        all.push_back(one);
    }
    settings.instruments = std::move(all);
}

void read_limits(ConfigTable& table, std::string_view key, LimitDetails& limits) {
    auto section = table.section(key);
    if (!section) return;
    section->integer("order_quantity", limits.order_quantity.value);
    section->integer("order_notional", limits.order_notional);
    section->integer("open_orders", limits.open_orders);
    section->integer("open_notional", limits.open_notional);
    section->integer("position", limits.position.value);
    section->finish();
}

// "10.0.0.7" or "10.0.0.7:4000", "fd00::7" or "[fd00::7]:4000".
std::optional<gateway::Identities::Source> parse_source(const std::string& text) {
    gateway::Identities::Source source{};
    if (inet_pton(AF_INET6, text.c_str(), source.first.data()) == 1) return source;
    const std::size_t colon = text.rfind(':');
    const std::string host = text.substr(0, colon);
    std::array<std::uint8_t, 4> address{};
    if (host.starts_with('[') && host.ends_with(']')) {
        const std::string inner = host.substr(1, host.size() - 2);
        if (inet_pton(AF_INET6, inner.c_str(), source.first.data()) != 1) return {};
    } else {
        if (inet_pton(AF_INET, host.c_str(), address.data()) != 1) return {};
        source = gateway::Identities::source_of(address, 0);
    }
    if (colon == std::string::npos) return source;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, source.second);
    if (error != std::errc{} || stop != end || source.second == 0) return {};
    return source;
}

void read_sources(ConfigTable& table, ParticipantSettings& participant) {
    std::vector<std::string> texts;
    table.texts("udp_sources", texts);
    for (const std::string& text : texts) {
        if (const auto source = parse_source(text))
            participant.udp_sources.push_back(*source);
        else
            table.refuse("udp_sources",
                         fmt::format(R"(expected IP addresses, with or without a port, such as )"
                                     R"("10.0.0.7:4000" or "[fd00::7]:4000"; found "{}")",
                                     text));
    }
}

template <class T>
bool share_any(const std::vector<T>& some, const std::vector<T>& others) {
    return std::ranges::any_of(
        some, [&](const T& one) { return std::ranges::find(others, one) != others.end(); });
}

ParticipantSettings read_participant(ConfigTable& table, const ServeSettings& settings) {
    ParticipantSettings result;
    if (!table.require("id")) return result;
    table.integer("id", result.id.value, 1, settings.capacity.maximum_participants);
    table.text("name", result.name);
    std::string key;
    table.text("api_key", key);
    if (table.find("api_key") != nullptr) {
        result.api_key = wire::binary::parse_api_key(key);
        if (!result.api_key)
            table.refuse("api_key",
                         "expected 1 to 16 characters, or the 16 bytes as 32 hexadecimal digits");
    }
    table.texts("fix_comp_ids", result.fix_comp_ids);
    read_sources(table, result);
    read_limits(table, "limits", result.limits);
    table.flag("blocked", result.blocked);
    table.finish();
    return result;
}

void read_participants(ConfigTable& root, ServeSettings& settings) {
    auto tables = root.sections("participants");
    if (!tables) return;
    settings.participants.clear();
    for (ConfigTable& table : *tables) {
        const ParticipantSettings one = read_participant(table, settings);
        for (const ParticipantSettings& other : settings.participants) {
            if (other.id == one.id) table.refuse("id", "another participant has this id already");
            if (one.api_key && other.api_key == one.api_key)
                table.refuse("api_key", "another participant has this key already");
            if (share_any(one.fix_comp_ids, other.fix_comp_ids))
                table.refuse("fix_comp_ids", "another participant has one of them already");
            if (share_any(one.udp_sources, other.udp_sources))
                table.refuse("udp_sources", "another participant has one of them already");
        }
        settings.participants.push_back(one);
    }
}

// Read to its end, so that a pipe will do as well as a file on a disk.
std::expected<std::string, std::string> whole_file(const std::filesystem::path& file) {
    constexpr std::size_t k_most = std::size_t{16} << 20U;
    const auto failure = [&](std::string_view what) {
        return std::unexpected{fmt::format("{}: {}", file.string(), what)};
    };
    if (std::filesystem::is_directory(file))
        return failure("is a directory; expected a file in TOML");
    std::ifstream stream{file, std::ios::binary};
    if (!stream) return failure(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string text;
    std::array<char, 65'536> part{};
    while (stream.read(part.data(), part.size()), stream.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > k_most) return failure("is no configuration: it has more than 16 MiB");
    }
    if (stream.bad()) return failure(fmt::format("cannot be read: {}", std::strerror(errno)));
    return text;
}

}  // namespace

std::expected<void, std::string> read_config(const std::filesystem::path& file,
                                             ServeSettings& settings) {
    const auto text = whole_file(file);
    if (!text) return std::unexpected{text.error()};
    toml::table parsed;
    try {
        parsed = toml::parse(*text, file.string());
    } catch (const toml::parse_error& error) {
        return std::unexpected{fmt::format("{}:{}: {}", file.string(), error.source().begin.line,
                                           error.description())};
    }
    ConfigError error{file.string(), settings.places};
    ConfigTable root{parsed, "", error};
    read_doors(root, settings);
    read_journal(root, settings);
    read_session(root, settings);
    read_capacity(root, settings);  // before those that number participants
    read_fix(root, settings.fix, settings.capacity.maximum_participants);
    read_udp(root, settings.udp);
    read_run(root, settings);
    read_telemetry(root, settings);
    read_instruments(root, settings);
    read_limits(root, "default_limits", settings.default_limits);
    read_participants(root, settings);
    root.finish();
    if (!error.empty()) return std::unexpected{error.message()};
    return {};
}

}  // namespace damrak::app
