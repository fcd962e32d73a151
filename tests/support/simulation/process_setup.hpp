// Settings of a simulated process: an exchange small enough for thousands of worlds, in either
// wiring, and its planted faults. Plain values.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/config.hpp>
#include <damrak/sequencer/detail/pipeline.hpp>

namespace damrak::simulation {

/// Planted faults.
struct Plant {
    bool answers_early = false;  ///< before the record is on disk
    /// In the pipelined wiring: a command ends when it is submitted.
    bool waits_for_none = false;
    // At a restart of the FIX gateway:
    bool forgets_reports = false;   ///< unstored ones before the kill
    bool forgets_requests = false;  ///< those in the journal
    bool trusts_snapshots = false;  ///< even those of records whose reports were not all stored
    bool restart_forgets_messages = false;  ///< messages sent to OUCH users, and their tokens
    // In the numbers of the UDP gateway:
    bool restart_forgets_numbers = false;  ///< windows are not rebuilt from the journal
    bool forgets_some_numbers = false;     ///< a window loses a number now and then
};

struct ProcessSetup {
    EngineConfig engine{.maximum_instruments = 4,
                        .maximum_participants = 40,
                        .maximum_orders = 4'000,
                        .maximum_extensions = 100,
                        .maximum_accounts = 200,
                        .maximum_levels = 500,
                        .maximum_ladder_nodes = 500};
    journal::JournalConfig journal{};
    std::array<std::uint64_t, 2> instance{1, 1};
    std::optional<sequencer::PipelineConfig> pipeline{};  ///< empty: inline
    std::uint64_t snapshot_every = 0;  ///< records; zero: restarts replay the whole journal
    std::vector<Command> opening{};
    /// Work of other threads: called before each event is reported and, in the pipelined wiring,
    /// whenever the gateways poll for events.
    std::function<void()> beside{};
    Plant plant{};
};

/// In every second world, rings so small that they fill up.
[[nodiscard]] inline std::optional<sequencer::PipelineConfig> draw_pipeline(RandomStream& random) {
    if (random.coin()) return std::nullopt;
    return sequencer::PipelineConfig{
        .shards = 1 + std::size_t{random.below(3)},
        .waiting = Waiting::spin,
        .sizes = {.inbound = 8, .commands = 4, .notices = 16, .events = 1}};
}

}  // namespace damrak::simulation
