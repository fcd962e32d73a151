// A simulated process with the FIX gateway. Its messages are in the files of real stores; it may
// also crash before and after each message is stored.
#pragma once

#include <functional>
#include <memory>

#include <support/simulation/network.hpp>

#include <damrak/gateway/fix/detail/fix_application_config.hpp>
#include <damrak/gateway/fix/fix_gateway.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

struct FixSetup : ProcessSetup {
    gateway::fix::FixGatewayConfig gateway{};
    gateway::fix::FixApplicationConfig application{};
    session::fix::StoreSettings store{};
    std::function<bool()> store_is_full = [] { return false; };  ///< of every session
};

/// In the wiring of the setup.
[[nodiscard]] std::unique_ptr<SimulatedProcess> make_fix_process(
    simulation::Network& network, simulation::Disk& disk, const simulation::VirtualClock& clock,
    const FixSetup& setup, std::function<void()> place);

}  // namespace damrak::simulation
