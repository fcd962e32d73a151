// The part of a venue file about spreads and baskets.
#pragma once

#include <vector>

#include <damrak/domain/market_rules.hpp>
#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

/// A table of this kind, without its rules.
[[nodiscard]] Combination read_combination(files::TableReader& in, CombinationKind kind);

/// Against those before it in the file.
void check_legs(const Combination& made, const std::vector<Combination>& earlier,
                files::TableReader& in);

}  // namespace damrak::venue::detail
