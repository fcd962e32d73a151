// The feeds of the standard exchange that have their own ports: one row each.
#pragma once

#include <span>

#include <damrak/feed_gateway/open_feed.hpp>

namespace damrak::exchange {

[[nodiscard]] std::span<const gateway::FeedGateway> feed_gateways();

}  // namespace damrak::exchange
