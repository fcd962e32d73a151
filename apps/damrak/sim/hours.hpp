// What commands share that read a recorded day: the options --from and --until.
#pragma once

#include <expected>
#include <string>

#include <damrak/market_runs/recorded_measures.hpp>

namespace damrak::app {

/// Empty: from the begin, to the end. The error is one of usage.
[[nodiscard]] std::expected<market_runs::MeasuredHours, std::string> measured_hours(
    const std::string& from, const std::string& until);

}  // namespace damrak::app
