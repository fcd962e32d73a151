// A whole exchange inside a program: starts one on a free port, lets two clients trade on it, stops
// it, and prints what they were told.
//
//   build/release/examples/exchange_in_a_box
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include <damrak/client/order_entry.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/net/plain_tcp.hpp>

namespace {

using namespace damrak;
using client::News;

/// A connection that is polled. The protocol is all in OrderEntry, which does no I/O.
class Client {
  public:
    explicit Client(std::uint16_t port) {
        if (auto socket = tcp_.connect("127.0.0.1", port)) socket_ = *std::move(socket);
        entry.login();
    }
    /// Sends pending requests and waits for this kind of news.
    std::optional<News> wait_for(News::Kind kind) {
        for (int tries = 0; tries < 10'000; ++tries) {
            if (tcp_.connected(socket_).value_or(false))
                entry.mark_sent(tcp_.send(socket_, entry.unsent()).bytes);
            std::array<std::byte, 4'096> room{};
            const net::Moved got = tcp_.receive(socket_, room);
            static_cast<void>(entry.receive(std::span{room}.first(got.bytes)));
            for (News& news : entry.take_news())
                if (news.kind == kind) return std::move(news);
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return std::nullopt;
    }

    client::OrderEntry entry{client::OrderEntry::Version::v2};

  private:
    net::PlainTcp tcp_;
    net::Descriptor socket_;
};

bool trade(std::uint16_t port) {
    constexpr InstrumentId k_test{4};
    Client seller{port};
    Client buyer{port};
    if (!seller.wait_for(News::Kind::logged_in) || !buyer.wait_for(News::Kind::logged_in))
        return false;
    seller.entry.enter(k_test, Side::sell, 100, 10'00);
    if (!seller.wait_for(News::Kind::accepted)) return false;
    buyer.entry.enter(k_test, Side::buy, 40, 10'05);
    const auto fill = buyer.wait_for(News::Kind::filled);
    if (!fill) return false;
    fmt::print("bought {} at {:.2f}\n", fill->quantity, static_cast<double>(fill->price_e2) / 100);
    return fill->quantity == 40 && fill->price_e2 == 10'00;
}

}  // namespace

int main() {
    exchange::Settings settings;
    settings.ports = {{"binary", 0}};  // a free one; the other gateways are closed
    settings.data = std::filesystem::temp_directory_path() /
                    fmt::format("exchange-in-a-box-{}", exchange::system_time().value);
    settings.on_notice = [](std::string_view line) { fmt::print(stderr, "{}\n", line); };

    auto started = exchange::Exchange::start(settings);
    if (!started) return fmt::print(stderr, "{}\n", started.error()), 1;
    exchange::Exchange& box = **started;
    std::jthread trading{[&box](const std::stop_token& stop) { box.run(stop); }};

    const bool traded = trade(box.ports().at("binary"));

    trading.request_stop();
    trading.join();
    box.stop();
    fmt::print("{} commands, state hash {:016x}\n", box.trading().commands(),
               box.trading().state_hash());
    std::filesystem::remove_all(settings.data);
    return traded ? 0 : 1;
}
