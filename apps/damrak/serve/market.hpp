// The demo market of `damrak serve`: its participants are clients of the binary door on a thread of
// their own.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include <damrak/domain/instrument.hpp>
#include <damrak/sim/demo_market.hpp>

#include "term/link.hpp"

namespace damrak::app {

/// The demo market on its thread, connected to a door that listens already.
class DemoMarketThread {
  public:
    DemoMarketThread(LinkSettings door, std::vector<sim::DemoInstrument> instruments);

    /// They take back their orders and leave; the door is to be served meanwhile.
    void ask_to_leave() { thread_.request_stop(); }
    [[nodiscard]] bool gone() const { return gone_.load(); }

  private:
    void run(const std::stop_token& stop, const LinkSettings& door,
             std::vector<sim::DemoInstrument> instruments);

    std::atomic<bool> gone_{false};
    std::jthread thread_;
};

/// Starting values of the demo market for an instrument, by its symbol.
[[nodiscard]] sim::DemoInstrument demo_instrument(const InstrumentDefinition& definition);

}  // namespace damrak::app
