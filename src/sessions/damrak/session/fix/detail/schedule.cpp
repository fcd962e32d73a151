#include <damrak/session/fix/detail/schedule.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/base/time_units.hpp>

namespace damrak::session::fix {
namespace {

constexpr std::int64_t k_week_ns = 7 * k_day_ns;
constexpr int k_epoch_day = 3;  // 1 January 1970 was a Thursday

constexpr std::array<std::string_view, 7> k_days{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

// Rounds towards the past, also for negative times.
[[nodiscard]] std::int64_t modulo(std::int64_t value, std::int64_t period) {
    const std::int64_t rest = value % period;
    return rest < 0 ? rest + period : rest;
}

// From one point of a period to another; a whole period if they are equal.
[[nodiscard]] std::int64_t length(std::int64_t start, std::int64_t end, std::int64_t period) {
    const std::int64_t forward = modulo(end - start, period);
    return forward == 0 ? period : forward;
}

struct Point {
    std::optional<int> day;
    std::int64_t time_ns = 0;
};

[[nodiscard]] std::optional<Point> parse_point(std::string_view text) {
    Point point;
    if (const auto space = text.find(' '); space != std::string_view::npos) {
        const auto day = std::ranges::find(k_days, text.substr(0, space));
        if (day == k_days.end()) return std::nullopt;
        point.day = static_cast<int>(day - k_days.begin());
        text.remove_prefix(space + 1);
    }
    const auto time = parse_time_of_day(text);
    if (!time) return std::nullopt;
    point.time_ns = *time;
    return point;
}

}  // namespace

Schedule Schedule::daily(std::int64_t start_ns, std::int64_t end_ns) {
    return {k_day_ns, modulo(start_ns, k_day_ns), length(start_ns, end_ns, k_day_ns)};
}

Schedule Schedule::weekly(int start_day, std::int64_t start_ns, int end_day, std::int64_t end_ns) {
    DAMRAK_ASSERT(start_day >= 0 && start_day < 7 && end_day >= 0 && end_day < 7);
    const std::int64_t start = (start_day - k_epoch_day) * k_day_ns + start_ns;
    const std::int64_t end = (end_day - k_epoch_day) * k_day_ns + end_ns;
    return {k_week_ns, modulo(start, k_week_ns), length(start, end, k_week_ns)};
}

std::expected<Schedule, std::string> Schedule::parse(std::string_view text) {
    if (text == "always") return Schedule{};
    const auto dash = text.find('-');
    const auto start = parse_point(text.substr(0, dash));
    const auto end = parse_point(dash == std::string_view::npos ? "" : text.substr(dash + 1));
    if (!start || !end || start->day.has_value() != end->day.has_value())
        return std::unexpected(fmt::format(
            "schedule \"{}\" is not of the form \"always\", \"07:00:00-17:30:00\" or \"mon "
            "07:00:00-fri 17:30:00\"",
            text));
    if (!start->day) return daily(start->time_ns, end->time_ns);
    return weekly(*start->day, start->time_ns, *end->day, end->time_ns);
}

bool Schedule::is_open(Timestamp now) const {
    return always() || now < utc_of(local_start(now) + length_ns_);
}

Timestamp Schedule::last_start(Timestamp now) const {
    if (always()) return {std::numeric_limits<std::int64_t>::min()};
    return utc_of(local_start(now));
}

/// When clocks go back, local time may repeat a start that has passed, or not show yet one that
/// has.
std::int64_t Schedule::local_start(Timestamp now) const {
    const std::int64_t shown = zone_ == nullptr ? now.value : zone_->local_of(now.value);
    const std::int64_t start = shown - modulo(shown - start_ns_, period_ns_);
    if (now < utc_of(start)) return start - period_ns_;
    return utc_of(start + period_ns_) <= now ? start + period_ns_ : start;
}

}  // namespace damrak::session::fix
