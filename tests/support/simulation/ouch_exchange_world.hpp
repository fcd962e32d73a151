// The exchange with OUCH clients of one version on lossy connections in one deterministic world
// (tcp_world.hpp). Clients lose their links, and crash. In the end every client has received
// exactly the messages that follow from the journal, in order, each with its number and time, and
// each of its orders was answered once. See docs/how-to/simulate.md.
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
    std::uint64_t losses = 0;    ///< of links
    std::uint64_t deaths = 0;    ///< of clients
    std::uint64_t repeated = 0;  ///< messages requested again
    std::uint64_t resent = 0;    ///< requests
    void add(const OuchTally& other);
};

class OuchExchangeWorld final : public TcpWorld {
  public:
    explicit OuchExchangeWorld(std::uint64_t seed, Plant plant = {});

    [[nodiscard]] OuchTally tally() const;

  private:
    [[nodiscard]] std::unique_ptr<SimulatedProcess> make_process() override;
    [[nodiscard]] Finding step_clients(bool troubled) override;
    [[nodiscard]] bool all_logged_in() const override;
    [[nodiscard]] Finding compare() override;

    OuchSetup setup_;
    std::deque<OuchCustomer> clients_;
};

}  // namespace damrak::simulation
