// The workload of the pipeline, as clients would send it: consecutive frames of the binary
// protocol, version 2, in memory, made before anything is timed. The mix is that of a public study:
// over 50 symbols, 40 % resting orders, 30 % crossing limit orders, 20 % market orders and 10 %
// cancels of open orders, with prices within 50 ticks of the middle, from a seed. Set-up only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::pipeline {

/// Which orders a pipeline is measured on.
struct WorkloadOptions {
    std::uint32_t orders = 2'000'000;  ///< messages, cancels included
    std::uint32_t symbols = 50;
    std::uint64_t seed = 42;
};

struct Workload {
    static constexpr std::uint32_t k_clients = 4;
    static constexpr std::int32_t k_middle_ticks = 10'000;
    static constexpr std::int32_t k_reach_ticks = 50;

    std::vector<std::byte> frames;
    std::uint32_t orders = 0;
    ladder::Setup setup;
    /// Expected results, from the generator's own book.
    std::uint64_t trades = 0;
    std::uint64_t open_orders_max = 0;
};

[[nodiscard]] Workload make_workload(const WorkloadOptions& options);

}  // namespace damrak::lab::pipeline
