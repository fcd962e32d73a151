// A simulated process with its gateways. A class template over the exchange, in either wiring, and
// over the stores and datagram sources of its gateways.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <support/simulation/network.hpp>

#include <damrak/exchange/detail/gateways.hpp>

#include "support/simulation/simulated_process.hpp"

namespace damrak::simulation {

/// With one gateway, of type D.
template <class Exchange, class D>
class GatewaysProcess : public SimulatedProcess {
    /// Its gateway and exchange, for the assembly.
    class Side final : public exchange::TradingSide {
      public:
        explicit Side(GatewaysProcess& process) : process_(&process) {}

        [[nodiscard]] journal::Result<void> open() override { return process_->open_files(); }
        [[nodiscard]] std::uint64_t latest_snapshot() const override {
            return process_->latest_snapshot();
        }
        void follow_replay(exchange::FollowedState& state) override {
            process_->follow_replay(state);
        }
        void note_records(std::span<const journal::Record> records) override {
            process_->note_records(records);
        }
        void take_over(const exchange::FollowedState& state) override {
            process_->exchange_.take_over(state);
            process_->gateways_.take_over(state);
            process_->gateways_.note_accounts(state.engine().accounts());
        }
        void start(journal::JournalWriter& writer) override {
            process_->keep();
            process_->gateways_.attach(process_->exchange_);
            process_->exchange_.start(writer, process_->time(), process_->helpers());
        }
        void close() override {
            settle();
            while (process_->exchange_.durable_state() == journal::DurableState::not_yet)
                process_->sync();
            process_->gateways_.close();
            settle();
        }
        void note_all_reported(std::uint64_t sequence) override {
            process_->note_all_reported(sequence);
        }
        void settle() { process_->exchange_.settle(process_->time(), process_->helpers()); }

      private:
        GatewaysProcess* process_;
    };

  public:
    [[nodiscard]] journal::Result<void> start() final {
        if (auto done = restore(side_); !done) return done;
        agents_ = exchange_.agents();
        assembly_->start();
        if (records() == 0)
            for (const Command& command : setup_->opening)
                if (!exchange_.submit(command, {}, time()))
                    return std::unexpected{journal().writer().refusal()};
        side_.settle();
        return open_gateways();
    }
    void submit(const Command& command) final {
        static_cast<void>(exchange_.submit(command, {}, time()));
    }
    void turn() override { static_cast<void>(gateways_.do_work(0)); }
    void close() final {
        assembly_->close();
        journal().syncer().on_close();
        if (replica_) replica_->finish(time().value);
    }
    [[nodiscard]] bool stopped() const final { return gateways_.stopped(); }

    // Called by the exchange as its listener.
    void on_durable() final {
        place_();
        gateways_.on_durable();
    }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) final {
        setup_->beside();
        place_();
        gateways_.on_event(event, origin, stamp);
    }
    void on_command_end(const Origin& origin) final { gateways_.on_command_end(origin); }

  protected:
    GatewaysProcess(simulation::Disk& disk, const simulation::VirtualClock& clock,
                    const ProcessSetup& setup, std::function<void()> place,
                    typename D::Setup gateway)
        : SimulatedProcess(disk, clock, setup, std::move(place)),
          gateways_(setup.engine, std::move(gateway)),
          exchange_(setup, *this),
          side_(*this) {}

    [[nodiscard]] virtual journal::Result<void> open_gateways() = 0;
    // For a gateway that stores sent messages, see TradingSide:
    [[nodiscard]] virtual journal::Result<void> open_files() { return {}; }
    [[nodiscard]] virtual std::uint64_t latest_snapshot() const { return UINT64_MAX; }
    virtual void follow_replay(exchange::FollowedState& /*state*/) {}
    virtual void note_records(std::span<const journal::Record> /*records*/) {}
    virtual void note_all_reported(std::uint64_t /*sequence*/) {}

    [[nodiscard]] D& gateway() { return *gateways_.template gateway<D::k_gateway>(); }
    [[nodiscard]] const D& gateway() const { return *gateways_.template gateway<D::k_gateway>(); }

    exchange::Gateways<Exchange, D> gateways_;
    Exchange exchange_;

  private:
    Side side_;
};

}  // namespace damrak::simulation
