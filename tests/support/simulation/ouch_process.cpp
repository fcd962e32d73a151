#include "support/simulation/ouch_process.hpp"

#include <utility>

#include "support/simulation/doors_process.hpp"

namespace damrak::simulation {

namespace {

template <class Exchange>
using OuchDoor = gateway::OuchGateway<sim::HostNetwork, Exchange>;

template <class Exchange>
class OuchProcess final : public DoorsProcess<Exchange, OuchDoor<Exchange>> {
    using Base = DoorsProcess<Exchange, OuchDoor<Exchange>>;

  public:
    OuchProcess(sim::Network& network, sim::Disk& disk, const sim::VirtualClock& clock,
                const OuchSetup& setup, std::function<void()> place)
        : Base(disk, clock, setup, std::move(place),
               {.config = setup.door, .network = sim::HostNetwork{network}}) {}

  private:
    [[nodiscard]] journal::Result<void> open_doors() override {
        if (this->setup_->plant.restart_forgets_messages)
            this->door().state() = gateway::OuchOrders{this->setup_->engine};
        return this->door().listen();
    }
};

}  // namespace

std::unique_ptr<SimulatedProcess> make_ouch_process(sim::Network& network, sim::Disk& disk,
                                                    const sim::VirtualClock& clock,
                                                    const OuchSetup& setup,
                                                    std::function<void()> place) {
    if (setup.pipeline)
        return std::make_unique<OuchProcess<PipelinedExchange>>(network, disk, clock, setup,
                                                                std::move(place));
    return std::make_unique<OuchProcess<InlineExchange>>(network, disk, clock, setup,
                                                         std::move(place));
}

}  // namespace damrak::simulation
