// The part of a venue file about the rules of instruments.
#pragma once

#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

/// Changes what the table names, and nothing else.
void read_rules(files::TableReader& in, Rules& rules);

}  // namespace damrak::venue::detail
