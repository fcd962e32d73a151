// Conversations captured from the original servers, replayed against session and engine byte for
// byte. Defects of an original (the fields of MODIFY_ACK, the number in CANCEL_ACK) are corrected
// here. A command has one time stamp here: its trades have the time of its acknowledgement, while
// the original read its clock again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_examples_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Timestamp microsecond(std::int64_t time_us) { return Timestamp{time_us * 1'000}; }

class BinaryExampleExchange : public ::testing::TestWithParam<bool> {
  protected:
    BinaryExchange exchange_{{.deferred = GetParam()}};

    // Answers at once or later must be the same.
    std::vector<std::string> answers(BinaryClient& client) {
        exchange_.run();
        return client.heard_hex();
    }
};

TEST_P(BinaryExampleExchange, V1) {
    BinaryClient& a = exchange_.connect();
    BinaryClient& b = exchange_.connect();

    a.send_hex("01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222");
    EXPECT_THAT(answers(a), ElementsAre("02010010 00000001 00000001 00000000 "
                                        "00000000 00000001 01000000 00000000"));
    a.send_hex("03010008 00000002 00000001 00000000 00000000 00000001");
    EXPECT_THAT(answers(a), IsEmpty());

    exchange_.now = microsecond(0x95cc9b95);
    a.send_hex(
        "0a010028 00000003 00000001 00000000 00000000 00000001 00000001 00000000 00000000 00000064"
        "00000000 0000278b ffffffff ffffffff");
    EXPECT_THAT(answers(a),
                ElementsAre("0b010030 00000003 00000002 00000000 00000000 00000001 00000000 "
                            "00000001 00000000 0000278b 00000000 00000064 00000000 95cc9b95 "
                            "00000001 01000000"));
    a.send_hex(
        "0e010020 00000004 00000002 00000000 00000000 00000001 00000000 00000001 00000000 0000003c"
        "00000000 00002788");
    EXPECT_THAT(answers(a),
                ElementsAre("0f010030 00000004 00000003 00000000 00000000 00000001 00000000 "
                            "00000001 00000000 00000002 00000000 0000003c 00000000 00002788 "
                            "01000000 00000000"));

    b.send_hex("01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222");
    EXPECT_THAT(answers(b), ElementsAre("02010010 00000001 00000001 00000000 "
                                        "00000000 00000002 01000000 00000000"));
    exchange_.now = microsecond(0x95cc9c75);
    b.send_hex(
        "0a010028 00000002 00000001 00000000 00000000 00000002 00000001 01000000 00000000 00000019"
        "00000000 00002788 ffffffff ffffffff");
    EXPECT_THAT(answers(b),
                ElementsAre("0b010030 00000002 00000002 00000000 00000000 00000002 00000000 "
                            "00000003 00000000 00002788 00000000 00000019 00000000 95cc9c75 "
                            "00000001 01000000",
                            "14010030 00000002 00000003 00000000 00000000 00000002 00000000 "
                            "00000003 00000000 00000001 00000000 00000019 00000000 00002788 "
                            "00000000 95cc9c75"));
    EXPECT_THAT(answers(a),
                ElementsAre("14010030 00000004 00000004 00000000 00000000 00000001 00000000 "
                            "00000002 00000000 00000001 00000000 00000019 00000000 00002788 "
                            "00000000 95cc9c75"));

    a.send_hex("0c010010 00000005 00000004 00000000 00000000 00000001 00000000 00000002");
    EXPECT_THAT(answers(a), ElementsAre("0d010018 00000005 00000005 00000000 00000000 00000001 "
                                        "00000000 00000002 01000000 00000000"));
    a.send_hex("04010008 00000006 00000005 00000000 00000000 00000001");
    EXPECT_THAT(answers(a), ElementsAre("05010010 00000006 00000006 00000000 "
                                        "00000000 00000001 01000000 00000000"));
}

TEST_P(BinaryExampleExchange, V1CancelOfTheCaptureProfileIsAnsweredInItsLength) {
    BinaryClient& a = exchange_.connect();
    a.hello();
    a.buy(60, 10'120);
    a.buy(60, 10'120);
    a.send_hex("03010008 00000000 00000000 00000000 00000000 00000001");
    exchange_.run();
    a.heard_bytes();
    a.send_hex(
        "0c010020 00000005 00000004 00000000 00000000 00000001 00000000 00000002 00000000 00000000"
        "00000000 00000000");
    EXPECT_THAT(answers(a),
                ElementsAre("0d010020 00000005 00000004 00000000 00000000 00000001 00000000 "
                            "00000002 01000000 00000000 00000000 00000000"));
}

TEST_P(BinaryExampleExchange, V1RejectedOrder) {
    BinaryClient& a = exchange_.connect();
    a.hello();
    exchange_.run();
    a.heard_bytes();
    exchange_.now = microsecond(0x95cc9b95);
    // Quantity zero. The number of a rejected order does not count, so the answer does not repeat
    // it.
    a.send_hex(
        "0a010028 00000002 00000001 00000000 00000000 00000001 00000001 00000000 00000000 00000000"
        "00000000 0000278b ffffffff ffffffff");
    EXPECT_THAT(answers(a),
                ElementsAre("0b010030 00000001 00000002 00000000 00000000 00000001 00000000 "
                            "00000000 00000000 00000000 00000000 00000000 00000000 95cc9b95 "
                            "00000001 02000000"));
}

TEST_P(BinaryExampleExchange, V2) {
    BinaryClient& a = exchange_.connect();
    BinaryClient& b = exchange_.connect();

    a.send_hex("01020008 00000001 00000000 00000000 00000000 00000000");
    EXPECT_THAT(answers(a), ElementsAre("02020010 00000001 00000001 00000000 "
                                        "00000000 00000001 01000000 00000000"));
    exchange_.now = microsecond(0x5ef3fc4d291);
    a.send_hex(
        "0a020030 00000002 00000001 00000000 00000000 00000001 00000000 00000001 00000001 00000000"
        "00000000 00000064 00000000 0000278b ffffffff ffffffff");
    EXPECT_THAT(answers(a),
                ElementsAre("0b020038 00000002 00000002 00000000 00000000 00000001 00000000 "
                            "00000001 00000000 00000001 00000000 0000278b 00000000 00000064 "
                            "000005ef 3fc4d291 00000001 01000000"));
    a.send_hex(
        "0e020030 00000003 00000002 00000000 00000000 00000001 00000000 00000001 00000000 00000001"
        "00000000 0000003c 00000000 00002788 00000001 00000000");
    EXPECT_THAT(answers(a),
                ElementsAre("0f020038 00000003 00000003 00000000 00000000 00000001 00000000 "
                            "00000001 00000000 00000002 00000000 00000001 00000000 0000003c "
                            "00000000 00002788 00000001 01000000"));

    b.send_hex("01020008 00000001 00000000 00000000 00000000 00000000");
    EXPECT_EQ(answers(b).size(), 1U);
    exchange_.now = microsecond(0x5ef3fcbd3a7);
    b.send_hex(
        "0a020030 00000002 00000001 00000000 00000000 00000002 00000000 00000001 00000001 01000000"
        "00000000 00000019 00000000 00002788 ffffffff ffffffff");
    // Filled at once: the acknowledgement comes first, and reports the fill.
    EXPECT_THAT(answers(b),
                ElementsAre("0b020038 00000002 00000002 00000000 00000000 00000002 00000000 "
                            "00000003 00000000 00000001 00000000 00002788 00000000 00000000 "
                            "000005ef 3fcbd3a7 00000001 04000000",
                            "10020038 00000002 00000003 00000000 00000000 00000002 00000000 "
                            "00000003 00000000 00000001 00000000 00000001 00000000 00000019 "
                            "00000000 00002788 000005ef 3fcbd3a7"));
    EXPECT_THAT(answers(a),
                ElementsAre("10020038 00000003 00000004 00000000 00000000 00000001 00000000 "
                            "00000002 00000000 00000001 00000000 00000001 00000000 00000019 "
                            "00000000 00002788 000005ef 3fcbd3a7"));

    // Quantity zero: rejected; its number is used, and its quantity is reported as the remainder.
    a.send_hex(
        "0a020030 00000004 00000004 00000000 00000000 00000001 00000000 00000002 00000001 00000000"
        "00000000 00000000 00000000 0000278b ffffffff ffffffff");
    EXPECT_THAT(answers(a),
                ElementsAre("0b020038 00000004 00000005 00000000 00000000 00000001 00000000 "
                            "00000000 00000000 00000002 00000000 00000000 00000000 00000000 "
                            "000005ef 3fcbd3a7 00000001 02000000"));
    a.send_hex(
        "0c020020 00000005 00000004 00000000 00000000 00000001 00000000 00000002 00000000 00000001"
        "00000001 00000000");
    EXPECT_THAT(answers(a),
                ElementsAre("0d020020 00000005 00000006 00000000 00000000 00000001 00000000 "
                            "00000002 00000000 00000001 00000001 01000000"));
    a.send_hex("03020008 00000006 00000006 00000000 00000000 00000001");
    EXPECT_THAT(answers(a), ElementsAre("04020010 00000006 00000007 00000000 "
                                        "00000000 00000001 01000000 00000000"));
}

INSTANTIATE_TEST_SUITE_P(Answers, BinaryExampleExchange, ::testing::Bool(),
                         [](const auto& test) { return test.param ? "Later" : "AtOnce"; });

}  // namespace
}  // namespace damrak::testing::binary_examples_test
