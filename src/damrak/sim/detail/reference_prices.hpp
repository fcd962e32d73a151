// Reference prices of the demo market: a random walk in small steps with a drift that changes now
// and then, within a fifth of the start. A function of seed and time.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/sim/demo_market.hpp>

namespace damrak::sim::detail {

class ReferencePrices {
  public:
    ReferencePrices(std::vector<DemoInstrument> instruments, std::uint64_t seed);

    /// Advances to this time; past prices do not change.
    void advance(std::int64_t now_ns);

    [[nodiscard]] std::size_t size() const { return paths_.size(); }
    [[nodiscard]] const DemoInstrument& instrument(std::size_t i) const {
        return paths_[i].instrument;
    }
    /// The unit of steps and spreads: a ten-thousandth of the first price, in whole ticks.
    [[nodiscard]] std::uint64_t unit_e2(std::size_t i) const { return paths_[i].unit_e2; }
    [[nodiscard]] std::uint64_t now_e2(std::size_t i) const { return paths_[i].price_e2; }
    /// The price ten seconds ago.
    [[nodiscard]] std::uint64_t before_e2(std::size_t i) const { return paths_[i].past.front(); }

  private:
    static constexpr std::int64_t k_step_ns = 500'000'000;
    static constexpr std::size_t k_memory = 20;  ///< steps

    struct Path {
        DemoInstrument instrument;
        std::uint64_t unit_e2 = 1;
        std::uint64_t price_e2 = 0;
        std::int32_t drift = 0;
        std::vector<std::uint64_t> past;
    };
    void step(Path& path);

    std::vector<Path> paths_;
    RandomStream random_;
    std::int64_t next_ns_ = INT64_MIN;
};

}  // namespace damrak::sim::detail
