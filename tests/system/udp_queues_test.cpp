// A running exchange on a card with four queues, over which the kernel spreads what its senders
// send.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "udp_veth.hpp"

namespace damrak::testing::udp_queues_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint8_t k_sell = 0;
constexpr std::uint64_t k_senders = 64;

class UdpQueues : public UdpVethTest {
  protected:
    [[nodiscard]] unsigned queues() const override { return 4; }

    [[nodiscard]] std::vector<std::unique_ptr<RawUdp>> senders(std::uint16_t server) const {
        std::vector<std::unique_ptr<RawUdp>> all;
        for (std::uint64_t i = 0; i < k_senders; ++i) all.push_back(sender(server));
        return all;
    }
};

TEST_P(UdpQueues, WhateverQueueTheyComeByAllAreServed) {
    const auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_THAT(log(), HasSubstr("4 of 4 queues"));
    const auto all = senders(server->udp_port());
    for (std::uint32_t first = 1; first <= 9; first += 2) {
        for (const auto& one : all) {
            one->send(packed(
                {.sequence = first, .id = first, .price = 10'000, .quantity = 1, .side = k_sell}));
            one->send(
                packed({.sequence = first + 1, .id = first + 1, .price = 10'000, .quantity = 1}));
            EXPECT_THAT(one->receive_all(1),
                        ElementsAre(public_trade(first + 1, first, 10'000, 1)));
        }
    }
    const Counters expected{{"datagrams_total", 10 * k_senders},
                            {"unusable_total", 0},
                            {"duplicates_total", 0},
                            {"missing_total", 0},
                            {"kernel_drops_total", 0},
                            {"fill_empty_total", 0}};
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_EQ(programs(), 0);
}

TEST_P(UdpQueues, WhatComesByAQueueWithoutASocketIsCounted) {
    const auto server = start("queues = 1\n");
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_THAT(log(), HasSubstr("1 of 4 queues"));
    EXPECT_THAT(log(), HasSubstr("warning      udp: datagrams on 3 of the 4 queues of damrak0 are "
                                 "lost, as no socket serves them"));
    const auto all = senders(server->udp_port());
    for (const auto& one : all)
        one->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 1}));
    Counters seen;
    EXPECT_TRUE(testing::eventually([&] {
        seen = counters();
        return seen["datagrams_total"] + seen["unusable_total"] == k_senders;
    }));
    EXPECT_GT(seen["datagrams_total"], 0U);
    EXPECT_GT(seen["unusable_total"], 0U) << "the kernel spreads what they send";
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_THAT(log(), HasSubstr(" on a queue of the card without a socket"));
}

INSTANTIATE_TEST_SUITE_P(Modes, UdpQueues, ::testing::Values("generic", "native"),
                         [](const auto& mode) { return mode.param; });

}  // namespace
}  // namespace damrak::testing::udp_queues_test
