// `damrak fix`: what the store of a FIX session holds. Looks only; one that is in use may be looked
// at as well.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli.hpp"
#include "fix_jobs.hpp"

namespace damrak::app {

void add_fix(CLI::App& program, Job& job) {
    CLI::App* command =
        program.add_subcommand("fix", "Shows and verifies the messages that FIX sessions kept");
    command->require_subcommand(1);
    const auto options = std::make_shared<FixOptions>();

    CLI::App* print = command->add_subcommand(
        "print", "Shows messages with the names of their fields, one a line");
    print
        ->add_option("PATH", options->path,
                     "directory of a session's store, one file of it, or any file of FIX messages")
        ->required();
    print
        ->add_option("--tag", options->tags,
                     "only messages with this field: 35=D, or 35 for any value; may be repeated")
        ->allow_extra_args(false);
    print->add_flag("--follow", options->follow, "go on with what is written from now on");
    print->callback([&job, options] { job = [options] { return print_fix(*options); }; });

    CLI::App* verify = command->add_subcommand(
        "verify", "Checks every record of a store, and every message in it");
    verify->add_option("DIR", options->path, "directory of a session's store")->required();
    verify->add_flag("--json", options->json, "one JSON object on stdout");
    verify->callback([&job, options] { job = [options] { return verify_fix(*options); }; });
}

}  // namespace damrak::app
