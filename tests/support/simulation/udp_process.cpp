#include "support/simulation/udp_process.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <damrak/gateway/udp/udp_gateway.hpp>

#include "support/simulation/gateways_process.hpp"

namespace damrak::simulation {

namespace {

template <class Exchange>
using UdpGateway =
    gateway::udp::UdpGateway<simulation::HostPath, simulation::HostNetwork, Exchange>;

template <class Exchange>
class UdpProcess final : public GatewaysProcess<Exchange, UdpGateway<Exchange>> {
    using Base = GatewaysProcess<Exchange, UdpGateway<Exchange>>;

  public:
    UdpProcess(simulation::DatagramNetwork& network, simulation::Network& no_network,
               simulation::Disk& disk, const simulation::VirtualClock& clock, const UdpSetup& setup,
               std::function<void()> place)
        : Base(disk, clock, setup, std::move(place),
               {.config = setup.gateway, .clock = simulation::HostNetwork{no_network}}),
          network_(&network) {}

    void turn() override {
        Base::turn();
        constexpr std::uint64_t k_between = 40;
        if (this->setup_->plant.forgets_some_numbers && ++turns_ % k_between == 0)
            for_each_window([](SequenceWindow& window) {
                const std::uint32_t highest = window.highest();
                window = {};
                window.note(highest);
            });
    }

    [[nodiscard]] const gateway::udp::UdpCounters& udp_counters() const override {
        return this->gateway().counters();
    }
    [[nodiscard]] bool knows_sender(SessionId session) override {
        return this->gateway().clients().find(session) != 0;
    }

  private:
    // With one gateway, none has to watch another.
    [[nodiscard]] journal::Result<void> open_gateways() override {
        if (this->setup_->plant.restart_forgets_numbers)
            for_each_window([](SequenceWindow& window) { window = {}; });
        this->gateway().open(simulation::HostPath{*network_});
        return {};
    }
    template <class F>
    void for_each_window(F&& f) {
        gateway::udp::UdpClients& clients = this->gateway().clients();
        for (std::uint32_t i = 1; i <= clients.highest_source(); ++i)
            if (SequenceWindow& window = clients.source(i).window; window.started()) f(window);
    }

    simulation::DatagramNetwork* network_;
    std::uint64_t turns_ = 0;
};

}  // namespace

std::unique_ptr<SimulatedProcess> make_udp_process(
    simulation::DatagramNetwork& network, simulation::Network& no_network, simulation::Disk& disk,
    const simulation::VirtualClock& clock, const UdpSetup& setup, std::function<void()> place) {
    if (setup.pipeline)
        return std::make_unique<UdpProcess<PipelinedExchange>>(network, no_network, disk, clock,
                                                               setup, std::move(place));
    return std::make_unique<UdpProcess<InlineExchange>>(network, no_network, disk, clock, setup,
                                                        std::move(place));
}

}  // namespace damrak::simulation
