// The exchange of a simulated process, for any gateways, in either wiring. Inline, its thread also
// runs the journal's helpers, so the next segment is always ready. Pipelined, all threads are
// stepped whenever the gateways poll for events, as they may wait for some.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include <damrak/base/detail/agent.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/sequencer/sequencer.hpp>

#include "support/simulation/process_setup.hpp"

namespace damrak::simulation {

/// Receiver of reports: a process, whatever its gateways.
class Hearer {
  public:
    virtual void on_durable() = 0;
    virtual void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) = 0;
    virtual void on_command_end(const Origin& origin) = 0;
    /// Never called: these exchanges adopt a state.
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) const {}

  protected:
    ~Hearer() = default;
};

class InlineExchange : public sequencer::Sequencer<Hearer> {
  public:
    InlineExchange(const ProcessSetup& setup, Hearer& hearer) : Sequencer(setup.engine, hearer) {}

    /// `helpers` are those of the journal; the first is the preallocator.
    void start(journal::JournalWriter& writer, Timestamp now, std::span<const AgentRef> helpers) {
        preallocator_ = helpers.front();
        Sequencer::start(writer, now);
    }
    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) {
        std::ignore = preallocator_->do_work(now.value);
        return Sequencer::submit(command, origin, now);
    }
    [[nodiscard]] bool attach(const Attachment& attachment, const Origin& origin, Timestamp now) {
        std::ignore = preallocator_->do_work(now.value);
        return Sequencer::attach(attachment, origin, now);
    }
    [[nodiscard]] bool do_work(Timestamp now) {
        std::ignore = preallocator_->do_work(now.value);
        return Sequencer::do_work(now);
    }
    void settle(Timestamp /*now*/, std::span<const AgentRef> /*helpers*/) const {}
    [[nodiscard]] static std::vector<AgentRef> agents() { return {}; }

  private:
    std::optional<AgentRef> preallocator_;
};

class PipelinedExchange : public sequencer::PipelinedSequencer<Hearer> {
  public:
    PipelinedExchange(const ProcessSetup& setup, Hearer& hearer)
        : PipelinedSequencer(setup.engine, *setup.pipeline, hearer),
          setup_(&setup),
          hearer_(&hearer) {}

    [[nodiscard]] bool submit(const Command& command, const Origin& origin, Timestamp now) {
        const bool taken = PipelinedSequencer::submit(command, origin, now);
        if (taken && setup_->plant.waits_for_none) hearer_->on_command_end(origin);
        return taken;
    }
    [[nodiscard]] bool do_work(Timestamp now) {
        setup_->beside();
        return PipelinedSequencer::do_work(now);
    }
    [[nodiscard]] std::vector<AgentRef> agents() { return pipeline().agents(); }

  private:
    const ProcessSetup* setup_;
    Hearer* hearer_;
};

}  // namespace damrak::simulation
