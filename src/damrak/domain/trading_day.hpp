// A trading day, as the exchange opens and closes it by commands: day orders last until its end,
// and the messages of a feed are numbered anew with it. Plain value.
#pragma once

#include <cstdint>

namespace damrak {

struct TradingDay {
    std::int32_t date = 0;  ///< yyyymmdd in the zone of the exchange; zero: there was none yet
    /// Counts from 0 with each day, and up where what was published is not true any more.
    std::uint16_t feed_session = 0;
    std::uint16_t is_open = 0;  ///< 1: between its begin and its end
    friend bool operator==(const TradingDay&, const TradingDay&) = default;
};

}  // namespace damrak
