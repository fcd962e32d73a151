// feed [--messages N] [--runs N] [--json] [--save FILE]: the order-by-order feed beside the engine
// whose events it publishes: CPU time of the engine a message of its stream, of the publisher and
// of a book builder a message of ITCH.
//
// One generated neutral flow. The engine's events are recorded before any clock starts, and the
// books at the end have to be the engine's. Runs are interleaved; medians are reported.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/command_maker.hpp"
#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/rows.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

struct Options {
    std::uint64_t messages = 500'000;
    int runs = 5;
    Output output;
};

// A command with its events.
struct Step {
    Command command{};
    std::size_t events_end = 0;
};

struct Recording {
    EngineConfig config;
    std::vector<Command> instruments{};
    std::vector<Step> steps{};
    std::vector<Event> events{};
    std::uint32_t open_orders = 0;
};

Recording record(const MessageStream& stream) {
    const CommandMaker maker(stream.info);
    Recording recording{.config = maker.config()};
    Engine engine(recording.config);
    for (std::uint32_t symbol = 0; symbol < stream.info.symbols; ++symbol) {
        Command command = maker.add_instrument(symbol);
        command.definition.unpublished = 0;
        command.definition.price_decimals = 4;
        command.definition.maximum_quantity =
            std::min(command.definition.maximum_quantity, k_published_maximum_quantity);
        engine.apply(command, [](const Event&) {});
        recording.instruments.push_back(command);
    }
    for (const Message& message : stream.messages) {
        Step step;
        maker.fill(step.command, message);
        engine.apply(step.command, [&](const Event& event) { recording.events.push_back(event); });
        step.events_end = recording.events.size();
        recording.steps.push_back(step);
    }
    recording.open_orders = engine.store().order_pool.used();
    return recording;
}

// What the publisher needs of the engine while no instrument comes or goes.
class Publishing {
  public:
    explicit Publishing(const Recording& recording)
        : recording_(&recording), engine_(recording.config), publisher_(recording.config, {}) {
        for (const Command& command : recording.instruments)
            engine_.apply(command, [](const Event&) {});
        publisher_.load(engine_, false);
    }

    void begin(feed::MessageBlock& out) { publisher_.begin_session({0}, out); }

    // `after_each` sees the block after each command.
    template <class F>
    void run(feed::MessageBlock& out, const F& after_each) {
        CommandStamp stamp{};
        std::size_t at = 0;
        for (const Step& step : recording_->steps) {
            stamp.sequence.value += 1;
            stamp.timestamp.value += 1'000;
            publisher_.on_command(step.command);
            for (; at < step.events_end; ++at)
                publisher_.on_event(recording_->events[at], stamp, out);
            publisher_.end_command(out);
            after_each(out);
        }
    }

  private:
    const Recording* recording_;
    Engine engine_;
    feed::ItchPublisher publisher_;
};

double time_publisher_ns(const Recording& recording) {
    Publishing publishing(recording);
    feed::MessageBlock block;
    std::uint64_t messages = 0;
    const std::int64_t start_ns = cpu_time_ns();
    // As much as a feed session is given at once.
    constexpr std::uint64_t k_batch = 64;
    publishing.begin(block);
    publishing.run(block, [&](feed::MessageBlock& out) {
        if (out.messages() < k_batch) return;
        asm volatile("" : : "r"(out.bytes().data()) : "memory");
        messages += out.messages();
        out.clear();
    });
    messages += block.messages();
    return static_cast<double>(cpu_time_ns() - start_ns) / static_cast<double>(messages);
}

struct Built {
    double ns = 0;
    std::uint32_t orders = 0;
    std::uint64_t anomalies = 0;
};

Built build_books(const feed::MessageBlock& day) {
    order_flow::BookBuilder<> books;
    order_flow::ItchFlow flow(books, {});
    const std::int64_t start_ns = cpu_time_ns();
    const auto walked = wire::itch::walk(day.bytes(), flow);
    const std::int64_t spent_ns = cpu_time_ns() - start_ns;
    return {.ns = static_cast<double>(spent_ns) / static_cast<double>(walked.messages),
            .orders = books.store().order_pool.used(),
            .anomalies = books.anomalies().total()};
}

struct Result {
    std::uint64_t messages = 0;  ///< of ITCH
    double engine_ns = 0;        ///< a message of the stream
    double publish_ns = 0;       ///< a message of ITCH
    double build_ns = 0;
};

double per_second(double ns) { return 1e9 / ns; }

std::expected<Result, std::string> measure(const Options& options) {
    auto stream = flow_stream({.messages = options.messages, .symbols = 8, .live_orders = 12'000});
    if (!stream) return std::unexpected(stream.error());
    (void)prepare(*stream);
    const Recording recording = record(*stream);
    feed::MessageBlock day;
    Publishing publishing(recording);
    publishing.begin(day);
    publishing.run(day, [](const feed::MessageBlock&) {});
    if (const Built built = build_books(day);
        built.orders != recording.open_orders || built.anomalies != 0)
        return std::unexpected(fmt::format("the feed gives {} open orders, the engine {}",
                                           built.orders, recording.open_orders));

    const auto rows = all_rows();
    const auto engine = std::ranges::find(rows, std::string_view{"engine"}, &Row::name);
    std::vector<double> engine_ns;
    std::vector<double> publish_ns;
    std::vector<double> build_ns;
    for (int run = 0; run < options.runs; ++run) {
        engine_ns.push_back(engine->time_ns(*stream));
        publish_ns.push_back(time_publisher_ns(recording));
        build_ns.push_back(build_books(day).ns);
    }
    return Result{.messages = day.messages(),
                  .engine_ns = median(engine_ns),
                  .publish_ns = median(publish_ns),
                  .build_ns = median(build_ns)};
}

void print_table(const Result& result, const Options& options) {
    fmt::print("{}, {}; CPU ns a message, median of {} interleaved runs\n", machine_name(),
               compiler_name(), options.runs);
    fmt::print("{} messages into the engine, {} of ITCH out of it\n\n", options.messages,
               result.messages);
    fmt::print("{:<10}{:>8}{:>12}{:>12}\n", "row", "ns", "million/s", "of engine");
    const auto line = [&](std::string_view name, double ns) {
        fmt::print("{:<10}{:>8.1f}{:>12.1f}{:>12.2f}\n", name, ns, per_second(ns) / 1e6,
                   ns / result.engine_ns);
    };
    line("engine", result.engine_ns);
    line("publish", result.publish_ns);
    line("build", result.build_ns);
}

int run(const Options& options) {
    const auto result = measure(options);
    if (!result) {
        fmt::print(stderr, "feed: {}\n", result.error());
        return 1;
    }
    if (!options.output.json) print_table(*result, options);
    const auto figures = [&](double ns) {
        return nlohmann::ordered_json{{"ns", ns},
                                      {"messages_per_second", per_second(ns)},
                                      {"to_engine", ns / result->engine_ns}};
    };
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["runs"] = options.runs;
    out["messages"] = options.messages;
    out["itch_messages"] = result->messages;
    out["engine"] = figures(result->engine_ns);
    out["publish"] = figures(result->publish_ns);
    out["build"] = figures(result->build_ns);
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"CPU time a message of the order-by-order feed, beside the engine"};
    app.add_option("--messages", options.messages, "timed messages into the engine")
        ->check(CLI::Range(1, 5'000'000));
    app.add_option("--runs", options.runs, "interleaved runs")->check(CLI::Range(1, 1000));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
