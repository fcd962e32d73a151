// Markets by name: a market file, or one that the program brings.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include <damrak/market_runs/market_file.hpp>

namespace damrak::app {

/// `demo` and `default` are ready-made, unless there is a file of that name.
[[nodiscard]] std::expected<market_runs::MarketFile, std::string> named_market(
    const std::filesystem::path& name);

}  // namespace damrak::app
