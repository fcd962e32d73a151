// `damrak fix`: what the store of a FIX session holds, which is only looked at, in use or not; and
// the sessions of an exchange that runs.
#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "cli.hpp"
#include "fix/jobs.hpp"

namespace damrak::app {

namespace {

void add_fix_admin(CLI::App& fix, Job& job) {
    CLI::App* command = fix.add_subcommand(
        "admin", "Lists and changes the FIX sessions of an exchange on this machine");
    command->require_subcommand(1);
    const auto options = std::make_shared<FixAdminOptions>();
    const auto add = [&](const char* name, const char* what) {
        CLI::App* const one = command->add_subcommand(name, what);
        one->add_option("--address", options->address, "Address of the exchange")
            ->capture_default_str();
        one->add_option("--http-port", options->http_port, "HTTP port of the exchange")
            ->capture_default_str();
        one->add_flag("--json", options->json, "one JSON object on stdout");
        one->callback([&job, options, action = std::string{name}] {
            options->action = action;
            job = [options] { return administer_fix(*options); };
        });
        return one;
    };
    const auto add_change = [&](const char* name, const char* what) {
        CLI::App* const one = add(name, what);
        one->add_option(
               "SESSION", options->session,
               "a session as the list shows it, FIX.4.4:DAMRAK->CLIENT1, or its comp id, CLIENT1")
            ->required();
        return one;
    };
    add("list", "All sessions, with their state and both next sequence numbers");
    add_change("connect", "Connects an initiator session");
    add_change("disconnect", "Sends Logout to the client, and waits until the connection ends");
    add_change("reset", "Resets both sequence numbers to 1; informs a connected client");
    add("add", "Adds a session that is not configured")
        ->add_option("SESSION", options->session, "such as FIX.4.4:DAMRAK->CLIENT1")
        ->required();
    add_change("remove",
               "Logs a session out, cancels its orders, deletes its messages, and refuses it until "
               "it is added");
    CLI::App* const set = add_change("set", "Sets sequence numbers of a disconnected session");
    auto* const numbers = set->add_option_group("numbers");
    numbers->add_option("--next-out", options->next_outgoing,
                        "number of the next message to the client");
    numbers->add_option("--next-in", options->next_incoming,
                        "number of the next message from the client");
    numbers->require_option(1, 2);
}

}  // namespace

void add_fix(CLI::App& program, Job& job) {
    CLI::App* command =
        program.add_subcommand("fix", "Shows stored FIX messages, and administers sessions");
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
    print->add_flag("--in", options->incoming,
                    "received messages of a store, with the times of processing");
    print->add_flag("--follow", options->follow, "continue with new messages as they are written");
    print->callback([&job, options] { job = [options] { return print_fix(*options); }; });

    CLI::App* verify = command->add_subcommand(
        "verify", "Checks every record of a store, and every message in it");
    verify->add_option("DIR", options->path, "directory of a session's store")->required();
    verify->add_flag("--json", options->json, "one JSON object on stdout");
    verify->callback([&job, options] { job = [options] { return verify_fix(*options); }; });

    add_fix_admin(*command, job);
}

}  // namespace damrak::app
