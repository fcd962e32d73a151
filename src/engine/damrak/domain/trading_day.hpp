// A trading day, which the exchange opens and closes by commands. Day orders last until its end,
// and the message numbers of a feed start again with it. Plain value.
#pragma once

#include <cstdint>

namespace damrak {

struct TradingDay {
    std::int32_t date = 0;  ///< yyyymmdd in the exchange's time zone; zero before the first day
    /// Starts at 0 each day and increases when published data has become invalid.
    std::uint16_t feed_session = 0;
    std::uint16_t is_open = 0;  ///< 1 between its begin and its end
    friend bool operator==(const TradingDay&, const TradingDay&) = default;
};

}  // namespace damrak
