// `damrak sim calibrate`: models of order flow, estimated from a recorded day.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/calibration/calibration.hpp>
#include <damrak/market_runs/recorded_day.hpp>

#include "cli.hpp"
#include "partial.hpp"
#include "say.hpp"
#include "sim/hours.hpp"
#include "sim/jobs.hpp"
#include "sim/price_units.hpp"

namespace damrak::app {
namespace {

using calibration::Calibration;
using calibration::Estimate;
using calibration::ModelEstimate;
using Json = nlohmann::ordered_json;

constexpr const char* k_calibrate_command = "sim calibrate";

std::vector<std::string> not_known_of(const Calibration& calibration) {
    std::vector<std::string> not_known = archive::sentences(calibration.depth);
    if (calibration.depth.depth > 0)
        not_known.push_back(fmt::format(
            "orders below level {} have no messages: rates of limit orders and cancels, and sizes, "
            "are of those above alone, and less than the market's",
            calibration.depth.depth));
    return not_known;
}

Json json_of(const Calibration& calibration) {
    Json models = Json::array();
    for (const ModelEstimate& model : calibration.models) {
        Json estimates = Json::array();
        for (const Estimate& estimate : model.estimates)
            estimates.push_back({{"name", estimate.name},
                                 {"value", estimate.value},
                                 {"standard_error", estimate.standard_error},
                                 {"count", estimate.count}});
        Json object{{"kind", model.kind->name}, {"estimates", std::move(estimates)}};
        if (!model.note.empty()) object["note"] = model.note;
        models.push_back(std::move(object));
    }
    Json object{{"symbol", calibration.symbol},           {"seconds", calibration.seconds},
                {"events", calibration.events},           {"anomalies", calibration.anomalies},
                {"not_known", not_known_of(calibration)}, {"models", std::move(models)}};
    add_completeness(object, calibration.completeness);
    return object;
}

void print(const Calibration& calibration) {
    fmt::print("{}: {} events in {:.0f} s\n", calibration.symbol,
               grouped(static_cast<std::int64_t>(calibration.events)), calibration.seconds);
    for (const ModelEstimate& model : calibration.models) {
        fmt::print("\n{:<36} {:>12} {:>14} {:>10}\n", model.kind->name, "estimate",
                   "standard error", "events");
        for (const Estimate& estimate : model.estimates)
            fmt::print(
                "  {:<34} {:>12.6g} {:>14} {:>10}\n", estimate.name, estimate.value,
                estimate.standard_error > 0 ? fmt::format("{:.2g}", estimate.standard_error) : "-",
                estimate.count);
        if (!model.note.empty()) fmt::print("  not for a market file: {}\n", model.note);
    }
}

}  // namespace

int calibrate_sim(const SimCalibrateOptions& options) {
    const auto& known = calibration::models();
    if (!options.model.empty() && std::ranges::find(known, options.model) == known.end())
        return fail_usage(fmt::format("--model {}: there is no such model; {}", options.model,
                                      did_you_mean(options.model, {known.begin(), known.end()})),
                          k_calibrate_command);
    const auto hours = measured_hours(options.from, options.until);
    if (!hours) return fail_usage(hours.error(), k_calibrate_command);
    const auto day = market_runs::recorded_day(options.day, options.symbol, options.book,
                                               options.trust_messages);
    if (!day) return fail_usage(day.error(), k_calibrate_command);
    const auto calibrated =
        calibration::calibrate(*day, {.tick = std::llround(options.tick * k_price_units),
                                      .ticks = options.ticks,
                                      .queues = options.queues,
                                      .hours = *hours,
                                      .model = options.model});
    if (!calibrated) return fail(calibrated.error());
    if (options.json)
        print_json(json_of(*calibrated));
    else
        print(*calibrated);
    for (const std::string& sentence : not_known_of(*calibrated))
        say("damrak: note: {}\n", sentence);
    const int code = end_answer(calibrated->completeness, options.partial);
    if (options.write.empty() || code != k_exit_success) return code;
    if (std::ranges::all_of(calibrated->models,
                            [](const ModelEstimate& model) { return !model.note.empty(); }))
        return fail(fmt::format("{}: no participant can have these parameters: {}",
                                options.write.string(), calibrated->models.front().note));
    std::ofstream file{options.write};
    if (!(file << calibration::market_file_of(*calibrated)).flush())
        return fail(fmt::format("{}: cannot be written", options.write.string()));
    return k_exit_success;
}

}  // namespace damrak::app
