#include <damrak/exchange/feeds.hpp>

#include <array>

#include <damrak/exchange/l2_door.hpp>

namespace damrak::exchange {

std::span<const FeedDoor> feed_doors() {
    static constexpr std::array k_feeds{
        FeedDoor{"l2", open_l2},
    };
    return k_feeds;
}

}  // namespace damrak::exchange
