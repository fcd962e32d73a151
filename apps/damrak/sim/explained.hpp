// `--explain` of `damrak sim run` and `damrak sim whatif`.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <damrak/explain/order_watch.hpp>
#include <damrak/market_runs/market_file.hpp>

#include "sim/jobs.hpp"

namespace damrak::app {

/// Null where nothing is asked.
using Watch = std::unique_ptr<explain::OrderWatch>;

[[nodiscard]] std::expected<Watch, std::string> watch_for(const ExplainOptions& options,
                                                          const market_runs::MarketFile& file);
[[nodiscard]] std::vector<market_kernel::MarketWatcher*> watchers_of(const Watch& watch);
/// The market ran to this time, or was stopped. The error: there is no such order.
[[nodiscard]] std::expected<void, std::string> answer(const Watch& watch,
                                                      std::optional<Timestamp> end);
/// Times are those of the day on which the market began.
[[nodiscard]] nlohmann::ordered_json json_of(const explain::OrderWatch& watch, Timestamp begin);
void print_explained(const explain::OrderWatch& watch, Timestamp begin);

}  // namespace damrak::app
