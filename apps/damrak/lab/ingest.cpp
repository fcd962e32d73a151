// `damrak lab ingest`: the steps from a plain socket and a book of maps to AF_XDP and the product's
// engine, in turns, and what each gains.
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/lab/document.hpp>
#include <damrak/lab/ingest/study.hpp>

#include "cli.hpp"
#include "lab/ingest_report.hpp"
#include "lab/lab.hpp"

namespace damrak::app {

namespace {

namespace ingest = lab::ingest;

struct IngestOptions {
    ingest::Options study{};
    std::uint32_t rounds = 7;
    std::filesystem::path report;
    bool json = false;
};

int run(const IngestOptions& options) {
    const auto steps = ingest::steps();
    std::vector<IngestStep> all;
    for (const ingest::Step& step : steps) all.push_back({.step = &step});
    // In turns, so that what burdens the machine burdens all of them.
    for (std::uint32_t round = 0; round < options.rounds; ++round) {
        for (IngestStep& one : all) {
            auto done = ingest::run_step(*one.step, options.study);
            if (!done) return fail(done.error());
            one.add(std::move(*done));
        }
    }
    const IngestReport report{options.study, options.rounds, all};
    const auto object = to_json(report);
    if (options.json)
        print_json(object);
    else
        fmt::print("{}", lab::to_markdown(document_of(report)));
    if (options.report.empty()) return k_exit_success;
    if (const auto written = write_ingest_report(options.report, report); !written)
        return fail(written.error());
    return k_exit_success;
}

}  // namespace

void add_lab_ingest(CLI::App& lab, Job& job) {
    auto* const command = lab.add_subcommand(
        "ingest",
        "Measures orders in datagrams, step by step from a socket and maps to AF_XDP and the "
        "product's engine; needs root");
    auto options = std::make_shared<IngestOptions>();
    command->add_option("--seconds", options->study.seconds, "Seconds of each load, step and round")
        ->check(CLI::Range(0.05, 60.0))
        ->capture_default_str();
    command->add_option("--rounds", options->rounds, "Rounds; each runs all steps once")
        ->check(CLI::Range(2, 1'000))
        ->capture_default_str();
    command->add_option("--paced", options->study.paced_per_s, "Orders a second of the paced load")
        ->check(CLI::Range(100, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--senders", options->study.senders,
                     "Senders in the flood; all but the first use sockets, each on its own core if "
                     "enough cores exist")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    command->add_option("--report", options->report,
                        "Folder for ingest.html, ingest.md and ingest.json");
    command->add_option("--seed", options->study.seed, "Seed of the order flow")
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object instead of a table");
    command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
