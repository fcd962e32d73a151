// The one program: parses the command line and hands over to a subcommand.
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/base/version.hpp>

#include "cli.hpp"
#include "usage.hpp"

namespace {

namespace app = damrak::app;

int tell_help(const CLI::App& program, const std::vector<std::string>& words) {
    const app::Chosen chosen = app::chosen_in(program, words);
    if (chosen.used < words.size())
        return app::fail_usage(app::unknown_command(chosen, words[chosen.used]), chosen.path);
    fmt::print("{}", chosen.command->help(chosen.prefix));
    return app::k_exit_success;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App program{"Damrak, an electronic exchange simulator", "damrak"};
    program.set_version_flag("--version", std::string{damrak::version()});
    program.require_subcommand(1);
    program.footer("For details use damrak help COMMAND or damrak COMMAND --help.");
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
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.empty()) {
        fmt::print(stderr, "{}", program.help());
        return app::k_exit_usage;
    }
    if (words.front() == "help") return tell_help(program, {words.begin() + 1, words.end()});
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& asked_for_text) {
        return program.exit(asked_for_text);
    } catch (const CLI::ParseError& error) {
        const app::Chosen chosen = app::chosen_in(program, words);
        return app::fail_usage(app::explain(chosen, words, error.what()), chosen.path);
    }
    try {
        return job();
    } catch (const std::exception& error) {
        return app::fail(error.what());
    }
}
