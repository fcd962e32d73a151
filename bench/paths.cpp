// One of the main paths of the program, a fixed number of times, for a counter of instructions:
// callgrind counts run_timed_part alone, not the preparation and not what clients do.
// `scripts/weight` runs all and holds the counts per operation to a committed table. Prints the
// number of operations.
//
//   build/release/bench/paths binary-request
//
// The paths of a gateway are an exchange of the library, stepped here, with journal and helpers but
// without feeds: two clients over loopback send eight requests each and wait for the answers.
// Callgrind does not count what the kernel does for a call.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/client/fix_load_client.hpp>
#include <damrak/client/load_client.hpp>
#include <damrak/client/ouch_load_client.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/journal/journal.hpp>
#include <damrak/net/plain_tcp.hpp>
#include <damrak/session/fix/memory_store.hpp>

#include "support/command_maker.hpp"
#include "support/driver.hpp"
#include "support/fix_order.hpp"
#include "support/fix_send.hpp"
#include "support/itch_passes.hpp"
#include "support/rows.hpp"
#include "support/scratch_folder.hpp"
#include "support/streams.hpp"

namespace damrak::bench {
namespace {

constexpr std::uint64_t k_messages = 50'000;
constexpr std::uint64_t k_warm_up = 1'000;
constexpr std::uint64_t k_batches = 1'000;

/// What is counted, as is the function of this name of support/rows.cpp.
template <class Work>
[[gnu::noinline]] void run_timed_part(Work& work) {
    work();
}

[[noreturn]] void fail(std::string_view why) {
    fmt::print(stderr, "paths: {}\n", why);
    std::exit(1);
}

template <class T>
T checked(journal::Result<T> result) {
    if (!result) fail(result.error());
    return std::move(*result);
}

MessageStream neutral_stream() {
    auto stream = flow_stream({.messages = k_messages});
    if (!stream) fail(stream.error());
    static_cast<void>(prepare(*stream));
    return std::move(*stream);
}

std::uint64_t run_row(std::string_view name) {
    const MessageStream stream = neutral_stream();
    const auto row = std::ranges::find(all_rows(), name, &Row::name);
    static_cast<void>(row->time_ns(stream));
    return stream.timed().size();
}

std::uint64_t encode_fix() {
    session::fix::MemoryStore store{{.bytes = std::size_t{1} << 20U, .messages = 4'096}};
    RingSend send;
    const auto message = fix_order_template();
    fix_codec::TimestampCache times;
    std::uint64_t next = 1;
    const auto encode_orders = [&](std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            const FixOrder order{next++};
            const auto room = store.claim(message.bytes());
            const auto encoded = encode(message, order, room, times);
            send.send(store.commit(order.sequence, encoded, {.time = order.sending_time}));
        }
    };
    encode_orders(k_warm_up);
    const auto counted = [&] { encode_orders(k_messages); };
    run_timed_part(counted);
    return k_messages;
}

std::uint64_t decode_itch(const std::string& day) {
    PassResult result;
    const auto counted = [&] { result = itch_passes().front().run(day); };
    run_timed_part(counted);
    if (result.error.front() != 0) fail(result.error.data());
    return result.messages;
}

std::uint64_t append_to_journal() {
    const MessageStream stream = neutral_stream();
    const CommandMaker maker{stream.info};
    const ScratchFolder folder;
    journal::JournalConfig config{.directory = folder.path(),
                                  .segment_bytes = std::uint64_t{32} << 20U};
    config.prefault_bytes = config.segment_bytes;
    const auto recovery =
        checked(journal::recover(journal::real_files(), config.directory, {}, [](auto) {}));
    const auto journal = checked(journal::Journal::open(
        journal::real_files(), config, recovery, {.instance = {1, 2}, .engine = maker.config()},
        Timestamp{system_time_ns()}));
    journal->preallocator().do_work(system_time_ns());
    const auto append = [&](std::span<const Message> messages) {
        for (const Message& message : messages) {
            journal::Record* record = journal->writer().claim();
            DAMRAK_ASSERT(record != nullptr);
            maker.fill(record->command, message);
            journal->writer().publish();
        }
    };
    append(stream.prefill().first(k_warm_up));
    const auto counted = [&] { append(stream.timed()); };
    run_timed_part(counted);
    return stream.timed().size();
}

std::int64_t clock_ns() {
    return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds{1};
}

/// A client of `damrak load` and its connection.
template <class Client>
class Trader {
  public:
    Trader(const client::LoadSettings& settings, std::uint16_t port, std::uint64_t number)
        : client_(settings, tally_, number) {
        auto socket = tcp_.connect("127.0.0.1", port);
        if (!socket) fail(socket.error());
        socket_ = *std::move(socket);
        while (!tcp_.connected(socket_).value_or(true)) {
        }
        std::array<std::byte, Client::k_largest_answer_bytes> room{};
        send(std::span{room}.first(client_.hello(room, clock_ns())));
    }
    [[nodiscard]] bool logged_in() const { return client_.logged_in(); }
    [[nodiscard]] std::uint32_t outstanding() const { return client_.outstanding(); }
    [[nodiscard]] const client::LoadTally& tally() const { return tally_; }

    /// Fills the window, in one call of the system; returns the number of requests.
    std::uint64_t ask() {
        std::array<std::byte, 8 * Client::k_largest_request_bytes> room{};
        std::size_t used = 0;
        std::uint64_t requests = 0;
        while (room.size() - used >= Client::k_largest_request_bytes) {
            const std::size_t bytes = client_.request(std::span{room}.subspan(used), clock_ns());
            if (bytes == 0) break;
            used += bytes;
            ++requests;
        }
        send(std::span{room}.first(used));
        return requests;
    }
    void receive() {
        const net::Moved got = tcp_.receive(socket_, std::span{memory_}.subspan(unread_));
        if (got.closed) fail("the exchange closed the connection");
        unread_ += got.bytes;
        const auto heard = client_.receive(std::span{memory_}.first(unread_), clock_ns());
        std::copy(memory_.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes),
                  memory_.begin() + static_cast<std::ptrdiff_t>(unread_), memory_.begin());
        unread_ -= heard.consumed_bytes;
    }

  private:
    void send(std::span<const std::byte> bytes) {
        if (tcp_.send(socket_, bytes).bytes != bytes.size()) fail("the exchange reads nothing");
    }

    client::LoadTally tally_;
    Client client_;
    net::PlainTcp tcp_;
    net::Descriptor socket_;
    std::vector<std::byte> memory_ = std::vector<std::byte>(std::size_t{1} << 18U);
    std::size_t unread_ = 0;
};

exchange::Settings settings_for(const std::string& gateway, const std::filesystem::path& folder) {
    exchange::Settings settings;
    settings.ports = {{gateway, 0}};
    settings.data = folder;
    settings.spin = true;
    settings.timing_every = 0;
    return settings;
}

template <class Client>
std::uint64_t run_gateway(const std::string& gateway) {
    const ScratchFolder folder;
    auto started = exchange::Exchange::start(settings_for(gateway, folder.path() / "data"));
    if (!started) fail(started.error());
    exchange::Exchange& exchange = **started;
    const client::LoadSettings load;
    std::vector<std::unique_ptr<Trader<Client>>> traders;
    for (std::uint64_t number = 1; number <= 2; ++number)
        traders.push_back(
            std::make_unique<Trader<Client>>(load, exchange.ports().at(gateway), number));
    const auto step = [&exchange] { exchange.step(); };
    const auto step_until = [&](const auto& done, const auto& make_step) {
        while (!std::ranges::all_of(traders, done)) {
            make_step();
            for (const auto& trader : traders) trader->receive();
        }
    };
    step_until([](const auto& trader) { return trader->logged_in(); }, step);

    std::uint64_t requests = 0;
    const auto trade = [&](std::uint64_t batches, const auto& make_step) {
        for (std::uint64_t i = 0; i < batches; ++i) {
            for (const auto& trader : traders) requests += trader->ask();
            step_until([](const auto& trader) { return trader->outstanding() == 0; }, make_step);
        }
    };
    trade(k_batches / 10, step);
    requests = 0;
    trade(k_batches, [&] { run_timed_part(step); });
    for (const auto& trader : traders)
        if (trader->tally().errors() != 0) fail(trader->tally().first_error);
    exchange.stop();
    return requests;
}

struct Path {
    std::string_view name;
    std::function<std::uint64_t()> run;
};

int run(const std::string& name, const std::string& day) {
    const std::array paths{
        Path{"book", [] { return run_row("book"); }},
        Path{"engine", [] { return run_row("engine"); }},
        Path{"binary-request", [] { return run_gateway<client::LoadClient>("binary"); }},
        Path{"fix-encode", encode_fix},
        Path{"fix-order", [] { return run_gateway<client::FixLoadClient>("fix"); }},
        Path{"ouch-order", [] { return run_gateway<client::OuchLoadClient>("ouch"); }},
        Path{"itch-decode", [&] { return decode_itch(day); }},
        Path{"journal-append", append_to_journal},
    };
    const auto path = std::ranges::find(paths, name, &Path::name);
    if (path == paths.end()) fail("no path '" + name + "'");
    fmt::print("operations {}\n", path->run());
    return 0;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    std::string name;
    std::string day;
    CLI::App app{"One main path of the program, for a counter of instructions"};
    app.add_option("path", name, "such as book; docs/reference/weight.tsv lists them")->required();
    app.add_option("--day", day, "ITCH file that itch-decode reads");
    return run_driver(app, argc, argv, [&] { return run(name, day); });
}
