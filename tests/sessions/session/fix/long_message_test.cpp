// Messages with more bytes or fields than a session accepts are rejected by their number, and the
// session continues; with a wrong BodyLength or CheckSum they are garbled like any other.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/session/fix/session.hpp>

#include "support/fix_scenario.hpp"
#include "support/fix_world.hpp"

namespace damrak::session::fix::long_message_test {
namespace {

using ::testing::ElementsAre;
using testing::FixWorld;
using testing::framed;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::with_bars;

constexpr Timestamp k_start{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00
constexpr std::size_t k_most_bytes = SessionTools::k_message_bytes;

SessionSettings settings_of(fix_codec::BeginString version) {
    SessionSettings settings;
    settings.name = {.begin_string = version,
                     .sender_comp_id = "DAMRAK",
                     .target_comp_id = "CLIENT",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
    return settings;
}

struct FixLongMessage : ::testing::Test {
    [[nodiscard]] std::string message(std::uint64_t sequence, std::string_view type,
                                      std::string_view body = {}) const {
        return framed(testing::fix_versions()[4],
                      "35=" + std::string{type} + "|34=" + std::to_string(sequence) +
                          "|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|" + std::string{body});
    }
    [[nodiscard]] std::string order(std::uint64_t sequence, std::string_view id,
                                    const std::string& more = {}) const {
        return message(
            sequence, "D",
            "11=" + std::string{id} + "|38=1|40=1|54=1|55=INTC|60=20260105-10:00:00|" + more);
    }
    /// Exactly that many bytes.
    [[nodiscard]] std::string order_of(std::size_t bytes, std::uint64_t sequence) const {
        const std::size_t rest =
            order(sequence, "LONG", "58=" + std::string(bytes, 'x') + "|").size();
        return order(sequence, "LONG", "58=" + std::string(2 * bytes - rest, 'x') + "|");
    }
    void log_on() {
        world.connect();
        world.receive(message(1, "A", "98=0|108=30|"));
        EXPECT_THAT(with_bars(world.take_output()), HasSubstr("35=A|"));
    }
    std::string say(std::string_view bytes) {
        world.receive(bytes);
        return with_bars(world.take_output());
    }
    std::string say_in_pieces(std::string_view bytes, std::size_t piece) {
        for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
            world.receive(bytes.substr(0, piece));
        return with_bars(world.take_output());
    }

    FixWorld world{settings_of(fix_codec::BeginString::fix44), k_start};
};

TEST_F(FixLongMessage, IsRejectedAndTheSessionContinues) {
    log_on();
    world.receive(order_of(k_most_bytes, 2));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order LONG"));
    const std::string told = say(order_of(k_most_bytes + 1, 3) + order(4, "NEXT"));
    EXPECT_THAT(told, HasSubstr("35=3|34=2|"));
    EXPECT_THAT(told, HasSubstr("|45=3|58=Message too long, at most 65536 bytes and 21845 fields "
                                "are taken|372=D|373=99|"));
    EXPECT_THAT(told, Not(HasSubstr("35=2|")));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order LONG", "order NEXT"));
    EXPECT_EQ(world.session().next_incoming(), 5U);
}

TEST_F(FixLongMessage, MayArriveInPiecesOfAnySize) {
    log_on();
    std::uint64_t sequence = 2;
    for (const std::size_t piece : {1U, 7U, 4'095U, 4'097U, 65'536U, 100'000U}) {
        const std::string told =
            say_in_pieces(order_of(150'000, sequence) + order(sequence + 1, "A"), piece);
        EXPECT_THAT(told, HasSubstr("|45=" + std::to_string(sequence) + "|58=Message too long"));
        sequence += 2;
        EXPECT_EQ(world.session().next_incoming(), sequence) << piece;
    }
}

TEST_F(FixLongMessage, MayHaveTooManyFieldsInsteadOfBytes) {
    log_on();
    world.tools().decoder = fix_codec::Decoder{64, k_most_bytes};
    std::string fields;
    for (int i = 0; i < 100; ++i) fields += "58=x|";
    EXPECT_THAT(say(order(2, "LONG", fields)), HasSubstr("|45=2|58=Message too long"));
    EXPECT_EQ(world.session().next_incoming(), 3U);
}

TEST_F(FixLongMessage, WithAWrongCheckSumIsGarbled) {
    log_on();
    std::string bytes = order_of(k_most_bytes + 1, 2);
    bytes[1'000] = 'y';
    EXPECT_EQ(say(bytes), "");
    EXPECT_EQ(world.session().next_incoming(), 2U);
    EXPECT_GT(world.session().garbled(), 0U);
    EXPECT_THAT(say(order(2, "NEXT")), HasSubstr("|11=NEXT|"));
}

TEST_F(FixLongMessage, AWrongBodyLengthSwallowsNoLaterMessage) {
    log_on();
    std::string bytes = order(2, "ONE");
    const std::size_t at = bytes.find("\0019=") + 3;
    bytes.replace(at, bytes.find('\x01', at) - at, "999999999");
    unsigned sum = 0;
    for (const char c : bytes.substr(0, bytes.size() - 7)) sum += static_cast<unsigned char>(c);
    const std::string digits = std::to_string(1'000 + sum % 256).substr(1);
    bytes.replace(bytes.size() - 4, 3, digits);
    std::string told = say_in_pieces(bytes + order(2, "TWO"), 9);
    // Its end is detected once enough bytes follow it.
    for (std::uint64_t i = 3; i < 40; ++i) told += say(order(i, "MORE"));
    EXPECT_THAT(told, HasSubstr("|11=TWO|"));
    EXPECT_THAT(told, Not(HasSubstr("|11=ONE|")));
    EXPECT_THAT(told, Not(HasSubstr("35=2|")));
    EXPECT_EQ(world.session().next_incoming(), 40U);
}

TEST_F(FixLongMessage, MayContainMessagesAsData) {
    log_on();
    const std::string inner = order(7, "INNER") + order(8, "INNER");
    std::string body = "35=D|34=2|49=CLIENT|52=20260105-10:00:00|56=DAMRAK|95=" +
                       std::to_string(400 * inner.size()) + "|96=";
    for (int i = 0; i < 400; ++i) body += inner;
    const std::string front = "8=FIX.4.4|9=" + std::to_string(body.size() + 1) + "|";
    std::string outer = testing::fix_bytes(front + body + "|");
    unsigned sum = 0;
    for (const char c : outer) sum += static_cast<unsigned char>(c);
    outer += "10=" + std::to_string(1'000 + sum % 256).substr(1) + '\x01';
    EXPECT_THAT(say(outer + order(3, "NEXT")), HasSubstr("|45=2|58=Message too long"));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order NEXT"));
}

TEST_F(FixLongMessage, KeepsItsPlaceInTheSequence) {
    log_on();
    // Early: requested again, and rejected in its turn.
    EXPECT_THAT(say(order_of(100'000, 3)), HasSubstr("35=2|34=2|"));
    const std::string told = say(order(2, "TWO") + order_of(100'000, 3) + order(4, "FOUR"));
    EXPECT_THAT(told, HasSubstr("|45=3|58=Message too long"));
    EXPECT_THAT(world.application.happened, ElementsAre("logon", "order TWO", "order FOUR"));
    // Too low: ends the connection, as a short one does.
    EXPECT_THAT(say(order_of(100'000, 2)), HasSubstr("58=MsgSeqNum too low, expecting 5"));
    EXPECT_FALSE(world.connected());
}

TEST_F(FixLongMessage, OfTheSessionIsRejectedToo) {
    log_on();
    const std::string note = "58=" + std::string(70'000, 'x') + "|";
    EXPECT_THAT(say(message(2, "5", note)), HasSubstr("|45=2|58=Message too long"));
    EXPECT_TRUE(world.session().logged_on());
    EXPECT_THAT(say(message(3, "4", "36=90|" + note)), HasSubstr("|45=3|58=Message too long"));
    EXPECT_THAT(say(message(3, "0")), Not(HasSubstr("35=5|")));
    EXPECT_EQ(world.session().next_incoming(), 4U);
}

TEST_F(FixLongMessage, AsALogonEndsTheConnection) {
    world.connect();
    EXPECT_EQ(say(message(1, "A", "98=0|108=30|58=" + std::string(70'000, 'x') + "|")), "");
    EXPECT_FALSE(world.connected());
    EXPECT_EQ(world.session().next_incoming(), 1U);
}

TEST_F(FixLongMessage, IsDroppedWithItsConnection) {
    log_on();
    world.receive(order_of(100'000, 2).substr(0, 50'000));
    world.disconnect();
    world.connect();
    EXPECT_THAT(say(message(2, "A", "98=0|108=30|") + order(3, "NEXT")), HasSubstr("|11=NEXT|"));
}

}  // namespace
}  // namespace damrak::session::fix::long_message_test
