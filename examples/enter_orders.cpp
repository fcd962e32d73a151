// Orders at the binary gateway of a running exchange: logs in, lets an order rest, changes it,
// takes it back and logs out, and prints what the exchange said.
//
//   build/release/damrak serve --only binary &
//   build/release/examples/enter_orders 12345
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <thread>

#include <fmt/format.h>

#include <damrak/client/order_entry.hpp>
#include <damrak/net/plain_tcp.hpp>

namespace {

using namespace damrak;
using client::News;

/// A connection that is polled. The protocol is all in OrderEntry, which does no I/O.
class Trader {
  public:
    bool connect(std::uint16_t port) {
        auto socket = tcp_.connect("127.0.0.1", port);
        if (!socket) return fails(socket.error());
        socket_ = std::move(*socket);
        for (int tries = 0; tries < 1'000; ++tries) {
            const auto there = tcp_.connected(socket_);
            if (!there) return fails(there.error());
            if (*there) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return fails("nobody answers");
    }

    client::OrderEntry& entry() { return entry_; }

    /// Sends pending requests and waits for this kind of news; prints everything.
    bool wait_for(News::Kind kind) {
        for (int tries = 0; tries < 5'000; ++tries) {
            entry_.mark_sent(tcp_.send(socket_, entry_.unsent()).bytes);
            std::array<std::byte, 4'096> room{};
            const net::Moved got = tcp_.receive(socket_, room);
            static_cast<void>(entry_.receive(std::span{room}.first(got.bytes)));
            for (const News& news : entry_.take_news()) {
                print(news);
                if (news.kind == kind) return true;
            }
            if (got.closed) return fails("the exchange ended the connection");
            std::this_thread::sleep_for(std::chrono::milliseconds{1});
        }
        return fails("no answer");
    }

  private:
    static bool fails(std::string_view why) {
        fmt::print(stderr, "{}\n", why);
        return false;
    }
    void print(const News& news) const {
        const auto& order = news.order;
        const double price = static_cast<double>(order.price_e2) / 100;
        switch (news.kind) {
            case News::Kind::logged_in:
                fmt::print("client {}\n", entry_.client_id());
                break;
            case News::Kind::accepted:
            case News::Kind::modified:
                fmt::print("order {}: {} open at {:.2f}\n", order.number, order.open, price);
                break;
            case News::Kind::cancelled:
                fmt::print("order {}: cancelled\n", order.number);
                break;
            case News::Kind::logged_out:
                fmt::print("logged out\n");
                break;
            default:
                fmt::print("{}\n", client::reason_of(news, entry_.version()));
                break;
        }
    }

    net::PlainTcp tcp_;
    net::Descriptor socket_;
    client::OrderEntry entry_{client::OrderEntry::Version::v2};
};

}  // namespace

int main(int argc, char** argv) {
    std::uint16_t port = 12'345;
    if (argc > 1) {
        const std::string_view text = argv[1];
        std::from_chars(text.data(), text.data() + text.size(), port);
    }
    Trader trader;
    if (!trader.connect(port)) return 1;
    trader.entry().login();
    if (!trader.wait_for(News::Kind::logged_in)) return 1;
    const auto order = trader.entry().enter(InstrumentId{4}, Side::buy, 100, 9'50);
    if (!trader.wait_for(News::Kind::accepted)) return 1;
    trader.entry().modify(order, 50, 9'60);
    if (!trader.wait_for(News::Kind::modified)) return 1;
    trader.entry().cancel(order);
    if (!trader.wait_for(News::Kind::cancelled)) return 1;
    trader.entry().logout();
    return trader.wait_for(News::Kind::logged_out) ? 0 : 1;
}
