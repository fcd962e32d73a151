// The exchange inside one process: gateway, ring, matching, ring and market-data publisher, as
// agents (base/detail/agent.hpp). Run by `damrak lab pipeline` and, with other engines in the
// middle, by the ladder.
//
// Wirings: in `inline`, one thread steps the three in turn, a few orders at a time. `threaded` has
// two shards of the instruments, with an engine each, and distributes gateway, shards and publisher
// over as many threads as there are cores, from two to four. All spin. Both wirings apply the same
// orders and reach the same state.
//
// A latency runs from the start of the gateway's turn that takes an order until the last message
// about it, and the others of that turn, are in a datagram. There is always more input, so in the
// threaded wiring most of the latency is waiting in the first ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/histogram.hpp>
#include <damrak/lab/pipeline/workload.hpp>

namespace damrak::lab::pipeline {

enum class Wiring : std::uint8_t { in_line, threaded };
/// Default number of orders per step.
inline constexpr std::size_t k_inline_turn = 8;
inline constexpr std::size_t k_threaded_turn = 256;

[[nodiscard]] constexpr std::string_view name(Wiring wiring) {
    return wiring == Wiring::in_line ? "inline" : "threaded";
}

/// How the stages of a pipeline are wired.
struct PipelineConfig {
    Wiring wiring = Wiring::in_line;
    /// Orders that the gateway takes in one step; zero: the default of the wiring. Few give short
    /// latencies; many keep code and rings in the cache.
    std::size_t turn = 0;
    std::vector<unsigned> cores{};    ///< to pin threads to, in order; empty: no pinning
    std::filesystem::path journal{};  ///< folder to create; empty: no journal
};

/// The figures of a pipeline.
struct PipelineResult {
    Wiring wiring{};
    std::size_t turn = 0;
    std::size_t threads = 0;
    std::size_t shards = 0;       ///< of the instruments, each with an engine
    std::vector<unsigned> cores;  ///< of each thread; empty: not pinned
    std::int64_t elapsed_ns = 0;  ///< from the first order taken to the last published
    std::uint64_t orders = 0;
    std::uint64_t refused = 0;     ///< by the gateway or the engine
    std::uint64_t executions = 0;  ///< published
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t state_hash = 0;  ///< of the product's engine, independent of its shards
    Histogram latency_ns;

    [[nodiscard]] double orders_per_s() const {
        return 1e9 * static_cast<double>(orders) / static_cast<double>(elapsed_ns);
    }
};

/// With the product's engine. Throws std::runtime_error if the journal cannot be created.
[[nodiscard]] PipelineResult run_pipeline(const Workload& workload, const PipelineConfig& config);

/// With a rung of the ladder, inline and without a journal.
[[nodiscard]] PipelineResult run_rung_pipeline(std::size_t rung, const Workload& workload,
                                               const PipelineConfig& config);

}  // namespace damrak::lab::pipeline
