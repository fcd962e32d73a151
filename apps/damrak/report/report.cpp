// `damrak report DIR`: what a run of the exchange left, as one page and a few lines.
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/telemetry/run_directory.hpp>

#include "cli.hpp"
#include "report/page.hpp"
#include "report/run.hpp"

namespace damrak::app {

namespace {

struct ReportOptions {
    std::filesystem::path directory;
    std::filesystem::path out;
};

int run(const ReportOptions& options) {
    const auto record = read_run(options.directory);
    if (!record) return fail(record.error());
    const std::filesystem::path out =
        options.out.empty() ? record->folder / "report.html" : options.out;
    if (const auto written = telemetry::write_text(out, report_page(*record)); !written)
        return fail(written.error());
    fmt::print("{}page  {}\n", report_summary(*record), out.string());
    return k_exit_success;
}

}  // namespace

void add_report(CLI::App& program, Job& job) {
    CLI::App* command = program.add_subcommand("report", "Makes an HTML report of a run of serve");
    const auto options = std::make_shared<ReportOptions>();
    command
        ->add_option("directory", options->directory,
                     "directory of the run, or the data directory for its newest run")
        ->required();
    command->add_option("--out", options->out,
                        "output file; default: report.html in the directory of the run");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
