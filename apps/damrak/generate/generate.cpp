// `damrak generate`: a day of order flow from a seed, as an ITCH file or as a benchmark stream.
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/files/byte_sink.hpp>
#include <damrak/generator/flow.hpp>
#include <damrak/generator/itch_day.hpp>
#include <damrak/wire/itch/file_writer.hpp>

#include "cli.hpp"
#include "progress.hpp"
#include "say.hpp"

namespace damrak::app {
namespace {

constexpr const char* k_generate_command = "generate";
constexpr const char* k_standard_output = "-";

struct GenerateOptions {
    std::string path = "day.itch";
    std::string format = "itch";
    std::string profile = "nw1";
    std::string ids = "sequential";
    bool json = false;
    generator::FlowOptions flow{.messages = 1'000'000};
};

struct Summary {
    std::uint64_t messages = 0;  // in the file
    std::uint64_t trades = 0;
    std::uint64_t bytes = 0;  // before compression
};

using Result = std::expected<Summary, std::string>;

generator::FlowShape shape_of(const std::string& profile) {
    // The benchmark's name for its flow is the user's; within the house it is the neutral one.
    return *generator::parse_flow_shape(profile == "nw1" ? "neutral" : profile);
}

Result write_itch(const GenerateOptions& options, generator::ItchDay day) {
    auto file = wire::itch::FileWriter::create(options.path);
    if (!file) return std::unexpected{file.error()};
    ProgressBar progress{"generating", options.flow.messages};
    for (;;) {
        const auto& messages = day.next();
        if (messages.empty() || file->failed()) break;
        for (const auto& message : messages) file->write(message);
        progress.update(day.submitted(), day.submitted());
    }
    progress.clear();
    if (auto closed = file->close(); !closed) return std::unexpected{closed.error()};
    return Summary{file->messages(), day.trades(), file->content_bytes()};
}

Result write_nw1(const GenerateOptions& options, generator::OrderFlow flow) {
    constexpr std::size_t k_batch = 16'384;
    auto file = files::ByteSink::create(options.path);
    if (!file) return std::unexpected{file.error()};
    ProgressBar progress{"generating", options.flow.messages + options.flow.live_orders};
    Summary summary;
    std::vector<generator::Nw1Record> batch;
    const auto flush = [&] {
        file->write(std::as_bytes(std::span{batch}));
        summary.messages += batch.size();
        batch.clear();
        progress.update(summary.messages, summary.messages);
    };
    while (const generator::FlowStep* step = flow.next()) {
        batch.push_back(*generator::to_nw1_record(step->order));
        for (const auto& event : step->events) {
            summary.trades += event.kind == generator::MarketEventKind::executed ? 1 : 0;
        }
        if (batch.size() < k_batch) continue;
        flush();
        if (file->failed()) break;
    }
    flush();
    progress.clear();
    if (auto closed = file->close(); !closed) return std::unexpected{closed.error()};
    summary.bytes = summary.messages * sizeof(generator::Nw1Record);
    return summary;
}

int report(const GenerateOptions& options, const Result& result) {
    if (!result) return fail(result.error());
    if (options.json) {
        const nlohmann::ordered_json object{
            {"file", options.path},           {"format", options.format},
            {"profile", options.profile},     {"symbols", options.flow.symbols},
            {"messages", result->messages},   {"trades", result->trades},
            {"content_bytes", result->bytes},
        };
        print_json(object);
        return k_exit_success;
    }
    const auto count = [](std::uint64_t n, std::string_view noun) {
        return counted(static_cast<std::int64_t>(n), noun);
    };
    const std::string line = fmt::format(
        "{}, {}, {}, {}", count(result->messages, "message"), count(result->trades, "trade"),
        count(options.flow.symbols, "symbol"), count(result->bytes, "byte"));
    // Out of the way where the day itself is on the standard output.
    if (options.path == k_standard_output) {
        say("damrak: {}\n", line);
    } else {
        fmt::print("{}: {}\n", options.path, line);
    }
    return k_exit_success;
}

// Options out of range are wrong usage and leave no file behind; other errors come from writing.
int run(GenerateOptions& options) {
    if (options.json && options.path == k_standard_output)
        return fail_usage("--json cannot be combined with OUT -: both write to standard output",
                          k_generate_command);
    options.flow.shape = shape_of(options.profile);
    if (options.ids == "scattered") options.flow.ids = generator::FlowIds::scattered;
    if (options.format == "itch") {
        auto day = generator::ItchDay::create(options.flow);
        if (!day) return fail_usage(day.error(), k_generate_command);
        return report(options, write_itch(options, std::move(*day)));
    }
    constexpr std::uint32_t k_nw1_symbols_max = 256;
    if (options.flow.symbols > k_nw1_symbols_max) {
        return fail_usage(fmt::format("an nw1 stream has at most {} symbols, not {}",
                                      k_nw1_symbols_max, options.flow.symbols),
                          k_generate_command);
    }
    auto flow = generator::OrderFlow::create(options.flow);
    if (!flow) return fail_usage(flow.error(), k_generate_command);
    return report(options, write_nw1(options, std::move(*flow)));
}

}  // namespace

void add_generate(CLI::App& program, Job& job) {
    auto* command = program.add_subcommand(
        k_generate_command, "Generates a day of order flow, reproducible from its options");
    auto options = std::make_shared<GenerateOptions>();
    command
        ->add_option("OUT", options->path,
                     "The file; .gz and .zst compress; - for the standard output")
        ->capture_default_str();
    command
        ->add_option("--format", options->format,
                     "itch: ITCH 5.0 file; nw1: benchmark stream of 32-byte records")
        ->check(CLI::IsMember({"itch", "nw1"}))
        ->capture_default_str();
    command
        ->add_option("--profile", options->profile,
                     "nw1: the benchmark's flow; calm: prices hardly move; volatile: swings "
                     "by 25%; crash: falls by 24% and mostly recovers")
        ->check(CLI::IsMember({"nw1", "calm", "volatile", "crash"}))
        ->capture_default_str();
    command
        ->add_option("--messages", options->flow.messages,
                     "Orders, cancels and replaces after the opening books")
        ->capture_default_str();
    command->add_option("--symbols", options->flow.symbols, "Traded symbols, SIM1, SIM2, ...")
        ->capture_default_str();
    command
        ->add_option("--live", options->flow.live_orders,
                     "Target number of resting orders over all symbols")
        ->capture_default_str();
    command->add_option("--seed", options->flow.seed, "Seed of the day")->capture_default_str();
    command
        ->add_option("--ids", options->ids,
                     "Order ids of an nw1 stream: sequential, or scattered over 64 bits")
        ->check(CLI::IsMember({"sequential", "scattered"}))
        ->capture_default_str();
    command->add_flag("--json", options->json, "One JSON object instead of a line of text");
    command->callback([options, &job] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
