// fix_encode [--persist on|off] [--socket] [--messages N] [--json] [--save FILE]: what sending a
// FIX order costs from its values to a call of send, every message clocked by itself.
//
// In one run: the floor (a patched message, its checksum, one copy to memory that is present), ours
// with the store that is asked for and with the other one, the changes of files, and QuickFIX with
// its file store if it was there when this was built.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/runner.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/message_store.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"
#include "support/fix_floor.hpp"
#include "support/fix_order.hpp"
#include "support/fix_send.hpp"
#include "support/fix_timing.hpp"
#include "support/scratch_folder.hpp"

#ifdef DAMRAK_HAS_QUICKFIX
#include "quickfix/quickfix_row.hpp"
#endif

namespace damrak::bench {
namespace {

using nlohmann::ordered_json;
using session::fix::MemoryStore;
using session::fix::MessageStore;

struct Options {
    std::string persist = "on";
    bool socket = false;
    std::uint64_t messages = 1'000'000;
    std::uint64_t quickfix_messages = 100'000;
    std::filesystem::path directory = std::filesystem::temp_directory_path();
    Output output;
};

ordered_json floor_row(const Options& options, const CycleClock& clock) {
    // Memory like the store's: a mapped file with resident pages, in which no byte is written
    // twice, as for stored messages.
    constexpr std::size_t k_message_bytes = 320;
    const std::size_t bytes = (options.messages + k_warm_up_messages) * k_message_bytes;
    const ScratchFolder folder{options.directory};
    const auto file = journal::real_files().create_mapped(folder.path() / "floor", bytes);
    DAMRAK_ASSERT(file.has_value());
    (*file)->prefault(0, bytes);
    FixFloor floor{{reinterpret_cast<char*>((*file)->data()), bytes}};
    FixTiming timing{clock};
    timing.run(1, options.messages,
               [&](const FixOrder& order) { static_cast<void>(floor.send(order)); });
    return timing.to_json();
}

template <class Store, class Send>
void run_through(Store& store, Send& send, const Options& options, FixTiming& timing) {
    const auto message = fix_order_template();
    fix_codec::TimestampCache times;
    timing.run(1, options.messages, [&](const FixOrder& order) {
        const auto room = store.claim(message.bytes());
        const auto encoded = encode(message, order, room, times);
        send.send(store.commit(order.sequence, encoded, {.time = order.sending_time}));
    });
}

template <class Send>
ordered_json memory_row(const Options& options, const CycleClock& clock) {
    MemoryStore store{{.bytes = std::size_t{1} << 20U, .messages = 4'096}};
    Send send;
    FixTiming timing{clock};
    run_through(store, send, options, timing);
    return timing.to_json();
}

std::unique_ptr<MessageStore> open_store(const std::filesystem::path& folder) {
    auto store = MessageStore::open(journal::real_files(), folder, {}, FixOrder::k_first_time);
    if (!store) {
        fmt::print(stderr, "fix_encode: {}\n", store.error());
        std::exit(1);
    }
    return std::move(*store);
}

// How long the claims take that find their file full, by themselves: nothing else is in the figure.
class RotationTiming {
  public:
    explicit RotationTiming(const CycleClock& clock) : clock_(&clock) {}

    std::span<char> claim(MessageStore& store, std::size_t bytes) {
        const std::uint64_t files = store.files_begun();
        const std::uint64_t begin = clock_->now_ticks();
        const auto room = store.claim(bytes);
        const std::uint64_t ticks = clock_->now_ticks() - begin;
        if (store.files_begun() == files) return room;
        ++count_;
        longest_ticks_ = std::max(longest_ticks_, ticks);
        return room;
    }
    [[nodiscard]] ordered_json to_json(const MessageStore& store) const {
        return {{"count", count_},
                {"max", clock_->to_ns(longest_ticks_)},
                {"file_bytes", session::fix::StoreSettings{}.file_bytes},
                {"stalls", store.stalls() - 1}};  // the first file of all is made by opening
    }

  private:
    const CycleClock* clock_;
    std::uint64_t count_ = 0;
    std::uint64_t longest_ticks_ = 0;
};

// Page faults that this thread had to wait for because the helper was late.
std::int64_t page_faults() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

template <class Send>
ordered_json files_row(const Options& options, const CycleClock& clock) {
    const ScratchFolder folder{options.directory};
    const auto store = open_store(folder.path() / "store");
    const Runner helper{{.name = "fix_store"}, {AgentRef{store->preallocator()}}};
    // The first pages and the next file are made meanwhile, as before a session opens.
    std::this_thread::sleep_for(std::chrono::milliseconds{300});
    Send send;
    FixTiming timing{clock};
    const std::int64_t faults = page_faults();
    run_through(*store, send, options, timing);
    auto json = timing.to_json();
    json["page_faults"] = page_faults() - faults;

    // Once more for the changes of files alone; the clock around each claim would be in the figures
    // above.
    RotationTiming rotations{clock};
    const auto message = fix_order_template();
    fix_codec::TimestampCache times;
    for (std::uint64_t i = 0; i < options.messages; ++i) {
        const FixOrder order{store->next_outgoing()};
        const auto room = rotations.claim(*store, message.bytes());
        send.send(store->commit(order.sequence, encode(message, order, room, times),
                                {.time = order.sending_time}));
    }
    json["rotations"] = rotations.to_json(*store);
    return json;
}

ordered_json quickfix_row([[maybe_unused]] const Options& options,
                          [[maybe_unused]] const CycleClock& clock) {
#ifdef DAMRAK_HAS_QUICKFIX
    const ScratchFolder folder{options.directory};
    RingSend ring;
    damrak_quickfix::Row row{folder.path().string(),
                             [](void* receiver, const char* bytes, std::size_t count) {
                                 static_cast<RingSend*>(receiver)->send({bytes, count});
                             },
                             &ring};
    if (!row.logged_on()) return {{"skipped", "its session did not log on"}};
    FixTiming timing{clock};
    timing.run(1, options.quickfix_messages, [&](const FixOrder& order) {
        constexpr std::int64_t k_second = 1'000'000'000;
        row.send({.sequence = order.sequence,
                  .quantity = static_cast<double>(order.quantity),
                  .price = static_cast<double>(order.price_cents) / 100,
                  .seconds = order.transact_time.value / k_second,
                  .nanoseconds = static_cast<int>(order.transact_time.value % k_second)});
    });
    return timing.to_json();
#else
    return {{"skipped", "QuickFIX was not there when this was built: libquickfix-dev"}};
#endif
}

// Time between two adjacent clock readings; it is part of every figure.
std::uint64_t clock_ns(const CycleClock& clock) {
    FixTiming timing{clock};
    timing.run(1, 100'000, [](const FixOrder& /*order*/) {});
    return timing.ns(50);
}

template <class Send>
ordered_json measure(const Options& options) {
    const auto clock = CycleClock::calibrated(std::chrono::milliseconds{200});
    const auto floor = floor_row(options, clock);
    const bool persist = options.persist == "on";
    const auto files = files_row<Send>(options, clock);
    const auto memory = memory_row<Send>(options, clock);
    ordered_json json = persist ? files : memory;
    json["floor_p50"] = floor["p50"];
    json["ratio_to_floor"] = json["p50"].get<double>() / floor["p50"].get<double>();
    json["persist"] = persist;
    json["send"] = options.socket ? "socket" : "ring";
    json["clock"] = clock_ns(clock);
    json["floor"] = floor;
    json[persist ? "persist_off" : "persist_on"] = persist ? memory : files;
    json["quickfix"] = quickfix_row(options, clock);
    json["machine"] = machine_name();
    json["compiler"] = compiler_name();
    return json;
}

void print_row(const std::string& name, const ordered_json& row) {
    if (row.contains("skipped")) {
        fmt::print("{:<28} skipped: {}\n", name, row["skipped"].get<std::string>());
        return;
    }
    fmt::print("{:<28}{:>8}{:>8}{:>8}{:>8}{:>10}\n", name, row["p50"].get<int>(),
               row["p90"].get<int>(), row["p99"].get<int>(), row["p99_9"].get<int>(),
               row["max"].get<int>());
}

void print(const ordered_json& json) {
    const bool persist = json["persist"].get<bool>();
    fmt::print("{:<28}{:>8}{:>8}{:>8}{:>8}{:>10}   ns, to {}\n", "", "p50", "p90", "p99", "p99.9",
               "max", json["send"].get<std::string>());
    print_row("floor", json["floor"]);
    print_row(persist ? "damrak, files" : "damrak, memory", json);
    print_row(persist ? "damrak, memory" : "damrak, files",
              json[persist ? "persist_off" : "persist_on"]);
    print_row("QuickFIX, files (ring)", json["quickfix"]);
    const auto& rotations = (persist ? json : json["persist_on"])["rotations"];
    fmt::print(
        "{:.2f} of the floor; reading the clock {} ns; {} changes of files, longest {} ns; "
        "{} page faults\n",
        json["ratio_to_floor"].get<double>(), json["clock"].get<int>(),
        rotations["count"].get<int>(), rotations["max"].get<int>(),
        (persist ? json : json["persist_on"])["page_faults"].get<int>());
}

int run(const Options& options) {
    const auto json = options.socket ? measure<SocketSend>(options) : measure<RingSend>(options);
    if (!options.output.json) print(json);
    return options.output.deliver(json);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"What sending a FIX order costs, beside the floor and QuickFIX"};
    app.add_option("--persist", options.persist, "on: kept in files; off: in memory")
        ->check(CLI::IsMember({"on", "off"}))
        ->capture_default_str();
    app.add_flag("--socket", options.socket, "to a loopback socket instead of a ring in memory");
    app.add_option("--messages", options.messages, "that are clocked")
        ->check(CLI::Range(1'000, 1'000'000'000))
        ->capture_default_str();
    app.add_option("--quickfix-messages", options.quickfix_messages, "that are clocked of QuickFIX")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    app.add_option("--directory", options.directory, "for the files, on the disk to be measured");
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
