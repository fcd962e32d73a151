// `damrak serve` with its UDP gateway over a virtual cable: trades byte for byte, and the program
// on the card is there when it should be.
#include "udp_veth.hpp"

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_udp.hpp"

namespace damrak::testing::udp_veth_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint8_t k_sell = 0;

using UdpVeth = UdpVethTest;

TEST_P(UdpVeth, TradesByteForByteAndOtherTrafficPasses) {
    const auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_THAT(log(), HasSubstr(by_xdp() ? "AF_XDP on damrak0" : "a socket at 10.26.4.1"));
    const auto alice = sender(server->udp_port());
    const auto bob = sender(server->udp_port());
    EXPECT_TRUE(other_traffic_passes());
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(words({.sequence = 2, .id = 2, .price = 10'001, .quantity = 2}));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 2)));
    for (const std::size_t length : {1U, 17U, 25U, 600U, 1'472U, 4'000U})
        bob->send(Bytes(length, std::byte{0x77}));
    bob->send(packed({.sequence = 8, .id = 9, .price = 10'000, .quantity = 9}));
    EXPECT_THAT(bob->receive_all(1), ElementsAre(public_trade(9, 0, 10'000, 3)));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(0, 1, 10'000, 3)));
    EXPECT_TRUE(other_traffic_passes());
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_EQ(programs(), 0);
    EXPECT_THAT(log(), HasSubstr("1 duplicate"));
}

TEST_P(UdpVeth, AfterAKillThereIsOneProgramAndTheSendersAreKnown) {
    auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    const auto alice = sender(server->udp_port());
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 1}));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 1)));
    EXPECT_EQ(programs(), by_xdp() ? 1 : 0);
    server->kill();
    server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_EQ(programs(), by_xdp() ? 1 : 0);
    const auto bob = sender(server->udp_port());
    bob->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 1}));
    EXPECT_THAT(bob->receive_all(1), ElementsAre(public_trade(1, 0, 10'000, 1)));
    // Before it has sent anything to this run: where it is, its card included, is in the journal.
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(0, 1, 10'000, 1)));
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_EQ(programs(), 0);
}

// Sends forty datagrams with one call and one buffer (UDP GSO).
void send_as_one(const RawUdp& sender, std::uint32_t first, std::uint32_t count) {
    Bytes batch;
    for (std::uint32_t number = first; number < first + count; ++number)
        append(batch, packed({.sequence = number, .id = number, .price = 9'000, .quantity = 1}));
    sender.send_in_segments(batch, 18);
}

TEST_P(UdpVeth, BatchesOfOneBufferAreAsManyDatagramsButInGenericMode) {
    const auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    const auto alice = sender(server->udp_port());
    send_as_one(*alice, 1, 40);
    const bool cut = GetParam() != "generic";
    const Counters expected{{"datagrams_total", cut ? 40 : 1},
                            {"orders_total", cut ? 40 : 0},
                            {"malformed_total", cut ? 0 : 1}};
    EXPECT_EQ(counters_like(expected), expected);
    if (!cut) {
        EXPECT_THAT(
            log(),
            HasSubstr("generic mode (it loses batches that local programs send with UDP GSO)"));
    }
    EXPECT_EQ(server->terminate(), 0);
}

TEST_P(UdpVeth, AnInterfaceThatIsTakenAwayIsReported) {
    const auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_EQ(counters()["interface_lost"], 0U);
    static_cast<void>(said_by(std::string{"ip link delete "} + net::VethPair::k_interface));
    EXPECT_THAT(server->log_with("is gone"),
                HasSubstr("udp          the network interface damrak0 is gone"));
    EXPECT_EQ(counters()["interface_lost"], 1U);
    EXPECT_EQ(server->terminate(), 0);
}

// The default path: whatever is chosen, it loses nothing.
TEST_P(UdpVeth, WhatIsChosenTakesBatches) {
    if (GetParam() != "native") GTEST_SKIP() << "once is enough";
    const auto server = start_with("path = \"auto\"\n");
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_THAT(log(), HasSubstr("native mode"));
    const auto alice = sender(server->udp_port());
    send_as_one(*alice, 1, 40);
    const Counters expected{{"datagrams_total", 40}, {"orders_total", 40}};
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server->terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, UdpVeth, all_udp_paths(),
                         [](const auto& path) { return path.param; });

}  // namespace
}  // namespace damrak::testing::udp_veth_test
