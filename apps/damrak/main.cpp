// The one program: parses the command line and hands over to a subcommand.
#include <exception>
#include <string>

#include <CLI/CLI.hpp>

#include <damrak/base/version.hpp>

#include "cli.hpp"

namespace {

// The subcommand that the command line names, as far as it was understood.
std::string chosen(const CLI::App& program) {
    const auto subcommands = program.get_subcommands();
    return subcommands.empty() ? "" : subcommands.front()->get_name();
}

}  // namespace

int main(int argc, char** argv) {
    namespace app = damrak::app;
    CLI::App program{"Damrak, an electronic exchange simulator", "damrak"};
    program.set_version_flag("--version", std::string{damrak::version()});
    program.require_subcommand(1);
    app::Job job;
    app::add_serve(program, job);
    app::add_generate(program, job);
    app::add_replay(program, job);
    app::add_convert(program, job);
    app::add_journal(program, job);
    app::add_fix(program, job);
    app::add_load(program, job);
    app::add_term(program, job);
    app::add_report(program, job);
    app::add_lab(program, job);
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& asked_for_text) {
        return program.exit(asked_for_text);
    } catch (const CLI::ParseError& error) {
        return app::fail_usage(error.what(), chosen(program));
    }
    try {
        return job();
    } catch (const std::exception& error) {
        return app::fail(error.what());
    }
}
