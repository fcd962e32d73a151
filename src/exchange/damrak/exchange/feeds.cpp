#include <damrak/exchange/feeds.hpp>

#include <array>

#include <damrak/exchange/itch_doors.hpp>
#include <damrak/exchange/l2_door.hpp>

namespace damrak::exchange {

std::span<const FeedDoor> feed_doors() {
    static constexpr std::array k_feeds{
        FeedDoor{k_l2_doors, open_l2},
        FeedDoor{k_itch_doors, open_itch},
    };
    return k_feeds;
}

}  // namespace damrak::exchange
