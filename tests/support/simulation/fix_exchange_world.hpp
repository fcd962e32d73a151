// The exchange with FIX clients on lossy connections in one deterministic world: everything follows
// from the seed. The exchange, in either wiring, is killed at any call, between the events of a
// command, and before and after a message is kept, and restarts begin with snapshots; it loses its
// power, where the durability keeps what was told; clients lose their links, and die. In the end
// every client has been told every report that follows from the journal, once and in order, and
// every order that a client sent is in the journal once; after a loss of power, from where numbers
// begin anew. See docs/how-to/simulate.md.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/base/random.hpp>

#include "support/simulation/chronicle.hpp"
#include "support/simulation/fix_counterparty.hpp"
#include "support/simulation/fix_process.hpp"
#include "support/simulation/mortality.hpp"
#include "support/simulation/stop.hpp"

namespace damrak::simulation {

struct FixTally : StopTally {
    std::uint64_t reports = 0;
    std::uint64_t orders = 0;
    std::uint64_t losses = 0;            ///< of links
    std::uint64_t deaths = 0;            ///< of clients
    std::uint64_t missing_reported = 0;  ///< reports that a restart made
    std::uint64_t duplicates = 0;        ///< messages that came again, as such
    std::uint64_t snapshots = 0;
    std::uint64_t snapshot_starts = 0;  ///< restarts that began with one
    std::uint64_t pipelined_worlds = 0;
    void add(const FixTally& other);
};

class FixExchangeWorld {
  public:
    explicit FixExchangeWorld(std::uint64_t seed, Plant plant = {});
    FixExchangeWorld(const FixExchangeWorld&) = delete;
    FixExchangeWorld& operator=(const FixExchangeWorld&) = delete;

    /// Returns the first broken guarantee with the last lines of the log, or nothing.
    [[nodiscard]] std::optional<std::string> run();
    [[nodiscard]] const FixTally& tally() const { return tally_; }

  private:
    using Finding = std::optional<std::string>;

    void plan();
    [[nodiscard]] Finding play();
    [[nodiscard]] Finding step(bool troubled);
    void step_others();
    void die_after(std::uint64_t places);
    [[nodiscard]] Finding start();
    void stop(Stop how);
    [[nodiscard]] Finding make_peace();
    [[nodiscard]] bool is_all_reported();
    [[nodiscard]] Finding compare();
    void note(const std::string& line) { chronicle_.note(step_, clock_.elapsed_ns(), line); }

    std::uint64_t seed_;
    RandomStream random_;
    sim::VirtualClock clock_;
    RandomStream network_random_;
    sim::Network network_;
    RandomStream disk_random_;
    sim::Disk disk_;
    FixSetup setup_;
    std::unique_ptr<SimulatedProcess> process_;
    std::deque<FixCounterparty> clients_;
    Mortality mortality_;
    bool troubled_ = true;
    Stop planned_ = Stop::kill;
    std::uint32_t down_ = 0;  ///< steps until it is started
    std::uint32_t step_ = 0;
    Chronicle chronicle_;
    FixTally tally_;
};

}  // namespace damrak::simulation
