// The options --from and --until of commands that read a recorded day.
#pragma once

#include <expected>
#include <string>

#include <damrak/study/recorded_measures.hpp>

namespace damrak::app {

/// Empty: from the begin, to the end. The error is one of usage.
[[nodiscard]] std::expected<study::MeasuredHours, std::string> measured_hours(
    const std::string& from, const std::string& until);

}  // namespace damrak::app
