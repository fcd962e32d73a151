// Runs several markets over the same seeds, some at a time, seed by seed, so that an early end
// leaves whole pairs. What a store already has is not run again, and every finished run is kept at
// once: a second call after a kill continues where the first one was.
//
//   const auto runs = run_markets(files, {.seeds = 20, .jobs = 2});
//
// The results do not depend on the number of jobs, nor on what the store had. A market that is
// given twice is run for its second place, as a check that it runs in the same way again.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/comparison/detail/values.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::comparison {

/// Keeps finished runs. Called by one thread at a time.
class RunStore {
  public:
    virtual ~RunStore() = default;
    [[nodiscard]] virtual std::expected<std::optional<MeasuredRun>, std::string> find(
        const market_runs::MarketFile& market, std::uint64_t seed) = 0;
    [[nodiscard]] virtual std::expected<void, std::string> keep(
        const market_runs::MarketFile& market, const MeasuredRun& run) = 0;
};

/// By market in the order of the files, then by seed; as many of each.
using RunTable = std::vector<std::vector<MeasuredRun>>;

/// How many runs, and beside each other.
struct RunsOptions {
    std::uint64_t first_seed = 1;
    std::uint32_t seeds = 20;
    std::uint32_t jobs = 1;
    /// Gives every market seeds of its own: `seeds` further on than those of the one before.
    bool other_seeds = false;
    RunStore* store = nullptr;
    /// Runs markets again that the store has.
    bool fresh = false;
    /// One thread at a time: share of all runs done, messages so far.
    std::function<void(double, std::uint64_t)> progress{};
    /// Asked often and from all threads; what is in progress is given up.
    std::function<bool()> stop{};
    /// Asked after every k_seeds_a_look seeds; true ends the runs.
    std::function<bool(const RunTable&)> enough{};
};

/// Few looks, at places that do not depend on the number of jobs.
inline constexpr std::uint32_t k_seeds_a_look = 10;

struct Runs {
    RunTable table;  ///< seeds that all markets completed
    std::uint64_t ran = 0;
    std::uint64_t reused = 0;
    bool is_stopped = false;
    bool had_enough = false;
};

/// An error is one of the store, or of a participant that ended its run.
[[nodiscard]] std::expected<Runs, std::string> run_markets(
    std::span<const market_runs::MarketFile> markets, const RunsOptions& options);

}  // namespace damrak::comparison
