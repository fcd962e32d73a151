// The exchange with OUCH clients of one version on lossy connections in one deterministic world
// (tcp_world.hpp). Clients lose their links, and die, and days end. In the end every client has
// been sent exactly the messages that follow from the journal, in order, each with its number and
// time, each of its orders was answered once, what it takes for open is open, and each trade has
// two sides that agree. See docs/how-to/simulate.md.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "support/simulation/ouch_customer.hpp"
#include "support/simulation/ouch_process.hpp"
#include "support/simulation/tcp_world.hpp"

namespace damrak::simulation {

struct OuchTally : WorldTally {
    std::uint64_t messages = 0;
    std::uint64_t orders = 0;
    std::uint64_t trades = 0;
    OuchCounts clients;
    void add(const OuchTally& other);
};

class OuchExchangeWorld final : public TcpWorld {
  public:
    explicit OuchExchangeWorld(std::uint64_t seed, Plant plant = {});

    [[nodiscard]] OuchTally tally() const;

  private:
    [[nodiscard]] std::unique_ptr<SimulatedProcess> make_process() override;
    void before_turn(SimulatedProcess& process, bool troubled) override;
    [[nodiscard]] Finding step_clients(bool troubled) override;
    [[nodiscard]] bool all_logged_in() const override;
    [[nodiscard]] Finding compare() override;

    OuchSetup setup_;
    OuchEnds ends_;
    std::deque<OuchCustomer> clients_;
};

}  // namespace damrak::simulation
