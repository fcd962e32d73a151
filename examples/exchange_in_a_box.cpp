// A whole exchange inside a program: starts one on a free port, lets two clients trade on it, stops
// it, and prints what they received.
//
//   build/release/examples/exchange_in_a_box
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include <damrak/client/binary_order_client.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>

namespace {

using namespace damrak;
using client::News;

/// Waits for this kind of news.
std::optional<News> wait_for(client::OrderClient& client, News::Kind kind) {
    while (auto news = client.next(10'000))
        if (news->kind == kind) return news;
    return {};
}

bool trade(std::uint16_t port) {
    constexpr InstrumentId k_test{4};
    client::BinaryOrderClient seller{{.port = port}};
    client::BinaryOrderClient buyer{{.port = port}};
    if (!wait_for(seller, News::Kind::logged_in) || !wait_for(buyer, News::Kind::logged_in))
        return false;
    seller.gateway().enter(k_test, Side::sell, 100, 10'00, {});
    if (!wait_for(seller, News::Kind::accepted)) return false;
    buyer.gateway().enter(k_test, Side::buy, 40, 10'05, {});
    const auto fill = wait_for(buyer, News::Kind::filled);
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
