// Whole files: what is normalised, what is rejected, and what the error messages explain.
#include <damrak/lobster/reader.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"
#include "support/compress.hpp"

namespace damrak::lobster::reader_test {
namespace {

using damrak::testing::bytes_of;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

struct Outcome {
    std::vector<MessageRow> rows;
    std::vector<std::string> notes;
    RowError error;
};

Outcome read_messages(std::span<const std::byte> bytes) {
    MessageReader reader{files::ByteSource::over(bytes, "m.csv")};
    Outcome outcome;
    for (;;) {
        auto row = reader.next();
        if (!row) outcome.error = row.error();
        if (!row || !*row) break;
        outcome.rows.push_back(**row);
    }
    outcome.notes = reader.notes();
    return outcome;
}

Outcome read_messages(std::string_view text) { return read_messages(bytes_of(text)); }

struct BookOutcome {
    std::vector<std::vector<BookLevel>> rows;
    RowError error;
};

BookOutcome read_book(std::string_view text, std::string name = "b.csv") {
    BookReader reader{files::ByteSource::over(bytes_of(text), std::move(name))};
    BookOutcome outcome;
    for (;;) {
        auto row = reader.next();
        if (!row) outcome.error = row.error();
        if (!row || !*row) break;
        outcome.rows.emplace_back((*row)->begin(), (*row)->end());
    }
    return outcome;
}

constexpr std::string_view k_two_rows =
    "34200.004241176,1,16113575,18,5853300,1\n"
    "34200.00426064,3,16113575,18,5853300,1\n";

std::string replaced(std::string_view text, std::string_view what, std::string_view with) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        if (text.substr(at).starts_with(what)) {
            result += with;
            at += what.size();
        } else {
            result += text[at++];
        }
    }
    return result;
}

TEST(LobsterMessages, of_a_published_file_cause_no_note) {
    const auto outcome = read_messages(k_two_rows);
    EXPECT_EQ(outcome.error.text, "");
    EXPECT_EQ(outcome.rows.size(), 2U);
    EXPECT_THAT(outcome.notes, IsEmpty());
}

TEST(LobsterMessages, are_the_same_despite_harmless_differences_of_the_file) {
    const auto rows = read_messages(k_two_rows).rows;
    const std::string crlf = replaced(k_two_rows, "\n", "\r\n");
    const std::string marked = "\xef\xbb\xbf" + std::string{k_two_rows};
    const std::string unended{k_two_rows.substr(0, k_two_rows.size() - 1)};
    const std::string blank_end = std::string{k_two_rows} + "\n\r\n";
    for (const auto& text : {crlf, marked, unended, blank_end}) {
        const auto outcome = read_messages(text);
        EXPECT_EQ(outcome.error.text, "");
        EXPECT_EQ(outcome.rows, rows);
    }
    EXPECT_EQ(read_messages(damrak::testing::gzip(bytes_of(k_two_rows))).rows, rows);
    EXPECT_EQ(read_messages(damrak::testing::zstd(bytes_of(k_two_rows))).rows, rows);
    EXPECT_THAT(read_messages(crlf).notes, ElementsAre(HasSubstr("CRLF")));
    EXPECT_THAT(read_messages(marked).notes, ElementsAre(HasSubstr("byte order mark")));
}

TEST(LobsterMessages, name_row_column_byte_and_text_of_an_error_after_valid_rows) {
    const auto outcome = read_messages(std::string{k_two_rows} + "34201,1,5,x7,5853300,1\n");
    EXPECT_EQ(outcome.rows.size(), 2U);
    EXPECT_EQ(outcome.error.row, 3U);
    EXPECT_EQ(outcome.error.column, 4U);
    EXPECT_EQ(outcome.error.offset, k_two_rows.size() + 10);
    EXPECT_EQ(outcome.error.text,
              "m.csv: row 3, column 4 (size, byte 89): found 'x7'; expected an integer, 0 or more; "
              "at least 1 in types 1 to 5");
    EXPECT_EQ(read_messages("\xef\xbb\xbf"
                            "34201,x")
                  .error.offset,
              9U)
        << "of the file";
}

TEST(LobsterMessages, explain_what_a_spreadsheet_did) {
    const auto error_of = [](std::string_view text) { return read_messages(text).error.text; };
    EXPECT_THAT(error_of("Time,Type,OrderID,Size,Price,Direction\n"), HasSubstr("no header row"));
    EXPECT_THAT(error_of("34200,1,1,1,5.8533E+06,1\n"), HasSubstr("scientific notation"));
    EXPECT_THAT(error_of("34200,1,1,1,1,1\n34200;1;1;1;1;1\n"), HasSubstr("separated by ';'"));
    EXPECT_THAT(error_of("34200;1;1;1;1;1\n"), HasSubstr("no time in 1 rows has more than 5"));
    EXPECT_THAT(error_of("34200,00424;1;1;1;1;1\n"), HasSubstr("has probably cut them"));
    EXPECT_THAT(error_of("34.200,004241176;1;1;1;1;1\n"), HasSubstr("expected seconds"));
    EXPECT_THAT(error_of("34200,004241176;1;1;1;5.853.300;1\n"), HasSubstr("decimal point"));
    EXPECT_THAT(error_of("34200,004241176;1;1;1;5,8533E+06;1\n"), HasSubstr("scientific notation"));
    EXPECT_THAT(error_of("34200\t1\t1\t1\t1\t1\n"), HasSubstr("separated by tabs"));
    EXPECT_THAT(error_of("\"34200\",1,1,1,1,1\n"), HasSubstr("quotes"));
    EXPECT_THAT(error_of("34200, 1,1,1,1,1\n"), HasSubstr("spaces"));
    EXPECT_THAT(error_of("34200,1,1,18.0,5853300,1\n"), HasSubstr("decimal point"));
    EXPECT_THAT(error_of("34200,1,1,18"), HasSubstr("it is truncated"));
    EXPECT_THAT(error_of("\x89PNG\r\n"), HasSubstr("not a plain text file"));
}

TEST(LobsterMessages, keep_times_that_a_spreadsheet_rounded_and_note_it) {
    std::string text;
    for (int i = 0; i < 30; ++i) text += "34200.0042" + std::to_string(i % 10) + ",1,1,1,1,1\n";
    EXPECT_THAT(read_messages(text).error.text, HasSubstr("not before that of the row above"));
    text.clear();
    for (int i = 10; i < 40; ++i) text += "34200.004" + std::to_string(i) + ",1,1,1,1,1\n";
    const auto outcome = read_messages(text);
    EXPECT_EQ(outcome.rows.size(), 30U);
    EXPECT_THAT(outcome.notes, ElementsAre(HasSubstr("no time has more than 5 decimals")));
}

TEST(LobsterMessages, must_not_go_back_in_time) {
    const auto outcome = read_messages("34200.5,1,1,1,1,1\n34200.5,1,2,1,1,1\n34200.4,1,3,1,1,1\n");
    EXPECT_EQ(outcome.rows.size(), 2U);
    EXPECT_EQ(outcome.error.row, 3U);
    EXPECT_THAT(outcome.error.text, HasSubstr("34200.4"));
}

TEST(LobsterMessages, reject_an_empty_file_and_an_order_book) {
    EXPECT_EQ(read_messages("").error.text, "m.csv: the file holds no rows: take the whole file");
    EXPECT_EQ(read_messages("\n\n").error.text,
              "m.csv: the file holds no rows: take the whole file");
    EXPECT_THAT(read_messages("1,1,1,1,1,1,1,1\n").error.text,
                HasSubstr("this looks like an order book file of 2 levels"));
}

TEST(LobsterMessages, have_no_blank_row_between_them) {
    const auto outcome = read_messages("34200,1,1,1,1,1\n\n34200,1,2,1,1,1\n");
    EXPECT_EQ(outcome.rows.size(), 1U);
    EXPECT_THAT(outcome.error.text, AllOf(HasSubstr("row 2 (byte 16)"), HasSubstr("is empty")));
}

TEST(LobsterMessages, reject_an_endless_line) {
    const std::string endless(3'000'000, '7');
    EXPECT_THAT(read_messages(endless).error.text, HasSubstr("no line end within"));
}

TEST(LobsterMessages, survive_the_edges_of_the_buffer) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) {
        text += "34200.004241176,1," + std::to_string(i) + ",18,5853300,-1\n";
    }
    const auto outcome = read_messages(text);
    ASSERT_EQ(outcome.error.text, "");
    ASSERT_EQ(outcome.rows.size(), 50'000U);
    for (std::size_t i = 0; i < outcome.rows.size(); ++i) EXPECT_EQ(outcome.rows[i].order_id, i);
}

TEST(LobsterBook, takes_its_levels_from_the_first_row) {
    const auto outcome = read_book("11,1,9,1,12,2,8,2\n11,1,9,1,12,2,8,3\n");
    EXPECT_EQ(outcome.error.text, "");
    ASSERT_EQ(outcome.rows.size(), 2U);
    EXPECT_EQ(outcome.rows[1][1], (BookLevel{12, 2, 8, 3}));
}

TEST(LobsterBook, must_have_as_many_levels_as_its_name_states) {
    const std::string name = "AAPL_2012-06-21_34200000_57600000_orderbook_10.csv";
    EXPECT_EQ(read_book("11,1,9,1,12,2,8,2\n", name).error.text,
              name + ": row 1 (byte 0) has 8 columns, that is 2 levels; the file's name states 10");
}

TEST(LobsterBook, refuses_rows_of_another_width) {
    EXPECT_THAT(read_book("11,1,9,1\n11,1,9\n").error.text,
                HasSubstr("found 3 columns; expected 4"));
    EXPECT_THAT(read_book("11,1,9,1\n11,1,9,1,7,7,7,7\n").error.text,
                HasSubstr("found 8 columns; expected 4"));
    EXPECT_THAT(read_book("34200.1,1,1,1,1,1\n").error.text,
                HasSubstr("looks like a message file"));
}

// As European spreadsheets write them; nothing is lost.
TEST(LobsterFiles, with_semicolons_are_read_with_a_note) {
    const auto plain = read_messages(k_two_rows);
    for (const char decimal : {',', '.'}) {
        std::string text{k_two_rows};
        for (char& c : text)
            if (c == ',')
                c = ';';
            else if (c == '.')
                c = decimal;
        const auto read = read_messages(text);
        EXPECT_EQ(read.error.text, "");
        EXPECT_EQ(read.rows, plain.rows);
        EXPECT_THAT(read.notes, Contains(HasSubstr("';' was read as the separator")));
    }
    EXPECT_EQ(read_book("11;1;9;1\n").rows, read_book("11,1,9,1\n").rows);
}

TEST(LobsterBook, names_level_and_column_of_an_error) {
    EXPECT_EQ(
        read_book("11,1,9,1,12,2,8,2\n11,1,9,1,12,1E+10,8,2\n").error.text,
        "b.csv: row 2, column 6 (ask size of level 2, byte 30): found '1E+10'; expected an "
        "integer, 0 or more (scientific notation has dropped digits: take the original file)");
    EXPECT_THAT(read_book("ask,size,bid,size\n").error.text, HasSubstr("no header row"));
}

TEST(LobsterBook, rejects_an_empty_file) {
    EXPECT_EQ(read_book("").error.text, "b.csv: the file holds no rows: take the whole file");
}

TEST(LobsterReaders, say_which_file_they_cannot_open) {
    EXPECT_THAT(MessageReader::open("no/such.csv").error().text, StartsWith("no/such.csv: "));
    EXPECT_THAT(BookReader::open("no/such.csv").error().text, StartsWith("no/such.csv: "));
}

}  // namespace
}  // namespace damrak::lobster::reader_test
