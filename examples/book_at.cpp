// The book of a recorded day at one instant, from a LOBSTER, ITCH or DBN file or an archived day.
// Other files are archived first, beside the program.
//
//   build/release/examples/book_at AAPL_2012-06-21_34200000_37800000_message_50.csv AAPL 10:00:00
#include <algorithm>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/time_of_day.hpp>

using namespace damrak;

int main(int argc, char** argv) {
    const auto time_ns = parse_time_of_day(argc == 4 ? argv[3] : "");
    if (!time_ns) {
        fmt::print(stderr, "usage: book_at FILE SYMBOL HH:MM:SS\n");
        return 2;
    }
    std::filesystem::path file = argv[1];
    if (file.extension() != ".dar") {
        archive::Import import;
        import.from = file;
        import.to = file = file.filename().string() + ".dar";
        import.symbol = argv[2];
        const auto imported = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
        if (!imported) {
            fmt::print(stderr, "{}\n", imported.error());
            return 1;
        }
    }
    const auto day = archive::Day::open(file);
    if (!day) {
        fmt::print(stderr, "{}\n", day.error());
        return 1;
    }
    const auto instruments = day->instruments();
    const auto stock = std::ranges::find(instruments, argv[2], &archive::Instrument::symbol);
    if (stock == instruments.end()) {
        fmt::print(stderr, "the day has no instrument {}\n", argv[2]);
        return 1;
    }
    const auto book = day->book_at(stock->locate, *time_ns);
    if (!book) {
        fmt::print(stderr, "{}\n", book.error());
        return 1;
    }
    const auto print = [](const char* side, const auto& orders) {
        for (const auto& level : archive::Book::levels(orders))
            fmt::print("{} {:>10.4f} {:>8} in {} orders\n", side, level.price_e4 / 10'000.0,
                       level.shares, level.orders ? fmt::to_string(*level.orders) : "?");
    };
    print("bid", book->bids);
    print("ask", book->asks);
    return 0;
}
