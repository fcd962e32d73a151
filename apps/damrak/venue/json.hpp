// A venue as JSON, for `damrak venue show`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <damrak/venue/venue.hpp>

namespace damrak::app {

/// 09:30 or 09:30:05.
[[nodiscard]] std::string time_of_day(std::int64_t after_midnight_ns);
[[nodiscard]] std::vector<std::string> words_of(venue::Weekdays days);
/// What a session does not take, in the words of a venue file.
[[nodiscard]] std::vector<std::string_view> refused(const venue::TradingSession& session);

[[nodiscard]] nlohmann::ordered_json to_json(const venue::TradingSession& session);
[[nodiscard]] nlohmann::ordered_json to_json(const venue::Rules& rules);
[[nodiscard]] nlohmann::ordered_json to_json(const venue::BreakerRule& breaker);
[[nodiscard]] nlohmann::ordered_json to_json(const venue::Venue& venue);

}  // namespace damrak::app
