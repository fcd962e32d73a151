// Rules of instruments as venue files have them, for readers of other files. At set-up.
#pragma once

#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue {

/// Changes what the table names, and nothing else.
void read_rules(files::TableReader& in, Rules& rules);

}  // namespace damrak::venue
