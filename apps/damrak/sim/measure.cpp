// `damrak sim measure`: the measures of a populated market, of a recorded day.
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/archive/day.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/lobster/file_name.hpp>
#include <damrak/study/recorded_measures.hpp>

#include "cli.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

constexpr const char* k_command = "sim measure";
constexpr double k_price_units = 10'000;

/// Of a day with one instrument; empty: there is another number of them, or the file is no day.
std::string only_symbol(const std::filesystem::path& path) {
    const auto day = archive::Day::open(path);
    if (!day) return {};
    const auto instruments = day->instruments();
    return instruments.size() == 1 ? instruments.front().symbol : std::string{};
}

/// The book file of the same pair, if it lies beside the message file.
std::optional<std::filesystem::path> book_beside(const std::filesystem::path& messages) {
    auto name = lobster::parse_file_name(messages);
    if (!name) return std::nullopt;
    name->kind = lobster::FileKind::orderbook;
    const auto path = messages.parent_path() / lobster::to_string(*name);
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path;
}

study::RecordedDay day_of(const SimMeasureOptions& options) {
    study::RecordedDay day{.path = options.day, .symbol = options.symbol};
    if (options.day.extension() != ".csv") {
        if (day.symbol.empty()) day.symbol = only_symbol(options.day);
        return day;
    }
    const auto name = lobster::parse_file_name(options.day);
    if (day.symbol.empty()) day.symbol = name ? name->ticker : "LOBSTER";
    day.lobster_book = options.book.empty() ? book_beside(options.day) : options.book;
    return day;
}

}  // namespace

int measure_recorded_day(const SimMeasureOptions& options) {
    study::MeasuredHours hours;
    for (const auto& [text, time, name] : {std::tuple{&options.from, &hours.begin_ns, "--from"},
                                           std::tuple{&options.until, &hours.end_ns, "--until"}}) {
        if (text->empty()) continue;
        const auto parsed = parse_time_of_day(*text);
        if (!parsed)
            return fail_usage(
                fmt::format("{}: '{}' is no time of day: write it like 10:31:05.5", name, *text),
                k_command);
        *time = *parsed;
    }
    const study::RecordedDay day = day_of(options);
    if (day.symbol.empty() && archive::Day::open(options.day))
        return fail_usage("--symbol: the day has several instruments", k_command);
    measures::Settings settings;
    settings.tick = std::llround(options.tick * k_price_units);
    const auto measured = study::measure_day(day, hours, settings);
    if (!measured) return fail(measured.error());
    if (options.json) {
        nlohmann::ordered_json values = nlohmann::ordered_json::object();
        for (const measures::Value& value : measured->results.values())
            values[value.name] = value.value;
        print_json({{"symbol", day.symbol},
                    {"anomalies", measured->anomalies},
                    {"measures", std::move(values)}});
        return k_exit_success;
    }
    fmt::print("{}\n", day.symbol);
    print_measures(measured->results);
    if (measured->anomalies > 0)
        fmt::print("{} did not fit the book\n",
                   counted(static_cast<std::int64_t>(measured->anomalies), "message"));
    return k_exit_success;
}

}  // namespace damrak::app
