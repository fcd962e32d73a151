#include "archive/journal.hpp"

#include <damrak/archive/journal_import.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

namespace damrak::app {

std::expected<archive::Imported, std::string> import_journal(
    const archive::Import& from, const archive::OnImported& on_imported) {
    return archive::import_journal<standard_exchange::GatewayStates>(from, on_imported);
}

}  // namespace damrak::app
