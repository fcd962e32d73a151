// orders FILE [--symbols N] [--runs N] [--json] [--save FILE]: the engine on the orders that
// bench/python sends through Engine.submit_many. FILE has its rows, as NumPy writes them.
//
// Three figures. The engine alone: commands are made outside of the clock, a batch at a time, and
// events stay where the engine wrote them. Made: with the making of commands, as in the rows of the
// other benchmarks. Copied: the same, and each event is copied to memory that was touched before.
// CPU time, the best of the runs.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/assert.hpp>
#include <damrak/script/command_script.hpp>
#include <damrak/script/script_run.hpp>
#include <damrak/venue/venue_run.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"

namespace damrak::bench {
namespace {

constexpr double k_units = 10'000;  // in a price of one

/// As NumPy writes the rows of bench/python/orders.py, without gaps.
struct [[gnu::packed]] Record {
    std::int64_t time;
    std::uint8_t command;
    std::uint32_t instrument;
    std::uint32_t participant;
    std::uint8_t side;
    std::uint8_t tif;
    std::uint16_t flags;
    std::int64_t quantity;
    double price;
    std::uint64_t order;
    std::uint64_t new_order;
};
static_assert(sizeof(Record) == 53);

struct Options {
    std::string path;
    std::uint32_t symbols = 8;
    int runs = 5;
    Output output;
};

struct Outcome {
    std::int64_t ns = std::numeric_limits<std::int64_t>::max();
    std::uint64_t events = 0;
    std::uint64_t state_hash = 0;

    void take(const Outcome& other) {
        DAMRAK_ASSERT(events == 0 || (events == other.events && state_hash == other.state_hash));
        *this = {std::min(ns, other.ns), other.events, other.state_hash};
    }
};

std::vector<Record> load(const std::string& path) {
    std::ifstream file{path, std::ios::binary | std::ios::ate};
    std::vector<Record> records(
        static_cast<std::size_t>(std::max<std::streamoff>(0, file.tellg())) / sizeof(Record));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(records.data()),
              static_cast<std::streamsize>(records.size() * sizeof(Record)));
    if (!file) records.clear();
    return records;
}

void make(const Record& record, Command& command) {
    command = Command{};
    command.timestamp = {record.time};
    command.kind = static_cast<CommandKind>(record.command);
    command.instrument = {record.instrument};
    command.participant = {record.participant};
    command.side = static_cast<Side>(record.side);
    command.time_in_force = static_cast<TimeInForce>(record.tif);
    command.flags = record.flags;
    command.quantity = {record.quantity};
    command.price = {std::llrint(record.price * k_units)};
    command.order_id = {record.order};
    command.new_order_id = {record.new_order};
}

/// The engine of `damrak.Engine(symbols)` in Python.
venue::VenueRun market_of(std::uint32_t symbols, Timestamp first) {
    constexpr std::uint32_t k_orders = 200'000;
    EngineConfig config = script::script_config();
    config.maximum_instruments = 256;
    config.maximum_participants = 16'384;
    config.maximum_orders = config.maximum_extensions = config.maximum_levels =
        config.maximum_ladder_nodes = config.maximum_accounts = k_orders;
    venue::VenueRun run{config, nullptr, 1, [](const Command&, const Event&) {}};
    std::string lines;
    for (std::uint32_t i = 1; i <= symbols; ++i)
        lines += fmt::format("00:00:00 instrument symbol=SIM{} tick=0.01 lot=1 decimals=4\n", i);
    constexpr std::int64_t k_day_ns = 86'400'000'000'000;
    const auto steps = script::parse_script(lines, "", {.day = first.value / k_day_ns});
    DAMRAK_ASSERT(steps);
    run.begin(steps->front().command.timestamp);
    for (const script::ScriptStep& step : *steps) DAMRAK_ASSERT(run.apply(step.command));
    return run;
}

enum class Timed : std::uint8_t { engine, made, copied };

Outcome play(std::span<const Record> records, std::uint32_t symbols, Timed timed) {
    venue::VenueRun run = market_of(symbols, {records.front().time});
    // Larger where the clock is read for each.
    const std::size_t size = timed == Timed::engine ? 1'024 : 128;
    std::vector<Command> batch(size, Command{});
    std::vector<Event> kept(timed == Timed::copied ? records.size() * 3 : 0);
    Outcome outcome{.ns = 0};
    std::int64_t began = cpu_time_ns();
    for (std::size_t first = 0; first < records.size(); first += size) {
        const std::size_t count = std::min(size, records.size() - first);
        for (std::size_t i = 0; i < count; ++i) make(records[first + i], batch[i]);
        if (timed == Timed::engine) began = cpu_time_ns();
        run.apply_queued(std::span{batch}.first(count), [&](std::size_t, const Slice& slice) {
            asm volatile("" : : "r"(slice.first), "r"(slice.count) : "memory");
            if (timed == Timed::copied)
                std::ranges::copy(slice.events(), kept.data() + outcome.events);
            outcome.events += slice.count;
        });
        if (timed == Timed::engine) outcome.ns += cpu_time_ns() - began;
    }
    if (timed != Timed::engine) outcome.ns = cpu_time_ns() - began;
    outcome.state_hash = run.engine().state_hash();
    return outcome;
}

int run(const Options& options) {
    const std::vector<Record> records = load(options.path);
    if (records.empty()) {
        fmt::print(stderr, "orders: there are no records in {}\n", options.path);
        return 1;
    }
    std::array<Outcome, 3> outcomes;
    for (int i = 0; i < options.runs; ++i)
        for (const Timed timed : {Timed::engine, Timed::made, Timed::copied})
            outcomes[static_cast<std::size_t>(timed)].take(play(records, options.symbols, timed));
    const auto each = [&](Timed timed) {
        return static_cast<double>(outcomes[static_cast<std::size_t>(timed)].ns) /
               static_cast<double>(records.size());
    };
    if (!options.output.json)
        fmt::print(
            "{} orders, {} events: {:.1f} ns an order in the engine, {:.1f} with its command made, "
            "{:.1f} with its events copied\n",
            records.size(), outcomes[0].events, each(Timed::engine), each(Timed::made),
            each(Timed::copied));
    return options.output.deliver({{"machine", machine_name()},
                                   {"compiler", compiler_name()},
                                   {"orders", records.size()},
                                   {"events", outcomes[0].events},
                                   {"state_hash", outcomes[0].state_hash},
                                   {"engine_ns", each(Timed::engine)},
                                   {"made_ns", each(Timed::made)},
                                   {"copied_ns", each(Timed::copied)}});
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"The engine alone on the orders of bench/python"};
    app.add_option("FILE", options.path, "records of orders, as bench/python writes them")
        ->required();
    app.add_option("--symbols", options.symbols, "instruments: SIM1, SIM2, …")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    app.add_option("--runs", options.runs, "the best one counts")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
