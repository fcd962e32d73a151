#include <damrak/standard_exchange/feeds.hpp>

#include <array>

#include <damrak/feed_gateway/itch_gateways.hpp>
#include <damrak/feed_gateway/l2_gateway.hpp>

namespace damrak::exchange {

std::span<const gateway::FeedGateway> feed_gateways() {
    static constexpr std::array k_feeds{
        gateway::FeedGateway{gateway::k_l2_gateways, gateway::open_l2},
        gateway::FeedGateway{gateway::k_itch_gateways, gateway::open_itch},
    };
    return k_feeds;
}

}  // namespace damrak::exchange
