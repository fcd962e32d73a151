// The order-by-order feed over multicast (ITCH 5.0 by MoldUDP64): joins lines A and B, begins with
// a snapshot (GLIMPSE), takes each message from the line that is first, and asks for what both
// lost. Prints the best prices of one instrument as they change.
//
//   build/release/damrak serve --demo-market --feed-faults loss=0.1 &
//   build/release/examples/follow_the_feed 26403 26404 26405
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/feed_receiver.hpp>

namespace {

using namespace damrak;

void print(const client::FeedBooks& books, const client::FeedInstrument& stock) {
    const auto bid = books.best(stock, Side::buy).value_or(client::BookLevel{});
    const auto ask = books.best(stock, Side::sell).value_or(client::BookLevel{});
    fmt::print("{:>8} {} {} at {} | {} at {}\n", books.sequence(), stock.symbol, bid.quantity.value,
               bid.price.value, ask.quantity.value, ask.price.value);
}

}  // namespace

int main(int argc, char** argv) {
    const auto port = [&](int i, std::uint16_t usual) {
        return static_cast<std::uint16_t>(argc > i ? std::atoi(argv[i]) : usual);
    };
    client::FeedReceiverConfig config;
    for (auto& line : config.lines) line.port = port(1, 26'403);
    config.retransmissions->port = port(2, 26'404);
    config.snapshots->port = port(3, 26'405);

    client::FeedBooks books;
    const auto receiver = client::FeedReceiver<client::FeedBooks>::open(config, books);
    if (!receiver) {
        fmt::print(stderr, "{}\n", receiver.error());
        return 1;
    }
    std::uint64_t seen = 0;
    for (int lines = 0; lines < 20;) {
        (*receiver)->poll(1'000);
        const auto* const stock = books.find("AAPL");
        if (stock == nullptr || !books.is_whole() || stock->changes == seen) continue;
        seen = stock->changes;
        print(books, *stock);
        ++lines;
    }
    const auto& counters = (*receiver)->follower().arbiter().counters();
    fmt::print("{} messages, {} gaps, {} requests\n", counters.messages, counters.gaps,
               counters.requests);
    return books.anomalies().total() == 0 ? 0 : 1;
}
