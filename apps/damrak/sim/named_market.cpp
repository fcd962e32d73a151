#include "sim/named_market.hpp"

#include <damrak/validation/default_market.hpp>

#include "serve/market.hpp"

namespace damrak::app {

std::expected<market_runs::MarketFile, std::string> named_market(
    const std::filesystem::path& name) {
    if (!std::filesystem::exists(name) || std::filesystem::is_directory(name)) {
        if (name == "demo") return demo_market_file();
        if (name == "default") return validation::default_market();
    }
    return market_runs::read_market_file(name);
}

}  // namespace damrak::app
