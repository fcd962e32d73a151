// `damrak term`: trade with a running exchange, on a screen or from a script.
#include <csignal>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/client/binary_order_client.hpp>
#include <damrak/client/fix_order_client.hpp>
#include <damrak/wire/binary/api_key.hpp>

#include "cli.hpp"
#include "serve/process.hpp"
#include "term/session.hpp"
#include "tls_options.hpp"

namespace damrak::app {

namespace {

constexpr std::uint16_t k_fix_port = 9'878;
constexpr std::uint16_t k_http_port = 8'080;

struct TermOptions {
    TermSettings settings;
    client::BinaryOrderClientSettings link;
    client::FixOrderClientSettings fix_link{.comp_id = "TERM"};
    TlsOptions tls;
    bool fix = false;
    std::string version;
    std::string api_key;
    std::string l2_port;
    std::string http_port;
    std::string itch_port;
};

std::string check_port(const std::string& text) {
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

// Empty for "off" and for an option that was not given.
std::optional<std::uint16_t> port_in(const std::string& text) {
    if (text.empty() || text == "off") return std::nullopt;
    return static_cast<std::uint16_t>(std::stoul(text));
}

using MadeLink = std::expected<std::unique_ptr<client::OrderClient>, std::string>;

MadeLink make_fix_link(TermOptions& options) {
    if (!options.api_key.empty())
        return std::unexpected{"FIX has no API keys: see --user and --password"};
    if (options.version.starts_with('v'))
        return std::unexpected{fmt::format(
            "{} is a version of the binary protocol: with --fix give fix42, fix44 or fix50sp2",
            options.version)};
    if (!options.version.empty()) options.fix_link.version = options.version;
    auto tls = options.tls.context(options.link.host);
    if (!tls) return std::unexpected{std::move(tls.error())};
    options.fix_link.tls = *std::move(tls);
    return client::FixOrderClient::make(options.link.host, options.link.port, options.fix_link);
}

MadeLink make_binary_link(TermOptions& options) {
    client::BinaryOrderClientSettings& link = options.link;
    if (options.tls.given()) return std::unexpected{"TLS needs FIX: give --fix"};
    if (options.version.starts_with("fix"))
        return std::unexpected{fmt::format("{} is a version of FIX: give --fix", options.version)};
    if (!options.api_key.empty()) {
        if (options.version == "v2")
            return std::unexpected{"version 2 has no field for an API key; use v1"};
        link.key = wire::binary::parse_api_key(options.api_key).value_or(wire::binary::ApiKey{});
        link.version = wire::binary::Version::v1;
    }
    options.settings.host = link.host;
    options.settings.binary_port = link.port;
    options.settings.http_port =
        options.http_port.empty() ? k_http_port : port_in(options.http_port);
    if (options.version == "v1") link.version = wire::binary::Version::v1;
    return std::make_unique<client::BinaryOrderClient>(link);
}

int run(TermOptions& options) {
    if (!options.l2_port.empty() || options.fix) {
        options.settings.l2_port = port_in(options.l2_port);
        options.fix_link.market_data = options.l2_port.empty();
    }
    options.settings.itch_port = port_in(options.itch_port);
    if (options.settings.itch_port) {
        options.settings.host = options.link.host;
        options.fix_link.market_data = false;
    }
    auto link = options.fix ? make_fix_link(options) : make_binary_link(options);
    if (!link) return fail_usage(link.error(), "term");
    handle_signals();
    std::signal(SIGHUP,
                SIG_DFL);  // of an exchange it means to reload, of a terminal that it is gone
    TermSession session{options.settings, *std::move(link)};
    const bool on_a_terminal = ::isatty(STDIN_FILENO) == 1 && ::isatty(STDOUT_FILENO) == 1;
    return on_a_terminal ? run_term_screen(session) : run_term_script(session);
}

}  // namespace

void add_term(CLI::App& program, Job& job) {
    auto* command =
        program.add_subcommand("term", "Trades on a screen, or by commands from standard input");
    const auto options = std::make_shared<TermOptions>();
    TermSettings& settings = options->settings;
    command->add_option("--address,--host", options->link.host, "Address of the exchange")
        ->capture_default_str();
    command->add_flag("--fix", options->fix, "Connect over FIX");
    command->add_option("--port", options->link.port, "Port of the gateway")
        ->default_str("12345, or 9878 for FIX");
    command->add_option("--version", options->version, "Version of the protocol")
        ->default_str("v2, or v1 with an API key, or fix44")
        ->check(CLI::IsMember({"v1", "v2", "fix42", "fix44", "fix50sp2"}));
    command->add_option("--comp-id", options->fix_link.comp_id, "Comp id of the terminal, for FIX")
        ->capture_default_str();
    command
        ->add_option("--exchange-comp-id", options->fix_link.exchange_comp_id,
                     "Comp id of the exchange, for FIX")
        ->capture_default_str();
    command->add_option("--user", options->fix_link.user_name,
                        "User name, if the FIX session requires one");
    command->add_option("--password", options->fix_link.password,
                        "Password, if the FIX session requires one");
    add_tls_options(*command, options->tls);
    command->add_option("--api-key", options->api_key, "API key, if the exchange requires one")
        ->check(check_api_key);
    command->add_option("--l2-port", options->l2_port, "Port of the L2 multicast, or off")
        ->default_str("9001, or market data over FIX")
        ->check(check_port);
    command
        ->add_option("--itch-port", options->itch_port,
                     "Port of the order-by-order feed, to watch it instead of the L2 multicast")
        ->default_str("off")
        ->check(check_port);
    command
        ->add_option("--glimpse-port", settings.glimpse_port,
                     "Port of its snapshots, with --itch-port")
        ->capture_default_str();
    command->add_option("--group", settings.group, "Group of the L2 multicast")
        ->capture_default_str();
    command
        ->add_option("--interface", settings.interface,
                     "Address of the interface that receives the multicast")
        ->capture_default_str();
    command
        ->add_option(
            "--http-port", options->http_port,
            "HTTP port of the exchange, for its instruments and trades without FIX, or off")
        ->default_str("8080")
        ->check(check_port);
    command->callback([&job, options, command] {
        if (options->fix && command->count("--port") == 0) options->link.port = k_fix_port;
        job = [options] { return run(*options); };
    });
}

}  // namespace damrak::app
