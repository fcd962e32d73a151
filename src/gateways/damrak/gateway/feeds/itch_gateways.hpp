// The gateways of the order-by-order feed: one feed in the data directory, and a server for its
// subscribers.
#pragma once

#include <array>
#include <string_view>

#include <damrak/gateway/feeds/open_feed.hpp>

namespace damrak::gateway::feeds {

inline constexpr std::array<std::string_view, 4> k_itch_gateways{"itch", "mold", "retransmit",
                                                                 "glimpse"};

[[nodiscard]] journal::Result<OpenFeed> open_itch(const Settings& settings);

}  // namespace damrak::gateway::feeds
