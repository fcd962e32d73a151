// Carries out what the timeline of a market file asks for. One thread, that of the market; nothing
// between two actions.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs {

/// The beginning or the end of an entry of the timeline.
struct TimelineAction {
    std::int64_t at_ns = 0;  ///< since the beginning
    const TimelineEntry* entry = nullptr;
    bool begins = true;
};

/// By time; without news, which is planned at the start, and what trades. The file must outlive
/// them.
[[nodiscard]] std::vector<TimelineAction> actions_of(const MarketFile& file);
void plan_news(const MarketFile& file, market_kernel::Market& market);
/// At the current moment; `usual` is the exchange without the timeline.
void act(market_kernel::Market& market, const TimelineAction& action,
         const market_kernel::ExchangeModel& usual);

}  // namespace damrak::market_runs
