// Candles of an archived day: the first, highest, lowest and last price of an interval's trades,
// and their volume. Reads in pages from the last checkpoint before the window, so memory depends
// only on the number of candles. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>

namespace damrak::archive {

/// Prices and volume of an interval; prices in units of 0.0001.
struct Candle {
    std::int64_t begin_ns = 0;  ///< a multiple of the interval since midnight
    std::uint32_t open_e4 = 0;
    std::uint32_t high_e4 = 0;
    std::uint32_t low_e4 = 0;
    std::uint32_t close_e4 = 0;
    std::uint64_t quantity = 0;
    std::uint64_t trades = 0;
    std::uint64_t turnover_e4 = 0;  ///< sum of price times quantity
    friend bool operator==(const Candle&, const Candle&) = default;
};

/// Adds a trade that counts (DayTrade::counts()) and belongs to the candle.
void add_trade(Candle& candle, const DayTrade& trade);

/// Which candles are wanted.
struct CandleWindow {
    std::int64_t interval_ns = 60'000'000'000;  ///< positive
    std::int64_t from_ns = 0;                   ///< earliest time of a trade
    std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
    std::size_t limit = std::numeric_limits<std::size_t>::max();  ///< most candles to return
};

/// Candles in order; an interval without trades has none. What does not count, see
/// DayTrade::counts().
[[nodiscard]] Answer<std::vector<Candle>> candles(const Day& day, std::uint16_t locate,
                                                  const CandleWindow& window);

}  // namespace damrak::archive
