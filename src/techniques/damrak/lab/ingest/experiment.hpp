// The ingest study as an experiment of the laboratory, so that its report includes it. Set-up only.
#pragma once

#include <damrak/lab/experiment.hpp>

namespace damrak::lab::ingest {

/// Without trials if network namespaces are not available; they need root.
[[nodiscard]] Experiment experiment();

}  // namespace damrak::lab::ingest
