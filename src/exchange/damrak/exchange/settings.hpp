// The settings of an exchange: plain values with defaults, given at the start and at each reload.
// exchange/settings_table.hpp has their names, ranges and help.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/waiting.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/exchange/detail/fix_settings.hpp>
#include <damrak/exchange/detail/notices.hpp>
#include <damrak/exchange/detail/trading_calendar.hpp>
#include <damrak/exchange/udp_settings.hpp>
#include <damrak/gateway/identities.hpp>
#include <damrak/journal/config.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>
#include <damrak/venue/venue.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::recorded_market {
class ReplayedDay;
}

namespace damrak::exchange {

/// The gateways of the exchange by name, in the order of reports. Gateways that are not built yet
/// (gateway_exists) can only be off.
inline constexpr auto k_gateways = std::to_array<std::string_view>(
    {"binary", "fix", "ouch", "itch", "udp", "mold", "retransmit", "glimpse", "l2", "http"});

/// Published tick tables (docs/rule-book/tick-tables.md).
enum class TickTableChoice : std::uint8_t {
    own,      ///< that of the definition
    rts11_1,  ///< the liquidity bands of RTS 11
    rts11_2,
    rts11_3,
    rts11_4,
    rts11_5,
    rts11_6,
    rule_612,
};

struct InstrumentSettings {
    InstrumentDefinition definition;
    TickTableChoice tick_table{};
    bool halted = false;
    Phase phase{};
    AuctionRule auction{};
    std::string isin;  ///< FIX clients may use it as a name; empty: none
    friend bool operator==(const InstrumentSettings&, const InstrumentSettings&) = default;
};

/// An OUCH login; name and password are case-insensitive.
struct OuchUserSettings {
    std::string name;      ///< 1 to 6 characters
    std::string password;  ///< up to 10 characters
    std::uint8_t version = 50;
    friend bool operator==(const OuchUserSettings&, const OuchUserSettings&) = default;
};

struct ParticipantSettings {
    ParticipantId id{};
    std::string name;  ///< for readers of the file
    std::optional<wire::binary::ApiKey> api_key;
    std::string mpid;  ///< attribution on the order-by-order feed; empty: none
    std::vector<std::string> fix_comp_ids;
    std::vector<gateway::Identities::Source> udp_sources;
    std::vector<OuchUserSettings> ouch_users;
    LimitDetails limits{};
    bool blocked = false;
    friend bool operator==(const ParticipantSettings&, const ParticipantSettings&) = default;
};

/// AAPL, MSFT, SPY and TEST: tick 0.01, lot 1.
[[nodiscard]] std::vector<InstrumentSettings> usual_instruments();

/// Has more participants than the engine's default, as each connection may be one.
[[nodiscard]] inline EngineConfig usual_capacity() {
    EngineConfig config;
    config.maximum_participants = 200'000;
    config.maximum_accounts = 400'000;
    return config;
}

/// The words for Wiring and for Waiting, in the order of their values.
inline constexpr std::array<std::string_view, 2> k_wirings{"inline", "pipelined"};
inline constexpr std::array<std::string_view, 4> k_waits{"spin", "yield", "backoff", "block"};

/// The threads: one for everything; or one for the gateways, one for the sequencer, and one per
/// shard.
enum class Wiring : std::uint8_t { one_thread, pipelined };

/// Settings of the archive: the order-by-order feed, and the events with their owners.
struct ArchiveSettings {
    bool enabled = true;
    std::uint32_t days = 0;          ///< trading days to keep; zero: all
    std::uint32_t free_mib = 1'024;  ///< disk space to leave free
    friend bool operator==(const ArchiveSettings&, const ArchiveSettings&) = default;
};

struct Settings {
    /// Takes the operator's notices; may be empty.
    OnNotice on_notice;
    std::string address = "127.0.0.1";          ///< IPv4, IPv6 or a name
    std::string numeric_address = "127.0.0.1";  ///< `address` as resolved at the start
    /// By gateway; a missing gateway is closed. Zero: any free port.
    std::map<std::string, std::uint16_t, std::less<>> ports{
        {"binary", 12'345}, {"fix", 9'878},   {"ouch", 26'400},       {"udp", 26'402},
        {"itch", 26'401},   {"mold", 26'403}, {"retransmit", 26'404}, {"glimpse", 26'405},
        {"l2", 9'001},      {"http", 8'080}};
    std::filesystem::path data = "damrak-data";
    journal::Durability durability = journal::Durability::async;
    std::uint64_t segment_bytes = journal::JournalConfig{}.segment_bytes;
    std::uint64_t snapshot_every = 5'000'000;  ///< records; zero: only at the end
    std::uint64_t retention_bytes = 0;         ///< of segments; zero: no limit
    std::uint64_t retention_s = 0;             ///< of segments; zero: no limit
    // How far the system clock may differ from the last record at a start:
    std::uint64_t clock_behind_s = 60;
    std::uint64_t clock_ahead_s = std::uint64_t{30} * 24 * 3'600;
    bool accept_clock = false;  ///< accept any difference, for this start only
    std::uint32_t connections = 20'000;
    std::uint32_t session_timeout_s = 1'000;
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;  ///< per session; zero: no limit
    std::uint32_t burst_messages = 0;       ///< zero: as many as in a second
    DaySettings day;
    std::string venue_name;  ///< of a ready-made venue, or its file; empty: none
    /// As read from `venue_name`; null: none.
    std::shared_ptr<const venue::Venue> venue;
    std::int64_t mold_delay_us = 0;  ///< a feed message waits to share a packet
    // Unicast receivers of MoldUDP64: host:port, separated by commas.
    std::string mold_unicast_a;
    std::string mold_unicast_b;
    std::string feed_faults;        ///< see feed/line_faults.hpp; empty: none
    bool new_feed_session = false;  ///< for this start only
    /// The recorded day that is the market; null: there is none.
    std::shared_ptr<recorded_market::ReplayedDay> replayed;
    ArchiveSettings archive;
    std::uint8_t ouch_version = 50;           ///< of unconfigured users, times ten
    std::uint32_t ouch_messages_mib = 1'024;  ///< for the day's messages to all OUCH users
    FixSettings fix;
    UdpSettings udp;
    EngineConfig capacity = usual_capacity();
    /// Nothing: the instruments of the journal or, for a new journal, the usual ones.
    std::optional<std::vector<InstrumentSettings>> instruments;
    std::vector<ParticipantSettings> participants;
    /// For each participant without limits of its own.
    LimitDetails default_limits{.open_orders = 20'000};
    /// Percentage of each pool: while more is in use, anonymous participants can enter nothing new.
    std::uint32_t anonymous_share = 50;
    bool spin = false;
    Wiring wiring = Wiring::one_thread;
    std::uint32_t shards = 1;
    Waiting waiting = Waiting::backoff;
    std::string pin;              ///< as configured: 0,2-5
    std::vector<unsigned> cores;  ///< parsed `pin`: gateways, sequencer, shards
    sequencer::RingSizes rings;   ///< as configured
    /// Admits clients without identity although others have one.
    bool anonymous = false;
    /// Only clients with an identity are admitted: some identity was configured at the start or at
    /// a reload. Stays set until the process ends, even if the last identity is removed.
    bool identified_only = false;
    /// The key of the exchange's own clients, such as a demo market; drawn at the start and never
    /// disclosed.
    wire::binary::ApiKey own_key{};
    std::uint32_t timing_every = 16;  ///< one of so many messages is timed; zero: none
    bool event_log = false;
    bool classic_logs = false;
    std::uint32_t keep_runs = 20;  ///< run directories to keep, this one included; zero: all

    [[nodiscard]] std::optional<std::uint16_t> port(std::string_view gateway) const {
        const auto found = ports.find(gateway);
        return found == ports.end() ? std::nullopt : std::optional{found->second};
    }
    /// Folder of the FIX sessions' data.
    [[nodiscard]] std::filesystem::path fix_folder() const { return data / "fix"; }
    /// Folder of the feed sessions.
    [[nodiscard]] std::filesystem::path feed_folder() const { return data / "feed"; }
    [[nodiscard]] std::filesystem::path archive_folder() const { return data / "archive"; }
    [[nodiscard]] journal::JournalConfig journal() const {
        return {.directory = data, .segment_bytes = segment_bytes, .durability = durability};
    }
    [[nodiscard]] journal::Retention retention() const {
        return {.bytes = retention_bytes,
                .age_ns = static_cast<std::int64_t>(retention_s) * 1'000'000'000};
    }
    /// Symbols by ISIN.
    [[nodiscard]] std::map<std::string, std::string, std::less<>> isins() const;
    /// Whether any participant has a credential.
    [[nodiscard]] bool has_identities() const;
    /// The number of credentials by kind, as text.
    [[nodiscard]] std::string credentials() const;
    /// All identities, including the exchange's own key.
    [[nodiscard]] gateway::Identities identities() const;
};

/// The cores of `pin`, none for an empty text; an error says what is wrong with it.
[[nodiscard]] std::expected<std::vector<unsigned>, std::string> pinned_cores(
    const std::string& pin);

/// Whether this release has this gateway.
[[nodiscard]] bool gateway_exists(std::string_view gateway);
/// Names of the gateways of this release.
[[nodiscard]] std::vector<std::string_view> existing_gateways();

}  // namespace damrak::exchange
