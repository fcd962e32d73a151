// What an exchange runs with: plain values with defaults, given when it starts and again for each
// reload. exchange/settings_table.hpp has their names, ranges and help.
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
#include <damrak/exchange/fix_settings.hpp>
#include <damrak/exchange/notices.hpp>
#include <damrak/exchange/trading_calendar.hpp>
#include <damrak/exchange/udp_settings.hpp>
#include <damrak/gateway/identities.hpp>
#include <damrak/journal/config.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::playback {
class ReplayedDay;
}

namespace damrak::exchange {

/// The doors of the exchange by name, in the order in which they are reported; those that are not
/// built yet (door_exists) can only be off.
inline constexpr auto k_doors = std::to_array<std::string_view>(
    {"binary", "fix", "ouch", "itch", "udp", "mold", "retransmit", "glimpse", "l2", "http"});

struct InstrumentSettings {
    InstrumentDefinition definition;
    bool halted = false;
    std::string isin;  ///< by which FIX clients may name it, too; empty: none
    friend bool operator==(const InstrumentSettings&, const InstrumentSettings&) = default;
};

/// Who comes in by OUCH; name and password are compared without regard to upper and lower case.
struct OuchUserSettings {
    std::string name;      ///< 1 to 6 characters
    std::string password;  ///< up to 10 characters
    std::uint8_t version = 50;
    friend bool operator==(const OuchUserSettings&, const OuchUserSettings&) = default;
};

struct ParticipantSettings {
    ParticipantId id{};
    std::string name;  ///< for those who read the file
    std::optional<wire::binary::ApiKey> api_key;
    std::string mpid;  ///< shown with its orders on the order-by-order feed; empty: nothing is
    std::vector<std::string> fix_comp_ids;
    std::vector<gateway::Identities::Source> udp_sources;
    std::vector<OuchUserSettings> ouch_users;
    LimitDetails limits{};
    bool blocked = false;
    friend bool operator==(const ParticipantSettings&, const ParticipantSettings&) = default;
};

/// AAPL, MSFT, SPY and TEST: tick 0.01, lot 1.
[[nodiscard]] std::vector<InstrumentSettings> usual_instruments();

/// More participants than an engine has by itself, as each connection may be one.
[[nodiscard]] inline EngineConfig usual_capacity() {
    EngineConfig config;
    config.maximum_participants = 200'000;
    config.maximum_accounts = 400'000;
    return config;
}

/// In the order of Wiring and of Waiting, as users write them.
inline constexpr std::array<std::string_view, 2> k_wirings{"inline", "pipelined"};
inline constexpr std::array<std::string_view, 4> k_waits{"spin", "yield", "backoff", "block"};

/// Who does what: one thread all of it, or one for the door, one that sequences, and one a shard.
enum class Wiring : std::uint8_t { one_thread, pipelined };

/// Of the archive: the order-by-order feed, and the events with their owners.
struct ArchiveSettings {
    bool enabled = true;
    std::uint32_t days = 0;          ///< trading days to keep; zero: all
    std::uint32_t free_mib = 1'024;  ///< that it leaves on the disk
    friend bool operator==(const ArchiveSettings&, const ArchiveSettings&) = default;
};

struct Settings {
    /// Hears what those who run the exchange should know; none: nobody does.
    OnNotice on_notice;
    std::string address = "127.0.0.1";          ///< of IPv4 or IPv6, or a name
    std::string numeric_address = "127.0.0.1";  ///< what that stood for at the start
    /// By door; a door that is not here is closed. Zero takes a free port.
    std::map<std::string, std::uint16_t, std::less<>> ports{
        {"binary", 12'345}, {"fix", 9'878},   {"ouch", 26'400},       {"udp", 26'402},
        {"itch", 26'401},   {"mold", 26'403}, {"retransmit", 26'404}, {"glimpse", 26'405},
        {"l2", 9'001},      {"http", 8'080}};
    std::filesystem::path data = "damrak-data";
    journal::Durability durability = journal::Durability::async;
    std::uint64_t segment_bytes = journal::JournalConfig{}.segment_bytes;
    std::uint64_t snapshot_every = 5'000'000;  ///< records; zero: at the end only
    std::uint64_t retention_bytes = 0;         ///< of segments; zero: without bound
    std::uint64_t retention_s = 0;             ///< of segments; zero: for ever
    // By how much the system's clock may differ from the last record at a start:
    std::uint64_t clock_behind_s = 60;
    std::uint64_t clock_ahead_s = std::uint64_t{30} * 24 * 3'600;
    bool accept_clock = false;  ///< however much it differs; of this start only
    std::uint32_t connections = 20'000;
    std::uint32_t session_timeout_s = 1'000;
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;  ///< of a session; zero: no limit
    std::uint32_t burst_messages = 0;       ///< zero: as many as in a second
    DaySettings day;
    std::int64_t mold_delay_us = 0;  ///< of a message of the feed, for others to share its packet
    // Unicast receivers of MoldUDP64: host:port, with commas between them.
    std::string mold_unicast_a;
    std::string mold_unicast_b;
    std::string feed_faults;         ///< see feed/line_faults.hpp; empty: none
    bool new_feed_session = false;   ///< of this start only
    /// The recorded day that is the market; null: there is none.
    std::shared_ptr<playback::ReplayedDay> replayed;
    ArchiveSettings archive;
    std::uint8_t ouch_version = 50;  ///< of users that are not among the participants, times ten
    std::uint32_t ouch_messages_mib = 1'024;  ///< for the messages of a day of all OUCH users
    FixSettings fix;
    UdpSettings udp;
    EngineConfig capacity = usual_capacity();
    /// Nothing: the usual ones where a journal begins, and those it has where it goes on.
    std::optional<std::vector<InstrumentSettings>> instruments;
    std::vector<ParticipantSettings> participants;
    /// Of participants that are not among them, each.
    LimitDetails default_limits{.open_orders = 20'000};
    /// Of each pool, in percent: while more is in use, they enter nothing new.
    std::uint32_t anonymous_share = 50;
    bool spin = false;
    Wiring wiring = Wiring::one_thread;
    std::uint32_t shards = 1;
    Waiting waiting = Waiting::backoff;
    std::string pin;              ///< as it was written: 0,2-5
    std::vector<unsigned> cores;  ///< the same: of the door, the sequencer, the shards
    sequencer::RingSizes rings;   ///< as they were written
    /// Who has no identity is let in, although others have one.
    bool anonymous = false;
    /// Only identities open the doors: some were configured when the exchange started or at a
    /// reload. Stays so until the process ends, also when the last one is removed.
    bool identified_only = false;
    /// With which clients of the exchange itself get in where only identities do, as a demo
    /// market; drawn at start, and told to nobody.
    wire::binary::ApiKey own_key{};
    std::uint32_t timing_every = 16;  ///< of how many messages one is timed; zero: none
    bool event_log = false;
    bool classic_logs = false;
    std::uint32_t keep_runs = 20;  ///< directories of runs, this one included; zero: all

    [[nodiscard]] std::optional<std::uint16_t> port(std::string_view door) const {
        const auto found = ports.find(door);
        return found == ports.end() ? std::nullopt : std::optional{found->second};
    }
    /// What is kept for FIX sessions.
    [[nodiscard]] std::filesystem::path fix_folder() const { return data / "fix"; }
    /// Of the feed sessions.
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
    /// How many there are, in words.
    [[nodiscard]] std::string credentials() const;
    /// Who gets in as whom: these, and the exchange itself with its own key.
    [[nodiscard]] gateway::Identities identities() const;
};

/// The cores of `pin`: none for an empty text; or what is wrong with it.
[[nodiscard]] std::expected<std::vector<unsigned>, std::string> pinned_cores(
    const std::string& pin);

/// Whether this release has this door.
[[nodiscard]] bool door_exists(std::string_view door);
/// The names of those that it has.
[[nodiscard]] std::vector<std::string_view> existing_doors();

}  // namespace damrak::exchange
