// Metrics of the order-by-order feed and its archive: their progress and their problems.
#pragma once

#include <string>

#include <damrak/gateway/feeds/open_feed.hpp>

namespace damrak::gateway::feeds {

/// For /metrics; empty if it is no such feed.
[[nodiscard]] std::string feed_metrics(const OpenFeed& feed);
/// A warning in a few words; empty if there is none.
[[nodiscard]] std::string feed_warning(const OpenFeed& feed);

}  // namespace damrak::gateway::feeds
