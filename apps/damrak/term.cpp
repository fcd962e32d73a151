// `damrak term`: trade with a running exchange, on a screen or from a script.
#include <csignal>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/wire/binary/api_key.hpp>

#include "cli.hpp"
#include "serve_process.hpp"
#include "term_session.hpp"

namespace damrak::app {

namespace {

struct TermOptions {
    TermSettings settings;
    std::string version;
    std::string api_key;
    std::string l2_port = "9001";
};

std::string check_l2_port(const std::string& text) {
    if (text == "off") return {};
    const bool number = !text.empty() && text.size() <= 5 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return number && std::stoul(text) >= 1 && std::stoul(text) <= 65'535
               ? ""
               : "a port is a number from 1 to 65535, or off";
}

std::string check_api_key(const std::string& text) {
    if (wire::binary::parse_api_key(text)) return {};
    return fmt::format("an API key is {}", wire::binary::k_api_key_form);
}

int run(TermOptions& options) {
    LinkSettings& link = options.settings.link;
    if (!options.api_key.empty()) {
        if (options.version == "v2")
            return fail_usage("version 2 has no place for an API key; use v1", "term");
        link.key = wire::binary::parse_api_key(options.api_key).value_or(wire::binary::ApiKey{});
        link.version = wire::binary::Version::v1;
    }
    if (options.version == "v1") link.version = wire::binary::Version::v1;
    options.settings.l2_port =
        options.l2_port == "off"
            ? std::nullopt
            : std::optional{static_cast<std::uint16_t>(std::stoul(options.l2_port))};
    handle_signals();
    std::signal(SIGHUP,
                SIG_DFL);  // of an exchange it means to reload, of a terminal that it is gone
    TermSession session{options.settings};
    const bool on_a_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    return on_a_terminal ? run_term_screen(session) : run_term_script(session);
}

}  // namespace

void add_term(CLI::App& program, Job& job) {
    auto* command = program.add_subcommand(
        "term", "Trade by hand on a screen, or by commands from standard input");
    const auto options = std::make_shared<TermOptions>();
    TermSettings& settings = options->settings;
    command->add_option("--host", settings.link.host, "Where the exchange is")
        ->capture_default_str();
    command->add_option("--port", settings.link.port, "Of its binary door")->capture_default_str();
    command->add_option("--version", options->version, "Of the protocol")
        ->default_str("v2, or v1 with an API key")
        ->check(CLI::IsMember({"v1", "v2"}));
    command->add_option("--api-key", options->api_key, "If the exchange asks for one")
        ->check(check_api_key);
    command->add_option("--l2-port", options->l2_port, "Of its L2 multicast, or off")
        ->capture_default_str()
        ->check(check_l2_port);
    command->add_option("--group", settings.group, "Of the L2 multicast")->capture_default_str();
    command->add_option("--interface", settings.interface, "Address where the multicast is heard")
        ->capture_default_str();
    command->add_option("--symbols", settings.symbols, "Of the instruments 1, 2, 3 and so on")
        ->delimiter(',')
        ->default_str(fmt::format("{}", fmt::join(settings.symbols, ",")));
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
