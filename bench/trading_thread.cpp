// What the thread of an inline exchange executes for a command, with the order-by-order feed, its
// archive and the multicasts, with viewers of the live stream as well, or without: an exchange of
// the library, stepped here, and two clients over loopback that send eight requests each and wait
// for their answers. For callgrind, which counts the turns alone (`scripts/bench thread`); a clock
// would count the helpers' share of the cores as well. Prints the commands and the state hash,
// which all runs must have in common, and how many messages the feed had.
//
//   build/release/bench/trading_thread --feed on
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/base/random.hpp>
#include <damrak/client/order_entry.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/http/web_socket.hpp>
#include <damrak/market_stream/market_stream.hpp>
#include <damrak/net/plain_tcp.hpp>

#include "support/driver.hpp"

namespace damrak::bench {
namespace {

constexpr std::uint32_t k_window = 8;

struct Options {
    std::uint32_t batches = 1'000;
    std::string feed = "on";
};

class Client {
  public:
    Client(std::uint16_t port, std::uint64_t seed) : random_(seed) {
        if (auto socket = tcp_.connect("127.0.0.1", port)) socket_ = *std::move(socket);
        entry_.login();
    }
    void send() {
        if (!tcp_.connected(socket_).value_or(false)) return;
        entry_.mark_sent(tcp_.send(socket_, entry_.unsent()).bytes);
    }
    void receive() {
        std::array<std::byte, 65'536> room;
        const net::Moved got = tcp_.receive(socket_, room);
        static_cast<void>(entry_.receive(std::span{room}.first(got.bytes)));
        static_cast<void>(entry_.take_news());
    }
    [[nodiscard]] bool settled() const { return entry_.settled() && entry_.unsent().empty(); }
    [[nodiscard]] bool logged_in() const { return entry_.logged_in(); }

    // As many cancels as orders that rest; one order in ten trades.
    void ask() {
        for (std::uint32_t i = 0; i < k_window; ++i) {
            const auto& orders = entry_.orders();
            if (orders.size() > 200) {
                auto order = orders.begin();
                std::advance(order, random_.below(64));
                if (entry_.cancel(order->first)) continue;
            }
            const Side side = random_.coin() ? Side::buy : Side::sell;
            const auto away =
                random_.below(10) == 0 ? 0 : static_cast<std::int64_t>(1 + random_.below(40));
            const std::int64_t price_e2 = side == Side::buy ? 100'00 - away : 100'00 + away;
            entry_.enter({1 + random_.below(4)}, side, 1 + random_.below(100), price_e2);
        }
    }

  private:
    RandomStream random_;
    net::PlainTcp tcp_;
    net::Descriptor socket_;
    client::OrderEntry entry_{client::OrderEntry::Version::v2};
};

/// Reads whatever it is sent.
class Viewer final : public http::WebSocket {
  public:
    explicit Viewer(market_stream::MarketStream& stream)
        : user_(stream.welcome(http::Request{}).value().open(*this)) {
        for (const char* const channel : {"top", "depth", "orders", "trades", "statistics"})
            for (int i = 1; i <= 4; ++i)
                user_->on_text(
                    fmt::format(R"({{"op": "subscribe", "channel": "{}", "symbol": "{}"}})",
                                channel, k_symbols[static_cast<std::size_t>(i - 1)]));
    }
    void send(Message message, Form /*form*/) override { bytes_ += message->size(); }
    [[nodiscard]] std::size_t unsent_bytes() const override { return 0; }
    void close(std::uint16_t /*code*/, std::string_view /*reason*/) override {}

  private:
    static constexpr std::array k_symbols{"AAPL", "MSFT", "SPY", "TEST"};
    std::uint64_t bytes_ = 0;
    std::unique_ptr<http::WebSocketUser> user_;
};

/// The live stream with its viewers, on a thread of its own as in the HTTP service.
class Audience {
  public:
    explicit Audience(exchange::Exchange& exchange)
        : stream_({.session = [&exchange] { return exchange.feed_session(); }}),
          thread_([this](const std::stop_token& stop) { run(stop); }) {}
    void leave() {
        thread_.request_stop();
        thread_.join();
    }

  private:
    void run(const std::stop_token& stop) {
        constexpr int k_viewers = 50;
        stream_.tick();
        stream_.tick();
        std::vector<std::unique_ptr<Viewer>> viewers;
        viewers.reserve(k_viewers);
        for (int i = 0; i < k_viewers; ++i) viewers.push_back(std::make_unique<Viewer>(stream_));
        while (!stop.stop_requested()) {
            std::this_thread::sleep_for(market_stream::MarketStream::k_tick);
            stream_.tick();
        }
    }

    market_stream::MarketStream stream_;
    std::jthread thread_;
};

/// What is counted.
[[gnu::noinline]] void run_timed_part(exchange::Exchange& exchange) { exchange.step(); }

exchange::Settings settings_for(const Options& options, const std::filesystem::path& folder) {
    exchange::Settings settings;
    settings.ports = {{"binary", 0}};
    if (options.feed != "off")
        for (const char* gateway : {"itch", "mold", "retransmit", "glimpse", "l2"})
            settings.ports[gateway] = 0;
    settings.data = folder;
    settings.spin = true;
    return settings;
}

int run(const Options& options) {
    const auto folder = std::filesystem::temp_directory_path() /
                        fmt::format("damrak-trading-thread-{}", ::getpid());
    auto started = exchange::Exchange::start(settings_for(options, folder));
    if (!started) {
        fmt::print(stderr, "trading_thread: {}\n", started.error());
        return 1;
    }
    exchange::Exchange& exchange = **started;
    const std::uint16_t port = exchange.ports().at("binary");
    std::vector<Client> clients;
    for (std::uint64_t seed = 1; seed <= 2; ++seed) clients.emplace_back(port, seed);
    const auto settle = [&](const auto& done, const auto& step) {
        for (;;) {
            bool all = true;
            for (Client& client : clients) {
                client.send();
                client.receive();
                all &= done(client);
            }
            if (all) return;
            step();
        }
    };
    settle([](const Client& client) { return client.logged_in(); }, [&] { exchange.step(); });
    std::optional<Audience> audience;
    if (options.feed == "watched") audience.emplace(exchange);
    const std::uint64_t before = exchange.trading().commands();
    for (std::uint32_t i = 0; i < options.batches; ++i) {
        for (Client& client : clients) client.ask();
        settle([](const Client& client) { return client.settled(); },
               [&] { run_timed_part(exchange); });
    }
    const std::uint64_t commands = exchange.trading().commands() - before;
    const std::shared_ptr<const feed::FeedSession> feed = exchange.feed_session();
    if (audience) audience->leave();
    const bool archives = exchange.order_feed().archiver != nullptr;
    exchange.stop();
    const std::uint64_t hash = exchange.trading().state_hash();
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
    fmt::print("commands {} state {:016x} feed {} archive {}\n", commands, hash,
               feed == nullptr ? 0 : feed->messages(), archives);
    return 0;
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"An exchange stepped for a counter of instructions, with its feeds or without"};
    app.add_option("--batches", options.batches, "of sixteen requests")
        ->check(CLI::Range(1, 1'000'000));
    app.add_option("--feed", options.feed, "feeds and archive: on, off, or watched by 50 viewers")
        ->check(CLI::IsMember({"on", "off", "watched"}));
    return run_driver(app, argc, argv, [&] { return run(options); });
}
