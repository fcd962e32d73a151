// A run as one HTML page that needs nothing else: its style and its pictures are in it.
#pragma once

#include <string>

#include "report/run.hpp"

namespace damrak::app {

[[nodiscard]] std::string report_page(const RunRecord& run);

/// The same in some lines of text.
[[nodiscard]] std::string report_summary(const RunRecord& run);

}  // namespace damrak::app
