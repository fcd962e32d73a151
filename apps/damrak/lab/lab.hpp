// `damrak lab`: its subcommands, each in a file of its own that offers a function which adds it. To
// add one, declare it here and name it in the list of lab.cpp.
#pragma once

#include "cli.hpp"

namespace damrak::app {

void add_lab_run(CLI::App& lab, Job& job);
void add_lab_factor(CLI::App& lab, Job& job);
void add_lab_count(CLI::App& lab, Job& job);
void add_lab_ladder(CLI::App& lab, Job& job);
void add_lab_pipeline(CLI::App& lab, Job& job);
void add_lab_tick_to_trade(CLI::App& lab, Job& job);
void add_lab_ingest(CLI::App& lab, Job& job);
void add_lab_queue(CLI::App& lab, Job& job);

}  // namespace damrak::app
