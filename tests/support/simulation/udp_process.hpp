// A simulated process with the UDP gateway.
#pragma once

#include <functional>
#include <memory>

#include <support/simulation/datagram_network.hpp>
#include <support/simulation/network.hpp>

#include <damrak/gateway/udp/detail/settings.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

struct UdpSetup : ProcessSetup {
    gateway::udp::UdpGatewayConfig gateway{};
};

/// In the wiring of the setup. `no_network` is for the closed gateways; its clock for all.
[[nodiscard]] std::unique_ptr<SimulatedProcess> make_udp_process(
    simulation::DatagramNetwork& network, simulation::Network& no_network, simulation::Disk& disk,
    const simulation::VirtualClock& clock, const UdpSetup& setup, std::function<void()> place);

}  // namespace damrak::simulation
