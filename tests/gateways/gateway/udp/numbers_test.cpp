// Numbers of public senders that start again: by themselves, as there is no message for it.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/udp_exchange.hpp"

namespace damrak::testing::numbers_test {
namespace {

using ::testing::IsEmpty;
using wire::packet::Action;
using Order = wire::packet::Order;

Order cancel(std::uint64_t name) { return {.name = {name}, .action = Action::cancel}; }

/// Sends orders whose names equal their numbers.
void send_buys(UdpSender& sender, std::uint32_t first, std::uint32_t orders) {
    sender.sequence = first - 1;
    for (std::uint32_t i = 0; i < orders; ++i)
        sender.send({.name = {first + i}, .price_e2 = 5'000, .quantity = 1, .side = Side::buy});
}

TEST(UdpNumbers, TheSixteenthNumberFromOneRestartsTheSequence) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    send_buys(alice, 1, 2'000);
    exchange.run();
    for (std::uint64_t i = 1; i <= 2'000; ++i) alice.send(cancel(i));
    exchange.run();
    send_buys(alice, 1, 100);
    exchange.run();
    const gateway::udp::UdpCounters& counters = exchange.gateway().counters();
    EXPECT_EQ(counters.begun_anew, 1U);
    EXPECT_EQ(counters.too_old, 15U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 2'000U + 85U);
    EXPECT_THAT(alice.heard(), IsEmpty()) << "the public formats have no message for it";
    // From here on it is held to the new count.
    send_buys(alice, 50, 10);
    exchange.run();
    EXPECT_EQ(counters.duplicates, 10U);
    // And once more.
    send_buys(alice, 2'000, 1'500);
    send_buys(alice, 1, 20);
    exchange.run();
    EXPECT_EQ(counters.begun_anew, 2U);
}

TEST(UdpNumbers, AJumpFarAheadMovesNothingUnlessOthersFollowIt) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    constexpr std::uint32_t k_far = 1U << 30U;
    send_buys(alice, 1, 10);
    send_buys(alice, k_far, 1);
    send_buys(alice, 11, 10);
    exchange.run();
    const gateway::udp::UdpCounters& counters = exchange.gateway().counters();
    EXPECT_EQ(counters.far_ahead, 1U);
    EXPECT_EQ(counters.missing, 0U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 20U);
    send_buys(alice, k_far, 30);
    exchange.run();
    EXPECT_EQ(counters.begun_anew, 1U);
    EXPECT_EQ(counters.far_ahead, 1U + 15U);
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 20U + 15U);
}

TEST(UdpNumbers, OldOnesThatAreNotInARowBeginNothing) {
    UdpExchange exchange;
    UdpSender& alice = exchange.sender(4'001);
    send_buys(alice, 1, 3'000);
    exchange.run();
    for (std::uint32_t i = 1; i <= 40; ++i) send_buys(alice, 2 * i, 1);
    for (std::uint32_t i = 0; i < 40; ++i) {
        send_buys(alice, 500 + i, 1);
        send_buys(alice, 3'001 + i, 1);  // of its count
    }
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().begun_anew, 0U);
    EXPECT_EQ(exchange.gateway().counters().too_old, 80U);
}

TEST(UdpNumbers, ABeginningBehindARestartIsKnown) {
    UdpExchange before;
    send_buys(before.sender(4'001), 1, 2'000);
    before.run();
    for (std::uint64_t i = 1; i <= 2'000; ++i) before.sender(4'001).send(cancel(i));
    before.run();
    send_buys(before.sender(4'001), 1, 100);
    before.run();
    UdpExchange exchange{{.journal = before.journal()}};
    UdpSender& alice = exchange.sender(4'001);
    send_buys(alice, 16, 85);
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().duplicates, 85U);
    send_buys(alice, 101, 1);
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().gaps, 0U);
    EXPECT_EQ(exchange.gateway().counters().far_ahead + exchange.gateway().counters().too_old, 0U);
}

}  // namespace
}  // namespace damrak::testing::numbers_test
