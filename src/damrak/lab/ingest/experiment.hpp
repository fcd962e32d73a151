// The ingest study as an experiment of the laboratory: for its report beside the others. Set-up
// only.
#pragma once

#include <damrak/lab/experiment.hpp>

namespace damrak::lab::ingest {

/// Without trials where there are no network namespaces, which need root.
[[nodiscard]] Experiment experiment();

}  // namespace damrak::lab::ingest
