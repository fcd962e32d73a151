// `damrak lab`: the laboratory of design choices. Its subcommands are in files of their own.
#include "lab/lab.hpp"

#include <array>

#include <CLI/CLI.hpp>

namespace damrak::app {

void add_lab(CLI::App& program, Job& job) {
    static constexpr std::array k_subcommands{
        add_lab_run,      add_lab_factor,        add_lab_count,  add_lab_ladder,
        add_lab_pipeline, add_lab_tick_to_trade, add_lab_ingest, add_lab_queue};
    CLI::App* const lab = program.add_subcommand("lab", k_lab_description);
    lab->require_subcommand(1);
    for (const auto add : k_subcommands) add(*lab, job);
}

}  // namespace damrak::app
