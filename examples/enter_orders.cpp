// Orders at the binary gateway of a running exchange: lets an order rest, changes it, takes it back
// and logs out, and prints what the exchange said. The client connects, logs in and, after a loss,
// connects again by itself; OuchOrderClient and FixOrderClient are used in the same way.
//
//   build/release/damrak serve --only binary &
//   build/release/examples/enter_orders 12345
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include <damrak/client/binary_order_client.hpp>

namespace {

using namespace damrak;
using client::News;

constexpr int k_patience_ms = 10'000;

void print(client::OrderClient& client, const News& news) {
    const auto& order = news.order;
    const double price = static_cast<double>(order.price_e2) / 100;
    switch (news.kind) {
        case News::Kind::logged_in:
            fmt::print("logged in at {}\n", client.where());
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
            fmt::print("{}\n", client.gateway().why(news));
            break;
    }
}

/// Waits for this kind of news; prints everything.
bool wait_for(client::OrderClient& client, News::Kind kind) {
    while (const auto news = client.next(k_patience_ms)) {
        print(client, *news);
        if (news->kind == kind) return true;
    }
    fmt::print(stderr, "{}\n", client.trouble().empty() ? "no answer" : client.trouble());
    return false;
}

}  // namespace

int main(int argc, char** argv) {
    const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 12'345);
    client::BinaryOrderClient client{{.port = port}};
    auto& gateway = client.gateway();
    if (!wait_for(client, News::Kind::logged_in)) return 1;
    const auto order = gateway.enter(InstrumentId{4}, Side::buy, 100, 9'50, {});
    if (!wait_for(client, News::Kind::accepted)) return 1;
    gateway.modify(order, 50, 9'60, 0);
    if (!wait_for(client, News::Kind::modified)) return 1;
    gateway.cancel(order);
    if (!wait_for(client, News::Kind::cancelled)) return 1;
    client.log_out();
    return wait_for(client, News::Kind::logged_out) ? 0 : 1;
}
