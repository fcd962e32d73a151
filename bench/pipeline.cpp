// pipeline [--messages N] [--shards N] [--wait HOW] [--pin CORES] [--directory DIR] [--json]
//          [--save FILE]: orders a second through the sequencer, the journal and the engine, in the
// inline wiring and in the pipelined one with 1, 2, 4 … N shards.
//
// The flow is the one that `damrak generate` makes for NW-1, over 64 symbols, from one thread that
// submits, and hears each event, as fast as it is let. The journal is a real one (`async`), with
// its helpers on threads of their own. All wirings must come to the same state. Wall-clock time: on
// a machine with fewer cores than threads, which the result names, shards cannot be faster.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>
#include <damrak/base/runner.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/sequencer/sequencer.hpp>

#include "support/command_maker.hpp"
#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

struct Options {
    std::uint64_t messages = 2'000'000;
    std::size_t shards = 4;
    std::string wait = "backoff";
    std::vector<unsigned> cores;
    std::filesystem::path directory = std::filesystem::temp_directory_path();
    Output output;
};

struct Row {
    std::string wiring;
    std::size_t shards = 0;
    std::size_t threads = 1;  ///< that are busy, without the journal's helpers
    double seconds = 0;
    std::uint64_t events = 0;
    std::uint64_t state_hash = 0;
};

/// Counts, as a gateway would answer.
struct Counting {
    std::uint64_t events = 0;
    void on_event(const Event& /*event*/, const Origin& /*origin*/, const CommandStamp& /*stamp*/) {
        ++events;
    }
    void on_command_end(const Origin& /*origin*/) {}
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) {}
};

struct Work {
    EngineConfig engine;
    std::vector<Command> commands;
};

std::expected<Work, std::string> make_work(const Options& options) {
    auto stream = flow_stream({.messages = options.messages,
                               .symbols = 64,
                               .live_orders = 96'000,
                               .shape = generator::FlowShape::neutral});
    if (!stream) return std::unexpected(stream.error());
    const CommandMaker maker{stream->info};
    Work work{.engine = {.order_id_source = OrderIdSource::command}, .commands = {}};
    for (std::uint32_t symbol = 0; symbol < stream->info.symbols; ++symbol)
        work.commands.push_back(maker.add_instrument(symbol));
    for (const Message& message : stream->messages) {
        Command command{};
        maker.fill(command, message);
        work.commands.push_back(command);
    }
    return work;
}

// A new journal in a folder of its own, with its helpers at work.
class BenchJournal {
  public:
    BenchJournal(const Options& options, const EngineConfig& engine)
        : folder_(options.directory / "damrak-bench-pipeline") {
        std::filesystem::remove_all(folder_);
        auto recovery = journal::recover(journal::real_files(), folder_, {}, [](auto) {});
        auto opened =
            journal::Journal::open(journal::real_files(), {.directory = folder_}, recovery.value(),
                                   {.instance = {1, 1}, .engine = engine}, Timestamp{1});
        journal_ = std::move(opened.value());
        helpers_.emplace(
            RunnerConfig{.name = "journal", .waiting = Waiting::block},
            std::vector{AgentRef{journal_->preallocator()}, AgentRef{journal_->syncer()}});
    }
    BenchJournal(const BenchJournal&) = delete;
    BenchJournal& operator=(const BenchJournal&) = delete;
    ~BenchJournal() {
        helpers_.reset();
        journal_.reset();
        std::filesystem::remove_all(folder_);
    }
    [[nodiscard]] journal::JournalWriter& writer() { return journal_->writer(); }

  private:
    std::filesystem::path folder_;
    std::unique_ptr<journal::Journal> journal_;
    std::optional<Runner> helpers_;
};

template <class F>
double seconds_of(F&& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Row run_inline(const Options& options, const Work& work) {
    BenchJournal journal{options, work.engine};
    Counting counting;
    const auto sequencer = std::make_unique<sequencer::Sequencer<Counting>>(work.engine, counting);
    sequencer->start(journal.writer(), Timestamp{1});
    Row row{.wiring = "inline"};
    row.seconds = seconds_of([&] {
        for (const Command& command : work.commands)
            static_cast<void>(sequencer->submit(command, {}, Timestamp{1}));
    });
    row.events = counting.events;
    row.state_hash = sequencer->state_hash();
    return row;
}

Row run_pipelined(const Options& options, const Work& work, std::size_t shards) {
    static const std::vector<std::string> k_ways{"spin", "yield", "backoff", "block"};
    const auto way = std::ranges::find(k_ways, options.wait) - k_ways.begin();
    sequencer::PipelineConfig config{.shards = shards, .waiting = static_cast<Waiting>(way)};
    if (options.cores.size() > 1)
        config.cores.assign(options.cores.begin() + 1, options.cores.end());
    BenchJournal journal{options, work.engine};
    Counting counting;
    sequencer::PipelinedSequencer<Counting> exchange{work.engine, config, counting};
    exchange.start(journal.writer(), Timestamp{1});
    exchange.run();
    Row row{.wiring = "pipelined", .shards = shards, .threads = shards + 2};
    row.seconds = seconds_of([&] {
        // Like a gateway: take events between two batches of commands.
        constexpr std::size_t k_batch = 64;
        for (std::size_t i = 0; i < work.commands.size();) {
            for (std::size_t n = 0; n < k_batch && i < work.commands.size() && exchange.ready();
                 ++n)
                static_cast<void>(exchange.submit(work.commands[i++], {}, Timestamp{1}));
            static_cast<void>(exchange.do_work(Timestamp{1}));
        }
        exchange.settle(Timestamp{1});
    });
    exchange.stop();
    row.events = counting.events;
    row.state_hash = exchange.state_hash();
    return row;
}

nlohmann::ordered_json to_json(const std::vector<Row>& rows, const Options& options,
                               std::size_t commands) {
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["cores"] = allowed_cores().size();
    out["wait"] = options.wait;
    out["commands"] = commands;
    for (const Row& row : rows)
        out["rows"].push_back({{"wiring", row.wiring},
                               {"shards", row.shards},
                               {"threads", row.threads},
                               {"seconds", row.seconds},
                               {"commands_per_s", static_cast<double>(commands) / row.seconds},
                               {"to_inline", rows.front().seconds / row.seconds},
                               {"events", row.events},
                               {"state_hash", fmt::format("{:016x}", row.state_hash)}});
    return out;
}

void print_table(const std::vector<Row>& rows, const Options& options, std::size_t commands) {
    const std::size_t cores = allowed_cores().size();
    fmt::print("{}, {}; {} cores; {} commands, idle threads {}\n", machine_name(), compiler_name(),
               cores, commands, options.wait);
    for (const Row& row : rows)
        fmt::print("{:9} {:2} shards {:2} threads  {:6.3f} M commands/s  {:5.2f} of inline{}\n",
                   row.wiring, row.shards, row.threads,
                   static_cast<double>(commands) / row.seconds / 1e6,
                   rows.front().seconds / row.seconds,
                   row.threads > cores ? "  (more threads than cores)" : "");
}

int run(const Options& options) {
    const auto work = make_work(options);
    if (!work) {
        fmt::print(stderr, "{}\n", work.error());
        return 1;
    }
    if (!options.cores.empty()) static_cast<void>(pin_this_thread(options.cores.front()));
    std::vector<Row> rows{run_inline(options, *work)};
    for (std::size_t shards = 1; shards <= options.shards; shards *= 2)
        rows.push_back(run_pipelined(options, *work, shards));
    for (const Row& row : rows) {
        if (row.state_hash == rows.front().state_hash && row.events == rows.front().events)
            continue;
        fmt::print(stderr, "{} shards do not come to the state of the inline wiring\n", row.shards);
        return 1;
    }
    if (!options.output.json) print_table(rows, options, work->commands.size());
    return options.output.deliver(to_json(rows, options, work->commands.size()));
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak;
    using namespace damrak::bench;
    Options options;
    CLI::App app{"Orders a second through sequencer, journal and engine, by wiring"};
    std::string pin;
    app.add_option("--messages", options.messages, "of the flow")->capture_default_str();
    app.add_option("--shards", options.shards, "at most; 1, 2, 4 … are measured")
        ->check(CLI::Range(std::size_t{1}, sequencer::Partition::k_maximum_shards))
        ->capture_default_str();
    app.add_option("--wait", options.wait, "how idle threads wait")
        ->check(CLI::IsMember({"spin", "yield", "backoff", "block"}))
        ->capture_default_str();
    app.add_option("--pin", pin, "cores of the submitting thread, the sequencer and the shards");
    app.add_option("--directory", options.directory, "where the journals are made");
    app.final_callback([&] {
        if (pin.empty()) return;
        auto cores = parse_cores(pin);
        if (!cores) throw CLI::ValidationError("--pin", cores.error());
        options.cores = std::move(*cores);
    });
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
