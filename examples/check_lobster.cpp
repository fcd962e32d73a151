// Reads a LOBSTER pair and checks that the order book file follows from the messages.
//
//   check_lobster [MESSAGES.csv ORDERBOOK.csv]     without files it first writes a small pair
#include <filesystem>
#include <fstream>
#include <string>
#include <variant>

#include <fmt/format.h>

#include <damrak/convert/lobster_day.hpp>

namespace {

using damrak::wire::itch::Message;
using damrak::wire::itch::OrderExecuted;

// Times in seconds, type, order id, shares, dollars x 10,000, and 1 for buy, -1 for sell; then ask
// price and size, bid price and size behind each of these messages.
void write_small_pair(const std::filesystem::path& messages, const std::filesystem::path& book) {
    std::ofstream{messages} << "34200.01,1,1,100,5853300,-1\n"
                               "34200.02,1,2,50,5853000,1\n"
                               "34200.03,4,1,40,5853300,-1\n"
                               "34200.04,2,2,20,5853000,1\n";
    std::ofstream{book} << "5853300,100,-9999999999,0\n"
                           "5853300,100,5853000,50\n"
                           "5853300,60,5853000,50\n"
                           "5853300,60,5853000,30\n";
}

}  // namespace

int main(int argc, char** argv) {
    std::filesystem::path message_file = "SMALL_2012-06-21_34200000_34201000_message_1.csv";
    std::filesystem::path book_file = "SMALL_2012-06-21_34200000_34201000_orderbook_1.csv";
    if (argc == 3) {
        message_file = argv[1];
        book_file = argv[2];
    } else {
        write_small_pair(message_file, book_file);
    }

    auto day = damrak::convert::LobsterDay::open({message_file, book_file}, "SMALL");
    if (!day) {
        fmt::print(stderr, "{}\n", day.error());
        return 1;
    }
    // The day as ITCH messages, of which this example shows the executions.
    const auto show = [](const Message& message) {
        if (const auto* const trade = std::get_if<OrderExecuted>(&message))
            fmt::print("{:.2f} s: {} of order {}\n", static_cast<double>(trade->timestamp_ns) / 1e9,
                       trade->executed_shares, trade->order_ref);
    };
    if (const auto read = day->read(show); !read) {
        fmt::print(stderr, "{}\n", read.error());
        return 1;
    }
    const damrak::convert::RowsReport& rows = day->report();
    fmt::print("{} of {} rows follow from the messages\n", rows.equal, rows.checked);
    for (const auto& failure : rows.failures) fmt::print("{}\n", failure.text);
    return rows.equal == rows.checked ? 0 : 1;
}
