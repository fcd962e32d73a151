#include <damrak/files/content_guess.hpp>

#include <gtest/gtest.h>

#include "support/bytes.hpp"

namespace damrak::files::content_guess_test {
namespace {

using damrak::testing::bytes_of;
using damrak::testing::from_hex;

TEST(ContentGuess, knows_formats_by_their_first_bytes) {
    EXPECT_EQ(guess_content(from_hex("0a0d0d0a 1c000000")), "a pcapng packet capture");
    EXPECT_EQ(guess_content(from_hex("1f8b 08")), "gzip data");
    EXPECT_EQ(guess_content(bytes_of("BZh91AY")), "bzip2 data");
    EXPECT_EQ(guess_content(bytes_of("PAR1")), "a Parquet table");
    EXPECT_EQ(guess_content(bytes_of("%PDF-1.7")), "a PDF document");
    EXPECT_EQ(guess_content(from_hex("7f454c46 02")), "an ELF program");
    EXPECT_EQ(guess_content(from_hex("fffe 3400")), "UTF-16 text");
}

TEST(ContentGuess, distinguishes_text_zeros_and_unknown_data) {
    EXPECT_EQ(guess_content(bytes_of("Time,Type\r\n\tGr\xc3\xb6\xc3\x9f"
                                     "e\n")),
              "plain text");
    EXPECT_EQ(guess_content(from_hex("0000 0000")), "nothing but zeros");
    EXPECT_EQ(guess_content(from_hex("000c 53 0000")), "");
    EXPECT_EQ(guess_content({}), "");
}

}  // namespace
}  // namespace damrak::files::content_guess_test
