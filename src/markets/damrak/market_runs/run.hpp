// One run of a market file: from its beginning to its end with what its timeline asks for, measured
// and, if wanted, kept.
//
//   const auto result = market_runs::run_market(*file, {.seed = 7});
//
// The same file and seed give the same result on every machine. One thread a run; runs do not share
// anything, so several go side by side (run_seeds).
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <damrak/journal/file_system.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/detail/by_group.hpp>
#include <damrak/market_runs/market_file.hpp>
#include <damrak/measures/results.hpp>

namespace damrak::market_runs {

/// How a market file is run, and what is kept.
struct RunOptions {
    std::uint64_t seed = 1;
    /// Keeps the run in this folder, which is new or empty: journal, archived day, owners of the
    /// orders (detail/kept_run.hpp). Of a name that ends in .dar, only the archived day, in this
    /// file. Empty: nothing.
    std::filesystem::path keep{};
    /// Writes events.csv and participants.csv into this folder; empty: nothing.
    std::filesystem::path tables{};
    /// From the thread of the run, a hundred times a run: share done, messages so far.
    std::function<void(double, std::uint64_t)> progress{};
    /// Ends the run early, when it returns true; asked as often as progress.
    std::function<bool()> stop{};
    /// Where the journal of a kept run is; it must outlive the run.
    journal::FileSystem* files = &journal::real_files();
    /// See the whole run besides its measures; they must outlive it.
    std::vector<market_kernel::MarketWatcher*> watchers{};
};

/// The measures of an instrument and of each group in it.
struct InstrumentResult {
    std::string symbol;
    measures::Results measures;
    std::vector<market_runs::GroupResult> groups;
};

/// The outcome of a run.
struct RunResult {
    std::uint64_t seed = 0;
    std::uint64_t identity = 0;  ///< of the market file
    std::uint64_t hash = 0;      ///< over all events and the final state
    market_kernel::MarketCounts counts{};
    double cpu_s = 0;         ///< of the thread; no part of the result
    std::int64_t ran_ns = 0;  ///< of virtual time
    bool is_complete = false;
    std::vector<InstrumentResult> instruments;
    std::vector<std::string> faults;  ///< of participants and of kept files, in words
};

/// An error is one of files at the start; what happens later is in the result.
[[nodiscard]] std::expected<RunResult, std::string> run_market(const MarketFile& file,
                                                               const RunOptions& options);

/// Seeds from `first_seed` on, `jobs` at a time; results in the order of the seeds. `done` is
/// called with the number of finished runs, one thread at a time. Once `stop` returns true, runs
/// that are neither complete nor ended by a fault are left out.
[[nodiscard]] std::vector<RunResult> run_seeds(const MarketFile& file, std::uint64_t first_seed,
                                               std::uint32_t count, std::uint32_t jobs,
                                               const std::function<void(std::uint32_t)>& done = {},
                                               const std::function<bool()>& stop = {});

}  // namespace damrak::market_runs
