// Published files, read and written back byte for byte.
#include "support/real_data.hpp"

#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <damrak/lobster/reader.hpp>
#include <damrak/lobster/writer.hpp>

namespace damrak::lobster::real_data_test {
namespace {

constexpr const char* k_folder = "lobster/AAPL_2012-06-21_34200000_";

std::string content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (!text.ends_with('\n')) text += '\n';
    return text;
}

template <class Reader>
std::string rewritten(const std::filesystem::path& path, std::size_t& rows) {
    auto reader = Reader::open(path);
    EXPECT_TRUE(reader.has_value()) << reader.error().text;
    std::string text;
    for (rows = 0; reader.has_value(); ++rows) {
        const auto row = reader->next();
        EXPECT_TRUE(row.has_value()) << row.error().text;
        if (!row || !*row) break;
        append_row(text, **row);
    }
    return text;
}

TEST(LobsterRealData, ten_level_files_survive_a_round_trip) {
    const std::string pair = std::string{k_folder} + "57600000_";
    DAMRAK_REAL_DATA_OR_SKIP(messages, pair + "message_10.csv");
    DAMRAK_REAL_DATA_OR_SKIP(book, pair + "orderbook_10.csv");
    std::size_t rows = 0;
    EXPECT_EQ(rewritten<MessageReader>(messages, rows), content_of(messages));
    EXPECT_EQ(rows, 999U);
    EXPECT_EQ(rewritten<BookReader>(book, rows), content_of(book));
    EXPECT_EQ(rows, 999U);
}

TEST(LobsterRealData, a_file_of_an_hour_survives_except_for_one_time_printed_from_a_double) {
    DAMRAK_REAL_DATA_OR_SKIP(messages, std::string{k_folder} + "37800000_message_50.csv");
    std::size_t rows = 0;
    auto expected = content_of(messages);
    const std::string_view noisy = "35821.088778456004";
    expected.replace(expected.find(noisy), noisy.size(), "35821.088778456");
    EXPECT_EQ(rewritten<MessageReader>(messages, rows), expected);
    EXPECT_EQ(rows, 91'997U);
}

}  // namespace
}  // namespace damrak::lobster::real_data_test
