// `damrak serve`: the exchange. Recovers from its journal, opens its doors, tells when it is ready,
// and runs until it is asked to stop.
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>

#include <damrak/gateway/binary_gateway.hpp>
#include <damrak/journal/journal.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

constexpr std::array k_doors{"binary", "fix",        "ouch", "itch", "udp",
                             "mold",   "retransmit", "l2",   "http"};

struct ServeOptions {
    std::string address = "127.0.0.1";
    std::map<std::string, std::string> ports;  ///< by door, as it was given
    std::vector<std::string> only;
    std::filesystem::path data = "damrak-data";
    journal::Durability durability = journal::Durability::async;
    std::uint32_t connections = 20'000;
    std::uint32_t session_timeout_s = 1'000;
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;
    bool spin = false;
    bool json = false;
};

std::atomic<bool> stop_asked{false};

Timestamp system_time() {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
}

// The port of a door, nothing if it is closed. Throws what CLI11 reports as wrong usage.
std::optional<std::uint16_t> port_of(const ServeOptions& options, const std::string& door,
                                     std::uint16_t usual) {
    if (!options.only.empty() && std::ranges::find(options.only, door) == options.only.end())
        return {};
    const auto given = options.ports.find(door);
    if (given == options.ports.end() || given->second.empty()) return usual;
    if (given->second == "off") return {};
    return static_cast<std::uint16_t>(std::stoul(given->second));
}

std::string check_port(const std::string& text) {
    if (text == "off") return {};
    const bool number = !text.empty() && text.size() <= 5 &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return number && std::stoul(text) <= 65'535 ? "" : "a port is a number to 65535, or off";
}

const std::map<std::string, journal::Durability>& durabilities() {
    static const std::map<std::string, journal::Durability> names{
        {"async", journal::Durability::async},
        {"group", journal::Durability::group},
        {"sync", journal::Durability::sync}};
    return names;
}

// The helpers of the journal, on a thread that looks after them until the end.
class JournalHelpers {
  public:
    explicit JournalHelpers(journal::Journal& journal)
        : keeper_{[&journal](const std::stop_token& stop) { run(journal.keeper(), stop); }},
          syncer_{[&journal](const std::stop_token& stop) { run(journal.syncer(), stop); }} {}

  private:
    template <class Agent>
    static void run(Agent& agent, const std::stop_token& stop) {
        agent.on_start();
        while (!stop.stop_requested())
            if (agent.do_work(system_time().value) == 0)
                std::this_thread::sleep_for(std::chrono::microseconds{200});
        agent.on_close();
    }

    std::jthread keeper_;
    std::jthread syncer_;
};

EngineConfig engine_config() {
    EngineConfig config;
    config.maximum_participants = 200'000;
    config.maximum_accounts = 400'000;
    return config;
}

journal::JournalIdentity new_identity(const EngineConfig& engine) {
    std::random_device chance;
    const auto draw = [&chance] { return std::uint64_t{chance()} << 32U | chance(); };
    return {.instance = {draw(), draw()}, .engine = engine};
}

bool add_instruments(gateway::BinaryGateway::Sequencer& sequencer) {
    std::uint32_t id = 0;
    for (const std::string_view symbol : {"AAPL", "MSFT", "SPY", "TEST"}) {
        Command add{};
        add.kind = CommandKind::add_instrument;
        add.instrument = InstrumentId{++id};
        add.definition = {.symbol = Symbol::of(symbol),
                          .tick_size = Price{100},
                          .maximum_price = k_published_maximum_price,
                          .lot_size = Quantity{1},
                          .maximum_quantity = k_published_maximum_quantity,
                          .price_decimals = 4};
        if (!sequencer.submit(add, {}, system_time())) return false;
    }
    return true;
}

void raise_descriptor_limit(std::uint32_t wanted) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, std::max<rlim_t>(limit.rlim_cur, wanted));
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

void handle_signals() {
    struct sigaction action{};
    action.sa_handler = [](int) { stop_asked.store(true); };
    ::sigaction(SIGTERM, &action, nullptr);
    ::sigaction(SIGINT, &action, nullptr);
    action.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &action, nullptr);
}

void tell_ready(const ServeOptions& options, const gateway::BinaryGateway& gateway) {
    if (options.json) {
        fmt::print("{}\n",
                   nlohmann::ordered_json{{"ready", true}, {"ports", {{"binary", gateway.port()}}}}
                       .dump());
    } else {
        fmt::print("ready binary={}\n", gateway.port());
    }
    std::fflush(stdout);
}

void tell_summary(const ServeOptions& options, const journal::Recovery& recovery,
                  const gateway::BinaryGateway::Sequencer& sequencer, bool keys) {
    const char* const durability[] = {
        "async: answers survive the end of the process; synced behind",
        "group: answers wait for the disk, many at a time",
        "sync: answers wait for the disk, one at a time"};
    fmt::print(stderr, "data         {}\n", std::filesystem::absolute(options.data).string());
    fmt::print(stderr, "durability   {}\n",
               durability[static_cast<std::size_t>(options.durability)]);
    if (recovery.last_sequence == 0) {
        fmt::print(stderr, "recovered    nothing: a new journal\n");
    } else {
        fmt::print(stderr, "recovered    {} up to record {}; state hash {:016x}\n",
                   counted(static_cast<std::int64_t>(recovery.records), "record"),
                   recovery.last_sequence, sequencer.engine().state_hash());
        if (!recovery.cut.empty()) fmt::print(stderr, "note         {}\n", recovery.cut);
    }
    fmt::print(stderr, "entry        {}\n",
               keys ? "with an API key" : "open to everyone who connects (no API keys are set)");
    fmt::print(stderr, "connect      damrak load --port PORT, or any client of the protocol\n");
}

int run(const ServeOptions& options) {
    const auto port = port_of(options, "binary", 12345);
    if (!port) return fail("all doors are closed; give --binary-port");
    handle_signals();
    raise_descriptor_limit(options.connections + 64);

    const EngineConfig engine = engine_config();
    gateway::BinaryGatewayConfig config{
        .address = options.address,
        .port = *port,
        .maximum_connections = options.connections,
        .session_timeout_ns = std::int64_t{options.session_timeout_s} * 1'000'000'000,
        .rules = {.cancel_on_disconnect = options.cancel_on_disconnect,
                  .cancel_on_logout = options.cancel_on_logout,
                  .messages_per_second = options.messages_per_second,
                  .burst_messages = options.messages_per_second},
        .on_disconnect = [](SessionId id, std::string_view reason) {
            fmt::print(stderr, "session {} ended: {}\n", id.value, reason);
        }};
    const auto gateway = std::make_unique<gateway::BinaryGateway>(std::move(config), engine);
    const auto sequencer = std::make_unique<gateway::BinaryGateway::Sequencer>(engine, *gateway);

    auto& files = journal::real_files();
    const auto recovery = journal::recover(
        files, options.data, {}, [&](std::span<const journal::Record> r) { sequencer->replay(r); });
    if (!recovery) return fail(recovery.error());
    auto journal = journal::Journal::open(
        files, {.directory = options.data, .durability = options.durability}, *recovery,
        recovery->identity.value_or(new_identity(engine)), system_time());
    if (!journal) return fail(journal.error());
    tell_summary(options, *recovery, *sequencer, false);

    {
        const JournalHelpers helpers{**journal};
        journal::JournalWriter& writer = (*journal)->writer();
        sequencer->start(writer, system_time());
        if (recovery->last_sequence == 0 && !add_instruments(*sequencer))
            return fail(writer.refusal());
        gateway->attach(*sequencer, writer);
        if (const auto listening = gateway->listen(); !listening) return fail(listening.error());
        tell_ready(options, *gateway);
        const int wait_ms = options.spin ? 0 : 1;
        while (!stop_asked.load(std::memory_order_relaxed) && !gateway->stopped())
            gateway->do_work(wait_ms);
        if (gateway->stopped()) return fail(fmt::format("trading stopped: {}", writer.refusal()));
        gateway->close();
    }
    fmt::print(stderr, "closed       state hash {:016x} after {}\n",
               sequencer->engine().state_hash(),
               counted(static_cast<std::int64_t>(sequencer->commands()), "command"));
    return k_exit_success;
}

}  // namespace

void add_serve(CLI::App& program, Job& job) {
    CLI::App* command = program.add_subcommand("serve", "Runs the exchange");
    const auto options = std::make_shared<ServeOptions>();
    for (const std::string door : k_doors) {
        command
            ->add_option("--" + door + "-port", options->ports[door],
                         door == "binary" ? "port of the binary protocol; 0: a free one, off: none"
                                          : "for a door that is not built yet: off or 0")
            ->default_str(door == "binary" ? "12345" : "off")
            ->check(check_port);
    }
    command->add_option("--only", options->only, "the doors to open, all others stay closed")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(k_doors.begin(), k_doors.end())));
    command->add_option("--address", options->address, "to listen on")->capture_default_str();
    command->add_option("--data", options->data, "directory of the journal")->capture_default_str();
    command
        ->add_option_function<std::string>(
            "--durability",
            [options](const std::string& name) { options->durability = durabilities().at(name); },
            "what an answer promises: async, group or sync")
        ->default_str("async")
        ->check(CLI::IsMember({"async", "group", "sync"}));
    command->add_option("--connections", options->connections, "most at a time")
        ->capture_default_str()
        ->check(CLI::Range(1U, 1'000'000U));
    command
        ->add_option("--session-timeout", options->session_timeout_s,
                     "seconds of silence after which a session ends")
        ->capture_default_str()
        ->check(CLI::Range(1U, 1'000'000U));
    command->add_flag("--cancel-on-disconnect", options->cancel_on_disconnect,
                      "a lost connection cancels its orders");
    command->add_flag("--cancel-on-logout", options->cancel_on_logout,
                      "a logout cancels the session's orders");
    command->add_option("--messages-per-second", options->messages_per_second,
                        "of a session, at most; 0: no limit");
    command->add_flag("--spin", options->spin, "never sleep: lowest latency, one whole core");
    command->add_flag("--json", options->json, "tell that it is ready as one JSON object");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
