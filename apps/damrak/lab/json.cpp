// A run of the laboratory as one JSON object.
#include <nlohmann/json.hpp>

#include <damrak/lab/findings.hpp>

#include "lab/options.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

Json pair_of(lab::Interval interval) { return Json::array({interval.low, interval.high}); }

Json comparison_json(const lab::Comparison& comparison) {
    return {{"ratio", comparison.ratio},
            {"interval_95", pair_of(comparison.interval)},
            {"interval_99_9", pair_of(comparison.strict)},
            {"verdict", lab::name(comparison.verdict)},
            {"statement", lab::statement(comparison)}};
}

Json variant_json(const lab::VariantResult& variant) {
    const auto& rounds = variant.of(lab::Measure::time_ns);
    Json json{{"name", variant.name},
              {"what", variant.what},
              {"time_ns", lab::median(rounds)},
              {"time_ns_interval_95", pair_of(lab::median_interval(rounds, 1))},
              {"operations_per_s", 1e9 / lab::median(rounds)},
              {"time_ns_first", variant.warm_up.front()},
              {"time_ns_rounds", rounds}};
    if (variant.slowed_percent > 0) json["slowed_percent"] = variant.slowed_percent;
    if (variant.instructions) json["instructions"] = *variant.instructions;
    if (const Histogram& latency_ns = variant.latency_ns; latency_ns.count() > 0)
        json["latency_ns"] = {
            {"min", latency_ns.min()},          {"mean", latency_ns.mean()},
            {"p50", latency_ns.percentile(50)}, {"p95", latency_ns.percentile(95)},
            {"p99", latency_ns.percentile(99)}, {"p99_9", latency_ns.percentile(99.9)},
            {"max", latency_ns.max()}};
    Json against = Json::object();
    for (std::size_t i = 0; i < lab::k_measures; ++i) {
        const auto measure = static_cast<lab::Measure>(i);
        if (const auto& comparison = variant.comparison(measure))
            against[std::string{lab::name(measure)}] = comparison_json(*comparison);
    }
    if (!against.empty()) json["against_baseline"] = std::move(against);
    return json;
}

Json trial_json(const lab::TrialResult& result) {
    Json json{{"name", result.trial.name},
              {"title", result.trial.title},
              {"operation", result.trial.operation},
              {"operations", result.operations},
              {"rounds", result.rounds},
              {"control_holds", result.control_holds()}};
    for (const lab::VariantResult& variant : result.variants)
        json["variants"].push_back(variant_json(variant));
    json["control"] = variant_json(result.control);
    json["findings"] = lab::findings_of(result);
    json["published"] = lab::claims_of(result);
    return json;
}

}  // namespace

Json lab_json(const lab::RunResult& run) {
    Json machine = Json::object();
    for (const auto& [name, value] : run.machine) machine[name] = value;
    Json json{{"machine", std::move(machine)},
              {"quick", run.settings.effort.size != lab::Effort::Size::full},
              {"seed", run.settings.effort.seed},
              {"elapsed_s", run.elapsed_s},
              {"instructions", run.counted_by},
              {"summary", lab::summary_of(run)},
              {"experiments", Json::array()}};
    for (const lab::ExperimentResult& result : run.experiments) {
        Json experiment{{"name", result.experiment.name},
                        {"title", result.experiment.title},
                        {"question", result.experiment.question},
                        {"why_no_instructions", result.why_no_counts},
                        {"trials", Json::array()}};
        for (const lab::TrialResult& trial : result.trials)
            experiment["trials"].push_back(trial_json(trial));
        json["experiments"].push_back(std::move(experiment));
    }
    return json;
}

}  // namespace damrak::app
