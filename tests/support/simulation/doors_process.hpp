// A simulated process with its doors. A class template over the exchange, which is of one wiring or
// the other, and over what its doors keep messages in and get datagrams from.
#pragma once

#include <utility>

#include <damrak/exchange/doors.hpp>
#include <damrak/sim/network.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

template <class Exchange, class Store, class Path>
class DoorsProcess : public SimulatedProcess {
  public:
    [[nodiscard]] journal::Result<void> start() final {
        if (auto done = restore(); !done) return done;
        if (records() > 0) {
            exchange_.take_over(*state_);
            doors_.take_over(*state_);
        }
        agents_ = exchange_.agents();
        keep();
        doors_.attach(exchange_);
        exchange_.start(journal_->writer(), time(), helpers());
        if (records() == 0)
            for (const Command& command : setup_->opening)
                if (!exchange_.submit(command, {}, time()))
                    return std::unexpected{journal_->writer().refusal()};
        exchange_.settle(time(), helpers());
        return open_doors();
    }
    void turn() override { static_cast<void>(doors_.do_work(0)); }
    void close() final {
        exchange_.settle(time(), helpers());
        while (journal_->writer().durable_state() == journal::DurableState::not_yet) sync();
        doors_.close();
        exchange_.settle(time(), helpers());
        if (doors_.has_application())
            doors_.application().note_reported(journal_->writer().appended_position());
        journal_->syncer().on_close();
        if (replica_) replica_->finish(time().value);
    }
    [[nodiscard]] bool stopped() const final { return doors_.stopped(); }
    [[nodiscard]] std::uint64_t missing_reported() const final {
        return doors_.application().missing_reported();
    }
    [[nodiscard]] const gateway::UdpCounters& udp_counters() const final {
        return doors_.udp()->counters();
    }
    [[nodiscard]] bool knows_sender(SessionId session) final {
        return doors_.udp()->clients().find(session) != 0;
    }

    // Of who hears an exchange.
    void on_durable() final {
        place_();
        doors_.on_durable();
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) final {
        setup_->beside();
        place_();
        doors_.on_event(event, origin, stamp);
    }
    void on_command_end(const Origin& origin) final { doors_.on_command_end(origin); }

  protected:
    using Doors = exchange::Doors<sim::HostNetwork, Exchange, Store, Path>;

    DoorsProcess(sim::Disk& disk, const sim::VirtualClock& clock, const ProcessSetup& setup,
                 std::function<void()> place, exchange::DoorsConfig config,
                 typename Doors::Application::Storing storing, sim::Network& binary_network,
                 sim::Network& fix_network)
        : SimulatedProcess(disk, clock, setup, std::move(place)),
          doors_(
              std::move(config), setup.engine, std::move(storing),
              [] -> std::expected<Path, std::string> {
                  return std::unexpected{std::string{"not by listen()"}};
              },
              sim::HostNetwork{binary_network}, sim::HostNetwork{fix_network}),
          exchange_(setup, *this) {}

    [[nodiscard]] virtual journal::Result<void> open_doors() = 0;

    Doors doors_;
    Exchange exchange_;
};

}  // namespace damrak::simulation
