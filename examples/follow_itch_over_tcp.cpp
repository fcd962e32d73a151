// The order-by-order feed over TCP (ITCH 5.0 by SoupBinTCP): all messages of the day from the first
// on, then live, and the books that follow from them. A lost connection is made again.
//
//   build/release/damrak serve --demo-market &
//   build/release/examples/follow_itch_over_tcp 26401
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/soup_receiver.hpp>

namespace {

using namespace damrak;

constexpr std::uint64_t k_messages = 200;

void print(const client::FeedBooks& books, const client::FeedInstrument& stock) {
    fmt::print("{} after message {}, {} trades\n", stock.symbol, books.sequence(), stock.trades);
    for (const auto& level : books.levels(stock, Side::buy, 3))
        fmt::print("  bid {:>8} at {}\n", level.quantity.value, level.price.value);
    for (const auto& level : books.levels(stock, Side::sell, 3))
        fmt::print("  ask {:>8} at {}\n", level.quantity.value, level.price.value);
}

}  // namespace

int main(int argc, char** argv) {
    const auto port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 26'401);
    client::FeedBooks books;
    client::SoupReceiver receiver{{.feed = {.port = port}}, books};
    while (!receiver.over() && books.sequence() < k_messages) receiver.poll(1'000);
    if (receiver.over()) {
        fmt::print(stderr, "{}\n", receiver.trouble());
        return 1;
    }
    for (const auto& stock : books.instruments()) print(books, stock);
    return books.anomalies().total() == 0 ? 0 : 1;
}
