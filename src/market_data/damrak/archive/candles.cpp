#include <damrak/archive/candles.hpp>

#include <algorithm>

#include <damrak/base/assert.hpp>

namespace damrak::archive {

void add_trade(Candle& candle, const DayTrade& trade) {
    if (candle.trades == 0) candle.open_e4 = candle.low_e4 = trade.price_e4;
    candle.high_e4 = std::max(candle.high_e4, trade.price_e4);
    candle.low_e4 = std::min(candle.low_e4, trade.price_e4);
    candle.close_e4 = trade.price_e4;
    candle.quantity += trade.shares;
    ++candle.trades;
    candle.turnover_e4 += trade.price_e4 * std::uint64_t{trade.shares};
}

Answer<std::vector<Candle>> candles(const Day& day, std::uint16_t locate,
                                    const CandleWindow& window) {
    DAMRAK_ASSERT(window.interval_ns > 0);
    // Each page begins at a checkpoint: small pages would read the same messages again.
    constexpr std::size_t k_page_trades = 65'536;
    Answer<std::vector<Candle>> answer;
    std::vector<Candle>& found = answer.value;
    TradeWindow page{.from_ns = window.from_ns, .to_ns = window.to_ns, .limit = k_page_trades};
    for (;;) {
        const auto some = trades(day, locate, page);
        for (const DayTrade& trade : some.value) {
            if (!trade.counts()) continue;
            const std::int64_t begin_ns = trade.time_ns - trade.time_ns % window.interval_ns;
            if (found.empty() || found.back().begin_ns != begin_ns) {
                if (found.size() == window.limit) return answer;
                found.push_back({.begin_ns = begin_ns});
            }
            add_trade(found.back(), trade);
        }
        if (some.value.size() < k_page_trades) {
            answer.completeness = some.completeness;
            return answer;
        }
        page.after = some.value.back().sequence;
    }
}

}  // namespace damrak::archive
