// `damrak sim measure`: the measures of a populated market, of a recorded day.
#include <cmath>
#include <expected>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/time_of_day.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/market_runs/recorded_measures.hpp>

#include "cli.hpp"
#include "partial.hpp"
#include "sim/hours.hpp"
#include "sim/jobs.hpp"
#include "sim/price_units.hpp"

namespace damrak::app {
namespace {

constexpr const char* k_measure_command = "sim measure";

}  // namespace

std::expected<market_runs::MeasuredHours, std::string> measured_hours(const std::string& from,
                                                                      const std::string& until) {
    market_runs::MeasuredHours hours;
    for (const auto& [text, time, name] : {std::tuple{&from, &hours.begin_ns, "--from"},
                                           std::tuple{&until, &hours.end_ns, "--until"}}) {
        if (text->empty()) continue;
        const auto parsed = parse_time_of_day(*text);
        if (!parsed)
            return std::unexpected{
                fmt::format("{}: '{}' is no time of day: write it like 10:31:05.5", name, *text)};
        *time = *parsed;
    }
    if (hours.end_ns < hours.begin_ns)
        return std::unexpected{fmt::format("--until {} is before --from {}", until, from)};
    return hours;
}

int measure_recorded_day(const SimMeasureOptions& options) {
    const auto hours = measured_hours(options.from, options.until);
    if (!hours) return fail_usage(hours.error(), k_measure_command);
    const auto day = market_runs::recorded_day(options.day, options.symbol, options.book,
                                               options.trust_messages);
    if (!day) return fail_usage(day.error(), k_measure_command);
    measures::Settings settings;
    settings.tick = std::llround(options.tick * k_price_units);
    auto measured = market_runs::measure_day(*day, *hours, settings);
    if (!measured) return fail(measured.error());
    if (!options.other.empty() || !options.other_day.empty()) {
        const auto other = market_runs::recorded_day(
            options.other_day.empty() ? options.day : options.other_day, options.other);
        if (!other) return fail_usage(other.error(), k_measure_command);
        const auto share = market_runs::information_share_of(*day, *other, *hours);
        if (!share) return fail(share.error());
        measured->completeness.add(share->completeness);
        for (const measures::Value& value : share->value.values())
            measured->results.add(value.name, value.unit, value.value, value.count);
    }
    std::vector<std::string> not_known = archive::sentences(measured->depth);
    using archive::DayDepth;
    if (measured->depth.has(DayDepth::k_instants_only))
        not_known.emplace_back(
            "measures that are weighted by time, and those of trades and orders, are left out");
    else if (measured->depth.has(DayDepth::k_levels_alone))
        not_known.emplace_back("measures of orders are left out");
    else if (measured->depth.depth > 0)
        not_known.push_back(fmt::format(
            "orders below level {} have no messages: cancels_to_adds, orders_to_trades, "
            "round_lot_adds, interarrival_cv, resiliency and fills by place are of those above",
            measured->depth.depth));
    if (options.json) {
        nlohmann::ordered_json values = nlohmann::ordered_json::object();
        for (const measures::Value& value : measured->results.values())
            values[value.name] = value.value;
        nlohmann::ordered_json object{{"symbol", day->symbol},
                                      {"anomalies", measured->anomalies},
                                      {"not_known", not_known},
                                      {"measures", std::move(values)}};
        add_completeness(object, measured->completeness);
        print_json(object);
        return end_answer(measured->completeness, options.partial);
    }
    fmt::print("{}\n", day->symbol);
    print_measures(measured->results);
    for (const std::string& sentence : not_known) say("damrak: note: {}\n", sentence);
    if (measured->anomalies > 0)
        fmt::print("{} did not fit the book\n",
                   counted(static_cast<std::int64_t>(measured->anomalies), "message"));
    return end_answer(measured->completeness, options.partial);
}

}  // namespace damrak::app
