#include "serve/options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/exchange/udp.hpp>
#include <damrak/sequencer/partition.hpp>

#include "serve/config.hpp"
#include "serve/udp.hpp"
#include "word_option.hpp"

namespace damrak::app {

namespace {

std::string check_sampling(const std::string& text) {
    if (text == "off") return {};
    const bool number = !text.empty() && text.size() <= 9 && text[0] != '0' &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return number ? "" : "timing is a number from 1, or off";
}

std::string check_named(const std::string& name) {
    return name.empty() ? "expected a name, found nothing" : "";
}

std::string check_port(std::string_view door, const std::string& text) {
    if (text == "off") return {};
    if (!exchange::door_exists(door))
        return fmt::format("this release has no {} door: expected off", door);
    const bool number = !text.empty() && text.size() <= 5 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return number && std::stoul(text) <= 65'535 ? "" : "a port is a number to 65535, or off";
}

// The port that a door has by default; nothing for one that is not built yet.
std::optional<std::uint16_t> usual_port(std::string_view door) {
    return ServeSettings{}.port(door);
}

std::string describe_port(std::string_view door) {
    if (door == "binary") return "port of the binary protocol; 0: a free one, off: none";
    if (door == "fix") return "port of FIX, all versions; 0: a free one, off: none";
    if (door == "udp") return "port of orders in UDP datagrams; 0: a free one, off: none";
    if (door == "l2") return "port of the L2 multicast; 0: a free one, off: none";
    if (door == "http") return "port of metrics and health; 0: a free one, off: none";
    return "not available in this release: off";
}

void set_port(ServeSettings& settings, const std::string& door, const std::string& text) {
    if (text == "off") {
        settings.ports.erase(door);
    } else {
        settings.ports[door] = static_cast<std::uint16_t>(std::stoul(text));
    }
}

journal::Durability durability_of(const std::string& name) {
    if (name == "group") return journal::Durability::group;
    return name == "sync" ? journal::Durability::sync : journal::Durability::async;
}

/// Of one setting: on the command line, and in the file.
struct Names {
    std::string flag;
    std::string key;
};

void override_setting(ServeOptions& options, const Names& names, ServeOptions::Override change) {
    options.overrides.emplace_back([names, change = std::move(change)](ServeSettings& settings) {
        change(settings);
        settings.places[names.key] = names.flag;
    });
}

// An option that sets one member of the settings, with the default that is told in the help.
template <class T, class Owner>
CLI::Option* add_setting(CLI::App& command, ServeOptions& options, const Names& names,
                         T Owner::* member, const std::string& description,
                         const std::string& usual) {
    return command
        .add_option_function<T>(
            names.flag,
            [&options, names, member](const T& value) {
                override_setting(options, names, [member, value](ServeSettings& settings) {
                    settings.*member = value;
                });
            },
            description)
        ->default_str(usual);
}

template <class Owner>
void add_switch(CLI::App& command, ServeOptions& options, const Names& names, bool Owner::* member,
                const std::string& description) {
    command.add_flag_callback(
        names.flag,
        [&options, names, member] {
            override_setting(options, names,
                             [member](ServeSettings& settings) { settings.*member = true; });
        },
        description);
}

// An option whose value is one of `words`; `member(settings)` is what it sets.
template <class Member, std::size_t size>
void add_word(CLI::App& command, ServeOptions& options, const Names& names, Member member,
              const std::array<std::string_view, size>& words, const std::string& description) {
    ServeSettings usual;
    add_word_option(
        command, names.flag, member(usual), words,
        [&options, names, member](auto value) {
            override_setting(options, names, [member, value](ServeSettings& settings) {
                member(settings) = value;
            });
        },
        description);
}
template <class E, class Owner, std::size_t size>
void add_choice(CLI::App& command, ServeOptions& options, const Names& names, E Owner::* member,
                const std::array<std::string_view, size>& words, const std::string& description) {
    add_word(
        command, options, names,
        [member](ServeSettings& settings) -> E& { return settings.*member; }, words, description);
}

void add_fix_tls(CLI::App& command, ServeOptions& options) {
    const auto add = [&](const char* flag, const char* key, std::string net::TlsFiles::* member,
                         const char* description) {
        command
            .add_option_function<std::string>(
                flag,
                [&options, flag, key, member](const std::string& file) {
                    override_setting(options, {flag, key}, [member, file](ServeSettings& settings) {
                        settings.fix.tls.*member = file;
                    });
                },
                description)
            ->check(check_named);
    };
    add("--fix-tls-certificate", "fix.tls.certificate", &net::TlsFiles::certificate,
        "file of the FIX certificate (PEM); enables TLS");
    add("--fix-tls-key", "fix.tls.key", &net::TlsFiles::key,
        "file of the key of the FIX certificate");
    add("--fix-tls-client-ca", "fix.tls.client_ca", &net::TlsFiles::authorities,
        "file of CA certificates; FIX clients must have a certificate of one of them");
}

void add_udp(CLI::App& command, ServeOptions& options) {
    using S = ServeSettings;
    add_word(
        command, options, {"--udp-path", "udp.path"},
        [](S& settings) -> auto& { return settings.udp.path; }, exchange::k_udp_paths,
        "path of datagrams: sockets, AF_XDP, or the best available");
    command
        .add_option_function<std::string>(
            "--udp-interface",
            [&options](const std::string& name) {
                override_setting(options, {"--udp-interface", "udp.interface"},
                                 [name](S& settings) { settings.udp.interface = name; });
            },
            "network interface for UDP, instead of --address; required by AF_XDP")
        ->default_str("");
    command
        .add_option_function<std::string>(
            "--udp-reply-to",
            [&options](const std::string& end) {
                if (!end.empty() && !exchange::reply_end(end))
                    throw CLI::ValidationError(
                        "--udp-reply-to", fmt::format("expected {}", exchange::k_reply_end_wanted));
                options.overrides.emplace_back([end](S& settings) { settings.udp.reply_to = end; });
            },
            "destination of trades of the public formats: a port, or an address and a port; empty: "
            "the source of the order")
        ->default_str("");
    add_word(
        command, options, {"--udp-xdp-mode", "udp.mode"},
        [](S& settings) -> auto& { return settings.udp.mode; }, exchange::k_xdp_modes,
        "AF_XDP: in the driver (native), after it (generic), or auto");
}

void add_wiring(CLI::App& command, ServeOptions& options) {
    using S = ServeSettings;
    add_choice(
        command, options, {"--wiring", "run.wiring"}, &S::wiring, exchange::k_wirings,
        "inline: one thread trades; pipelined: own threads for gateways, sequencer and each shard");
    add_setting(command, options, {"--shards", "run.shards"}, &S::shards,
                "pipelined: number of matching threads, among which the instruments are divided",
                "1")
        ->check(CLI::Range(1U, static_cast<unsigned>(sequencer::Partition::k_maximum_shards)));
    add_choice(command, options, {"--wait", "run.wait"}, &S::waiting, exchange::k_waits,
               "pipelined: how an idle thread waits");
    add_setting(command, options, {"--pin", "run.pin"}, &S::pin,
                "cores such as 0,2-5 for gateways, sequencer and shards in turn", "");
}

void add_telemetry(CLI::App& command, ServeOptions& options) {
    using S = ServeSettings;
    command
        .add_option_function<std::string>(
            "--timing",
            [&options](const std::string& text) {
                const auto every = static_cast<std::uint32_t>(text == "off" ? 0 : std::stoul(text));
                override_setting(options, {"--timing", "telemetry.timing_every"},
                                 [every](S& settings) { settings.timing_every = every; });
            },
            "time the stages of one message in so many, or off")
        ->default_str(std::to_string(S{}.timing_every))
        ->check(check_sampling);
    add_switch(command, options, {"--event-log", "telemetry.event_log"}, &S::event_log,
               "write events as CSV files to the directory of the run");
    add_switch(command, options, {"--classic-logs", "telemetry.classic_logs"}, &S::classic_logs,
               "write the CSV files of MiniExchange's server too");
    add_setting(command, options, {"--keep-runs", "telemetry.keep_runs"}, &S::keep_runs,
                "number of run directories to keep, including this one; 0: all",
                std::to_string(S{}.keep_runs))
        ->check(CLI::Range(0, 1'000'000));
}

void add_doors(CLI::App& command, ServeOptions& options) {
    for (const std::string_view name : exchange::k_doors) {
        const std::string door{name};
        command
            .add_option_function<std::string>(
                "--" + door + "-port",
                [&options, door](const std::string& text) {
                    override_setting(
                        options, {"--" + door + "-port", "doors." + door},
                        [door, text](ServeSettings& settings) { set_port(settings, door, text); });
                },
                describe_port(door))
            ->default_str(usual_port(door) ? std::to_string(*usual_port(door)) : "off")
            ->check([door](const std::string& text) { return check_port(door, text); });
    }
    command.add_option("--only", options.only, "open only these gateways")
        ->delimiter(',')
        ->check([](const std::string& door) {
            return exchange::door_exists(door)
                       ? ""
                       : fmt::format("this release has no door '{}': expected {}", door,
                                     fmt::join(exchange::existing_doors(), ", "));
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
    for (const std::string& door : only) {
        settings.places["doors." + door] = "--only";
        if (!settings.port(door)) settings.ports[door] = *usual_port(door);
    }
    for (const Override& change : overrides) change(settings);
    if (!only.empty())
        std::erase_if(settings.ports, [this](const auto& door) {
            return std::ranges::find(only, door.first) == only.end();
        });
    if (const auto misfit = exchange::complete_settings(settings))
        return std::unexpected{told(*misfit, settings)};
    if (settings.demo_market && !settings.port("binary"))
        return std::unexpected{told(
            {"run.demo_market", "trades by the binary door, which is closed: open it"}, settings)};
    return settings;
}

void add_serve_options(CLI::App& command, ServeOptions& options) {
    using S = ServeSettings;
    const S usual;
    command
        .add_option("--config", options.config,
                    "TOML file with the configuration; flags override it")
        ->check(check_named);
    command.add_flag("--print-config", options.print_config,
                     "print the effective configuration as TOML, and exit");
    add_doors(command, options);
    add_fix_tls(command, options);
    add_udp(command, options);
    add_setting(command, options, {"--address", "doors.address"}, &S::address,
                "address to listen on", usual.address);
    add_setting(command, options, {"--data", "journal.directory"}, &S::data,
                "directory of the journal", usual.data.string())
        ->check(check_named);
    command
        .add_option_function<std::string>(
            "--durability",
            [&options](const std::string& name) {
                override_setting(
                    options, {"--durability", "journal.durability"},
                    [name](S& settings) { settings.durability = durability_of(name); });
            },
            "durability of an acknowledged command: async, group or sync")
        ->default_str("async")
        ->check(CLI::IsMember({"async", "group", "sync"}));
    add_switch(command, options, {"--accept-clock", "journal.accept_clock"}, &S::accept_clock,
               "start although the system clock is far from the journal's last record");
    add_setting(command, options, {"--connections", "capacity.connections"}, &S::connections,
                "maximum number of connections", std::to_string(usual.connections))
        ->check(CLI::Range(1U, 1'000'000U));
    add_setting(command, options, {"--session-timeout", "session.timeout_s"}, &S::session_timeout_s,
                "seconds of silence after which a session ends",
                std::to_string(usual.session_timeout_s))
        ->check(CLI::Range(1U, 1'000'000U));
    add_switch(command, options, {"--anonymous", "doors.anonymous"}, &S::anonymous,
               "admit clients without identity although participants have one");
    add_switch(command, options, {"--cancel-on-disconnect", "session.cancel_on_disconnect"},
               &S::cancel_on_disconnect, "cancel the orders of a lost connection");
    add_switch(command, options, {"--cancel-on-logout", "session.cancel_on_logout"},
               &S::cancel_on_logout, "cancel the session's orders at a logout");
    add_setting(command, options, {"--messages-per-second", "session.messages_per_second"},
                &S::messages_per_second, "limit per session; 0: no limit", "");
    add_switch(command, options, {"--spin", "run.spin"}, &S::spin,
               "never sleep: lowest latency, one whole core");
    add_wiring(command, options);
    add_switch(command, options, {"--demo-market", "run.demo_market"}, &S::demo_market,
               "let a few built-in participants trade");
    add_telemetry(command, options);
    command.add_flag("--json", options.json, "print the ready line as one JSON object");
}

}  // namespace damrak::app
