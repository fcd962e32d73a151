// `damrak serve` with its UDP gateway, as an independent sender of the public formats finds it:
// trades byte for byte, and whatever a network does to datagrams.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_udp.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::udp_gateway_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint8_t k_sell = 0;
constexpr std::uint8_t k_buy = 1;
constexpr std::uint8_t k_cancel = 2;
constexpr std::uint8_t k_modify = 3;

class UdpGateway : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] std::vector<std::string> arguments() const {
        return {"--only", "udp", "--binary-port", "off", "--wiring", GetParam()};
    }
    [[nodiscard]] std::string data() const { return folder_ / "data"; }
    [[nodiscard]] std::string log() const { return folder_ / "log"; }
    ScratchFolder folder_;
};

TEST_P(UdpGateway, TradesOfBothPublicFormatsByteForByte) {
    RunningServer server{data(), log(), arguments()};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    EXPECT_EQ(server.port(), 0) << "only that gateway is open";
    RawUdp alice{server.udp_port()};
    RawUdp bob{server.udp_port()};
    alice.send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice.send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice.send(words({.sequence = 3, .id = 3, .price = 10'001, .quantity = 5, .side = k_buy}));
    // Its own order at the front of the queue.
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(3, 1, 10'000, 5)));
    bob.send(words({.sequence = 1, .id = 9, .price = 10'000, .quantity = 3, .side = k_buy}));
    EXPECT_THAT(bob.receive_all(1), ElementsAre(public_trade(9, 0, 10'000, 3)));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(0, 2, 10'000, 3)));
    alice.send(packed(
        {.sequence = 4, .id = 2, .price = 9'999, .quantity = 7, .type = k_modify, .side = k_sell}));
    alice.send(packed({.sequence = 5, .id = 5, .price = 9'998, .quantity = 4, .side = k_sell}));
    alice.send(packed({.sequence = 6, .id = 5, .type = k_cancel}));
    alice.send(packed({.sequence = 7, .id = 7, .price = 10'000, .quantity = 10, .side = k_buy}));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(7, 2, 9'999, 7)));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(UdpGateway, DuplicatesGapsAndGarbageAreCountedAndReported) {
    RunningServer server{data(), log(), arguments()};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    RawUdp mallory{server.udp_port()};
    for (const std::size_t length : {1U, 17U, 19U, 23U, 25U, 31U, 500U, 1'472U, 9'000U, 65'000U})
        mallory.send(Bytes(length, std::byte{0x55}));
    mallory.send({});
    RawUdp alice{server.udp_port()};
    const Bytes sell =
        packed({.sequence = 10, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell});
    alice.send(sell);
    alice.send(sell);
    alice.send(packed({.sequence = 13, .id = 2, .price = 10'000, .quantity = 4, .side = k_buy}));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 4)));
    alice.send(sell);
    alice.send(packed({.sequence = 14, .id = 0, .price = 10'000, .quantity = 4, .side = k_buy}));
    alice.send(packed({.sequence = 15, .id = 3, .price = 10'000, .quantity = 0, .side = k_buy}));
    alice.send(packed({.sequence = 16, .id = 4, .price = 10'000, .quantity = 4, .side = 2}));
    alice.send(packed({.sequence = 17, .id = 5, .price = 10'000, .quantity = 4, .side = k_buy}));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(5, 1, 10'000, 1)));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(content_of(log()),
                HasSubstr("in all 2 duplicates, 2 numbers skipped, 10 malformed, 1 refused, "
                          "1 rejected by the exchange, 2 too long for any order"));
}

TEST_P(UdpGateway, AFloodCostsTheOthersNothing) {
    RunningServer server{data(), log(), arguments()};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    RawUdp flooder{server.udp_port()};
    for (std::uint32_t i = 1; i <= 20'000; ++i) {
        flooder.send(packed({.sequence = i, .id = i, .price = 1'000, .quantity = 1}));
        if (i % 3 == 0) flooder.send(Bytes(i % 200));
    }
    RawUdp alice{server.udp_port()};
    alice.send(packed({.sequence = 1, .id = 1, .price = 20'000, .quantity = 5, .side = k_sell}));
    // A datagram may be lost while the flood lasts: repeated, with its number, until it is heard.
    EXPECT_EQ(alice.receive_asking([&] {
        alice.send(
            packed({.sequence = 1, .id = 1, .price = 20'000, .quantity = 5, .side = k_sell}));
        alice.send(packed({.sequence = 2, .id = 2, .price = 20'000, .quantity = 5}));
    }),
              public_trade(2, 1, 20'000, 5));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(UdpGateway, OrdersMeetThoseOfTheOtherGateways) {
    RunningServer server{data(), log(), {"--only", "udp", "--wiring", GetParam()}};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    RawUdp alice{server.udp_port()};
    alice.send(extended({.sequence = 1, .id = 77, .price = 10'000, .quantity = 5, .side = k_sell}));
    const auto accepted = alice.receive();
    ASSERT_TRUE(accepted);
    EXPECT_EQ(get(*accepted, 16, 1), 1U);
    const RawClient bob{server.port()};
    const Login login = hello(bob);
    bob.send(new_order(2, login.client, {.side = 0, .quantity = 2, .price_e2 = 10'000}));
    const auto executed = alice.receive();
    ASSERT_TRUE(executed);
    ASSERT_EQ(executed->size(), 16U + 56U);
    EXPECT_EQ(get(*executed, 8, 4), 2U) << "its second reply";
    EXPECT_EQ(get(*executed, 16, 1), 3U) << "executed";
    EXPECT_EQ(get(*executed, 20, 4), 1U) << "the number of the order";
    EXPECT_EQ(get(*executed, 24, 8), 77U);
    EXPECT_EQ(get(*executed, 48, 4), 10'000U);
    EXPECT_EQ(get(*executed, 52, 4), 2U);
    EXPECT_EQ(get(*executed, 56, 4), 3U) << "still open";
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(UdpGateway, ARestartKnowsItsSendersAndWhatTheySent) {
    RawUdp alice{1};
    {
        RunningServer server{data(), log(), arguments()};
        ASSERT_NE(server.udp_port(), 0) << content_of(log());
        alice.aim_at(server.udp_port());
        alice.send(
            packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
        alice.send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 1}));
        EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 1)));
        server.kill();
    }
    RunningServer server{data(), log(), arguments()};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    alice.aim_at(server.udp_port());
    RawUdp bob{server.udp_port()};
    bob.send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 1}));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(0, 1, 10'000, 1)));
    // Repeated with their numbers they are not entered again.
    alice.send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 1}));
    alice.send(packed({.sequence = 3, .id = 3, .price = 10'000, .quantity = 9}));
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(3, 1, 10'000, 3)));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(content_of(log()), HasSubstr("1 duplicate"));
}

TEST_P(UdpGateway, TradesGoToThePortWhereThePublishedSenderListens) {
    RawUdp listener{1};
    std::vector<std::string> more = arguments();
    more.insert(more.end(), {"--udp-reply-to", std::to_string(listener.port())});
    RunningServer server{data(), log(), more};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    EXPECT_THAT(content_of(log()),
                HasSubstr("trades of the public formats go to the sender's port " +
                          std::to_string(listener.port())));
    RawUdp sender{server.udp_port()};
    sender.send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    sender.send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 5}));
    EXPECT_THAT(listener.receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 5)));
    EXPECT_FALSE(sender.receive(false));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(UdpGateway, ASenderThatIsStartedAgainFromOneIsServedAndReported) {
    RunningServer server{data(), log(), arguments()};
    ASSERT_NE(server.udp_port(), 0) << content_of(log());
    RawUdp alice{server.udp_port()};
    const auto trade = [&alice](std::uint32_t number) {
        alice.send(packed(
            {.sequence = number, .id = number, .price = 10'000, .quantity = 1, .side = k_sell}));
        alice.send(
            packed({.sequence = number + 1, .id = number + 1, .price = 10'000, .quantity = 1}));
    };
    for (std::uint32_t number = 1; number <= 1'999; number += 2) {
        trade(number);
        ASSERT_THAT(alice.receive_all(1), ElementsAre(public_trade(number + 1, number, 10'000, 1)));
    }
    for (std::uint32_t number = 1; number <= 19; number += 2) trade(number);
    // The fifteen before are lost, and with the seventeenth there is a pair.
    EXPECT_THAT(alice.receive_all(1), ElementsAre(public_trade(16, 17, 10'000, 1)));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(content_of(log()),
                HasSubstr("15 numbers too old to check, 1 restart of a sender's numbers"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, UdpGateway, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return wiring.param; });

}  // namespace
}  // namespace damrak::testing::udp_gateway_test
