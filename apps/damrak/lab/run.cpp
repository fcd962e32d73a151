// `damrak lab run` and `damrak lab factor`: experiments by name, their results on the terminal, as
// JSON, and as a report.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cmath>
#include <expected>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/findings.hpp>
#include <damrak/lab/instruction_counter.hpp>
#include <damrak/lab/instruction_run.hpp>
#include <damrak/lab/report.hpp>
#include <damrak/telemetry/run_directory.hpp>

#include "cli.hpp"
#include "lab/lab.hpp"
#include "lab/options.hpp"
#include "progress.hpp"

namespace damrak::app {

namespace {

using Clock = std::chrono::steady_clock;
using Chosen = std::vector<const lab::Experiment*>;

// Resolution of the progress bar, which counts in whole numbers.
constexpr std::uint64_t k_steps_a_trial = 1'000;

std::expected<Chosen, std::string> chosen(const std::vector<std::string>& names) {
    Chosen experiments;
    if (names.empty())
        for (const lab::Experiment& experiment : lab::experiments())
            experiments.push_back(&experiment);
    for (const std::string& name : names) {
        const lab::Experiment* const found = lab::find_experiment(name);
        if (found == nullptr)
            return std::unexpected(
                fmt::format("there is no experiment '{}'; damrak lab run --list shows them", name));
        experiments.push_back(found);
    }
    return experiments;
}

std::expected<std::map<std::string, double>, std::string> slowed(
    const std::vector<std::string>& texts) {
    std::map<std::string, double> all;
    for (const std::string& text : texts) {
        const auto mark = text.rfind('=');
        double percent = 0;
        const char* const end = text.data() + text.size();
        if (mark == std::string::npos ||
            std::from_chars(text.data() + mark + 1, end, percent).ptr != end ||
            !std::isfinite(percent) || percent <= 0)
            return std::unexpected(fmt::format(
                "--slow expects VARIANT=PERCENT with a positive percentage, not '{}'", text));
        all[text.substr(0, mark)] = percent;
    }
    return all;
}

// The names of a small run are those of any other.
std::expected<void, std::string> check_slowed(const Chosen& experiments,
                                              const std::map<std::string, double>& slow) {
    if (slow.empty()) return {};
    std::set<std::string> known{lab::k_control_name};
    for (const lab::Experiment* const experiment : experiments)
        for (const lab::Trial& trial : experiment->trials({.size = lab::Effort::Size::counting}))
            for (const lab::Variant& variant : trial.variants) known.insert(variant.name);
    for (const auto& [name, percent] : slow)
        if (!known.contains(name))
            return std::unexpected(fmt::format("--slow: unknown variant '{}'; expected one of {}",
                                               name, fmt::join(known, ", ")));
    return {};
}

// Asks callgrind where the processor does not tell.
void count(lab::ExperimentResult& result, const LabOptions& options) {
    std::error_code error;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe", error).string();
    const auto counts = lab::count_instructions(
        program, {"lab", "count", result.experiment.name, "--seed", std::to_string(options.seed)});
    if (!counts) {
        result.why_no_counts = counts.error();
        return;
    }
    for (lab::TrialResult& trial : result.trials) {
        const auto take = [&](lab::VariantResult& variant, const std::string& name) {
            if (const auto found = counts->find({trial.trial.name, name}); found != counts->end())
                variant.instructions = found->second;
        };
        for (lab::VariantResult& variant : trial.variants) take(variant, variant.name);
        take(trial.control, trial.variants.front().name);
    }
}

// All at once, on as many cores as there are: nothing is timed any more.
void count_all(std::vector<lab::ExperimentResult>& results, const LabOptions& options) {
    ProgressBar bar("instructions", results.size());
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < std::min(allowed_cores().size(), results.size()); ++i)
        workers.emplace_back([&] {
            for (std::size_t at = next++; at < results.size(); at = next++) {
                count(results[at], options);
                ++done;
            }
        });
    constexpr std::chrono::milliseconds k_between_looks{50};
    while (done < results.size()) {
        std::this_thread::sleep_for(k_between_looks);
        bar.update(done, done);
    }
}

std::string counting_in_words(const LabOptions& options) {
    if (options.without_instructions) return "not asked for.";
    if (lab::InstructionCounter{}.available())
        return "those of the measured part in user mode, by the processor's counter.";
    return "those of the measured part, by callgrind over a smaller work (as this machine does not "
           "let its counters be read); of single threads only.";
}

lab::ExperimentResult run_experiment(const lab::Experiment& experiment,
                                     const lab::RunSettings& settings) {
    lab::ExperimentResult result{.experiment = experiment, .trials = {}, .why_no_counts = {}};
    std::vector<lab::Trial> trials = experiment.trials(settings.effort);
    ProgressBar bar(experiment.name, trials.size() * k_steps_a_trial);
    std::uint64_t done = 0;
    std::uint64_t rounds = 0;
    for (lab::Trial& trial : trials) {
        result.trials.push_back(lab::run_trial(std::move(trial), settings, [&](double share) {
            bar.update(done + static_cast<std::uint64_t>(share * k_steps_a_trial), ++rounds);
        }));
        done += k_steps_a_trial;
    }
    return result;
}

void print_experiment(const lab::ExperimentResult& result) {
    fmt::print("\n{}\n", result.experiment.title);
    for (const lab::TrialResult& trial : result.trials) {
        fmt::print("  {}: {}, {} rounds\n", trial.trial.name, trial.trial.title, trial.rounds);
        const auto print = [&](const lab::VariantResult& variant) {
            const auto& comparison = variant.comparison(lab::Measure::time_ns);
            fmt::print(
                "    {:<24}{:>11.2f} ns{:>12}  {}\n", variant.name,
                lab::median(variant.of(lab::Measure::time_ns)),
                variant.instructions ? fmt::format("{:.1f} instr", *variant.instructions) : "",
                comparison ? lab::statement(*comparison) : "the baseline");
        };
        for (const lab::VariantResult& variant : trial.variants) print(variant);
        print(trial.control);
        for (const std::string& claim : lab::claims_of(trial)) fmt::print("    {}\n", claim);
    }
    if (!result.why_no_counts.empty())
        fmt::print("  instructions were not counted: {}\n", result.why_no_counts);
    std::fflush(stdout);
}

std::expected<void, std::string> write_report(const lab::RunResult& run,
                                              const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return std::unexpected(
            fmt::format("cannot create directory {}: {}", folder.string(), error.message()));
    const lab::Document document = lab::report_of(run);
    if (auto written =
            telemetry::write_text(folder / "lab.html", lab::to_html(document, "Damrak: the lab"));
        !written)
        return written;
    if (auto written = telemetry::write_text(folder / "lab.md", lab::to_markdown(document));
        !written)
        return written;
    return telemetry::write_text(folder / "lab.json", lab_json(run).dump(2) + "\n");
}

int list_experiments() {
    for (const lab::Experiment& experiment : lab::experiments())
        fmt::print("{:<16}{}\n", experiment.name, experiment.title);
    return k_exit_success;
}

}  // namespace

int run_lab(const LabOptions& options) {
    if (options.list) return list_experiments();
    const auto experiments = chosen(options.experiments);
    if (!experiments) return fail_usage(experiments.error(), "lab run");
    const auto slow = slowed(options.slow);
    if (!slow) return fail_usage(slow.error(), "lab run");
    if (const auto known = check_slowed(*experiments, *slow); !known)
        return fail_usage(known.error(), "lab run");
    using Size = lab::Effort::Size;
    lab::RunResult run{
        .machine = lab::machine_facts(),
        .settings = lab::settings_for(
            {.size = options.quick ? Size::quick : Size::full, .seed = options.seed}),
        .experiments = {},
        .counted_by = counting_in_words(options)};
    run.settings.slowed = *slow;
    const bool ask_callgrind =
        !options.without_instructions && !lab::InstructionCounter{}.available();
    const auto begin = Clock::now();
    for (const lab::Experiment* const experiment : *experiments) {
        run.experiments.push_back(run_experiment(*experiment, run.settings));
        if (!ask_callgrind && !options.json) print_experiment(run.experiments.back());
    }
    if (ask_callgrind) {
        count_all(run.experiments, options);
        if (!options.json) std::ranges::for_each(run.experiments, print_experiment);
    }
    run.elapsed_s = std::chrono::duration<double>(Clock::now() - begin).count();
    if (options.json)
        print_json(lab_json(run));
    else
        fmt::print("\n{}\n", lab::summary_of(run));
    if (options.report.empty()) return k_exit_success;
    if (const auto written = write_report(run, options.report); !written)
        return fail(written.error());
    if (!options.json) fmt::print("page  {}\n", (options.report / "lab.html").string());
    return k_exit_success;
}

namespace {

void add_common(CLI::App& command, const std::shared_ptr<LabOptions>& options) {
    command.add_option("--report", options->report,
                       "folder for the report: lab.html, lab.md, lab.json");
    command.add_flag("--quick", options->quick,
                     "a minute: one sixteenth of the work, fewer repetitions");
    command.add_flag("--json", options->json, "one JSON object on stdout");
    command
        .add_option("--seed", options->seed,
                    "seed of workloads, run order and confidence intervals")
        ->default_val(42);
    command
        .add_option("--slow", options->slow,
                    "VARIANT=PERCENT: slow a variant down, to check that the lab detects it")
        ->allow_extra_args(false);
    command.add_flag("--no-instructions", options->without_instructions,
                     "do not count instructions (counting under callgrind is slow)");
}

}  // namespace

void add_lab_run(CLI::App& lab, Job& job) {
    CLI::App* const command = lab.add_subcommand("run", "Runs experiments and writes the report");
    const auto options = std::make_shared<LabOptions>();
    command->add_option("experiment", options->experiments, "experiments to run; default: all");
    add_common(*command, options);
    command->add_flag("--list", options->list, "list the experiments and exit");
    command->callback([&job, options] { job = [options] { return run_lab(*options); }; });
}

void add_lab_factor(CLI::App& lab, Job& job) {
    CLI::App* const command =
        lab.add_subcommand("factor", "Varies one design choice and keeps everything else equal");
    const auto options = std::make_shared<LabOptions>();
    std::vector<std::string> names;
    for (const lab::Experiment& experiment : lab::experiments())
        if (experiment.is_factor) names.push_back(experiment.name);
    command->add_option("name", options->experiments, "name of the factor")
        ->required()
        ->check(CLI::IsMember(names));
    add_common(*command, options);
    command->callback([&job, options] { job = [options] { return run_lab(*options); }; });
}

void add_lab_count(CLI::App& lab, Job& job) {
    CLI::App* const command = lab.add_subcommand("count", "");
    command->group("");  // not for users: what `run` starts under callgrind
    const auto name = std::make_shared<std::string>();
    const auto seed = std::make_shared<std::uint64_t>(42);
    command->add_option("experiment", *name)->required();
    command->add_option("--seed", *seed);
    command->callback([&job, name, seed] {
        job = [name, seed] {
            const lab::Experiment* const experiment = lab::find_experiment(*name);
            if (experiment == nullptr) return fail("no experiment of that name");
            lab::run_counted(*experiment, {.size = lab::Effort::Size::counting, .seed = *seed});
            return k_exit_success;
        };
    });
}

}  // namespace damrak::app
