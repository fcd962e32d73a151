// The settings of an exchange: plain values with defaults, given at the start and at each reload.
// exchange/settings_table.hpp has their names, ranges and help.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/waiting.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/gateway/identities.hpp>
#include <damrak/gateway/notices.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/journal/config.hpp>
#include <damrak/journal/retention.hpp>
#include <damrak/sequencer/pipeline_rings.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::exchange {

using gateway::DaySettings;
using gateway::InstrumentSettings;
using gateway::Misfit;
using gateway::Notices;
using gateway::OnNotice;
using gateway::ParticipantSettings;
using gateway::TickTableChoice;

/// AAPL, MSFT, SPY and TEST: tick 0.01, lot 1.
[[nodiscard]] std::vector<InstrumentSettings> usual_instruments();

/// Has more participants than the engine's default, as each connection may be one. The ids of
/// displayed orders do not count the others.
[[nodiscard]] inline EngineConfig usual_capacity() {
    EngineConfig config;
    config.order_id_source = OrderIdSource::engine_apart;
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

/// With those that gateways know and bring themselves.
struct Settings : gateway::Settings {
    Settings();

    journal::Durability durability = journal::Durability::async;
    std::uint64_t segment_bytes = journal::JournalConfig{}.segment_bytes;
    std::uint64_t snapshot_every = 5'000'000;  ///< records; zero: only at the end
    std::uint64_t retention_bytes = 0;         ///< of segments; zero: no limit
    std::uint64_t retention_s = 0;             ///< of segments; zero: no limit
    // How far the system clock may differ from the last record at a start:
    std::uint64_t clock_behind_s = 60;
    std::uint64_t clock_ahead_s = std::uint64_t{30} * 24 * 3'600;
    bool accept_clock = false;  ///< accept any difference, for this start only
    std::string venue_name;     ///< of a ready-made venue, or its file; empty: none
    /// For each participant without limits of its own.
    LimitDetails default_limits{.open_orders = 20'000};
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
    gateway::Identities::Key own_key{};
    std::uint32_t timing_every = 16;  ///< one in this many messages is timed; zero: none
    bool event_log = false;
    bool classic_logs = false;
    std::uint32_t keep_runs = 20;  ///< run directories to keep, this one included; zero: all

    [[nodiscard]] journal::JournalConfig journal() const {
        return {.directory = data, .segment_bytes = segment_bytes, .durability = durability};
    }
    [[nodiscard]] journal::Retention retention() const {
        return {.bytes = retention_bytes,
                .age_ns = static_cast<std::int64_t>(retention_s) * 1'000'000'000};
    }
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

}  // namespace damrak::exchange
