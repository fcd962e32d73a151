// A simulated process with the OUCH gateway.
#pragma once

#include <functional>
#include <memory>

#include <support/simulation/network.hpp>

#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

struct OuchSetup : ProcessSetup {
    gateway::ouch::OuchGatewayConfig gateway{};
};

/// In the wiring of the setup.
[[nodiscard]] std::unique_ptr<SimulatedProcess> make_ouch_process(
    simulation::Network& network, simulation::Disk& disk, const simulation::VirtualClock& clock,
    const OuchSetup& setup, std::function<void()> place);

}  // namespace damrak::simulation
