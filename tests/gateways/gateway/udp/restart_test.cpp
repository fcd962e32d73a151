// State of the UDP gateway after a restart, from the journal alone: senders, open orders, and
// numbers already entered.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/udp_exchange.hpp"

namespace damrak::testing::restart_test {
namespace {

using ::testing::ElementsAre;
using wire::packet::Action;
using wire::packet::Format;
using Order = wire::packet::Order;

Order order(std::uint32_t sequence, std::uint64_t name, Side side, std::uint32_t quantity = 5) {
    return {.sequence = sequence,
            .name = {name},
            .price_e2 = 10'000,
            .quantity = quantity,
            .side = side};
}

TEST(UdpRestart, JournaledOrdersAreNotEnteredTwice) {
    UdpExchange before;
    before.sender(4'001).send_as_numbered(order(1, 1, Side::sell));
    before.sender(4'001).send_as_numbered(order(3, 2, Side::buy));  // filled; its name is free
    before.run();
    UdpExchange after{{.journal = before.journal()}};
    UdpSender& alice = after.sender(4'001);
    alice.send_as_numbered(order(1, 1, Side::sell));
    alice.send_as_numbered(order(3, 2, Side::buy));
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 2U);
    EXPECT_EQ(after.commands(CommandKind::new_order), 2U);
    // The skipped numbers arrive now.
    alice.send_as_numbered(order(2, 3, Side::sell));
    alice.send_as_numbered(order(4, 4, Side::buy));
    after.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 4 3 5@10000"));
}

TEST(UdpRestart, SendersOfIpv6AreWhereTheyWere) {
    UdpExchange before;
    UdpSender& early = before.sender(4'001, true);
    early.send(order(0, 1, Side::sell));
    early.begin(50);
    early.sequence = 50;
    early.send(order(0, 2, Side::sell));
    before.sender(4'002, true).send(order(0, 1, Side::sell));
    before.run();
    EXPECT_NE(early.session(), before.sender(4'002).session());
    UdpExchange after{{.journal = before.journal()}};
    UdpSender& late = after.sender(4'001, true);
    after.sender(4'001 + 100).send(order(0, 9, Side::buy));
    after.run();
    EXPECT_THAT(late.heard(), ElementsAre("trade 0 1 5@10000")) << "before it has sent anything";
    late.sequence = 50;
    late.send(order(0, 2, Side::sell));
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 1U);
}

TEST(UdpRestart, NumbersAreKnownInAllTheirBits) {
    constexpr std::uint32_t k_high = UINT32_MAX - 1;
    UdpExchange before;
    for (std::uint32_t i = 0; i < 4; ++i)
        before.sender(4'001).send_as_numbered(order(k_high + i, 1 + i, Side::sell));
    before.run();
    UdpExchange after{{.journal = before.journal()}};
    for (std::uint32_t i = 0; i < 5; ++i)
        after.sender(4'001).send_as_numbered(order(k_high + i, 1 + i, Side::sell));
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 4U);
    EXPECT_EQ(after.gateway().counters().gaps, 0U);
    EXPECT_EQ(after.gateway().clients().orders(), 5U);
}

TEST(UdpRestart, OpenOrdersAreStillTheirSendersByTheirNames) {
    UdpExchange before;
    UdpSender& alice = before.sender(4'001);
    alice.send(order(0, 1, Side::sell), Format::extended);
    alice.send(order(0, 2, Side::sell));
    alice.send(order(0, 3, Side::sell));
    before.sender(4'002).send(order(0, 9, Side::buy, 2));
    before.run();
    UdpExchange after{{.journal = before.journal()}};
    UdpSender& bob = after.sender(4'002);
    // Before alice was heard of: where her orders came from is known.
    bob.sequence = 1;
    bob.send(order(0, 10, Side::buy, 4));
    after.run();
    UdpSender& again = after.sender(4'001);
    EXPECT_THAT(again.heard(), ElementsAre("1 executed 1 3@10000 left 0", "trade 0 2 1@10000"));
    again.sequence = 3;
    again.send({.name = {2}, .action = Action::cancel});
    again.send({.name = {3},
                .price_e2 = 10'000,
                .quantity = 1,
                .action = Action::modify,
                .side = Side::sell});
    bob.send(order(0, 11, Side::buy, 9));
    after.run();
    EXPECT_THAT(again.heard(), ElementsAre("trade 0 3 1@10000"));
    EXPECT_EQ(after.gateway().counters().refused, 0U);
    // Participants continue as well: a new sender is somebody else.
    after.sender(4'003).send(order(0, 1, Side::sell));
    after.run();
    EXPECT_NE(after.journal().back().command.participant,
              before.journal().back().command.participant);
}

TEST(UdpRestart, AForgottenSenderIsNew) {
    UdpExchange before{{.gateway = {.source_timeout_ns = 1'000}}};
    before.sender(4'001).send(order(0, 1, Side::sell));
    before.sender(4'001).send({.name = {1}, .action = Action::cancel});
    before.run();
    before.clock.ns += 1'000'000'000;
    before.run();
    ASSERT_EQ(before.gateway().clients().sources(), 0U);
    UdpExchange after{{.journal = before.journal()}};
    EXPECT_EQ(after.gateway().clients().sources(), 0U);
    after.sender(4'001).send(order(0, 1, Side::sell));
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 0U);
    EXPECT_EQ(after.gateway().clients().orders(), 1U);
}

// The gateway's own cancels have no number.
TEST(UdpRestart, CancelsForSilenceUseNoNumbers) {
    UdpExchange before{
        {.gateway = {.source_timeout_ns = 1'000'000'000, .cancel_on_silence = true}}};
    before.sender(4'001).sequence = UINT32_MAX - 1;
    before.sender(4'001).send(order(0, 1, Side::sell));
    before.run();
    before.clock.ns += 1'500'000'000;
    before.run();
    ASSERT_EQ(before.gateway().clients().orders(), 0U);
    UdpExchange after{{.journal = before.journal()}};
    ASSERT_EQ(after.gateway().clients().sources(), 1U);
    after.sender(4'001).sequence = UINT32_MAX;
    after.sender(4'001).send(order(0, 2, Side::sell));
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 0U);
    EXPECT_EQ(after.gateway().clients().orders(), 1U) << "number 0";
}

TEST(UdpRestart, RestartedNumbersContinue) {
    UdpExchange before;
    UdpSender& alice = before.sender(4'001);
    alice.send(order(0, 1, Side::sell), Format::extended);
    alice.begin(500);
    alice.send(order(0, 2, Side::sell), Format::extended);
    before.run();
    UdpExchange after{{.journal = before.journal()}};
    UdpSender& again = after.sender(4'001);
    again.begin(500);
    again.send(order(0, 3, Side::sell), Format::extended);
    after.run();
    EXPECT_EQ(after.gateway().counters().duplicates, 2U);
    again.begin(1);
    again.send(order(0, 3, Side::sell), Format::extended);
    after.run();
    EXPECT_EQ(after.gateway().clients().orders(), 3U);
}

}  // namespace
}  // namespace damrak::testing::restart_test
