// `damrak sim`: populated markets in virtual time.
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include <CLI/CLI.hpp>

#include "cli.hpp"
#include "lobster_options.hpp"
#include "modify_option.hpp"
#include "partial.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

void add_explain_options(CLI::App& command, ExplainOptions& options) {
    auto* const question = command.add_option(
        "--explain", options.question,
        "Explains orders: GROUP for a line each, GROUP:N for all about its Nth one");
    command.add_option("--limit", options.limit, "Lines of --explain GROUP")
        ->needs(question)
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
}

void add_run(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand("run", "Runs a market file and measures its market");
    auto options = std::make_shared<SimRunOptions>();
    command->add_option("FILE", options->file, "Market file, or demo or default")->required();
    command->add_option("--seed", options->seed, "Seed of the run; default: that of the file");
    command->add_option("--seeds", options->seeds, "Runs this many seeds, from the seed on")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Runs at a time; default: one per core")
        ->check(CLI::Range(1, 1'024));
    command->add_option("--duration", options->duration,
                        "Virtual time instead of the file's, such as 10min");
    command->add_option("--keep", options->keep,
                        "Keeps the run in this folder, which is new or empty: journal, archived "
                        "day, owners of the orders; of a name that ends in .dar, only the day");
    command->add_option("--export", options->tables,
                        "Writes events.csv, with the group of each participant, and "
                        "participants.csv into this folder");
    add_explain_options(*command, options->explain);
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return run_sim(*options); }; });
}

void add_watch(CLI::App& sim, Job& job) {
    auto* command =
        sim.add_subcommand("watch", "Shows kept runs in a browser, up to two side by side");
    auto options = std::make_shared<SimWatchOptions>();
    command
        ->add_option("RUN", options->runs, "Folders of sim run --keep, or market files to run now")
        ->required();
    command->add_option("--http-port", options->port, "Port of the page; 0: any free port")
        ->capture_default_str();
    command->callback([options, &job] { job = [options] { return watch_runs(*options); }; });
}

void add_compare(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "compare", "Runs market files over the same seeds and tests the differences");
    auto options = std::make_shared<SimCompareOptions>();
    command->add_option("FILES", options->files, "Market files; the first is the baseline")
        ->required()
        ->expected(-2);
    command->add_option("--seed", options->seed, "First seed; default: that of the first file");
    command->add_option("--seeds", options->seeds, "Runs of each market")
        ->check(CLI::Range(2, 1'000'000))
        ->capture_default_str();
    command->add_option("--jobs", options->jobs, "Runs at a time; default: one per core")
        ->check(CLI::Range(1, 1'024));
    command->add_option("--duration", options->duration,
                        "Virtual time instead of the files', such as 10min");
    command->add_flag("--other-seeds", options->other_seeds,
                      "Gives each market seeds of its own: no common random numbers");
    command
        ->add_option("--measure", options->measures,
                     "Only this measure, such as quoted_spread_ticks or AAA/makers/profit; "
                     "may be repeated")
        ->allow_extra_args(false);
    auto* primary = command->add_option(
        "--primary", options->primary,
        "Measure of the main question; its p-value is not corrected for the others");
    command->add_option(
        "--effect", options->effect,
        "Reports how many seeds show an effect of this size: a share of the baseline, "
        "such as 5%, or a number in the unit of the primary measure");
    command
        ->add_option("--until-ci", options->until_ci,
                     "Ends once the 95% interval of the primary measure is this narrow, or after "
                     "--seeds runs")
        ->check(CLI::PositiveNumber)
        ->needs(primary);
    command
        ->add_option("--results", options->results,
                     "Catalogue from which finished runs are reused; off: none")
        ->capture_default_str();
    command->add_flag("--fresh", options->fresh, "Runs again even what the catalogue has");
    command->add_option("--report", options->report,
                        "Writes report.html, differences.csv, runs.csv and report.json into this "
                        "folder");
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return compare_sim(*options); }; });
}

void add_results(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand("results", "Lists and compares the runs of a catalogue");
    auto options = std::make_shared<SimResultsOptions>();
    command->add_option("--results", options->results, "Catalogue of runs")->capture_default_str();
    command->add_option("--market", options->market,
                        "Only markets whose name contains this, or whose identity begins with it");
    command
        ->add_option("--measure", options->measures,
                     "Shows this measure, such as quoted_spread_ticks or AAA/makers/profit; "
                     "may be repeated")
        ->allow_extra_args(false);
    command
        ->add_option("--compare", options->compared,
                     "Compares these two markets over the seeds that both have")
        ->type_name("A B")
        ->expected(2);
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return list_results(*options); }; });
}

void add_check(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand("check", "Checks a market file without running it");
    auto options = std::make_shared<SimCheckOptions>();
    command->add_option("FILE", options->file, "Market file, of sim run or of sim whatif")
        ->required();
    command
        ->add_option("--symbol", options->symbol,
                     "Of a file of sim whatif: the instrument of the recorded day")
        ->capture_default_str();
    command->callback([options, &job] { job = [options] { return check_market_file(*options); }; });
}

void add_list(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand("list", "Lists the kinds of participants");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object, with all parameters");
    command->callback([json, &job] { job = [json] { return list_kinds(*json); }; });
}

void add_measure(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "measure", "Measures a recorded day, with the measures of simulated markets");
    auto options = std::make_shared<SimMeasureOptions>();
    command->add_option("DAY", options->day, "Archived day, or LOBSTER message file (.csv)")
        ->required();
    command->add_option("--symbol", options->symbol, "Instrument; required if the day has several");
    add_lobster_book(*command, options->book, options->trust_messages);
    command->add_option("--from", options->from,
                        "Measure from this time of day on, such as 10:31:05.5");
    command->add_option("--until", options->until, "Measure up to this time of day");
    command->add_option("--tick", options->tick, "Tick size in currency")
        ->check(CLI::Range(0.0001, 1'000.0))
        ->capture_default_str();
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback(
        [options, &job] { job = [options] { return measure_recorded_day(*options); }; });
    command->add_option("--other", options->other,
                        "Another symbol with the same value: adds the information share of the "
                        "first");
    command->add_option("--other-day", options->other_day,
                        "Day of the other symbol, of another venue; DAY unless given");
}

void add_join(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "join", "Lets the participants of a market file trade at a running exchange");
    auto options = std::make_shared<SimJoinOptions>();
    command
        ->add_option("FILE,--participants", options->file,
                     "Market file; the exchange lists its instruments")
        ->required();
    command->add_option("--gateway", options->gateway, "Gateway of the orders")
        ->check(CLI::IsMember({"binary", "fix", "ouch"}))
        ->capture_default_str();
    command->add_option("--address,--host", options->host, "Address of the exchange")
        ->capture_default_str();
    command->add_option("--port", options->port, "Port of the gateway")
        ->default_str("12345, 9878 for FIX, 26400 for OUCH");
    command->add_option("--itch-port", options->itch_port, "Port of the feed over TCP")
        ->capture_default_str();
    command
        ->add_option("--comp-id", options->comp_id,
                     "FIX, OUCH: the comp id or user of each participant is this and its number")
        ->capture_default_str();
    command->add_option("--password", options->password, "OUCH: password of all users");
    command
        ->add_option("--exchange-comp-id", options->exchange_comp_id,
                     "FIX: comp id of the exchange")
        ->capture_default_str();
    command->add_option("--seed", options->seed, "Seed of the run; default: that of the file");
    command->add_option("--duration", options->duration,
                        "Leaves after this time, such as 10min; default: when stopped");
    command->add_flag("--json", options->json, "One JSON object instead of a line");
    command->callback([options, &job] { job = [options] { return join_exchange(*options); }; });
}

void add_explain(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "explain", "Explains a kind of participant, or prints a market file with all its defaults");
    auto what = std::make_shared<std::string>();
    command->add_option("WHAT", *what, "Kind of participant, or market file")->required();
    command->callback([what, &job] { job = [what] { return explain_market(*what); }; });
}

void add_calibrate(CLI::App& sim, Job& job) {
    auto* command =
        sim.add_subcommand("calibrate", "Estimates the models of order flow from a recorded day");
    auto options = std::make_shared<SimCalibrateOptions>();
    command->add_option("DAY", options->day, "Archived day, or LOBSTER message file (.csv)")
        ->required();
    command->add_option("--symbol", options->symbol, "Instrument; required if the day has several");
    add_lobster_book(*command, options->book, options->trust_messages);
    command->add_option("--from", options->from,
                        "Estimate from this time of day on, such as 10:31:05.5");
    command->add_option("--until", options->until, "Estimate up to this time of day");
    command->add_option("--tick", options->tick, "Tick size in currency")
        ->check(CLI::Range(0.0001, 1'000.0))
        ->capture_default_str();
    command
        ->add_option("--ticks", options->ticks,
                     "Counts only orders up to this many ticks from the opposite best price")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--queues", options->queues, "Queues of each side, for queue-reactive")
        ->check(CLI::Range(1, 50))
        ->capture_default_str();
    command->add_option("--model", options->model,
                        "One of zero-intelligence, cont-stoikov-talreja, queue-reactive, hawkes; "
                        "default: all");
    command->add_option("--write", options->write,
                        "Writes a market file with an instrument for each model");
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "One JSON object instead of tables");
    command->callback([options, &job] { job = [options] { return calibrate_sim(*options); }; });
}

void add_validate(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "validate", "Compares models, participants, markets and measures with theory");
    auto options = std::make_shared<SimValidateOptions>();
    command->add_option("--only", options->only, "One check, or stylised-facts");
    command->add_option("--market", options->market,
                        "Market file for the stylised facts; default: a built-in one");
    command->add_option("--day", options->day,
                        "Archived day, or LOBSTER message file (.csv), to put beside the market");
    command->add_option("--symbol", options->symbol, "Instrument; required if the day has several");
    command->add_option("--report", options->report,
                        "Writes validation.md and validation.json into this folder");
    command->add_option("--jobs", options->jobs, "Checks at a time; default: one per core")
        ->check(CLI::Range(1, 1'024));
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return validate_sim(*options); }; });
}

void add_score(CLI::App& sim, Job& job) {
    auto* command =
        sim.add_subcommand("score", "Says how far a market is from a recorded day, and in what");
    auto options = std::make_shared<SimScoreOptions>();
    command->add_option("MARKET", options->market, "Market file, or demo or default")->required();
    command
        ->add_option("--against", options->day,
                     "The recorded day: archived day, or LOBSTER message file (.csv)")
        ->required()
        ->type_name("DAY");
    command->add_option("--symbol", options->symbol,
                        "Instrument of the day; required if it has several");
    add_lobster_book(*command, options->book, options->trust_messages);
    command->add_option("--from", options->from,
                        "Compare with the day from this time on, such as 10:31:05.5");
    command->add_option("--until", options->until, "Compare with the day up to this time");
    command->add_option("--instrument", options->instrument,
                        "Instrument of the market; default: its first");
    command->add_option("--seed", options->seed, "First seed; default: that of the file");
    command->add_option("--seeds", options->seeds, "Runs of the market, from the seed on")
        ->check(CLI::Range(1, 10'000))
        ->capture_default_str();
    command->add_option("--for,--duration", options->duration,
                        "Virtual time of a run instead of the file's, such as 30min");
    command
        ->add_option("--block", options->block,
                     "Length of the blocks of time that the bootstrap draws, from 1s to 1h")
        ->capture_default_str();
    command->add_option("--report", options->report,
                        "Writes report.html with pictures and score.json into this folder");
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return score_market(*options); }; });
}

void add_what_if(CLI::App& sim, Job& job) {
    auto* command = sim.add_subcommand(
        "whatif", "Replays a recorded day with the participants of a market file in it");
    auto options = std::make_shared<SimWhatIfOptions>();
    command
        ->add_option("DAY", options->day,
                     "Archived day (.dar), or any file that damrak archive import reads")
        ->required();
    command->add_option("--with", options->file, "Market file of the participants")->required();
    command->add_option("--symbol", options->symbol, "Needed where the day has several");
    command->add_option("--from", options->from, "Time of day, such as 10:31:05.5");
    command->add_option("--until", options->until, "Ends at this time of day");
    command
        ->add_option("--tick", options->tick,
                     "Tick size of the participants in currency; recorded prices may be finer")
        ->check(CLI::Range(0.0001, 1'000.0))
        ->capture_default_str();
    command->add_option("--seed", options->seed,
                        "Seed of the random draws; default: that of the file");
    add_trust_messages(*command, options->trust_messages);
    add_modify(*command, options->modification);
    add_explain_options(*command, options->explain);
    add_partial(*command, options->partial);
    command->add_flag("--json", options->json, "One JSON object instead of tables");
    command->callback([options, &job] { job = [options] { return replay_what_if(*options); }; });
}

}  // namespace

void add_sim(CLI::App& program, Job& job) {
    auto* sim = program.add_subcommand("sim", "Runs populated markets in virtual time");
    sim->require_subcommand(1);
    add_run(*sim, job);
    add_watch(*sim, job);
    add_compare(*sim, job);
    add_results(*sim, job);
    add_check(*sim, job);
    add_list(*sim, job);
    add_join(*sim, job);
    add_measure(*sim, job);
    add_calibrate(*sim, job);
    add_validate(*sim, job);
    add_score(*sim, job);
    add_what_if(*sim, job);
    add_explain(*sim, job);
}

}  // namespace damrak::app
