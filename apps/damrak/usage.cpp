#include "usage.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/base/did_you_mean.hpp>

namespace damrak::app {

namespace {

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> options_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* const option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

}  // namespace

Chosen chosen_in(const CLI::App& program, const std::vector<std::string>& words) {
    Chosen chosen{.command = &program, .path = {}, .prefix = {}};
    for (const std::string& word : words) {
        const CLI::App* next = nullptr;
        for (const CLI::App* const one : commands_of(*chosen.command))
            if (one->get_name() == word) next = one;
        if (next == nullptr) break;
        if (!chosen.prefix.empty()) chosen.prefix += ' ';
        chosen.prefix += chosen.command->get_name();
        if (!chosen.path.empty()) chosen.path += ' ';
        chosen.path += word;
        chosen.command = next;
        ++chosen.used;
    }
    return chosen;
}

std::string unknown_command(const Chosen& chosen, std::string_view word) {
    std::vector<std::string> names;
    for (const CLI::App* const one : commands_of(*chosen.command)) names.push_back(one->get_name());
    if (names.empty()) return fmt::format("'{}' has no subcommands", chosen.path);
    return fmt::format("there is no command '{}'; {}", word, did_you_mean(word, names));
}

std::string explain(const Chosen& chosen, const std::vector<std::string>& words,
                    std::string_view refusal) {
    const bool has_commands = !commands_of(*chosen.command).empty();
    if (has_commands && chosen.used < words.size() && !words[chosen.used].starts_with('-'))
        return unknown_command(chosen, words[chosen.used]);
    for (std::size_t i = chosen.used; i < words.size() && words[i] != "--"; ++i) {
        if (!words[i].starts_with("--")) continue;
        const std::string name = words[i].substr(0, words[i].find('='));
        if (chosen.command->get_option_no_throw(name) == nullptr)
            return fmt::format("there is no option {}; {}", name,
                               did_you_mean(name, options_of(*chosen.command)));
    }
    return std::string{refusal};
}

}  // namespace damrak::app
