// From a tick to its trade, as an experiment: a market-data feed, an order book, matching and a
// trade logger, with one design choice replaced at a time. Called by `damrak lab run` and `damrak
// lab tick-to-trade`; set-up only.
#pragma once

#include <cstdint>

#include <damrak/base/histogram.hpp>
#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

/// Four factors at 1,000, 10,000 and 100,000 ticks; a sample's latencies are per tick.
[[nodiscard]] Experiment tick_to_trade_experiment();

/// Latencies of the common baseline of the factors: raw pointers from new, not aligned, in a map.
struct TickLatencies {
    Histogram ticks_ns;
    Histogram trades_ns;  ///< from the start of the tick until its trade is logged
};
[[nodiscard]] TickLatencies tick_latencies(std::uint32_t ticks, std::uint64_t seed);

}  // namespace damrak::lab
