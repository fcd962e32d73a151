// The exchange with FIX clients on lossy connections in one deterministic world (tcp_world.hpp). It
// is also killed before and after a message is stored; clients lose their links, and crash. In the
// end every client has received every report that follows from the journal, once and in order, and
// every order that a client sent is in the journal once. After a power loss, this holds from the
// reset of the numbers on. See docs/how-to/simulate.md.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "support/simulation/fix_counterparty.hpp"
#include "support/simulation/fix_process.hpp"
#include "support/simulation/tcp_world.hpp"

namespace damrak::simulation {

struct FixTally : WorldTally {
    std::uint64_t reports = 0;
    std::uint64_t orders = 0;
    std::uint64_t losses = 0;            ///< of links
    std::uint64_t deaths = 0;            ///< of clients
    std::uint64_t missing_reported = 0;  ///< reports that a restart sent
    std::uint64_t full_stores = 0;       ///< times that stores were full until a restart
    std::uint64_t duplicates = 0;        ///< messages received again, marked as duplicates
    void add(const FixTally& other);
};

class FixExchangeWorld final : public TcpWorld {
  public:
    explicit FixExchangeWorld(std::uint64_t seed, Plant plant = {});

    [[nodiscard]] FixTally tally() const;

  private:
    void plan_gateway();

    [[nodiscard]] std::unique_ptr<SimulatedProcess> make_process() override;
    void on_started(const SimulatedProcess& process) override;
    void on_stopped(Stop how) override;
    [[nodiscard]] bool needs_restart() const override { return was_full_; }
    [[nodiscard]] Finding step_clients(bool troubled) override;
    [[nodiscard]] bool all_logged_in() const override;
    [[nodiscard]] Finding compare() override;

    FixSetup setup_;
    std::deque<FixCounterparty> clients_;
    std::uint64_t missing_reported_ = 0;
    std::uint64_t full_stores_ = 0;
    bool is_full_ = false;
    bool was_full_ = false;  ///< since the last start
};

}  // namespace damrak::simulation
