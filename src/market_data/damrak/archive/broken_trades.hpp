// Which trades of an archived day were broken later. Reads the blocks that break trades, which
// their headers tell: nothing on most days. Any thread.
#pragma once

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/order_flow/broken_trades.hpp>

namespace damrak::archive {

/// Of the whole day, as far as its headers can be read. Incomplete if a block that breaks trades is
/// damaged: any trade may have been one of these.
[[nodiscard]] Answer<order_flow::BrokenTrades> broken_trades(const Day& day);

}  // namespace damrak::archive
