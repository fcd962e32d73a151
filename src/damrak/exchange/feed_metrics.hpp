// The order-by-order feed and its archive over HTTP: how far they are, and what keeps them.
#pragma once

#include <string>

#include <damrak/exchange/exchange.hpp>

namespace damrak::exchange {

/// For /metrics; empty where there is no such feed.
[[nodiscard]] std::string feed_metrics(const Exchange& exchange);
/// What is worth a warning, in a few words; empty: all is well.
[[nodiscard]] std::string feed_warning(const Exchange& exchange);

}  // namespace damrak::exchange
