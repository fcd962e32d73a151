// The observations of a market file: it is run for some seeds, each run leaves the archived day of
// its feed, and that day is read like a recorded one.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include <damrak/market_runs/market_file.hpp>
#include <damrak/score/sample_set.hpp>

namespace damrak::score {

struct MarketSampling {
    std::uint64_t first_seed = 1;
    std::uint32_t seeds = 3;
    std::string symbol{};  ///< empty: the first instrument of the file
    std::int64_t block_ns = k_block_ns;
    /// Share of all runs that is done, messages of the current one.
    std::function<void(double, std::uint64_t)> progress{};
    /// Ends everything early, with an error.
    std::function<bool()> stop{};
};

/// The blocks of all seeds. Days are kept in a temporary folder meanwhile, one at a time. The error
/// is one sentence.
[[nodiscard]] std::expected<SampleSet, std::string> sample_market(
    const market_runs::MarketFile& file, const MarketSampling& sampling);

}  // namespace damrak::score
