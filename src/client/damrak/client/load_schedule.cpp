#include <damrak/client/load_schedule.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace damrak::client {

namespace {

constexpr double k_for_ever_s = std::numeric_limits<double>::infinity();

std::string_view trimmed(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

std::optional<double> number_in(std::string_view text) {
    text = trimmed(text);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value) ||
        value < 0)
        return std::nullopt;
    return value;
}

double end_of(const std::vector<RateStretch>& stretches, std::size_t i) {
    return i + 1 < stretches.size() ? stretches[i + 1].begin_s : k_for_ever_s;
}

// Slope of the rate within a stretch; the last one is level.
double slope_of(const std::vector<RateStretch>& stretches, std::size_t i) {
    const double length_s = end_of(stretches, i) - stretches[i].begin_s;
    return (stretches[i].rate_at_end - stretches[i].rate) / length_s;
}

std::int64_t nanoseconds_of(double seconds) {
    constexpr double k_longest_s = 1e9;
    return seconds < k_longest_s ? static_cast<std::int64_t>(std::llround(seconds * 1e9))
                                 : LoadSchedule::k_never;
}

}  // namespace

std::expected<std::vector<RateStretch>, std::string> parse_rates(std::string_view text) {
    std::vector<RateStretch> stretches;
    std::size_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        const auto line = text.substr(at, end - at);
        at = end + 1;
        number += 1;
        const auto words = trimmed(line.substr(0, line.find('#')));
        if (words.empty() || (stretches.empty() && words == "second,rate")) continue;
        const auto wrong = [&](std::string_view what) {
            return std::unexpected{fmt::format("line {}: {}, not '{}'", number, what, words)};
        };
        const std::size_t comma = words.find(',');
        if (comma == std::string_view::npos) return wrong("expected second,rate such as 10,50000");
        const auto second = number_in(words.substr(0, comma));
        const auto rate = number_in(words.substr(comma + 1));
        if (!second || !rate) return wrong("second and rate must be non-negative numbers");
        if (stretches.empty() && *second != 0) return wrong("the first second must be 0");
        if (!stretches.empty() && *second <= stretches.back().begin_s)
            return wrong("seconds must ascend from line to line");
        stretches.push_back({.begin_s = *second, .rate = *rate, .rate_at_end = *rate});
    }
    if (stretches.empty())
        return std::unexpected{std::string{"the file has no line of the form second,rate"}};
    return stretches;
}

LoadSchedule::LoadSchedule(LoadTimetable timetable, std::span<const std::uint32_t> parts,
                           std::size_t part)
    : timetable_(std::move(timetable)), random_(mix_bits(timetable_.seed) ^ mix_bits(part + 1)) {
    const auto sum = [&](std::size_t count) {
        const auto some = parts.first(count);
        return std::accumulate(some.begin(), some.end(), std::uint64_t{0});
    };
    const std::uint64_t all = sum(parts.size());
    share_ = static_cast<double>(parts[part]) / static_cast<double>(all);
    burst_share_ = timetable_.burst * sum(part + 1) / all - timetable_.burst * sum(part) / all;
    advance_steady();
    advance_burst();
    choose();
}

void LoadSchedule::advance() {
    if (due_ns_ == burst_ns_)
        advance_burst();
    else
        advance_steady();
    choose();
}

void LoadSchedule::choose() { due_ns_ = std::min(steady_ns_, burst_ns_); }

void LoadSchedule::advance_burst() {
    if (burst_share_ == 0) return;
    if (burst_left_ == 0) {
        burst_left_ = burst_share_;
        bursts_ += 1;
        burst_ns_ = nanoseconds_of(static_cast<double>(bursts_) * timetable_.burst_every_s);
    }
    burst_left_ -= 1;
}

// Moves to where the area under the rate has grown by one request.
void LoadSchedule::advance_steady() {
    const auto& stretches = timetable_.stretches;
    double needed = 1;
    for (; stretch_ < stretches.size(); ++stretch_) {
        const double slope = slope_of(stretches, stretch_) * share_;
        const double since_s = at_s_ - stretches[stretch_].begin_s;
        const double rate = stretches[stretch_].rate * share_ + slope * since_s;
        const double left_s = end_of(stretches, stretch_) - at_s_;
        const double root = rate * rate + 2 * slope * needed;
        const double step_s = root > 0 ? 2 * needed / (rate + std::sqrt(root)) : k_for_ever_s;
        if (step_s < left_s) {
            at_s_ += step_s;
            const double late_s = timetable_.jitter > 0
                                      ? timetable_.jitter * step_s * random_.below(1'000) / 1'000
                                      : 0;
            const std::int64_t at_ns = nanoseconds_of(at_s_ + late_s);
            steady_ns_ = steady_ns_ == k_never ? at_ns : std::max(steady_ns_, at_ns);
            return;
        }
        if (left_s == k_for_ever_s) break;
        needed -= left_s * (rate + slope * left_s / 2);
        at_s_ += left_s;
    }
    stretch_ = stretches.size();
    steady_ns_ = k_never;
}

}  // namespace damrak::client
