#include "program.hpp"

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/base/version.hpp>

#include "usage.hpp"

namespace damrak::app {

namespace {

int tell_help(const CLI::App& program, const std::vector<std::string>& words) {
    const Chosen chosen = chosen_in(program, words);
    if (chosen.used < words.size())
        return fail_usage(unknown_command(chosen, words[chosen.used]), chosen.path);
    fmt::print("{}", chosen.command->help(chosen.prefix));
    return k_exit_success;
}

// CLI11 takes -1 for the largest unsigned number.
void refuse_negative_numbers(CLI::App& command) {
    const CLI::Validator not_negative{
        [](const std::string& value) {
            return value.starts_with('-')
                       ? fmt::format("{} is below zero: expected a whole number from 0 on", value)
                       : std::string{};
        },
        ""};
    for (CLI::Option* const option : command.get_options([](CLI::Option*) { return true; }))
        if (option->get_type_name().starts_with("UINT")) option->check(not_negative);
    for (CLI::App* const inner : command.get_subcommands([](CLI::App*) { return true; }))
        refuse_negative_numbers(*inner);
}

}  // namespace

int run_program(int argc, char** argv, void (*add_commands)(CLI::App& program, Job& job)) {
    CLI::App program{"Damrak, an electronic exchange simulator", "damrak"};
    program.set_version_flag("--version", std::string{version()});
    program.require_subcommand(1);
    program.footer("For details use damrak help COMMAND or damrak COMMAND --help.");
    Job job;
    add_commands(program, job);
    refuse_negative_numbers(program);
    const std::vector<std::string> words{argv + 1, argv + argc};
    if (words.empty()) {
        fmt::print(stderr, "{}", program.help());
        return k_exit_usage;
    }
    if (words.front() == "help") return tell_help(program, {words.begin() + 1, words.end()});
    try {
        program.parse(argc, argv);
    } catch (const CLI::Success& asked_for_text) {
        return program.exit(asked_for_text);
    } catch (const CLI::ParseError& error) {
        const Chosen chosen = chosen_in(program, words);
        return fail_usage(explain(chosen, words, error.what()), chosen.path);
    }
    try {
        return job();
    } catch (const std::exception& error) {
        return fail(error.what());
    }
}

}  // namespace damrak::app
