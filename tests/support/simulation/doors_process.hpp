// A simulated process with its doors. A class template over the exchange, which is of one wiring or
// the other, and over what its doors keep messages in and get datagrams from.
#pragma once

#include <utility>

#include <damrak/exchange/doors.hpp>
#include <damrak/sim/network.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

/// With one door, of type D.
template <class Exchange, class D>
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
        note_all_reported(journal_->writer().appended_position());
        journal_->syncer().on_close();
        if (replica_) replica_->finish(time().value);
    }
    [[nodiscard]] bool stopped() const final { return doors_.stopped(); }

    // Called by the exchange as its listener.
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
    DoorsProcess(sim::Disk& disk, const sim::VirtualClock& clock, const ProcessSetup& setup,
                 std::function<void()> place, typename D::Setup door)
        : SimulatedProcess(disk, clock, setup, std::move(place)),
          doors_(setup.engine, std::move(door)),
          exchange_(setup, *this) {}

    [[nodiscard]] virtual journal::Result<void> open_doors() = 0;
    /// Of a door that keeps what its clients were told.
    virtual void note_all_reported(std::uint64_t /*sequence*/) {}
    [[nodiscard]] D& door() { return *doors_.template door<D::k_door>(); }
    [[nodiscard]] const D& door() const { return *doors_.template door<D::k_door>(); }

    exchange::Doors<Exchange, D> doors_;
    Exchange exchange_;
};

}  // namespace damrak::simulation
