#include "support/simulation/ouch_process.hpp"

#include <utility>

#include "support/simulation/gateways_process.hpp"

namespace damrak::simulation {

namespace {

template <class Exchange>
using OuchGateway = gateway::ouch::OuchGateway<simulation::HostNetwork, Exchange>;

template <class Exchange>
class OuchProcess final : public GatewaysProcess<Exchange, OuchGateway<Exchange>> {
    using Base = GatewaysProcess<Exchange, OuchGateway<Exchange>>;

  public:
    OuchProcess(simulation::Network& network, simulation::Disk& disk,
                const simulation::VirtualClock& clock, const OuchSetup& setup,
                std::function<void()> place)
        : Base(disk, clock, setup, std::move(place),
               {.config = setup.gateway, .network = simulation::HostNetwork{network}}) {}

  private:
    [[nodiscard]] journal::Result<void> open_gateways() override {
        if (this->setup_->plant.restart_forgets_messages)
            this->gateway().state() = gateway::ouch::OuchOrders{this->setup_->engine};
        return this->gateway().listen();
    }
};

}  // namespace

std::unique_ptr<SimulatedProcess> make_ouch_process(simulation::Network& network,
                                                    simulation::Disk& disk,
                                                    const simulation::VirtualClock& clock,
                                                    const OuchSetup& setup,
                                                    std::function<void()> place) {
    if (setup.pipeline)
        return std::make_unique<OuchProcess<PipelinedExchange>>(network, disk, clock, setup,
                                                                std::move(place));
    return std::make_unique<OuchProcess<InlineExchange>>(network, disk, clock, setup,
                                                         std::move(place));
}

}  // namespace damrak::simulation
