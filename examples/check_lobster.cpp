// Reads a LOBSTER pair and checks that the order book file follows from the messages.
//
//   check_lobster [MESSAGES.csv ORDERBOOK.csv]     without files it first writes a small pair
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include <damrak/replay/lobster_files.hpp>
#include <damrak/replay/lobster_verify.hpp>

namespace {

using damrak::lobster::EventType;

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

    const auto messages = damrak::replay::load_messages(message_file);
    const auto book = damrak::replay::load_book_rows(book_file);
    for (const std::string& error : {messages.error, book.error}) {
        if (error.empty()) continue;
        fmt::print(stderr, "{}\n", error);
        return 1;
    }
    for (const auto& row : messages.content) {
        if (row.type != EventType::execute) continue;
        fmt::print("{:.2f} s: {} at {:.4f}\n", static_cast<double>(row.time_ns) / 1e9, row.size,
                   static_cast<double>(row.price_e4) / 1e4);
    }

    const auto found = damrak::replay::verify_transitions(messages.content, book.content);
    fmt::print("{} of {} rows follow from the messages\n", found.rows_equal, found.rows_checked);
    for (const auto& failure : found.failures) fmt::print("{}\n", failure.text);
    return found.rows_equal == found.rows_checked ? 0 : 1;
}
