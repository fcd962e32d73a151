// A whole exchange with its clients in one deterministic world: everything follows from the seed.
// The exchange is killed, loses power, or has a full or failing disk, in any system call; clients
// connect and leave; the guarantees are checked after every step. See docs/how-to/simulate.md.
//
//   if (const auto failure = World{seed}.run()) …failure->text…
//
// A world of the default length takes some ten milliseconds.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <support/simulation/stepped_exchange.hpp>

#include "support/simulation/chronicle.hpp"
#include "support/simulation/mortality.hpp"
#include "support/simulation/stop.hpp"
#include "support/simulation/trader.hpp"
#include "support/simulation/witness.hpp"

namespace damrak::simulation {

struct WorldOptions {
    std::uint32_t steps = 1'500;
    /// Whether to compare the state of the running exchange with the journal's. Planted faults are
    /// found sooner with it, and should be found without it.
    bool compare_state = true;
    /// Changes the plan of the seed; for tests that plant a fault.
    std::function<void(simulation::ExchangeSetup&, simulation::Disk&)> plant{};
    bool print = false;  ///< print every line at once
};

struct Failure {
    std::uint64_t seed = 0;
    std::string text;  ///< with the last lines of the log
};

/// Totals over several worlds.
struct Tally : StopTally {
    std::uint64_t worlds = 0;
    std::uint64_t records = 0;
    std::uint64_t trades = 0;
    std::uint64_t answers = 0;
    std::uint64_t disk_faults = 0;
    std::uint64_t lost_records = 0;
    std::uint64_t bits_flipped = 0;
    std::uint64_t pipelined_worlds = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t snapshot_starts = 0;   ///< restarts from a snapshot
    std::uint64_t shortened_starts = 0;  ///< the start of the journal was already removed
    void add(const Tally& other);
};

class World {
  public:
    explicit World(std::uint64_t seed, WorldOptions options = {});
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World();

    [[nodiscard]] std::optional<Failure> run();
    [[nodiscard]] const Tally& tally() const { return tally_; }

  private:
    void plan();
    void plan_traders();
    [[nodiscard]] Finding step(bool asking);
    [[nodiscard]] Finding step_exchange();
    [[nodiscard]] Finding step_traders(bool asking);
    [[nodiscard]] Finding look();
    [[nodiscard]] Finding check_service();
    void make_trouble();
    [[nodiscard]] Finding start_exchange();
    [[nodiscard]] Finding after_start();
    [[nodiscard]] Finding look_at_recovery();
    [[nodiscard]] Finding stop_exchange(Stop how);
    [[nodiscard]] Finding try_flipped_bit();
    [[nodiscard]] Finding try_spoilt_snapshot();
    [[nodiscard]] Finding compare_state(std::uint64_t hash, const char* what);
    [[nodiscard]] Finding settle();
    /// Runs the process. False if it crashed.
    template <class F>
    bool survives(F&& f);
    void attach_conversations();
    [[nodiscard]] std::uint64_t least_on_disk();
    void note(const std::string& line) { chronicle_.note(step_, clock_.elapsed_ns(), line); }

    [[nodiscard]] bool chance_in(std::uint32_t times) { return random_.below(times) == 0; }

    std::uint64_t seed_;
    WorldOptions options_;
    RandomStream random_;
    simulation::VirtualClock clock_;
    RandomStream network_random_;
    simulation::Network network_;
    RandomStream disk_random_;
    simulation::Disk disk_;
    simulation::ExchangeSetup setup_;
    std::unique_ptr<simulation::ExchangeProcess> process_;
    Witness witness_;
    std::vector<Trader> traders_;
    bool steady_ = false;  ///< the first trader never misbehaves, and must be served promptly

    std::uint32_t step_ = 0;
    Mortality mortality_;
    Stop planned_ = Stop::kill;
    std::uint32_t down_ = 0;     ///< steps until the restart
    std::uint32_t faulty_ = 0;   ///< steps until the disk is repaired
    bool disk_failed_ = false;   ///< since the exchange started: it may stop for that reason
    std::uint32_t waiting_ = 0;  ///< steps for which the steady trader has waited
    std::uint64_t steady_heard_ = 0;
    bool close_asked_ = false;
    bool recovery_seen_ = false;  ///< the recovery of this process was checked
    SessionId first_session_{};
    std::uint64_t first_accepted_ = 0;
    std::uint64_t must_keep_ = 0;  ///< records that the next start must find
    std::uint64_t on_disk_ = 0;    ///< records that survive even a power loss
    std::uint64_t appended_ = 0;   ///< when the exchange stopped
    Chronicle chronicle_;
    Tally tally_;
};

}  // namespace damrak::simulation
