// `damrak serve`: the exchange. Recovers from its journal, opens its doors, tells when it is ready,
// and runs until it is asked to stop.
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <damrak/base/affinity.hpp>

#include "cli.hpp"
#include "say.hpp"
#include "serve/changes.hpp"
#include "serve/config.hpp"
#include "serve/exchange.hpp"
#include "serve/instruments.hpp"
#include "serve/market.hpp"
#include "serve/options.hpp"
#include "serve/process.hpp"
#include "serve/report.hpp"
#include "serve/telemetry.hpp"

namespace damrak::app {

namespace {

std::unique_ptr<DemoMarketThread> start_demo_market(const ServeSettings& settings,
                                                    Exchange& exchange) {
    std::vector<sim::DemoInstrument> instruments;
    for (const InstrumentState* const in : exchange.trading().market().instruments)
        instruments.push_back(demo_instrument(in->definition()));
    LinkSettings door{.host = settings.numeric_address, .port = exchange.trading().binary_port()};
    if (settings.identified_only) {
        door.version = wire::binary::Version::v1;  // the other one has no keys
        door.key = settings.own_key;
    }
    return std::make_unique<DemoMarketThread>(std::move(door), std::move(instruments));
}

wire::binary::ApiKey new_key() {
    std::random_device chance;
    wire::binary::ApiKey key{};
    for (std::byte& byte : key) byte = static_cast<std::byte>(chance());
    return key;
}

// How long a turn may wait for something to do: whatever comes ends it at once, so the longer wait
// of an exchange that has nothing to do costs nobody anything but a deadline some milliseconds.
class Patience {
  public:
    explicit Patience(bool spin) : spin_(spin) {}
    [[nodiscard]] int wait_ms() const {
        if (spin_) return 0;
        return idle_turns_ < k_short_turns ? 1 : 20;
    }
    void note(std::size_t messages) { idle_turns_ = messages > 0 ? 0 : idle_turns_ + 1; }

  private:
    static constexpr std::uint64_t k_short_turns = 100;

    bool spin_;
    std::uint64_t idle_turns_ = 0;
};

void reload(const ServeOptions& options, Exchange& exchange) {
    // A pipe was read to its end at the start: read again, it would be an empty configuration.
    if (!options.config.empty() && !std::filesystem::is_regular_file(options.config)) {
        say("not reloaded {}: is not a file that can be read again\n", options.config.string());
        return;
    }
    const auto wanted = options.settings();
    const auto done = wanted
                          ? exchange.reload(*wanted)
                          : journal::Result<std::string>{std::unexpected{wanted.error().message}};
    if (done) {
        say("reloaded     {}\n", *done);
    } else {
        say("not reloaded {}\n", done.error());
    }
}

int run_exchange(const ServeOptions& options, const ServeSettings& settings) {
    handle_signals();
    raise_descriptor_limit(settings.connections + 64);

    std::unique_ptr<L2Door> l2;  // observes the exchange to its end
    Exchange exchange{settings};
    if (const auto recovered = exchange.recover(); !recovered) return fail(recovered.error());
    tell_recovered(settings, exchange);
    if (const auto port = settings.port("l2")) {
        auto door = L2Door::open(*port, settings.capacity, exchange.follower().state());
        if (!door) return fail(door.error());
        l2 = std::move(*door);
        exchange.follower().add(*l2);
    }
    if (const auto started = exchange.start(); !started) return fail(started.error());
    auto telemetry = ServeTelemetry::start(settings, exchange);
    if (!telemetry) return fail(telemetry.error());
    std::map<std::string, std::uint16_t> ports;
    if (settings.port("binary")) ports["binary"] = exchange.trading().binary_port();
    if (settings.port("fix")) ports["fix"] = exchange.trading().fix_port();
    if (settings.port("udp")) ports["udp"] = exchange.trading().udp_port();
    if (l2) ports["l2"] = l2->port();
    if (const auto http = (*telemetry)->http_port()) ports["http"] = *http;
    const auto publish_instruments = [&] {
        (*telemetry)->publish_instruments(instruments_json(exchange.trading().market(), ports));
    };
    publish_instruments();
    tell_market(settings, exchange, ports);
    tell_ready(settings, ports, options.json);
    tell_how_to_connect(settings, ports);

    Patience patience{settings.spin};
    const auto demo = settings.demo_market ? start_demo_market(settings, exchange) : nullptr;
    // Last of all: threads that are begun by a pinned one are pinned with it.
    if (!settings.cores.empty() && !pin_this_thread(settings.cores.front()))
        return fail(fmt::format("cannot run on core {}", settings.cores.front()));
    while (!stop_asked() && !exchange.stopped()) {
        patience.note(exchange.do_work(patience.wait_ms()));
        if (!reload_asked()) continue;
        reload(options, exchange);
        publish_instruments();
    }
    if (demo) demo->ask_to_leave();
    while (demo && !demo->gone() && !exchange.stopped()) exchange.do_work(patience.wait_ms());
    if (!exchange.stopped()) exchange.close();
    telemetry->reset();
    if (exchange.stopped())
        return fail(fmt::format("trading stopped: {}", exchange.journal().writer().refusal()));
    tell_closed(exchange);
    return k_exit_success;
}

int refuse(const SettingsError& error) {
    return error.of_flags ? fail_usage(error.message, "serve") : fail(error.message);
}

int run(const ServeOptions& options) {
    auto settings = options.settings();
    if (!settings) return refuse(settings.error());
    settings->own_key = new_key();
    settings->identified_only = settings->has_identities() && !settings->anonymous;
    if (options.print_config) {
        fmt::print("{}", config_text(*settings));
        return k_exit_success;
    }
    if (const auto taken = check_ports(*settings)) return fail(told(*taken, *settings).message);
    try {
        return run_exchange(options, *settings);
    } catch (const std::bad_alloc&) {
        return fail(fmt::format("{}: this machine gives less memory than these capacities take",
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
