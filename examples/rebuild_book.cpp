// Rebuilds a book from ITCH messages and prints it: a small recorded day is written, then read back
// into books, as `damrak replay` does it with whole days.
//
//   rebuild_book [FILE.itch]     of a file of your own the first instrument is shown
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <tuple>

#include <fmt/format.h>

#include <damrak/order_flow/book_builder.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/wire/itch/file_reader.hpp>
#include <damrak/wire/itch/file_writer.hpp>

namespace {

namespace itch = damrak::wire::itch;
using damrak::Side;

bool write_small_day(const std::filesystem::path& path) {
    auto file = itch::FileWriter::create(path);
    if (!file) return false;
    std::uint64_t reference = 0;
    for (const auto& [side, price_e4, shares] : {std::tuple{Side::buy, 5'853'300U, 18U},
                                                 {Side::buy, 5'853'300U, 100U},
                                                 {Side::buy, 5'853'000U, 150U},
                                                 {Side::sell, 5'859'400U, 200U},
                                                 {Side::sell, 5'859'800U, 200U}}) {
        itch::AddOrder add;
        add.stock_locate = 1;
        add.timestamp_ns = 34'200'000'000'000;
        add.order_ref = ++reference;
        add.side = side;
        add.shares = shares;
        add.stock = *itch::Stock::from("AAPL");
        add.price_e4 = price_e4;
        file->write(add);
    }
    itch::OrderExecuted execution;  // a seller hits the first bid: 18 of 18 shares
    execution.stock_locate = 1;
    execution.timestamp_ns = 34'200'100'000'000;
    execution.order_ref = 1;
    execution.executed_shares = 18;
    file->write(execution);
    return file->close().has_value();
}

void print(const damrak::order_flow::BookBuilder<>& books, Side side) {
    const damrak::order_flow::BuiltBook& built = books.book(damrak::InstrumentId{1});
    fmt::print("{}\n", side == Side::buy ? "bids" : "asks");
    built.book.for_each_level(books.store(), side, [&](const damrak::DepthLevel& level) {
        fmt::print("  {:>10.4f}  {:>6} in {}\n",
                   static_cast<double>(built.scale.price_of(level.tick).value) / 10'000.0,
                   level.quantity.value, level.orders);
        return true;
    });
}

}  // namespace

int main(int argc, char** argv) {
    const std::filesystem::path path = argc > 1 ? argv[1] : "rebuild_book.itch";
    if (argc <= 1 && !write_small_day(path)) return 1;

    auto reader = itch::FileReader::open(path);
    if (!reader) {
        fmt::print(stderr, "{}\n", reader.error().text);
        return 1;
    }
    damrak::order_flow::BookBuilder<> books;
    damrak::order_flow::ItchFlow flow{books, damrak::order_flow::Selection{}};
    for (;;) {
        const auto step = reader->read_some(flow);
        if (!step) fmt::print(stderr, "{}\n", step.error().text);
        if (!step || *step == itch::ReadStep::end) break;
        // Stops at the first anomaly of each kind, so that its place can be reported.
        if (*step == itch::ReadStep::stopped)
            books.anomalies().place(reader->offset() - flow.stopped_bytes());
    }
    fmt::print("{} messages, {} anomalies\n", reader->messages(), books.anomalies().total());
    if (books.instruments() == 0) return 1;
    print(books, Side::sell);
    print(books, Side::buy);
    return 0;
}
