// Books from a FIX gateway's market data, message by message. What the gateway itself tells is in
// fix_order_entry_test.cpp.
#include <damrak/client/detail/fix_books.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>

namespace damrak::client::fix_books_test {
namespace {

using fix_codec::ApplVersion;

class BooksByFix : public ::testing::Test {
  protected:
    void take(std::string_view type, std::string_view body) {
        fix_codec::TimestampCache times;
        std::array<char, 1'024> memory{};
        fix_codec::MessageWriter writer{memory, times};
        writer.begin(fix_codec::BeginString::fix44, type);
        while (!body.empty()) {
            const std::string_view field = body.substr(0, body.find('|'));
            body.remove_prefix(std::min(field.size() + 1, body.size()));
            const std::size_t end = field.find('=');
            writer.put(static_cast<fix_codec::Tag>(std::stoul(std::string{field.substr(0, end)})),
                       field.substr(end + 1));
        }
        fix_codec::Message message;
        ASSERT_EQ(decoder_.scan(writer.finish(), message).status, fix_codec::Scan::Status::message);
        const auto& dictionary = fix_codec::Dictionary::of(ApplVersion::fix44);
        if (type == "W") books_.on_snapshot(message, dictionary);
        if (type == "X") books_.on_changes(message, dictionary);
        if (type == "Y" || type == "j") books_.on_refusal(message);
    }
    /// "100@10.00 50@9.99 | 70@10.01"; "none" while it is not known.
    [[nodiscard]] std::string shown(std::uint32_t id = 1) const {
        const FixBooks::Book* const book = books_.book(InstrumentId{id});
        if (book == nullptr || !book->valid) return "none";
        std::string text;
        for (const Side side : {Side::buy, Side::sell}) {
            if (side == Side::sell) text += "| ";
            for (const auto& level : book->side(side))
                text += std::to_string(level.quantity) + "@" + price_text(level.price_e2) + " ";
        }
        return text;
    }

    FixBooks books_{Symbols{{"AAPL", "MSFT"}}};
    fix_codec::Decoder decoder_{256};
};

TEST_F(BooksByFix, ASnapshotIsTheWholeBookBestFirst) {
    take("W",
         "262=1|55=AAPL|268=3|269=0|270=9.99|271=50|269=0|270=10|271=100"
         "|269=1|270=10.01|271=70");
    EXPECT_EQ(shown(), "100@10.00 50@9.99 | 70@10.01 ");
    take("W", "262=1|55=AAPL|268=0");
    EXPECT_EQ(shown(), "| ");
    EXPECT_EQ(shown(2), "none");
}

TEST_F(BooksByFix, ChangesAreByPrice) {
    take("X", "262=1|268=1|279=0|269=0|55=AAPL|270=1|271=1");
    EXPECT_EQ(shown(), "none") << "before the snapshot they say nothing";
    take("W", "262=1|55=AAPL|268=2|269=0|270=10|271=100|269=1|270=10.01|271=70");
    take("X",
         "262=1|268=4|279=2|269=1|55=AAPL|270=10.01|279=1|269=0|55=AAPL|270=10.00|271=30"
         "|279=0|269=1|55=AAPL|270=10.02|271=5|279=0|269=2|55=AAPL|270=10.01|271=70");
    EXPECT_EQ(shown(), "30@10.00 | 5@10.02 ");
}

TEST_F(BooksByFix, PricesFinerThanACentAreShownTogetherAndGoOneByOne) {
    take("W",
         "262=1|55=AAPL|268=4|269=0|270=10.0075|271=1|269=0|270=10.0025|271=2"
         "|269=1|270=10.0125|271=3|269=1|270=10.0175|271=4");
    EXPECT_EQ(shown(), "3@10.00 | 7@10.02 ");
    take("X", "262=1|268=1|279=2|269=0|55=AAPL|270=10.0075");
    EXPECT_EQ(shown(), "2@10.00 | 7@10.02 ");
}

TEST_F(BooksByFix, PricesMayBeBelowZero) {
    take("W",
         "262=1|55=AAPL|268=5|269=0|270=-40.15|271=50|269=0|270=-40.128|271=100"
         "|269=1|270=-39.872|271=70|269=1|270=0|271=5|269=2|270=-40.126|271=3");
    EXPECT_EQ(shown(), "100@-40.13 50@-40.15 | 70@-39.87 5@0.00 ");
    EXPECT_EQ(books_.tape().back().price_e2, -4'013);
}

TEST_F(BooksByFix, WhatFitsNoBookIsLeftOut) {
    take("W", "262=9|55=AAPL|268=1|269=0|270=10|271=1");
    take("W", "262=1x|55=AAPL|268=1|269=0|270=10|271=1");
    EXPECT_EQ(shown(), "none");
    take("W", "262=1|55=AAPL|268=3|269=0|270=ten|271=1|269=0|270=-1|271=-1|269=1|270=10|271=0");
    EXPECT_EQ(shown(), "| ");
}

TEST_F(BooksByFix, ARefusalIsKeptUntilTheConnectionIsGone) {
    take("Y", "262=2|281=0|58=Symbol MSFT: no such instrument");
    EXPECT_EQ(books_.why_not(InstrumentId{2}), "Symbol MSFT: no such instrument");
    EXPECT_EQ(books_.why_not(InstrumentId{1}), "");
    books_.forget();
    EXPECT_EQ(books_.why_not(InstrumentId{2}), "");
    take("j", "45=2|372=V|380=3|58=Unsupported Message Type");
    EXPECT_EQ(books_.why_not(InstrumentId{1}), "Unsupported Message Type");
    EXPECT_EQ(books_.why_not(InstrumentId{3}), "the exchange did not list this instrument");
}

}  // namespace
}  // namespace damrak::client::fix_books_test
