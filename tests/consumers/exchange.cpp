// The exchange: the inline wiring with its doors, as far as its types and what they link.
#include <damrak/exchange/inline_exchange.hpp>
#include <damrak/fix_gateway/roster.hpp>
#include <damrak/telemetry/run_directory.hpp>

int main() {
    const auto run = &damrak::gateway::InlineDoors::close;
    const bool machine = !damrak::telemetry::this_machine().system.empty();
    return run != nullptr && machine && !damrak::gateway::parse_folder_name("?") ? 0 : 1;
}
