// Tables of a market file that refer to others: what an instrument follows, obligations, and
// reactions.
#pragma once

#include <filesystem>

#include <damrak/files/toml_table.hpp>
#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::detail {

using files::TableReader;

/// `basket`, `weights` and `lag` of an instrument, whose parts come before it in the file.
void read_basket(TableReader& in, const MarketFile& file,
                 market_kernel::FundamentalDescription& fundamental);
/// A table [[obligation]], after the groups.
[[nodiscard]] measures::Obligation read_obligation(TableReader& in, const MarketFile& file);
/// The venue and the time of day at which the market begins. A file of a venue is relative to
/// `folder`.
void read_venue(TableReader& top, bool is_recorded_day, const std::filesystem::path& folder,
                MarketFile& file);
[[nodiscard]] std::string describe_venue(const MarketFile& file);
/// The table [reaction], if there is one.
void read_reaction(TableReader& top, bool is_recorded_day, MarketFile& file);

[[nodiscard]] std::string describe_basket(const market_kernel::FundamentalDescription& fundamental,
                                          const MarketFile& file);
[[nodiscard]] std::string describe_obligation(const measures::Obligation& obligation);
[[nodiscard]] std::string describe_reaction(const ReactionDescription& reaction);

}  // namespace damrak::market_runs::detail
