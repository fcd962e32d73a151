// The feeds of the standard exchange that have their own ports: one row each.
#pragma once

#include <span>

#include <damrak/gateway/feeds/open_feed.hpp>

namespace damrak::standard_exchange {

[[nodiscard]] std::span<const gateway::feeds::FeedGateway> feed_gateways();

}  // namespace damrak::standard_exchange
