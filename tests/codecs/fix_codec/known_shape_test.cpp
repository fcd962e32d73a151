// Messages of a shape that the decoder knows: the fast path reads them like the general one.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/fix_codec/checksum.hpp>
#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/delimiters.hpp>
#include <damrak/fix_codec/detail/byte_bounds.hpp>
#include <damrak/fix_codec/dictionary.hpp>

#include "support/fix_text.hpp"

namespace damrak::fix_codec::known_shape_test {
namespace {

using testing::fix_bytes;
using testing::fix_message;

std::string order(std::string_view msg_type, std::string_view id, std::string_view quantity,
                  std::string_view rest = "40=1|") {
    return fix_message("FIX.4.4",
                       fmt::format("35={}|34=2|49=CLIENT|52=20251231-18:21:36.457|56=DAMRAK|11={}|"
                                   "55=NOKIA|54=1|60=20251231-18:21:36|38={}|{}",
                                   msg_type, id, quantity, rest));
}

// A trained decoder and a new one must give the same results.
class FixKnownShape : public ::testing::Test {
  protected:
    void expect_same(const std::string& bytes) {
        Decoder fresh;
        Message expected;
        Message message;
        const Scan wanted = fresh.scan(bytes, expected);
        const Scan scan = used_.scan(bytes, message);
        ASSERT_EQ(scan.status, wanted.status);
        ASSERT_EQ(scan.bytes, wanted.bytes);
        ASSERT_EQ(scan.reason, wanted.reason);
        if (scan.status != Scan::Status::message) return;
        ASSERT_EQ(message.fields().size(), expected.fields().size());
        for (std::size_t i = 0; i < expected.fields().size(); ++i) {
            EXPECT_EQ(message.fields()[i].tag, expected.fields()[i].tag);
            EXPECT_EQ(message.value(message.fields()[i]), expected.value(expected.fields()[i]));
            const Tag tag = expected.fields()[i].tag;
            EXPECT_EQ(message.text(tag), expected.text(tag));
        }
        EXPECT_EQ(message.text(tag::price), expected.text(tag::price));
        const Dictionary& dictionary = Dictionary::of(BeginString::fix44);
        EXPECT_EQ(dictionary.validate(message), dictionary.validate(expected));
    }
    /// Often enough for everything that the decoder learns.
    void teach(const std::string& bytes) {
        for (int i = 0; i < 40; ++i) expect_same(bytes);
    }
    /// Learns from a value, then tests all values that differ from it in one letter.
    void expect_same_beside(std::string_view tag, std::string_view value) {
        used_ = Decoder{};
        const auto bytes = [&](std::string_view text) {
            return order("D", "1", "100",
                         fmt::format("{}{}{}|", tag == "40=" ? "" : "40=1|", tag, text));
        };
        teach(bytes(value));
        for (std::size_t at = 0; at < value.size(); ++at)
            for (char letter = ' '; letter <= '~'; ++letter) {
                std::string other{value};
                other[at] = letter;
                if (letter != '|') expect_same(bytes(other));
            }
    }

    Decoder used_;
};

TEST_F(FixKnownShape, HasItsOwnSequenceNumberInAReusedView) {
    Message message;
    for (std::uint64_t number = 95; number < 140; ++number) {
        const std::string bytes = fix_message(
            "FIX.4.4",
            fmt::format("35=0|34={}|49=CLIENT|52=20251231-18:21:36.457|56=DAMRAK|112=x|", number));
        ASSERT_EQ(used_.scan(bytes, message).status, Scan::Status::message);
        EXPECT_EQ(message.sequence(), number);
        EXPECT_EQ(message.sequence(), number);
    }
}

TEST_F(FixKnownShape, IsReadTheSameWithOtherValues) {
    teach(order("D", "1", "100"));
    expect_same(order("D", "2", "200"));
    expect_same(order("D", "a longer id", "7"));
    expect_same(order("D", "", "7"));
    expect_same(order("D", "=", "7"));
    expect_same(order("D", "2", "200"));
}

TEST_F(FixKnownShape, IsReadTheSameInLayoutsThatTakeTurns) {
    for (int i = 0; i < 40; ++i)
        for (const std::string_view id : {"", "1", "22", "333"})
            for (const std::string_view quantity : {"5", "66", "x", "777"})
                expect_same(order("D", id, quantity));
}

TEST_F(FixKnownShape, IsReplacedByAnotherOneOfTheSameLength) {
    teach(order("D", "1", "100"));
    expect_same(order("D", "1", "100", "44=1|"));
    expect_same(order("D", "1", "1|9", "40=1|"));
    expect_same(order("D", "1", "100", "40=|1"));
    expect_same(order("D", "1", "100", "4=01|"));
}

TEST_F(FixKnownShape, OfOneMessageTypeDoesNotApplyToAnother) {
    // T has the same shape bits as D, but no dictionary defines it.
    teach(order("D", "1", "100"));
    expect_same(order("T", "1", "100"));
    expect_same(order("D", "1", "100"));
    expect_same(order("DD", "1", "10"));
}

TEST_F(FixKnownShape, HasItsValuesCheckedEveryTime) {
    teach(order("D", "1", "100", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "+10", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "1.0", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "1..", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=?|18=1 6|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 ?|21=1|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=9|126=20251231-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=1|126=20250229-00:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=1|126=20251231-24:00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=1|126=20251231-00;00:00|453=1|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=2|448=A|"));
    expect_same(order("D", "1", "100", "40=1|18=1 6|21=1|126=20251231-00:00:00|453=1|448=|"));
}

TEST_F(FixKnownShape, HasItsTimesReadToTheLastDigit) {
    for (const std::string_view time :
         {"20251231-18:21:36.457", "20241229-23:59:60.000", "20241229-23:59:59",
          "20240229-09:00:05.999", "20261121-10:20:30"})
        expect_same_beside("126=", time);
}

TEST_F(FixKnownShape, HasItsNumbersReadToTheLastDigit) {
    for (const std::string_view price :
         {"12345.6", "-2345.6", "1234567", ".5", "5.", "1", "123456789.25"})
        expect_same_beside("44=", price);
    expect_same_beside("541=", "20251231");
    expect_same_beside("200=", "202512");
}

TEST_F(FixKnownShape, AcceptsAllowedLettersThatItHasNotSeen) {
    for (const std::string_view order_type : {"1", "9", "A", "G", "M", "P"})
        expect_same_beside("40=", order_type);
    for (const std::string_view instructions : {"1", "1 6 G"})
        expect_same_beside("18=", instructions);
    expect_same_beside("114=", "Y");
    expect_same_beside("167=", "CS");
}

TEST_F(FixKnownShape, IsValidatedByEachDictionarySeparately) {
    // FIX.4.2 has no order type after I, except P.
    const Dictionary& older = Dictionary::of(BeginString::fix42);
    const Dictionary& newer = Dictionary::of(BeginString::fix44);
    const std::string market = order("D", "1", "100", "40=1|21=1|");
    const std::string newest = order("D", "1", "100", "40=M|21=1|");
    Message message;
    const auto judge = [&](const Dictionary& dictionary, const std::string& bytes) {
        EXPECT_EQ(used_.scan(bytes, message).status, Scan::Status::message);
        return dictionary.validate(message);
    };
    const Violation unknown{tag::ord_type, SessionRejectReason::value_incorrect};
    for (int i = 0; i < 40; ++i) EXPECT_EQ(judge(newer, newest), std::nullopt);
    EXPECT_EQ(judge(older, newest), unknown);
    EXPECT_EQ(judge(older, market), std::nullopt);
    EXPECT_EQ(judge(older, newest), unknown);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(judge(older, market), std::nullopt);
    EXPECT_EQ(judge(older, newest), unknown);
    EXPECT_EQ(judge(newer, newest), std::nullopt);
    EXPECT_EQ(older.validate(message), unknown);
    EXPECT_EQ(newer.validate(message), std::nullopt);
    EXPECT_EQ(older.validate(message), unknown);
}

constexpr std::string_view k_notes = R"(<fix major="4" minor="4">
  <header><field name="BeginString" required="Y"/><field name="BodyLength" required="Y"/>
    <field name="MsgType" required="Y"/></header>
  <trailer><field name="CheckSum" required="Y"/></trailer>
  <messages><message name="Note" msgtype="N" msgcat="app">
    <field name="Line" required="Y"/><field name="Mark" required="Y"/></message></messages>
  <fields>
    <field number="8" name="BeginString" type="STRING"/>
    <field number="9" name="BodyLength" type="LENGTH"/>
    <field number="35" name="MsgType" type="STRING"/>
    <field number="10" name="CheckSum" type="STRING"/>
    <field number="6001" name="Line" type="STRING"/>
    <field number="6002" name="Mark" type="STRING"><value enum="A" description="A"/>
      <value enum="B" description="B"/><value enum="AB" description="AB"/></field>
  </fields></fix>)";

TEST_F(FixKnownShape, HasLongerValuesCheckedCompletely) {
    const auto dictionary = Dictionary::load(k_notes);
    ASSERT_TRUE(dictionary) << dictionary.error();
    Message message;
    const auto judge = [&](std::string_view mark) {
        const std::string bytes =
            fix_message("FIX.4.4", fmt::format("35=N|6001={:*^50}|6002={}|", "", mark));
        EXPECT_EQ(used_.scan(bytes, message).status, Scan::Status::message);
        return dictionary->validate(message);
    };
    const Violation wrong{6'002, SessionRejectReason::value_incorrect};
    for (const std::string_view right : {"A", "AB", "B", "AB"}) {
        for (int i = 0; i < 40; ++i) EXPECT_EQ(judge(right), std::nullopt);
        for (const std::string_view other : {"BA", "AA", "BB"})
            EXPECT_EQ(judge(other), wrong) << other;
    }
}

TEST_F(FixKnownShape, DoesNotHideAWrongCheckSumOrLength) {
    std::string bytes = order("D", "1", "100");
    teach(bytes);
    std::string wrong = bytes;
    wrong[wrong.size() - 2] = wrong[wrong.size() - 2] == '0' ? '1' : '0';
    expect_same(wrong);
    wrong = bytes;
    wrong[wrong.find("9=") + 2] = '9';
    expect_same(wrong);
    wrong = bytes;
    wrong[wrong.find("CLIENT")] = 'X';
    expect_same(wrong);
    for (std::size_t length = 0; length < bytes.size(); ++length)
        expect_same(bytes.substr(0, length));
    expect_same(bytes + bytes);
}

TEST_F(FixKnownShape, KeepsRawDataWithDelimitersWhole) {
    const std::string body = "35=A|34=1|49=CLIENT|52=20251231-18:21:36|56=DAMRAK|98=0|108=30|";
    teach(fix_message("FIX.4.4", body));
    teach(fix_message("FIX.4.4", body + "95=5|96=a|b=c|"));
    expect_same(fix_message("FIX.4.4", body + "95=5|96=abcde|"));
}

// Changes any byte, any number of times: the two decoders never differ.
TEST_F(FixKnownShape, AgreesWithTheGeneralPathOnChangedBytes) {
    const std::string bytes =
        order("D", "ORDER7", "100", "40=2|44=10000.5|453=1|448=A|447=D|452=3|");
    RandomStream random{7};
    for (int round = 0; round < 3'000; ++round) {
        expect_same(bytes);
        std::string changed = bytes;
        const auto body_bytes = static_cast<std::uint32_t>(changed.size() - 8);
        for (std::uint32_t i = random.below(3); i > 0; --i)
            changed[random.below(body_bytes)] = static_cast<char>("|=19ABZ.-: "[random.below(11)]);
        changed.resize(changed.size() - 7);
        changed = fix_bytes(changed);
        changed += fix_bytes(fmt::format("10={:03}|", checksum_portable(changed)));
        expect_same(changed);
    }
}

TEST(FixByteBounds, AreTheSameWithAndWithoutAvx2) {
    RandomStream random{5};
    detail::ByteBounds bounds;
    for (std::size_t size = detail::ByteBounds::k_minimum; size < 200; ++size) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            const auto byte = static_cast<unsigned char>(random.below(256));
            bytes[i] = static_cast<char>(byte);
            bounds.set(i, static_cast<char>(byte - std::min<unsigned>(byte, random.below(3))),
                       static_cast<char>(byte + std::min<unsigned>(255U - byte, random.below(3))));
        }
        const auto expect_same = [&] {
            std::uint64_t sum = 0;
            std::uint64_t expected = 0;
            const bool held = bounds.hold(bytes, sum);
            ASSERT_EQ(held, bounds.hold_portable(bytes, expected)) << size;
            if (held) {
                EXPECT_EQ(sum, expected);
            }
        };
        expect_same();
        for (std::size_t i = 0; i < size; ++i) {
            const char right = bytes[i];
            for (int step = -3; step <= 3; ++step) {
                bytes[i] = static_cast<char>(right + step);
                expect_same();
            }
            bytes[i] = right;
        }
    }
}

TEST(FixDelimiters, AreFoundTheSameWithAndWithoutAvx2) {
    RandomStream random{11};
    for (std::size_t size = 64; size < 400; ++size) {
        std::string bytes(size, '\0');
        for (char& c : bytes)
            c = random.below(9) == 0 ? '\x01' : static_cast<char>(random.below(256));
        Delimiters quick;
        Delimiters portable;
        const bool few = find_delimiters_portable(bytes, portable);
        ASSERT_EQ(find_delimiters(bytes, quick), few) << size;
        if (!few) continue;
        EXPECT_EQ(quick.count, portable.count);
        EXPECT_EQ(quick.sum, portable.sum);
        for (std::size_t i = 0; i < quick.count; ++i) EXPECT_EQ(quick.at[i], portable.at[i]);
    }
}

TEST(FixChecksum, IsTheSameWithAndWithoutAvx2) {
    RandomStream random{3};
    for (std::size_t size = 0; size < 300; ++size) {
        std::string bytes(size, '\0');
        for (char& c : bytes) c = static_cast<char>(random.below(256));
        EXPECT_EQ(checksum(bytes), checksum_portable(bytes)) << size;
    }
}

}  // namespace
}  // namespace damrak::fix_codec::known_shape_test
