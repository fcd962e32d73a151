#include "serve/options.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <ranges>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/gateway/setting.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>

#include "serve/config.hpp"

namespace damrak::app {

namespace {

using gateway::SettingKind;
using gateway::SettingValue;
using Row = gateway::Setting<ServeSettings>;

std::string check_named(const std::string& name) {
    return name.empty() ? "expected a name, found nothing" : "";
}

// A number without sign, of few enough digits for any flag that has the word off.
std::optional<std::int64_t> number_in(const std::string& text) {
    constexpr std::size_t k_most_digits = 9;
    if (text.empty() || text.size() > k_most_digits) return {};
    if (text.find_first_not_of("0123456789") != std::string::npos) return {};
    return std::stoll(text);
}

// The value that a flag gives as text; or what is wrong with it.
std::expected<SettingValue, std::string> value_of(const Row& row, const std::string& text) {
    const bool has_off = row.kind == SettingKind::port || row.zero_is_off;
    if (!has_off) {
        if (row.flag_has_name && text.empty()) return std::unexpected{check_named(text)};
        return text;
    }
    if (text == "off") return row.zero_is_off ? SettingValue{std::int64_t{0}} : SettingValue{};
    const auto number = number_in(text);
    const std::int64_t least = row.zero_is_off ? std::max<std::int64_t>(row.least, 1) : row.least;
    if (number && *number >= least && *number <= row.most) return *number;
    return std::unexpected{
        fmt::format("expected a number from {} to {}, or off; found '{}'", least, row.most, text)};
}

// What is wrong with a value that the flag has as text.
std::string check_text(const Row& row, const std::string& text) {
    const auto value = value_of(row, text);
    if (!value) return value.error();
    ServeSettings scratch;
    return row.set(scratch, *value);
}

void override_setting(ServeOptions& options, const Row& row, SettingValue value) {
    options.overrides.emplace_back([&row, value = std::move(value)](ServeSettings& settings) {
        row.set(settings, value);  // checked when the flag was parsed
        settings.places[row.name] = row.flag;
    });
}

// The default as the help shows it.
std::string usual_text(const Row& row) {
    const auto usual = row.get(ServeSettings{});
    if (!usual) return "";
    if (const auto* const text = std::get_if<std::string>(&*usual)) return *text;
    const auto* const number = std::get_if<std::int64_t>(&*usual);
    return number == nullptr ? "off" : std::to_string(*number);
}

void add_flag(CLI::App& command, ServeOptions& options, const Row& row) {
    const std::string name{row.flag};
    if (row.kind == SettingKind::truth) {
        command.add_flag_callback(
            name, [&options, &row] { override_setting(options, row, true); }, row.help);
        return;
    }
    if (row.kind == SettingKind::number && !row.zero_is_off) {
        command
            .add_option_function<std::uint64_t>(
                name,
                [&options, &row](std::uint64_t value) {
                    override_setting(options, row, static_cast<std::int64_t>(value));
                },
                row.help)
            ->default_str(usual_text(row))
            ->check(CLI::Range(static_cast<std::uint64_t>(row.least),
                               static_cast<std::uint64_t>(row.most)));
        return;
    }
    CLI::Option* const option = command
                                    .add_option_function<std::string>(
                                        name,
                                        [&options, &row](const std::string& text) {
                                            override_setting(options, row, *value_of(row, text));
                                        },
                                        row.help)
                                    ->default_str(usual_text(row));
    if (row.kind == SettingKind::word)
        option->check(CLI::IsMember(std::vector<std::string>{row.words.begin(), row.words.end()}));
    else
        option->check([&row](const std::string& text) { return check_text(row, text); });
}

void add_only(CLI::App& command, ServeOptions& options) {
    command.add_option("--only", options.only, "open only these gateways")
        ->delimiter(',')
        ->check([](const std::string& gateway) {
            return standard_exchange::find_gateway(gateway) != nullptr
                       ? ""
                       : fmt::format("this release has no gateway '{}': expected {}", gateway,
                                     fmt::join(standard_exchange::k_gateways |
                                                   std::views::transform(
                                                       &standard_exchange::GatewayRow::name),
                                               ", "));
        });
}

}  // namespace

SettingsError told(const exchange::Misfit& misfit, const ServeSettings& settings) {
    const std::string place = settings.place(misfit.key);
    const bool of_file = place.find(misfit.key) != std::string::npos && place != misfit.key;
    return {.message = fmt::format("{}: {}", place, misfit.what), .of_flags = !of_file};
}

std::expected<ServeSettings, SettingsError> ServeOptions::settings() const {
    ServeSettings settings;
    if (!config.empty())
        if (const auto read = read_config(config, settings); !read)
            return std::unexpected{SettingsError{.message = read.error()}};
    // What --only names is opened even where the file closes it; a port of its own may follow.
    for (const std::string& gateway : only) {
        settings.places["gateways." + gateway] = "--only";
        if (!settings.port(gateway)) settings.ports[gateway] = *ServeSettings{}.port(gateway);
    }
    for (const Override& change : overrides) change(settings);
    if (!only.empty())
        std::erase_if(settings.ports, [this](const auto& gateway) {
            return std::ranges::find(only, gateway.first) == only.end();
        });
    if (const auto misfit = exchange::complete_settings(settings))
        return std::unexpected{told(*misfit, settings)};
    if (settings.demo_market && !(settings.port("binary") && settings.port("itch")))
        return std::unexpected{told(
            {"run.demo_market", "needs the gateways binary, to trade, and itch, to see the market"},
            settings)};
    if (settings.http_tls != net::TlsFiles{})
        if (const auto context = net::TlsContext::acceptor(settings.http_tls); !context)
            return std::unexpected{told(
                {settings.http_tls.certificate.empty() ? "http.tls_key" : "http.tls_certificate",
                 context.error()},
                settings)};
    return settings;
}

void add_serve_options(CLI::App& command, ServeOptions& options) {
    command
        .add_option("--config", options.config,
                    "TOML file with the configuration; flags override it")
        ->check(check_named);
    command.add_flag("--print-config", options.print_config,
                     "print the effective configuration as TOML, and exit");
    command.add_flag("--describe-config", options.describe_config,
                     "print all keys of the configuration as tables of Markdown, and exit");
    command.add_flag("--print-memory", options.print_memory,
                     "print the memory that an exchange with this configuration takes, and exit");
    add_only(command, options);
    for (const Row& row : serve_rows())
        if (!row.flag.empty()) add_flag(command, options, row);
    add_replay_options(command, options.replay);
    command.add_flag("--json", options.json,
                     "print the ready line, or the memory, as one JSON object");
}

}  // namespace damrak::app
