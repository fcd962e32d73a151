// The market that `damrak sim validate` looks at unless it is given one: noise traders, makers,
// value and trend traders and a background of clustered flow on one share, with fees and latencies.
#pragma once

#include <damrak/market_runs/market_file.hpp>

namespace damrak::validation {

[[nodiscard]] market_runs::MarketFile default_market();

}  // namespace damrak::validation
