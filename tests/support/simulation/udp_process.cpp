#include "support/simulation/udp_process.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include <damrak/session/fix/memory_store.hpp>

#include "support/simulation/doors_process.hpp"

namespace damrak::simulation {

namespace {

using NoStore = session::fix::MemoryStore;

template <class Exchange>
class UdpProcess final : public DoorsProcess<Exchange, NoStore, sim::HostPath> {
    using Base = DoorsProcess<Exchange, NoStore, sim::HostPath>;
    using Base::doors_;

  public:
    UdpProcess(sim::DatagramNetwork& network, sim::Network& no_network, sim::Disk& disk,
               const sim::VirtualClock& clock, const UdpSetup& setup, std::function<void()> place)
        : Base(disk, clock, setup, std::move(place),
               {.udp = setup.door, .binary_open = false, .fix_open = false, .udp_open = true},
               {.open = [](const std::filesystem::path&)
                    -> std::expected<std::unique_ptr<NoStore>, std::string> {
                   return std::unexpected{std::string{"its door is closed"}};
               }},
               no_network, no_network),
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

  private:
    [[nodiscard]] journal::Result<journal::RestoreHooks> prepare(Base::State& /*state*/) override {
        return journal::RestoreHooks{};
    }
    // Where there is one door, none has to watch for another.
    [[nodiscard]] journal::Result<void> open_doors() override {
        if (this->setup_->plant.restart_forgets_numbers)
            for_each_window([](SequenceWindow& window) { window = {}; });
        doors_.udp()->open(sim::HostPath{*network_});
        return {};
    }
    template <class F>
    void for_each_window(F&& f) {
        gateway::UdpClients& clients = doors_.udp()->clients();
        for (std::uint32_t i = 1; i <= clients.highest_source(); ++i)
            if (SequenceWindow& window = clients.source(i).window; window.started()) f(window);
    }

    sim::DatagramNetwork* network_;
    std::uint64_t turns_ = 0;
};

}  // namespace

std::unique_ptr<SimulatedProcess> make_udp_process(sim::DatagramNetwork& network,
                                                   sim::Network& no_network, sim::Disk& disk,
                                                   const sim::VirtualClock& clock,
                                                   const UdpSetup& setup,
                                                   std::function<void()> place) {
    if (setup.pipeline)
        return std::make_unique<UdpProcess<PipelinedExchange>>(network, no_network, disk, clock,
                                                               setup, std::move(place));
    return std::make_unique<UdpProcess<InlineExchange>>(network, no_network, disk, clock, setup,
                                                        std::move(place));
}

}  // namespace damrak::simulation
