// `damrak journal`: what a journal directory holds. Looks only; a journal that is being written may
// be looked at as well.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli.hpp"
#include "journal/jobs.hpp"

namespace damrak::app {

namespace {

using Options = std::shared_ptr<JournalOptions>;

CLI::App* add_job(CLI::App& command, Job& job, const Options& options, const char* name,
                  const char* what, int (*run)(const JournalOptions&)) {
    CLI::App* added = command.add_subcommand(name, what);
    added->add_option("DIR", options->directory, "directory of the journal")->required();
    added->callback([&job, options, run] { job = [options, run] { return run(*options); }; });
    return added;
}

void add_range(CLI::App& command, const Options& options) {
    command.add_option("--from", options->from, "first record; default: the oldest")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
    command.add_option("--to", options->to, "last record; default: the newest")
        ->default_str("")
        ->check(CLI::Range(std::uint64_t{1}, UINT64_MAX));
}

}  // namespace

void add_journal(CLI::App& program, Job& job) {
    CLI::App* command = program.add_subcommand(
        "journal", "Verifies, measures, shows and exports the journal of an exchange");
    command->require_subcommand(1);
    const auto options = std::make_shared<JournalOptions>();

    CLI::App* verify =
        add_job(*command, job, options, "verify",
                "Checks and replays every record; prints the final state", verify_journal);
    verify->add_flag("--from-snapshot", options->from_snapshot,
                     "begin at the newest snapshot, as a restart does");
    verify->add_option("--state-hash", options->state_hash,
                       "fail unless the state has this hash (16 hexadecimal digits)");
    verify->add_flag("--json", options->json, "one JSON object on stdout");

    CLI::App* statistics =
        add_job(*command, job, options, "stats", "Counts commands by kind, sizes and rates",
                show_journal_statistics);
    statistics->add_flag("--json", options->json, "one JSON object on stdout");

    CLI::App* dump =
        add_job(*command, job, options, "dump", "Shows records, one a line", dump_journal);
    add_range(*dump, options);
    dump->add_flag("--json", options->json, "one JSON object a line");

    CLI::App* order = add_job(*command, job, options, "order",
                              "Follows one order, with its place in the queue", show_order);
    order->add_option("--id", options->order, "order id of the exchange")->required();
    order->add_flag("--json", options->json, "one JSON object a line instead of CSV");

    CLI::App* exported =
        add_job(*command, job, options, "export",
                "Writes records as CSV (see tools/journal_to_parquet.py)", export_journal);
    add_range(*exported, options);
    exported->add_option("--output", options->output,
                         "CSV file, compressed if it ends in .gz or .zst; default: stdout");
}

}  // namespace damrak::app
