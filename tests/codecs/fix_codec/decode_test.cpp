// Results of the decoder on a byte stream: messages, a request for more bytes, or a named fault.
#include <damrak/fix_codec/decode.hpp>

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/values.hpp>

#include "support/fix_text.hpp"

namespace damrak::fix_codec::decode_test {
namespace {

using testing::fix_bytes;
using testing::fix_message;

class FixDecoder : public ::testing::Test {
  protected:
    [[nodiscard]] Scan scan(std::string_view bytes) {
        bytes_ = bytes;
        return decoder_.scan(bytes_, message_);
    }
    // The bytes must begin with a message.
    const Message& message(std::string_view body) {
        const Scan found = scan(fix_message("FIX.4.4", body));
        EXPECT_EQ(found.status, Scan::Status::message) << text(found.reason);
        return message_;
    }
    [[nodiscard]] Garbled fault(std::string_view bytes) {
        const Scan found = scan(bytes);
        EXPECT_EQ(found.status, Scan::Status::garbled);
        return found.reason;
    }

    std::string bytes_;
    Decoder decoder_{64, 4'096};
    Message message_;
};

TEST_F(FixDecoder, ReadsTheFieldsInTheOrderOfTheWire) {
    const Message& heartbeat = message("35=0|34=7|49=A|56=B|112=HELLO|");
    EXPECT_EQ(heartbeat.begin_string(), BeginString::fix44);
    EXPECT_EQ(heartbeat.msg_type(), "0");
    EXPECT_EQ(heartbeat.sequence(), 7U);
    ASSERT_EQ(heartbeat.fields().size(), 8U);
    EXPECT_EQ(heartbeat.fields().front().tag, tag::begin_string);
    EXPECT_EQ(heartbeat.fields().back().tag, tag::check_sum);
    EXPECT_EQ(heartbeat.text(tag::test_req_id), "HELLO");
    EXPECT_EQ(heartbeat.text(tag::symbol), std::nullopt);
}

TEST_F(FixDecoder, NeedsMoreUntilTheLastByte) {
    const std::string whole = fix_message("FIX.4.4", "35=0|34=7|49=A|56=B|112=HELLO|");
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_EQ(scan(whole.substr(0, length)).status, Scan::Status::need_more) << length;
    EXPECT_EQ(scan(whole).bytes, whole.size());
}

TEST_F(FixDecoder, SkipsBytesBeforeAMessage) {
    const Scan found = scan(fix_bytes("35=0|") + fix_message("FIX.4.4", "35=0|34=7|"));
    EXPECT_EQ(found.reason, Garbled::no_begin_string);
    EXPECT_EQ(found.bytes, 5U);
}

TEST_F(FixDecoder, RejectsAWrongCheckSum) {
    std::string wrong = fix_message("FIX.4.4", "35=0|34=7|");
    wrong[wrong.size() - 2] = wrong[wrong.size() - 2] == '0' ? '1' : '0';
    EXPECT_EQ(fault(wrong), Garbled::check_sum);
}

TEST_F(FixDecoder, RequiresThreeDigitsInCheckSum) {
    EXPECT_EQ(fault(fix_bytes("8=FIX.4.4|9=5|35=0|10=0|")), Garbled::check_sum);
    EXPECT_EQ(fault(fix_bytes("8=FIX.4.4|9=5|35=0|10=1x3|")), Garbled::check_sum);
}

TEST_F(FixDecoder, SkipsToTheCheckSumAfterAWrongBodyLength) {
    const std::string next = fix_message("FIX.4.4", "35=0|34=8|");
    const std::string first = fix_bytes("8=FIX.4.4|9=5|35=0|34=7|10=100|");
    const Scan too_short = scan(first + next);
    EXPECT_EQ(too_short.reason, Garbled::body_length);
    EXPECT_EQ(too_short.bytes, first.size());
    // Too long a body includes the next message: nothing shows where the first one ended.
    const std::string second = fix_bytes("8=FIX.4.4|9=25|35=0|34=7|10=100|");
    EXPECT_EQ(scan(second).status, Scan::Status::need_more);
    const Scan too_long = scan(second + next);
    EXPECT_EQ(too_long.reason, Garbled::body_length);
    EXPECT_EQ(too_long.bytes, second.size() + next.size());
}

TEST_F(FixDecoder, RequiresTheFirstThreeFieldsInOrder) {
    EXPECT_EQ(fault(fix_bytes("8=FIX.4.4|35=0|9=5|10=100|")), Garbled::begin_string);
    EXPECT_EQ(fault(fix_message("FIX.4.4", "34=1|35=0|")), Garbled::msg_type);
    EXPECT_EQ(fault(fix_message("FIX.4.4", "35=|34=1|")), Garbled::msg_type);
    EXPECT_EQ(fault(fix_bytes("8=FIX.4.4|9=x|35=0|10=100|")), Garbled::body_length);
}

TEST_F(FixDecoder, RefusesFieldsWithoutTagOrValueSign) {
    for (const std::string_view field :
         {"=x", "x=1", "12", "1 =x", "+1=x", "01=x", "--1=x", "1234567890=x", "-=x"})
        EXPECT_EQ(fault(fix_message("FIX.4.4", fmt::format("35=0|{}|", field))),
                  Garbled::malformed_field)
            << field;
    EXPECT_EQ(fault(fix_message("FIX.4.4", "35=0||")), Garbled::malformed_field);
}

TEST_F(FixDecoder, KeepsEmptyValuesAndStrangeTagsForTheDictionary) {
    const Message& strange = message("35=0|34=1|112=|0=a|-1=b|");
    EXPECT_EQ(strange.text(tag::test_req_id), "");
    EXPECT_EQ(strange.text(0), "a");
    EXPECT_EQ(strange.text(static_cast<Tag>(-1)), "b");
}

TEST_F(FixDecoder, ReadsTheVersionFromBeginString) {
    (void)scan(fix_message("FIXT.1.1", "35=0|34=1|"));
    EXPECT_EQ(message_.begin_string(), BeginString::fixt11);
    (void)scan(fix_message("FIX.9.9", "35=0|34=1|"));
    EXPECT_EQ(message_.begin_string(), BeginString::unknown);
}

TEST_F(FixDecoder, TakesRawDataByItsLength) {
    const Message& logon = message("35=A|34=1|95=7|96=a|10=b||58=x|");
    EXPECT_EQ(logon.text(tag::raw_data), fix_bytes("a|10=b|"));
    EXPECT_EQ(logon.text(tag::text), "x");
    EXPECT_EQ(fault(fix_message("FIX.4.4", "35=A|95=3|96=abcd|")), Garbled::data_length);
    EXPECT_EQ(fault(fix_message("FIX.4.4", "35=A|95=99|96=abcd|")), Garbled::data_length);
    EXPECT_EQ(fault(fix_message("FIX.4.4", "35=A|95=x|96=abcd|")), Garbled::data_length);
    // Without a preceding length field it ends at the next delimiter like any other.
    EXPECT_EQ(message("35=A|96=abcd|").text(tag::raw_data), "abcd");
}

TEST_F(FixDecoder, SupportsUserDefinedDataFields) {
    decoder_.add_data_field(6'001, 6'002);
    EXPECT_EQ(message("35=0|6001=3|6002=a|b|").text(6'002), fix_bytes("a|b"));
}

TEST_F(FixDecoder, LimitsFieldsAndBytes) {
    std::string body = "35=0|";
    for (int i = 0; i < 61; ++i) body += "58=x|";
    EXPECT_EQ(scan(fix_message("FIX.4.4", body)).status, Scan::Status::too_long);
    const std::string front = "8=FIX.4.4|9=5000|35=0|34=7|";
    EXPECT_EQ(scan(fix_bytes(front)).status, Scan::Status::need_more);
    const Scan longer = scan(fix_bytes(front) + std::string(5'000, 'x'));
    EXPECT_EQ(longer.status, Scan::Status::too_long);
    EXPECT_EQ(longer.bytes, 17U + 5'000 + 7);
    EXPECT_EQ(message_.sequence(), 7U);
    EXPECT_EQ(message_.fields().size(), 4U);
    EXPECT_EQ(fault(fix_bytes("8=FIX.4.4|9=10|35=0|") + std::string(5'000, 'x')),
              Garbled::too_long);
}

TEST_F(FixDecoder, ReadsAStreamInPiecesOfAnySize) {
    std::string stream;
    for (int i = 1; i <= 50; ++i)
        stream += fix_message("FIX.4.4", fmt::format("35=0|34={}|49=A|56=B|112=HELLO|", i));
    for (const std::size_t piece : {1UZ, 7UZ, 64UZ, 1000UZ}) {
        std::size_t at = 0;
        std::uint64_t next = 1;
        for (std::size_t end = 0; end < stream.size();) {
            end = std::min(end + piece, stream.size());
            for (Scan found = scan(stream.substr(at, end - at));
                 found.status == Scan::Status::message; found = scan(stream.substr(at, end - at))) {
                EXPECT_EQ(message_.sequence(), next++);
                at += found.bytes;
            }
        }
        EXPECT_EQ(next, 51U) << piece;
    }
}

TEST_F(FixDecoder, NumbersAndTimesAreParsedOnAccess) {
    const Message& order = message("35=D|34=x|38=10.5|44=-1|60=19700101-00:00:01|97=Y|54=1|");
    EXPECT_EQ(order.sequence(), 0U);
    EXPECT_EQ(order.decimal(tag::order_qty, 1), Value<std::int64_t>{105});
    EXPECT_EQ(order.integer(tag::price), Value<std::int64_t>{-1});
    EXPECT_EQ(order.timestamp(tag::transact_time), Value<Timestamp>{Timestamp{1'000'000'000}});
    EXPECT_EQ(order.boolean(tag::poss_resend), Value<bool>{true});
    EXPECT_EQ(order.character(tag::side), Value<char>{'1'});
    EXPECT_EQ(order.integer(tag::stop_px).error(), ValueError::absent);
}

// A short number is read eight bytes at a time, together with the bytes after it.
TEST_F(FixDecoder, NumbersAreParsedCorrectlyAtAnyPosition) {
    for (const std::string_view text : {"",
                                        "0",
                                        "7",
                                        ".",
                                        "-",
                                        "1.",
                                        ".5",
                                        "-.5",
                                        "12",
                                        "1.2",
                                        "123",
                                        "1234",
                                        "12345",
                                        "1234.56",
                                        "1234567",
                                        "12345678",
                                        "1234567.",
                                        ".1234567",
                                        "123456789",
                                        "1..2",
                                        "1.2.3",
                                        "1/2",
                                        "1:2",
                                        "1 2",
                                        "+1",
                                        "-1",
                                        "-1.25",
                                        "0.00000001",
                                        "99999999",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "1\x90",
                                        "\xB1\xB2",
                                        "1e5",
                                        "x"}) {
        const Message& order = message(fmt::format("35=D|34=1|44={}|", text));
        EXPECT_EQ(order.integer(tag::price), parse_integer(text)) << text;
        for (const int digits : {0, 1, 2, 4, 9, 12})
            EXPECT_EQ(order.decimal(tag::price, digits), parse_decimal(text, digits)) << text;
    }
    // CheckSum is the last field: no bytes follow it.
    const Message& order = message("35=D|34=1|44=1|");
    EXPECT_EQ(order.integer(tag::check_sum), parse_integer(*order.text(tag::check_sum)));
    EXPECT_EQ(order.decimal(tag::check_sum, 0), parse_integer(*order.text(tag::check_sum)));
}

TEST_F(FixDecoder, GroupsAreRangesOfTheirEntries) {
    const Dictionary& dictionary = Dictionary::of(BeginString::fix44);
    const GroupLayout* const parties = dictionary.group("D", tag::no_party_ids);
    ASSERT_NE(parties, nullptr);
    const GroupLayout* const subs = dictionary.group(*parties, tag::no_party_sub_ids);
    ASSERT_NE(subs, nullptr);
    const Message& order = message(
        "35=D|34=1|453=2|448=A|447=D|802=2|523=x|803=1|523=y|803=2|452=1|448=B|452=3|54=1|");
    std::string seen;
    for (const Group& party : order.groups(*parties)) {
        seen += fmt::format("{}{}", party.text_or_empty(tag::party_id),
                            party.text_or_empty(tag::party_role));
        for (const Group& sub : party.groups(*subs)) seen += sub.text_or_empty(tag::party_sub_id);
        seen += ' ';
    }
    EXPECT_EQ(seen, "A1xy B3 ");
    EXPECT_EQ(order.groups(*parties).declared(), Value<std::int64_t>{2});
    EXPECT_EQ(order.text(tag::side), "1");
    EXPECT_TRUE(message("35=D|34=1|54=1|").groups(*parties).empty());
    EXPECT_EQ(dictionary.group("D", tag::side), nullptr);
}

}  // namespace
}  // namespace damrak::fix_codec::decode_test
