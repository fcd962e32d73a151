// The exchange that `damrak serve` runs: doors, sequencer, journal and its helpers, put together.
// Made, recovered, started, stepped and closed by the main thread.
//
//   Exchange exchange{settings};
//   exchange.recover(); exchange.start(); while (…) exchange.do_work(wait); exchange.close();
#pragma once

#include <memory>
#include <optional>

#include <damrak/gateway/inline_exchange.hpp>
#include <damrak/journal/journal.hpp>

#include "serve_helpers.hpp"
#include "serve_settings.hpp"

namespace damrak::app {

class Exchange {
  public:
    using Gateway = gateway::BinaryDoor;
    using Sequencer = gateway::InlineExchange;

    explicit Exchange(const ServeSettings& settings);

    /// Reads what the directory keeps, and makes the journal go on behind it.
    [[nodiscard]] journal::Result<void> recover();
    /// Ends what the last run left open, makes the instruments, and opens the doors.
    [[nodiscard]] journal::Result<void> start();
    /// One turn, which waits at most so long for something to do.
    void do_work(int wait_ms) { gateway_->do_work(wait_ms); }
    /// The journal takes nothing any more; its writer says why.
    [[nodiscard]] bool stopped() const { return gateway_->stopped(); }
    /// Sends what can be sent, ends all sessions, and brings everything to the disk.
    void close();

    [[nodiscard]] Gateway& gateway() { return *gateway_; }
    [[nodiscard]] Sequencer& sequencer() { return *sequencer_; }
    [[nodiscard]] const Sequencer& sequencer() const { return *sequencer_; }
    [[nodiscard]] journal::Journal& journal() { return *journal_; }
    [[nodiscard]] const journal::Recovery& recovery() const { return recovery_; }

  private:
    [[nodiscard]] bool add_instruments();

    ServeSettings settings_;
    std::unique_ptr<Gateway> gateway_;
    std::unique_ptr<Sequencer> sequencer_;
    journal::Recovery recovery_;
    std::unique_ptr<journal::Journal> journal_;
    std::optional<JournalHelpers> helpers_;
};

}  // namespace damrak::app
