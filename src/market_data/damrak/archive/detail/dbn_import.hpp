// Imports a file in the Databento Binary Encoding: orders (MBO), levels (MBP, BBO) or trades.
#pragma once

#include <expected>
#include <string>

#include <damrak/archive/import.hpp>

namespace damrak::archive {

[[nodiscard]] std::expected<Imported, std::string> import_dbn(const Import& from,
                                                              const OnImported& on_imported);

}  // namespace damrak::archive
