// `damrak serve`: the exchange. Recovers from its journal, opens its gateways, tells when it is
// ready, and runs until it is asked to stop.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/base/affinity.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/check.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/recorded_market.hpp>
#include <damrak/exchange/settings_table.hpp>
#include <damrak/files/temporary_folder.hpp>

#include "cli.hpp"
#include "say.hpp"
#include "serve/config.hpp"
#include "serve/descriptors.hpp"
#include "serve/instruments.hpp"
#include "serve/market.hpp"
#include "serve/memory.hpp"
#include "serve/options.hpp"
#include "serve/page_trading.hpp"
#include "serve/process.hpp"
#include "serve/replay.hpp"
#include "serve/report.hpp"
#include "serve/telemetry.hpp"
#include "serve/venue_state.hpp"

namespace damrak::app {

namespace {

using exchange::Exchange;

std::unique_ptr<DemoMarketThread> start_demo_market(Exchange& exchange) {
    const exchange::Settings& settings = exchange.settings();
    DemoMarketSettings demo{
        .gateway = {}, .itch_port = exchange.ports().at("itch"), .instruments = {}};
    for (const InstrumentState* const in : exchange.trading().market().instruments)
        demo.instruments.push_back(in->definition());
    demo.gateway = client::BinaryOrderClientSettings{.host = settings.numeric_address,
                                                     .port = exchange.ports().at("binary")};
    if (settings.identified_only) {
        demo.gateway.version = wire::binary::Version::v1;  // the other one has no keys
        demo.gateway.key = settings.own_key;
    }
    return std::make_unique<DemoMarketThread>(std::move(demo));
}

// Settings that cannot change while the exchange runs, including those of the demo market.
std::vector<std::string> fixed_differences(const ServeSettings& running,
                                           const ServeSettings& wanted) {
    auto names = exchange::fixed_differences(running, wanted);
    std::ranges::move(gateway::fixed_rows(own_rows(), running, wanted), std::back_inserter(names));
    return names;
}

void reload(const ServeOptions& options, const ServeSettings& running, Exchange& exchange,
            VenueState& venue) {
    // A pipe was read to its end at the start: read again, it would be an empty configuration.
    if (!options.config.empty() && !std::filesystem::is_regular_file(options.config)) {
        say("not reloaded {}: is not a file that can be read again\n", options.config.string());
        return;
    }
    const auto done = [&] -> journal::Result<std::string> {
        auto wanted = options.settings();
        if (!wanted) return std::unexpected{wanted.error().message};
        if (running.replayed) exchange::use_recorded_day(running.replayed, *wanted);
        keep_page_user(running, *wanted);
        if (const auto fixed = fixed_differences(running, *wanted); !fixed.empty())
            return std::unexpected{
                fmt::format("{} cannot change while the exchange runs", fmt::join(fixed, ", "))};
        return exchange.reload(*wanted);
    }();
    if (done) {
        venue.use(exchange.settings().venue);
        say("reloaded     {}\n", *done);
    } else {
        say("not reloaded {}\n", done.error());
    }
}

// Returns the exit status, or nothing after a seek in a replayed day. `ports`, by gateway: in,
// those of the exchange before the seek (empty for the first exchange); out, those of this one.
std::optional<int> run_exchange(const ServeOptions& options, const ServeSettings& settings,
                                exchange::Ports& ports, OperatorAccess& access) {
    VenueState venue{settings};
    const auto recovered = Exchange::recover(settings, venue.observers());
    if (!recovered) return fail(recovered.error());
    Exchange& exchange = **recovered;
    tell_recovered(settings, exchange);
    venue.resume(exchange.follower().state().trading_day());
    if (const auto opened = exchange.open(); !opened) return fail(opened.error());
    if (const auto enough = check_memory(settings); !enough) return fail(enough.error());
    venue.use(exchange.settings().venue);
    auto telemetry = ServeTelemetry::start(settings, exchange, venue, access);
    if (!telemetry) return fail(telemetry.error());
    const bool is_first = ports.empty();
    ports = exchange.ports();
    if (const auto http = (*telemetry)->http_port()) ports["http"] = *http;
    const auto publish_instruments = [&] {
        (*telemetry)->publish_instruments(instruments_json(exchange.trading().market(), ports));
    };
    publish_instruments();
    recorded_market::ReplayedDay* const day = settings.replayed.get();
    if (is_first) {
        tell_descriptors(settings);
        tell_market(settings, exchange, ports);
    }
    if (day != nullptr) tell_replay(*day);
    if (is_first) {
        tell_ready(settings, ports, options.json);
        tell_how_to_connect(settings, ports);
    }

    const auto demo = settings.demo_market ? start_demo_market(exchange) : nullptr;
    // Last of all: threads that are begun by a pinned one are pinned with it.
    if (!settings.cores.empty() && !pin_this_thread(settings.cores.front()))
        return fail(fmt::format("cannot run on core {}", settings.cores.front()));
    const auto is_sought = [day] { return day != nullptr && day->is_sought(); };
    DifferenceTeller differences{day};
    while (!stop_asked() && !exchange.failed() && !is_sought()) {
        exchange.step();
        differences.look();
        if (!reload_asked()) continue;
        reload(options, settings, exchange, venue);
        publish_instruments();
    }
    if (demo) demo->ask_to_leave();
    while (demo && !demo->gone() && !exchange.failed()) exchange.step();
    exchange.stop();
    telemetry->reset();
    if (day != nullptr) tell_drift(*day);
    if (exchange.failed()) return fail(fmt::format("trading stopped: {}", exchange.failure()));
    tell_closed(exchange);
    if (!is_sought()) return k_exit_success;
    const auto noted = exchange::seek_recorded_day(settings, *day->status().sought_ns);
    return noted ? std::nullopt : std::optional{fail(noted.error())};
}

// One exchange after another where a replayed day is sought in: each with the ports, the speed and
// the pause of the one before.
int run_exchanges(const ServeOptions& options, const ServeSettings& asked) {
    exchange::Ports ports;
    OperatorAccess access;  // who has logged in stays so after a seek
    Pace pace = pace_of(options.replay);
    for (;;) {
        ServeSettings settings = asked;
        for (const auto& [gateway, port] : ports) settings.ports[gateway] = port;
        if (const auto opened = open_replay(options.replay, pace, settings); !opened)
            return fail(opened.error());
        if (const auto exit_status = run_exchange(options, settings, ports, access))
            return *exit_status;
        const recorded_market::ReplayStatus status = settings.replayed->status();
        pace = {.speed = status.speed, .paused = status.paused};
    }
}

// As a start makes the exchange, but beside one that may run: with no data, and on free ports.
int print_memory(const ServeOptions& options, ServeSettings settings) {
    const Silence silence;
    const files::TemporaryFolder folder{"memory"};
    if (folder.path().empty()) return fail("cannot make a temporary folder");
    settings.data = folder.path();
    settings.on_notice = nullptr;
    MemoryParts parts;
    parts.note("program");
    if (const auto opened = open_replay(options.replay, pace_of(options.replay), settings); !opened)
        return fail(opened.error());
    VenueState venue{settings};
    const auto exchange = Exchange::recover(settings, venue.observers());
    if (!exchange) return fail(exchange.error());
    venue.resume((*exchange)->follower().state().trading_day());
    parts.note("books and journal");
    if (const auto opened = (*exchange)->open(); !opened) return fail(opened.error());
    parts.note("gateways and feeds");
    OperatorAccess access;
    auto telemetry = ServeTelemetry::start(settings, **exchange, venue, access);
    if (!telemetry) return fail(telemetry.error());
    parts.note("page and telemetry");
    (*exchange)->stop();
    telemetry->reset();
    fmt::print("{}", text_of(parts, options.json));
    return k_exit_success;
}

int refuse(const SettingsError& error) {
    return error.of_flags ? fail_usage(error.message, "serve") : fail(error.message);
}

int run(const ServeOptions& options) {
    if (options.describe_config) {
        fmt::print("{}", config_reference());
        return k_exit_success;
    }
    auto settings = options.settings();
    if (!settings) return refuse(settings.error());
    settings->on_notice = [](std::string_view line) { say("{}\n", line); };
    name_page_user(*settings);
    if (options.print_config) {
        fmt::print("{}", config_text(*settings));
        return k_exit_success;
    }
    if (options.print_memory) set_apart(*settings);
    if (const auto taken = exchange::check_ports(*settings))
        return fail(told(*taken, *settings).message);
    handle_signals();
    if (const auto divided = divide_descriptors(*settings); !divided) return fail(divided.error());
    keep_files_private();
    try {
        return options.print_memory ? print_memory(options, *settings)
                                    : run_exchanges(options, *settings);
    } catch (const std::bad_alloc&) {
        return fail(fmt::format("{}: these capacities need more memory than this machine provides",
                                settings->place("capacity")));
    }
}

}  // namespace

void add_serve(CLI::App& program, Job& job) {
    CLI::App* command = program.add_subcommand("serve", "Runs the exchange");
    const auto options = std::make_shared<ServeOptions>();
    add_serve_options(*command, *options);
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
