#include <damrak/standard_exchange/feeds.hpp>

#include <array>

#include <damrak/gateway/feeds/itch_gateways.hpp>
#include <damrak/gateway/feeds/l2_gateway.hpp>

namespace damrak::standard_exchange {

std::span<const gateway::feeds::FeedGateway> feed_gateways() {
    static constexpr std::array k_feeds{
        gateway::feeds::FeedGateway{gateway::feeds::k_l2_gateways, gateway::feeds::open_l2},
        gateway::feeds::FeedGateway{gateway::feeds::k_itch_gateways, gateway::feeds::open_itch},
    };
    return k_feeds;
}

}  // namespace damrak::standard_exchange
