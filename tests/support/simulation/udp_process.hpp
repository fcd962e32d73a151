// A simulated process with the UDP door.
#pragma once

#include <functional>
#include <memory>

#include <damrak/sim/datagram_network.hpp>
#include <damrak/sim/network.hpp>
#include <damrak/udp_gateway/settings.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

struct UdpSetup : ProcessSetup {
    gateway::UdpGatewayConfig door{};
};

/// In the wiring that the setup asks for. `no_network`: of the doors that are closed; the clock of
/// all.
[[nodiscard]] std::unique_ptr<SimulatedProcess> make_udp_process(
    sim::DatagramNetwork& network, sim::Network& no_network, sim::Disk& disk,
    const sim::VirtualClock& clock, const UdpSetup& setup, std::function<void()> place);

}  // namespace damrak::simulation
