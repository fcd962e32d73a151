// venue [--rounds N] [--only ROW] [--save FILE]: what the mechanisms of venues cost, beside the
// continuous engine in the same run.
//
//   continuous   a message of NW-1, as the engine row of nw1 has it
//   uncross      an auction of 100,000 orders on 1,000 prices, a trade included in an order's share
//   indicative   an order of such a call with its new indicative price, as the feed makes it
//   price-time   a fill of an order that trades with half of each of 1,000 orders at one price,
//   pro rata     which share it in proportion, or by time
//   peg          a move of one of 1,000 pegged orders, when the best price moves
//   batches      a message of NW-1 in frequent batches of 100 ms, at a million messages a second
//
// CPU time, on fresh engines each round; medians of the rounds.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/random.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/indicative_calls.hpp>

#include "support/command_maker.hpp"
#include "support/cpu_clock.hpp"
#include "support/rows.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

constexpr InstrumentId k_instrument{1};
constexpr std::uint32_t k_call_orders = 100'000;
constexpr std::uint32_t k_call_prices = 1'000;
constexpr std::uint32_t k_sharing_orders = 1'000;
constexpr std::uint32_t k_pegs = 1'000;
constexpr std::uint32_t k_pegs_of_each = 100;  // as many as a participant may have

// One instrument with a tick of 1, limits that are checked and never exceeded.
class Venue {
  public:
    Venue() : engine_(config()) {
        Command command{};
        command.kind = CommandKind::add_instrument;
        command.instrument = k_instrument;
        command.definition = {.symbol = Symbol::of("ONE"),
                              .tick_size = Price{1},
                              .maximum_price = Price{1'000'000},
                              .lot_size = Quantity{1},
                              .maximum_quantity = Quantity{1'000'000},
                              .unpublished = 1};
        apply(command);
    }

    // Returns the number of events.
    std::uint64_t apply(const Command& command) {
        std::uint64_t events = 0;
        engine_.apply(command, [&](const Event& event) {
            asm volatile("" : : "r"(&event) : "memory");
            ++events;
        });
        return events;
    }
    std::uint64_t enter(Side side, std::int64_t price, std::int64_t quantity,
                        std::uint32_t participant = 1) {
        return apply(order(side, price, quantity, participant));
    }
    [[nodiscard]] static Command order(Side side, std::int64_t price, std::int64_t quantity,
                                       std::uint32_t participant = 1) {
        Command command{};
        command.kind = CommandKind::new_order;
        command.instrument = k_instrument;
        command.participant = ParticipantId{participant};
        command.side = side;
        command.price = Price{price};
        command.quantity = Quantity{quantity};
        return command;
    }
    void set_phase(Phase phase, AuctionRule rule = AuctionRule::xetra, bool sealed = false) {
        Command command = of_instrument(CommandKind::set_phase);
        command.phase = {.phase = phase,
                         .auction = rule,
                         .call = CallKind::intraday,
                         .sealed = static_cast<std::uint8_t>(sealed)};
        apply(command);
    }
    std::uint64_t uncross(Phase next = Phase::continuous) {
        Command command = of_instrument(CommandKind::uncross);
        command.phase.phase = next;
        return apply(command);
    }
    [[nodiscard]] static Command of_instrument(CommandKind kind) {
        Command command{};
        command.kind = kind;
        command.instrument = k_instrument;
        return command;
    }
    [[nodiscard]] Engine& engine() { return engine_; }

  private:
    static EngineConfig config() {
        return {.maximum_instruments = 1,
                .maximum_participants = 16,
                .maximum_orders = 200'000,
                .maximum_extensions = 2'000,
                .maximum_accounts = 16,
                .maximum_levels = 200'000,
                .maximum_ladder_nodes = 100'000};
    }

    Engine engine_;
};

// A call whose sides meet in the middle of its prices.
std::vector<Command> call_orders() {
    RandomStream random{7};
    std::vector<Command> orders;
    for (std::uint32_t i = 0; i < k_call_orders; ++i) {
        const Side side = static_cast<Side>(random.below(2));
        orders.push_back(Venue::order(side, 1 + random.below(k_call_prices), 1 + random.below(100),
                                      1 + random.below(8)));
    }
    return orders;
}

// Nanoseconds of `run()` by each of `count` units.
template <class Run>
double time_each(std::uint64_t count, Run&& run) {
    const std::int64_t start_ns = cpu_time_ns();
    run();
    return static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(count);
}

double time_uncross() {
    Venue venue;
    venue.set_phase(Phase::call);
    for (const Command& order : call_orders()) venue.apply(order);
    return time_each(k_call_orders, [&] { venue.uncross(); });
}

// The feed's own work only: the engine's events come from a recording.
double time_indicative() {
    Venue venue;
    venue.set_phase(Phase::call);
    std::vector<Event> events;
    for (const Command& order : call_orders())
        venue.engine().apply(order, [&](const Event& event) { events.push_back(event); });
    feed::IndicativeCalls calls;
    const InstrumentDefinition definition = venue.engine().instrument(k_instrument)->definition();
    calls.begin(k_instrument, {.rule = AuctionRule::xetra, .definition = &definition},
                [](const auto&) {});
    return time_each(k_call_orders, [&] {
        for (const Event& event : events) {
            calls.on_event(event);
            const auction::Equilibrium now = calls.value(k_instrument);
            asm volatile("" : : "r"(&now) : "memory");
        }
    });
}

// An incoming order takes half of what 1,000 orders at one price offer.
double time_sharing(AllocationStep step) {
    Venue venue;
    if (step != AllocationStep::none) {
        Command command = Venue::of_instrument(CommandKind::set_allocation);
        command.allocation = {.steps = {step}};
        venue.apply(command);
    }
    constexpr std::uint64_t k_fills = 100;
    double total_ns = 0;
    std::uint64_t trades = 0;
    for (std::uint64_t i = 0; i < k_fills; ++i) {
        for (std::uint32_t n = 0; n < k_sharing_orders; ++n)
            venue.enter(Side::sell, 100, 20, 1 + n % 8);
        total_ns += time_each(1, [&] {
            trades += venue.enter(Side::buy, 100, 10 * std::int64_t{k_sharing_orders}, 9) / 2;
        });
        Command command = Venue::of_instrument(CommandKind::mass_cancel);
        command.flags = CommandFlags::k_both_sides;
        venue.apply(command);
    }
    return total_ns / static_cast<double>(trades);
}

double time_pegs() {
    Venue venue;
    venue.enter(Side::buy, 1'000, 1, 11);
    for (std::uint32_t i = 0; i < k_pegs; ++i) {
        Command command = Venue::order(Side::buy, 0, 1, 1 + i / k_pegs_of_each);
        command.order_type = OrderType::market;
        command.flags = CommandFlags::k_pegged | CommandFlags::k_hidden;
        command.order.peg = PegReference::primary;
        venue.apply(command);
    }
    constexpr std::int64_t k_moves = 200;
    std::uint64_t moved = 0;
    const double all_ns = time_each(1, [&] {
        for (std::int64_t i = 1; i <= k_moves; ++i)
            moved += venue.enter(Side::buy, 1'000 + i, 1, 11) - 1;
    });
    return all_ns / static_cast<double>(moved);
}

// The timed part of NW-1, in batches of this many messages; zero: continuously.
double time_flow(const MessageStream& stream, std::size_t batch) {
    CommandMaker maker{stream.info};
    EngineConfig config = maker.config();
    // Immediate orders stay until the end of their batch.
    config.maximum_orders += 100'000;
    config.maximum_levels += 100'000;
    Engine engine(config);
    const auto apply = [&](const Command& command) {
        engine.apply(command, [](const Event& event) {
            asm volatile("" : : "r"(&event) : "memory");
        });
    };
    for (std::uint32_t symbol = 0; symbol < stream.info.symbols; ++symbol) {
        Command command = maker.add_instrument(symbol);
        command.definition.maximum_quantity =
            std::min(command.definition.maximum_quantity, Quantity{1'000'000});
        apply(command);
    }
    for (const std::uint32_t participant : {1U, 2U}) apply(CommandMaker::set_limits(participant));
    const auto of_each = [&](CommandKind kind) {
        for (std::uint32_t symbol = 0; symbol < stream.info.symbols; ++symbol) {
            Command command{};
            command.kind = kind;
            command.instrument = InstrumentId{symbol + 1};
            command.phase = {
                .phase = Phase::call,
                .auction = AuctionRule::frequent_batch,
                .sealed = kind == CommandKind::set_phase ? std::uint8_t{1} : std::uint8_t{0}};
            apply(command);
        }
    };
    Command command{};
    for (const Message& message : stream.prefill()) {
        maker.fill(command, message);
        apply(command);
    }
    if (batch != 0) of_each(CommandKind::set_phase);
    return time_each(stream.timed().size(), [&] {
        std::size_t in_batch = 0;
        for (const Message& message : stream.timed()) {
            maker.fill(command, message);
            apply(command);
            if (batch == 0 || ++in_batch < batch) continue;
            in_batch = 0;
            of_each(CommandKind::uncross);
        }
    });
}

struct Measured {
    std::string_view name;
    std::string_view unit;
    std::function<double()> time;
    std::vector<double> rounds_ns{};

    [[nodiscard]] double median_ns() {
        std::ranges::sort(rounds_ns);
        return rounds_ns[rounds_ns.size() / 2];
    }
};

int run(int rounds, const std::string& only, const std::string& save) {
    auto stream = flow_stream({.messages = 2'000'000, .symbols = 8, .live_orders = 12'000});
    if (!stream) return std::fputs((stream.error() + "\n").c_str(), stderr), 1;
    std::ignore = prepare(*stream);
    constexpr std::size_t k_batch = 100'000;  // 100 ms at a million messages a second
    std::vector<Measured> rows{
        {"continuous", "message", [&] { return time_flow(*stream, 0); }},
        {"uncross", "order", time_uncross},
        {"indicative", "order", time_indicative},
        {"price-time", "trade", [] { return time_sharing(AllocationStep::none); }},
        {"pro rata", "trade", [] { return time_sharing(AllocationStep::pro_rata); }},
        {"peg", "move", time_pegs},
        {"batches", "message", [&] { return time_flow(*stream, k_batch); }}};
    // All are compared with the first row.
    std::erase_if(rows, [&](const Measured& row) {
        return !only.empty() && row.name != only && row.name != "continuous";
    });
    for (int round = 0; round < rounds; ++round)
        for (Measured& row : rows) row.rounds_ns.push_back(row.time());
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    const double base_ns = rows[0].median_ns();
    for (Measured& row : rows) {
        const double ns = row.median_ns();
        fmt::print("{:<12} {:>9.1f} ns a {:<8} {:>7.2f} continuous messages\n", row.name, ns,
                   row.unit, ns / base_ns);
        out[std::string{row.name}] = {{"ns", ns}, {"of", row.unit}, {"ratio", ns / base_ns}};
    }
    if (!save.empty()) std::ofstream{save} << out.dump(2) << "\n";
    return 0;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    CLI::App app{"what the mechanisms of venues cost, beside the continuous engine"};
    int rounds = 5;
    std::string only;
    std::string save;
    app.add_option("--rounds", rounds, "rounds, in turns")->capture_default_str();
    app.add_option("--only", only, "this row and the first one, e.g. peg");
    app.add_option("--save", save, "JSON file for the results");
    CLI11_PARSE(app, argc, argv);
    return damrak::bench::run(rounds, only, save);
}
