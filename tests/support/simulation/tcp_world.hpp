// The exchange with one connection gateway in one deterministic world: everything follows from the
// seed. The exchange, in either wiring, is killed in any system call and between the events of a
// command, and restarts begin with snapshots; it loses power, if the durability preserves reported
// events; or it is shut down in order. Then the faults end: links hold, no requests are sent, and
// all owed messages are delivered. A derived world adds its gateway, its clients, and what they are
// owed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <support/disk.hpp>
#include <support/simulation/network.hpp>
#include <support/simulation/virtual_clock.hpp>

#include <damrak/base/random.hpp>

#include "support/simulation/chronicle.hpp"
#include "support/simulation/mortality.hpp"
#include "support/simulation/simulated_process.hpp"
#include "support/simulation/stop.hpp"

namespace damrak::simulation {

struct WorldTally : StopTally {
    std::uint64_t snapshots = 0;
    std::uint64_t snapshot_starts = 0;  ///< restarts from a snapshot
    std::uint64_t pipelined_worlds = 0;

    void add(const WorldTally& other) {
        StopTally::add(other);
        snapshots += other.snapshots;
        snapshot_starts += other.snapshot_starts;
        pipelined_worlds += other.pipelined_worlds;
    }
};

class TcpWorld {
  public:
    TcpWorld(const TcpWorld&) = delete;
    TcpWorld& operator=(const TcpWorld&) = delete;
    virtual ~TcpWorld() = default;

    /// Returns the first broken guarantee with the last lines of the log, or nothing.
    [[nodiscard]] std::optional<std::string> run();

  protected:
    using Finding = std::optional<std::string>;

    explicit TcpWorld(std::uint64_t seed);

    /// Draws engine, journal, snapshots and wiring from the seed.
    void plan(ProcessSetup& setup);
    [[nodiscard]] Timestamp now() const { return {clock_.time_of_day_ns()}; }
    [[nodiscard]] const WorldTally& stops() const { return stops_; }
    void note(const std::string& line) { chronicle_.note(step_, clock_.elapsed_ns(), line); }

    [[nodiscard]] virtual std::unique_ptr<SimulatedProcess> make_process() = 0;
    virtual void on_started(const SimulatedProcess& /*process*/) {}
    /// Before a turn; commands of the exchange itself go here. May die.
    virtual void before_turn(SimulatedProcess& /*process*/, bool /*troubled*/) {}
    virtual void on_stopped(Stop /*how*/) {}
    /// Something is made up for by a restart alone.
    [[nodiscard]] virtual bool needs_restart() const { return false; }
    [[nodiscard]] virtual Finding step_clients(bool troubled) = 0;
    [[nodiscard]] virtual bool all_logged_in() const = 0;
    /// Compares what clients received with what follows from the journal.
    [[nodiscard]] virtual Finding compare() = 0;

    RandomStream random_;
    simulation::VirtualClock clock_;
    RandomStream network_random_;
    simulation::Network network_;
    RandomStream disk_random_;
    simulation::Disk disk_;

  private:
    [[nodiscard]] Finding play();
    [[nodiscard]] Finding step(bool troubled);
    void step_others();
    void die_after(std::uint64_t places);
    [[nodiscard]] Finding start();
    void stop(Stop how);
    [[nodiscard]] Finding make_peace();

    std::uint64_t seed_;
    journal::Durability durability_{};
    std::unique_ptr<SimulatedProcess> process_;
    Mortality mortality_;
    bool troubled_ = true;
    Stop planned_ = Stop::kill;
    std::uint32_t down_ = 0;  ///< steps until the restart
    std::uint32_t step_ = 0;
    Chronicle chronicle_;
    WorldTally stops_;
};

}  // namespace damrak::simulation
