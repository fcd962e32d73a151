// Metrics of the order-by-order feed and its archive: their progress and their problems.
#pragma once

#include <string>

#include <damrak/exchange/exchange.hpp>

namespace damrak::exchange {

/// For /metrics; empty if there is no such feed.
[[nodiscard]] std::string feed_metrics(const Exchange& exchange);
/// A warning in a few words; empty if there is none.
[[nodiscard]] std::string feed_warning(const Exchange& exchange);

}  // namespace damrak::exchange
