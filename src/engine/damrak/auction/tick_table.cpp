#include <damrak/auction/tick_table.hpp>

#include <algorithm>

#include <damrak/base/assert.hpp>

namespace damrak::auction {

namespace {

// 1, 2, 5, 10, 20, 50, …: every price bound and every tick size of RTS 11 is one of these, in units
// of 0.0001.
constexpr auto k_series = [] {
    std::array<std::int64_t, 27> series{1, 2, 5};
    for (std::size_t i = 3; i < series.size(); ++i) series[i] = series[i - 3] * 10;
    return series;
}();

constexpr std::size_t k_rows = 19;
constexpr std::size_t k_first_bound = 9;  // 0.1, where the second row begins
constexpr std::size_t k_first_tick = 2;   // 0.0005, in the first row of the least liquid band
static_assert(k_series[k_first_bound] == 1'000 && k_series[k_first_tick] == 5);

// A row up is one place further in the series, a band up one place back.
constexpr Price rts11_tick(std::size_t row, LiquidityBand band) {
    const std::size_t place = k_first_tick + row;
    return Price{k_series[place - std::min(place, static_cast<std::size_t>(band) - 1)]};
}

}  // namespace

TickTable rts11_tick_table(LiquidityBand band) {
    TickTable table{rts11_tick(0, band)};
    for (std::size_t row = 1; row < k_rows; ++row) {
        const Price from{k_series[k_first_bound + row - 1]};
        const bool added = table.add({from, rts11_tick(row, band)});
        DAMRAK_ASSERT(added);
    }
    return table;
}

TickTable us_equity_tick_table() {
    TickTable table{Price{1}};
    const bool added = table.add({Price{10'000}, Price{100}});
    DAMRAK_ASSERT(added);
    return table;
}

}  // namespace damrak::auction
