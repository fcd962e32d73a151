// `damrak sim validate`: the laboratory against theory, as a table, JSON and a report.
#include <algorithm>
#include <cmath>
#include <expected>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/market_runs/run.hpp>
#include <damrak/validation/default_market.hpp>
#include <damrak/validation/facts.hpp>
#include <damrak/validation/validation.hpp>

#include "cli.hpp"
#include "partial.hpp"
#include "progress.hpp"
#include "serve/process.hpp"
#include "sim/hours.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using validation::Check;
using validation::CheckResult;
using validation::Fact;
using validation::Finding;

constexpr const char* k_validate_command = "sim validate";
constexpr std::string_view k_facts = "stylised-facts";

struct Validation {
    std::vector<CheckResult> checks;
    std::vector<Fact> facts;
    std::string market;
    std::string day;
    bool is_complete = true;  ///< not interrupted

    [[nodiscard]] bool passed() const {
        return is_complete && std::ranges::all_of(checks, &CheckResult::passed);
    }
};

std::string theory_of(const Finding& finding) {
    if (finding.low == finding.high) return fmt::format("{:.6g}", finding.low);
    return fmt::format("{:.6g} .. {:.6g}", finding.low, finding.high);
}

/// Infinite bounds are null.
Json number_of(double value) { return std::isfinite(value) ? Json(value) : Json(); }
Json number_of(const std::optional<double>& value) { return value ? number_of(*value) : Json(); }

Json json_of(const CheckResult& check) {
    Json findings = Json::array();
    for (const Finding& finding : check.findings)
        findings.push_back({{"name", finding.name},
                            {"tested", name_of(*finding.tested)},
                            {"theory_low", number_of(finding.low)},
                            {"theory_high", number_of(finding.high)},
                            {"estimate", number_of(finding.estimate)},
                            {"standard_error", finding.standard_error},
                            {"tolerance", finding.tolerance},
                            {"distance", number_of(finding.distance())},
                            {"allowed", finding.allowed()},
                            {"sample", finding.sample},
                            {"unit", finding.unit},
                            {"passed", finding.passed()}});
    Json object{{"name", check.name},
                {"source", check.source},
                {"passed", check.passed()},
                {"findings", std::move(findings)}};
    if (!check.error.empty()) object["error"] = check.error;
    return object;
}

Json json_of(const Validation& validation) {
    Json checks = Json::array();
    for (const CheckResult& check : validation.checks) checks.push_back(json_of(check));
    Json facts = Json::array();
    for (const Fact& fact : validation.facts) {
        Json row{{"name", fact.name},
                 {"low", number_of(fact.low)},
                 {"high", number_of(fact.high)},
                 {"market", number_of(fact.market)},
                 {"market_holds", fact.holds(fact.market)}};
        if (!validation.day.empty()) {
            row["day"] = number_of(fact.day);
            row["day_holds"] = fact.holds(fact.day);
        }
        facts.push_back(std::move(row));
    }
    Json object{{"passed", validation.passed()},
                {"complete", validation.is_complete},
                {"checks", std::move(checks)}};
    if (!validation.facts.empty()) {
        object["market"] = validation.market;
        if (!validation.day.empty()) object["day"] = validation.day;
        object["stylised_facts"] = std::move(facts);
    }
    return object;
}

std::string fact_value(const Fact& fact, const std::optional<double>& value) {
    if (!value) return "-";
    return fmt::format("{:.4g}{}", *value, fact.holds(value) ? "" : " outside");
}

/// "market inside 6 of 9, day inside 7".
std::string inside_text(const Validation& validation) {
    const auto inside = [&](std::optional<double> Fact::* value) {
        return std::ranges::count_if(validation.facts,
                                     [=](const Fact& fact) { return fact.holds(fact.*value); });
    };
    std::string text = fmt::format("{} inside {} of {} bands", validation.market,
                                   inside(&Fact::market), validation.facts.size());
    if (!validation.day.empty())
        text += fmt::format(", {} inside {}", validation.day, inside(&Fact::day));
    return text;
}

std::string band_of(const Fact& fact) {
    if (!std::isfinite(fact.high)) return fmt::format("above {:.4g}", fact.low);
    return fmt::format("{:.4g} .. {:.4g}", fact.low, fact.high);
}

void print(const Validation& validation) {
    for (const CheckResult& check : validation.checks) {
        fmt::print("{}: {}, {}\n", check.name, check.passed() ? "passed" : "FAILED", check.source);
        if (!check.error.empty()) fmt::print("  error: {}\n", check.error);
        for (const Finding& f : check.findings)
            fmt::print("  {:<36} {:<7} {:>18} {:>12.6g} {:>11} of {:<11.3g} {}{}\n", f.name,
                       name_of(*f.tested), theory_of(f), f.estimate,
                       fmt::format("off {:.2g}", f.distance()), f.allowed(),
                       fmt::format("{} {}", f.sample, f.unit), f.passed() ? "" : "  FAILED");
    }
    if (!validation.facts.empty()) {
        fmt::print("\n{:<32} {:>14} {:>20} {:>20}\n", "stylised fact", "band", validation.market,
                   validation.day.empty() ? "" : "day");
        for (const Fact& fact : validation.facts)
            fmt::print("{:<32} {:>14} {:>20} {:>20}\n", fact.name, band_of(fact),
                       fact_value(fact, fact.market),
                       validation.day.empty() ? "" : fact_value(fact, fact.day));
        fmt::print("{}; facts do not fail the run\n", inside_text(validation));
    }
    if (validation.checks.empty() && validation.is_complete) return;
    const auto passed = std::ranges::count_if(validation.checks, &CheckResult::passed);
    const auto run = static_cast<std::int64_t>(validation.checks.size());
    fmt::print("\n{} of {} passed{}\n", passed, counted(run, "check"),
               validation.is_complete ? "" : ", then stopped");
}

std::string markdown_of(const Validation& validation) {
    std::string text = fmt::format("# Validation: {}\n", validation.passed() ? "passed" : "failed");
    for (const CheckResult& check : validation.checks) {
        text += fmt::format(
            "\n## {}: {}\n\n{}\n\n| number | tested | theory | estimate | standard error | off by "
            "| allowed | sample | |\n|---|---|---|---|---|---|---|---|---|\n",
            check.name, check.passed() ? "passed" : "failed", check.source);
        for (const Finding& f : check.findings)
            text += fmt::format(
                "| {} | {} | {} | {:.6g} | {:.2g} | {:.2g} | {:.2g} | {} {} | {} |\n", f.name,
                name_of(*f.tested), theory_of(f), f.estimate, f.standard_error, f.distance(),
                f.allowed(), f.sample, f.unit, f.passed() ? "passed" : "failed");
        if (!check.error.empty()) text += fmt::format("\nError: {}\n", check.error);
    }
    if (validation.facts.empty()) return text;
    text +=
        fmt::format("\n## Stylised facts\n\n| fact | band | {} | {} | |\n|---|---|---|---|---|\n",
                    validation.market, validation.day.empty() ? "day" : validation.day);
    for (const Fact& fact : validation.facts)
        text += fmt::format("| {} | {} | {} | {} | {} |\n", fact.name, band_of(fact),
                            fact_value(fact, fact.market), fact_value(fact, fact.day), fact.what);
    text += fmt::format("\n{}; facts do not fail the run.\n", inside_text(validation));
    return text;
}

/// The error is one sentence.
std::expected<void, std::string> write_report(const std::filesystem::path& folder,
                                              const Validation& validation) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const auto& [name, text] :
         {std::pair{"validation.md", markdown_of(validation)},
          std::pair{"validation.json", json_of(validation).dump(2) + "\n"}}) {
        std::ofstream file{folder / name};
        if (!(file << text).flush())
            return std::unexpected{fmt::format("{}: cannot be written", (folder / name).string())};
    }
    return {};
}

std::expected<void, std::string> add_facts(const SimValidateOptions& options,
                                           Validation& validation) {
    market_runs::MarketFile market = validation::default_market();
    if (!options.market.empty()) {
        auto file = market_runs::read_market_file(options.market);
        if (!file) return std::unexpected{file.error()};
        market = *std::move(file);
    }
    const auto run =
        market_runs::run_market(market, {.seed = market.seed, .stop = [] { return stop_asked(); }});
    if (!run) return std::unexpected{run.error()};
    if (!run->is_complete && !run->faults.empty())
        return std::unexpected{fmt::format("{}: {}", market.name, run->faults.front())};
    if (!run->is_complete) {
        validation.is_complete = false;
        return {};
    }
    std::optional<measures::Results> day;
    if (!options.day.empty()) {
        const auto named = market_runs::recorded_day(options.day, options.symbol);
        if (!named) return std::unexpected{named.error()};
        auto measured = market_runs::measure_day(*named);
        if (!measured) return std::unexpected{measured.error()};
        if (end_answer(measured->completeness, options.partial) != k_exit_success)
            return std::unexpected{
                fmt::format("{}: the day is not complete", options.day.string())};
        day = std::move(measured->results);
        validation.day = named->symbol;
    }
    validation.market = market.name;
    validation.facts =
        validation::stylised_facts(run->instruments[0].measures, day ? &*day : nullptr);
    return {};
}

}  // namespace

int validate_sim(const SimValidateOptions& options) {
    std::vector<Check> checks = validation::checks();
    if (!options.only.empty()) {
        std::vector<std::string> known{std::string{k_facts}};
        for (const Check& check : checks) known.emplace_back(check.name);
        if (std::ranges::find(known, options.only) == known.end())
            return fail_usage(fmt::format("--only {}: there is no such check; {}", options.only,
                                          did_you_mean(options.only, known)),
                              k_validate_command);
        std::erase_if(checks, [&](const Check& check) { return check.name != options.only; });
    }
    handle_signals();
    Validation validation;
    if (options.only.empty() || options.only == k_facts)
        if (const auto added = add_facts(options, validation); !added) return fail(added.error());
    if (!checks.empty()) {
        ProgressBar bar{"validating", checks.size()};
        validation.checks = validation::run_checks(
            checks, validation::real_subjects(),
            options.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())),
            [&](std::size_t finished) { bar.update(finished, 0); }, [] { return stop_asked(); });
        if (validation.checks.size() < checks.size()) validation.is_complete = false;
    }
    if (options.json)
        print_json(json_of(validation));
    else
        print(validation);
    if (!options.report.empty())
        if (const auto written = write_report(options.report, validation); !written)
            return fail(written.error());
    return validation.passed() ? k_exit_success : k_exit_failure;
}

}  // namespace damrak::app
