// The exchange with senders of datagrams in one deterministic world: everything follows from the
// seed. The network loses, duplicates, delays and reorders datagrams. The exchange, in either
// wiring, is killed in any system call and between the events of a command, loses power, or is shut
// down, and restarts begin with snapshots; idle senders are forgotten. After each turn the
// gateway's counters must match the datagrams. In the end each order that was sent is in the
// journal once, and all answers follow from the journal. See docs/how-to/simulate.md.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include <damrak/base/random.hpp>

#include "support/simulation/chronicle.hpp"
#include "support/simulation/mortality.hpp"
#include "support/simulation/stop.hpp"
#include "support/simulation/udp_customer.hpp"
#include "support/simulation/udp_process.hpp"
#include "support/simulation/udp_witness.hpp"

namespace damrak::simulation {

struct UdpTally : StopTally {
    std::uint64_t orders = 0;
    std::uint64_t told = 0;  ///< answers and trades received and checked
    std::uint64_t lost = 0;  ///< datagrams
    std::uint64_t overtaking = 0;
    UdpCounts counts;             ///< of all processes, up to their last complete turn
    std::uint64_t forgotten = 0;  ///< senders
    std::uint64_t snapshots = 0;
    std::uint64_t snapshot_starts = 0;  ///< restarts from a snapshot
    std::uint64_t pipelined_worlds = 0;
    void add(const UdpTally& other);
};

class UdpExchangeWorld {
  public:
    /// `compare_counts`: compare counters after each turn. Faults in the numbers are found sooner
    /// with it, and should be found without it.
    explicit UdpExchangeWorld(std::uint64_t seed, Plant plant = {}, bool compare_counts = true);
    UdpExchangeWorld(const UdpExchangeWorld&) = delete;
    UdpExchangeWorld& operator=(const UdpExchangeWorld&) = delete;

    /// Returns the first broken guarantee with the last lines of the log, or nothing.
    [[nodiscard]] std::optional<std::string> run();
    [[nodiscard]] const UdpTally& tally() const { return tally_; }

  private:
    using Finding = std::optional<std::string>;

    void plan();
    [[nodiscard]] Finding play();
    [[nodiscard]] Finding step(bool troubled);
    [[nodiscard]] Finding step_exchange(bool troubled);
    [[nodiscard]] Finding start();
    void stop(Stop how);
    [[nodiscard]] Finding make_peace();
    [[nodiscard]] bool is_all_done();
    [[nodiscard]] static Finding check_replies(UdpCustomer& customer,
                                               const std::set<std::uint32_t>& before);
    [[nodiscard]] Finding compare();
    [[nodiscard]] Finding check_refusals(const UdpCustomer& customer, const UdpOwed& due) const;
    [[nodiscard]] std::unique_ptr<UdpOwed> owed() const;
    void note(const std::string& line) { chronicle_.note(step_, clock_.elapsed_ns(), line); }

    std::uint64_t seed_;
    bool compare_counts_;
    RandomStream random_;
    simulation::VirtualClock clock_;
    RandomStream network_random_;
    simulation::DatagramNetwork network_;
    simulation::Network no_network_;  ///< for the gateways that are closed
    RandomStream disk_random_;
    simulation::Disk disk_;
    UdpSetup setup_;
    bool forgets_ = false;  ///< whether idle senders are forgotten
    std::unique_ptr<SimulatedProcess> process_;
    UdpNumbers numbers_;
    std::deque<UdpCustomer> customers_;
    Mortality mortality_;
    Stop planned_ = Stop::kill;
    std::uint32_t down_ = 0;  ///< steps until the restart
    std::uint32_t step_ = 0;
    Chronicle chronicle_;
    UdpTally tally_;
};

}  // namespace damrak::simulation
