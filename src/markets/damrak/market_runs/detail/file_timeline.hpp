// A table [[timeline]] of a market file. Events that trade become participants: the table has the
// parameters of their kind, less those that follow from its time.
#pragma once

#include <string>

#include <damrak/files/toml_table.hpp>
#include <damrak/market_runs/detail/file_groups.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::detail {

using files::TableReader;

/// After the groups.
void read_timeline(TableReader& in, const Places& places, MarketFile& file);
[[nodiscard]] std::string describe_entry(const TimelineEntry& entry, const MarketFile& file);

}  // namespace damrak::market_runs::detail
