// Shared by `damrak` and the programs of its larger subcommands: from the command line to the
// subcommand's work, with help, suggestions for misspelt words, and exit codes.
#pragma once

#include "cli.hpp"

namespace damrak::app {

/// `add_commands(program, job)` hooks the subcommands in. Returns the exit code.
int run_program(int argc, char** argv, void (*add_commands)(CLI::App& program, Job& job));

}  // namespace damrak::app
