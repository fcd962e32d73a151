// The parts of a venue file about the exchange around its instruments: delays, fees, obligations of
// market makers, and the index.
#pragma once

#include <optional>
#include <vector>

#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

/// These are there if the table has them; each takes its keys from the top of the file.
[[nodiscard]] Delay read_delay(files::TableReader& top);
[[nodiscard]] Fees read_fees(files::TableReader& top);
[[nodiscard]] std::vector<Obligation> read_obligations(files::TableReader& top);
[[nodiscard]] std::optional<Index> read_index(files::TableReader& top);

/// Parts of an index, under this key: a list of symbols with weights. `what` names it in messages.
[[nodiscard]] std::vector<BreakerRule::Part> read_parts(files::TableReader& in,
                                                        std::string_view key,
                                                        std::string_view what);

}  // namespace damrak::venue::detail
