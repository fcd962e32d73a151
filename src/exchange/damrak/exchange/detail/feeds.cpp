#include <damrak/exchange/detail/feeds.hpp>

#include <array>

#include <damrak/exchange/detail/itch_gateways.hpp>
#include <damrak/exchange/l2_gateway.hpp>

namespace damrak::exchange {

std::span<const FeedGateway> feed_gateways() {
    static constexpr std::array k_feeds{
        FeedGateway{k_l2_gateways, open_l2},
        FeedGateway{k_itch_gateways, open_itch},
    };
    return k_feeds;
}

}  // namespace damrak::exchange
