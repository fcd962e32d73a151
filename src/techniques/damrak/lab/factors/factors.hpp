// The experiments on single design choices, one file each.
#pragma once

#include <vector>

#include <damrak/lab/experiment.hpp>
#include <damrak/lab/factors/book_factor.hpp>

namespace damrak::lab {

[[nodiscard]] BookFactor ownership_factor();
[[nodiscard]] BookFactor allocation_factor();
[[nodiscard]] BookFactor levels_factor();
[[nodiscard]] BookFactor queue_factor();
[[nodiscard]] BookFactor ids_factor();
[[nodiscard]] BookFactor layout_factor();
[[nodiscard]] BookFactor output_factor();
[[nodiscard]] BookFactor dispatch_factor();
[[nodiscard]] BookFactor prefetch_factor();
[[nodiscard]] BookFactor huge_pages_factor();
[[nodiscard]] Experiment waiting_experiment();
[[nodiscard]] Experiment pinning_experiment();

/// The book factors, for tests that check every variant.
[[nodiscard]] std::vector<BookFactor> book_factors();

/// All of them.
[[nodiscard]] std::vector<Experiment> factor_experiments();

}  // namespace damrak::lab
