// journal [--messages N] [--rate R] [--snapshot-age N] [--directory DIR] [--keep] [--durability D]
// [--json] [--save FILE]: what the journal costs the thread that appends, and how fast it is read
// again.
//
// burst: appends to prepared memory at full speed. paced: the stream at a rate, preallocator and
// syncer on threads of their own, every append clocked, rotation included, with the page faults and
// stalls of the appending thread. Then the same journal is read (checked only), replayed through
// the engine, and restarted from a snapshot with the page cache warm.

#include <damrak/journal/journal.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/histogram.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/journal/snapshot.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/command_maker.hpp"
#include "support/cpu_clock.hpp"
#include "support/cycle_clock.hpp"
#include "support/driver.hpp"
#include "support/rows.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

using namespace journal;  // NOLINT(google-build-using-namespace): one file, one program
using SteadyClock = std::chrono::steady_clock;

struct Options {
    std::uint64_t messages = 10'000'000;
    std::uint64_t rate = 1'000'000;
    std::uint64_t segment_mib = 256;
    std::uint64_t snapshot_age = 10'000'000;
    bool keep = false;
    std::filesystem::path directory = std::filesystem::temp_directory_path();
    std::string durability = "async";
    Output output;
};

/// Since it was made: by the clock on the wall, and of the processor, which does not count what
/// others on the machine take.
class Stopwatch {
  public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(SteadyClock::now() - start_).count();
    }
    [[nodiscard]] double cpu_seconds() const {
        return static_cast<double>(cpu_time_ns() - cpu_start_ns_) / 1e9;
    }

  private:
    SteadyClock::time_point start_ = SteadyClock::now();
    std::int64_t cpu_start_ns_ = cpu_time_ns();
};

template <class T>
T checked(Result<T> result) {
    if (!result) {
        fmt::print(stderr, "journal: {}\n", result.error());
        std::exit(1);
    }
    if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// Gives an agent a thread, which naps when there is nothing to do.
template <class Agent>
class Runner {
  public:
    explicit Runner(Agent& agent)
        : agent_(&agent), thread_([this] {
              while (!stop_.load(std::memory_order_relaxed))
                  if (agent_->do_work(system_time_ns()) == 0)
                      std::this_thread::sleep_for(std::chrono::microseconds(100));
          }) {}
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;
    ~Runner() {
        stop_.store(true);
        thread_.join();
        agent_->on_close();
    }

  private:
    Agent* agent_;
    std::atomic<bool> stop_{false};
    std::thread thread_;
};

std::unique_ptr<Journal> open_journal(const JournalConfig& config, const EngineConfig& engine) {
    const auto recovery = checked(recover(real_files(), config.directory, {}, [](auto) {}));
    return checked(Journal::open(real_files(), config, recovery,
                                 {.instance = {1, 2}, .engine = engine},
                                 Timestamp{system_time_ns()}));
}

// Mean of appends into memory that was touched before.
double burst_ns(const MessageStream& stream, const CommandMaker& maker, JournalConfig config) {
    config.prefault_bytes = config.segment_bytes;
    const auto journal = open_journal(config, maker.config());
    journal->preallocator().do_work(system_time_ns());
    const std::uint64_t records = std::min<std::uint64_t>(
        stream.messages.size(), (config.segment_bytes - k_header_bytes) / k_record_bytes);
    const Stopwatch watch;
    for (std::uint64_t i = 0; i < records; ++i) {
        Record* record = journal->writer().claim();
        DAMRAK_ASSERT(record != nullptr);
        maker.fill(record->command, stream.messages[i]);
        journal->writer().publish();
    }
    return watch.cpu_seconds() * 1e9 / static_cast<double>(records);
}

struct Paced {
    Histogram cycles;
    std::uint64_t stalls = 0;
    std::int64_t minor_faults = 0;
    std::int64_t major_faults = 0;
    std::uint64_t segments = 0;
    double seconds = 0;
};

void append_paced(JournalWriter& writer, const Command& command, Histogram& cycles) {
    const std::uint64_t start = cycle_clock_start();
    Record* record = writer.claim();
    while (record == nullptr) {
        DAMRAK_ASSERT(writer.standing() != Standing::refused);
        record = writer.claim();
    }
    record->command = command;
    writer.publish();
    cycles.record(cycle_clock_stop() - start);
}

std::unique_ptr<Paced> paced(const MessageStream& stream, const CommandMaker& maker,
                             const JournalConfig& config, std::uint64_t rate) {
    const auto journal = open_journal(config, maker.config());
    JournalWriter& writer = journal->writer();
    auto result = std::make_unique<Paced>();
    const Runner preallocator{journal->preallocator()};
    const Runner syncer{journal->syncer()};
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto append = [&](const Command& unstamped) {
        Command command = unstamped;
        command.timestamp = Timestamp{static_cast<std::int64_t>(writer.next_sequence())};
        append_paced(writer, command, result->cycles);
    };
    for (std::uint32_t symbol = 0; symbol < stream.info.symbols; ++symbol)
        append(maker.add_instrument(symbol));
    for (const std::uint32_t participant : {1U, 2U}) append(CommandMaker::set_limits(participant));

    rusage before{};
    ::getrusage(RUSAGE_THREAD, &before);
    const double cycles_a_message = 1e9 / static_cast<double>(rate) / cycle_ns();
    const Stopwatch watch;
    const std::uint64_t first = cycle_clock_start();
    Command command{};
    for (std::uint64_t i = 0; i < stream.messages.size(); ++i) {
        const auto due =
            first + static_cast<std::uint64_t>(static_cast<double>(i) * cycles_a_message);
        while (cycle_clock_start() < due) {
        }
        maker.fill(command, stream.messages[i]);
        append(command);
    }
    result->seconds = watch.seconds();
    rusage after{};
    ::getrusage(RUSAGE_THREAD, &after);
    result->minor_faults = after.ru_minflt - before.ru_minflt;
    result->major_faults = after.ru_majflt - before.ru_majflt;
    result->stalls = writer.stalls();
    result->segments = journal->preallocator().segments_made();
    return result;
}

struct Reading {
    double check_seconds = 0;
    double replay_seconds = 0;
    double snapshot_seconds = 0;
    double restart_seconds = 0;
    double restart_cpu_seconds = 0;
    std::uint64_t snapshot_bytes = 0;
    std::uint64_t restart_records = 0;
    Verification verification;
};

Reading read_back(const std::filesystem::path& folder, const JournalIdentity& identity,
                  std::uint64_t snapshot_age) {
    Reading reading;
    Stopwatch watch;
    static_cast<void>(checked(recover(real_files(), folder, {.cut = false}, [](auto) {})));
    reading.check_seconds = watch.cpu_seconds();
    watch = {};
    reading.verification =
        checked(verify<standard_exchange::ExchangeState<>>(real_files(), folder));
    reading.replay_seconds = watch.cpu_seconds();

    const auto state = std::make_unique<standard_exchange::ExchangeState<>>(identity.engine);
    const std::uint64_t last_sequence = reading.verification.journal.last_sequence;
    const std::uint64_t at = last_sequence - std::min(snapshot_age, last_sequence / 10 * 9);
    Timestamp last{};
    auto reader = checked(JournalReader::open(real_files(), folder, 1));
    while (reader.position() <= at) state->apply(reader.next(at - reader.position() + 1));
    last = reader.last_timestamp();
    watch = {};
    reading.snapshot_bytes =
        checked(write_snapshot(real_files(), folder,
                               {.sequence = at,
                                .timestamp = last,
                                .state_hash = state->state_hash(),
                                .layout = standard_exchange::ExchangeState<>::state_layout(),
                                .instance = identity.instance},
                               *state));
    reading.snapshot_seconds = watch.seconds();

    watch = {};
    const auto restarted = std::make_unique<standard_exchange::ExchangeState<>>(identity.engine);
    const auto loaded = checked(load_newest_snapshot(real_files(), folder, identity, *restarted));
    const auto recovery =
        checked(recover(real_files(), folder, {.from = loaded.info->sequence + 1},
                        [&](std::span<const Record> records) { restarted->apply(records); }));
    reading.restart_seconds = watch.seconds();
    reading.restart_cpu_seconds = watch.cpu_seconds();
    reading.restart_records = recovery.records;
    DAMRAK_ASSERT(restarted->state_hash() == reading.verification.state_hash);
    return reading;
}

nlohmann::ordered_json to_json(const Options& options, double burst, const Paced& paced,
                               const Reading& reading) {
    const CycleScale scale;
    const auto ns = [&](double percent) { return scale.ns(paced.cycles.percentile(percent)); };
    const auto records = static_cast<double>(reading.verification.journal.records);
    return {{"machine", machine_name()},
            {"compiler", compiler_name()},
            {"durability", options.durability},
            {"records", reading.verification.journal.records},
            {"burst_append_cpu_ns", burst},
            {"paced",
             {{"rate", static_cast<double>(paced.cycles.count()) / paced.seconds},
              {"append_ns_p50", ns(50)},
              {"append_ns_p99", ns(99)},
              {"append_ns_p99_9", ns(99.9)},
              {"append_ns_p99_99", ns(99.99)},
              {"append_ns_max", ns(100)},
              {"segments", paced.segments},
              {"stalls", paced.stalls},
              {"minor_faults", paced.minor_faults},
              {"major_faults", paced.major_faults}}},
            {"checked_records_per_cpu_s", records / reading.check_seconds},
            {"replayed_records_per_cpu_s", records / reading.replay_seconds},
            {"snapshot_bytes", reading.snapshot_bytes},
            {"snapshot_seconds", reading.snapshot_seconds},
            {"restart_records", reading.restart_records},
            {"restart_seconds", reading.restart_seconds},
            {"restart_cpu_seconds", reading.restart_cpu_seconds}};
}

int run(const Options& options) {
    auto stream = checked(flow_stream({.messages = options.messages}));
    const Outcome outcome = prepare(stream);
    static_cast<void>(outcome);
    const CommandMaker maker{stream.info};
    std::filesystem::create_directories(options.directory);
    std::string name = options.directory / "damrak_journal_XXXXXX";
    DAMRAK_ASSERT(::mkdtemp(name.data()) != nullptr);
    const std::filesystem::path folder = name;
    JournalConfig config{.directory = folder / "burst",
                         .segment_bytes = options.segment_mib << 20U};
    const double burst = burst_ns(stream, maker, config);
    std::filesystem::remove_all(config.directory);
    config.directory = folder / "paced";
    if (options.durability == "group") config.durability = Durability::group;
    if (options.durability == "sync") config.durability = Durability::sync;
    const auto appended = paced(stream, maker, config, options.rate);
    const auto reading = read_back(config.directory, {.instance = {1, 2}, .engine = maker.config()},
                                   options.snapshot_age);
    if (options.keep) {
        fmt::print(stderr, "journal: kept in {}\n", config.directory.string());
    } else {
        std::filesystem::remove_all(folder);
    }

    const auto json = to_json(options, burst, *appended, reading);
    if (!options.output.json) fmt::print("{}\n", json.dump(2));
    return options.output.deliver(json);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"What the journal costs, and how fast it is read again"};
    app.add_option("--messages", options.messages, "records")
        ->check(CLI::Range(1'000, 1'000'000'000));
    app.add_option("--rate", options.rate, "records a second of the paced part")
        ->check(CLI::Range(1'000, 100'000'000));
    app.add_option("--segment-mib", options.segment_mib, "size of a segment")
        ->check(CLI::Range(1, 4'096));
    app.add_option("--snapshot-age", options.snapshot_age,
                   "records from the snapshot, from which is restarted, to the end");
    app.add_flag("--keep", options.keep, "leave the journal where it is, and tell where");
    app.add_option("--directory", options.directory, "on the disk that is to be measured");
    app.add_option("--durability", options.durability, "async, group or sync")
        ->check(CLI::IsMember({"async", "group", "sync"}));
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
