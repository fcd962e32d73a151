// The exchange with its UDP door on a simulated network, disk and clock, as one process that may
// end at any call of the system and between the events of a command. Destroying it is killing it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <damrak/gateway/doors.hpp>
#include <damrak/journal/exchange_state.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/sim/datagram_network.hpp>
#include <damrak/sim/disk.hpp>
#include <damrak/sim/network.hpp>
#include <damrak/sim/virtual_clock.hpp>

#include "support/simulation/kept_ahead.hpp"

namespace damrak::simulation {

/// What does not work, in tests that plant a fault.
struct UdpPlant {
    bool restart_forgets_numbers = false;  ///< windows are not rebuilt from the journal
    bool forgets_some_numbers = false;     ///< a window loses one of them, now and then
    bool answers_early = false;            ///< before the journal has it on the disk
};

struct UdpSetup {
    EngineConfig engine{};
    journal::JournalConfig journal{};
    std::array<std::uint64_t, 2> instance{1, 1};
    gateway::UdpGatewayConfig door{};
    std::vector<Command> opening{};
    UdpPlant plant{};
};

class UdpProcess;

class SimulatedUdpExchange : public KeptAhead<Relay<UdpProcess>> {
  public:
    using KeptAhead::KeptAhead;

    [[nodiscard]] journal::Kept kept() const {
        return answers_early ? journal::Kept::all : KeptAhead::kept();
    }
    bool answers_early = false;
};

using SimulatedUdpDoors = gateway::Doors<sim::HostNetwork, SimulatedUdpExchange,
                                         session::fix::MemoryStore, sim::HostPath>;

class UdpProcess {
  public:
    /// `no_network`: of the doors that are closed; the clock of all. `place` is called where it may
    /// end, and throws if it does.
    UdpProcess(sim::DatagramNetwork& network, sim::Network& no_network, sim::Disk& disk,
               const sim::VirtualClock& clock, const UdpSetup& setup, std::function<void()> place);
    UdpProcess(const UdpProcess&) = delete;
    UdpProcess& operator=(const UdpProcess&) = delete;

    [[nodiscard]] journal::Result<void> start();
    void turn();
    void keep() { static_cast<void>(journal_->keeper().do_work(time().value)); }
    void sync() { static_cast<void>(journal_->syncer().do_work(time().value)); }
    /// Ends as one that is asked to.
    void close();

    [[nodiscard]] bool stopped() const { return doors_.stopped(); }
    /// That it started with.
    [[nodiscard]] std::uint64_t records() const { return records_; }
    [[nodiscard]] const gateway::UdpCounters& counters() { return doors_.udp()->counters(); }

  private:
    friend struct Relay<UdpProcess>;

    [[nodiscard]] Timestamp time() const { return {clock_->time_of_day_ns()}; }
    [[nodiscard]] journal::Result<void> restore();
    /// Of a sender, but for the highest.
    void forget_numbers(std::uint32_t source);

    sim::DatagramNetwork* network_;
    sim::Disk* disk_;
    const sim::VirtualClock* clock_;
    const UdpSetup* setup_;
    std::function<void()> place_;
    SimulatedUdpDoors doors_;
    Relay<UdpProcess> relay_{this};
    SimulatedUdpExchange exchange_;
    std::unique_ptr<journal::Journal> journal_;
    std::uint64_t records_ = 0;
    std::uint64_t turns_ = 0;
};

}  // namespace damrak::simulation
