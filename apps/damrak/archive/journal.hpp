// `damrak archive import` of the journal of an exchange.
#pragma once

#include <expected>
#include <string>

#include <damrak/archive/import.hpp>

namespace damrak::app {

/// As archive::import_day(), of a path that names a journal.
[[nodiscard]] std::expected<archive::Imported, std::string> import_journal(
    const archive::Import& from, const archive::OnImported& on_imported);

}  // namespace damrak::app
