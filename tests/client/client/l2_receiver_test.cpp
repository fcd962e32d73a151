// Receiving the market data feed, with and without losses.
#include <damrak/client/l2_receiver.hpp>

#include <array>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/bytes.hpp"

namespace damrak::client::l2_receiver_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::binary::FeedDelta;
using wire::binary::FeedLevel;

class Receiver : public ::testing::Test {
  protected:
    void snapshot(std::uint64_t sequence, std::uint32_t instrument, L2Receiver::Levels bids,
                  L2Receiver::Levels asks) {
        std::vector<std::byte> datagram(100'000);
        datagram.resize(
            wire::binary::encode_feed({sequence, InstrumentId{instrument}}, bids, asks, datagram));
        receiver_.on_datagram(datagram);
    }
    void delta(std::uint64_t sequence, std::uint32_t instrument, const FeedDelta& delta) {
        std::array<std::byte, 40> datagram{};
        wire::binary::encode_feed({sequence, InstrumentId{instrument}}, delta, datagram);
        receiver_.on_datagram(datagram);
    }
    [[nodiscard]] bool valid(std::uint32_t instrument) const {
        const auto* const book = receiver_.book(InstrumentId{instrument});
        return book != nullptr && book->valid;
    }
    [[nodiscard]] const L2Receiver::Levels& side(Side side) const {
        return receiver_.book(InstrumentId{1})->side(side);
    }

    L2Receiver receiver_;
};

TEST_F(Receiver, KnowsNothingBeforeTheFirstSnapshot) {
    EXPECT_EQ(receiver_.book(InstrumentId{1}), nullptr);
    delta(17, 1, {100, 5, false, Side::buy});
    EXPECT_FALSE(valid(1));
    EXPECT_EQ(receiver_.counters().ignored, 1U);
    snapshot(18, 1, {{99, 6}}, {});
    EXPECT_TRUE(valid(1));
    EXPECT_THAT(side(Side::buy), ElementsAre(FeedLevel{99, 6}));
}

TEST_F(Receiver, AppliesChangesInTheirPlace) {
    snapshot(0, 1, {{101, 7}, {99, 6}}, {{110, 8}});
    delta(1, 1, {100, 5, false, Side::buy});
    delta(2, 1, {109, 4, false, Side::sell});
    delta(3, 1, {101, 7, true, Side::buy});
    delta(4, 1, {99, 1, false, Side::buy});
    delta(5, 1, {110, 3, true, Side::sell});
    EXPECT_THAT(side(Side::buy), ElementsAre(FeedLevel{100, 5}, FeedLevel{99, 7}));
    EXPECT_THAT(side(Side::sell), ElementsAre(FeedLevel{109, 4}, FeedLevel{110, 5}));
    EXPECT_EQ(receiver_.counters().deltas, 5U);
}

TEST_F(Receiver, AGapMakesAllBooksInvalidUntilTheirNextSnapshot) {
    snapshot(0, 1, {{101, 7}}, {});
    snapshot(1, 2, {}, {{110, 8}});
    delta(3, 2, {110, 8, true, Side::sell});
    EXPECT_FALSE(valid(1));
    EXPECT_FALSE(valid(2));
    EXPECT_EQ(receiver_.counters().gaps, 1U);
    EXPECT_EQ(receiver_.counters().ignored, 1U);
    snapshot(4, 2, {}, {});
    EXPECT_TRUE(valid(2));
    EXPECT_FALSE(valid(1));
}

TEST_F(Receiver, AServerThatBeginsAnewIsAGapToo) {
    snapshot(1'000, 1, {{101, 7}}, {});
    snapshot(0, 2, {}, {});
    EXPECT_FALSE(valid(1));
    EXPECT_TRUE(valid(2));
    snapshot(1, 1, {}, {});
    EXPECT_TRUE(valid(1));
    EXPECT_THAT(side(Side::buy), IsEmpty());
}

TEST_F(Receiver, ADatagramThatComesTwiceIsNotAppliedTwice) {
    snapshot(0, 1, {{101, 7}}, {});
    delta(1, 1, {101, 5, false, Side::buy});
    delta(1, 1, {101, 5, false, Side::buy});
    EXPECT_FALSE(valid(1)) << "it cannot be told from a loss";
    EXPECT_THAT(side(Side::buy), ElementsAre(FeedLevel{101, 12}));
}

TEST_F(Receiver, WhatCannotBeMakesTheBookInvalid) {
    std::uint64_t sequence = 0;
    const auto after = [&](const FeedDelta& wrong) {
        snapshot(sequence++, 1, {{101, 7}}, {});
        EXPECT_TRUE(valid(1));
        delta(sequence++, 1, wrong);
        return valid(1);
    };
    EXPECT_FALSE(after({101, 8, true, Side::buy})) << "more than is there";
    EXPECT_FALSE(after({100, 1, true, Side::buy})) << "of a price that is not there";
    EXPECT_FALSE(after({100, 0, false, Side::buy})) << "a price with nothing";
    EXPECT_FALSE(after({101, ~std::uint64_t{0}, false, Side::buy})) << "more than can be counted";
    snapshot(sequence++, 1, {{99, 1}, {101, 7}}, {});
    EXPECT_FALSE(valid(1)) << "out of order";
    snapshot(sequence++, 1, {}, {{99, 1}, {99, 7}});
    EXPECT_FALSE(valid(1)) << "a price twice";
    EXPECT_EQ(receiver_.counters().faults, 6U);
    EXPECT_EQ(receiver_.counters().gaps, 0U);
}

TEST_F(Receiver, NoiseIsCountedAndChangesNothing) {
    snapshot(0, 1, {{101, 7}}, {});
    receiver_.on_datagram({});
    receiver_.on_datagram(damrak::testing::bytes_of("GET / HTTP/1.1\r\n\r\n"));
    EXPECT_EQ(receiver_.counters().faults, 2U);
    EXPECT_TRUE(valid(1));
}

TEST_F(Receiver, MemoryIsBounded) {
    for (std::uint32_t i = 0; i < 5'000; ++i) snapshot(i, i + 1, {}, {});
    EXPECT_EQ(receiver_.books().size(), L2Receiver::k_maximum_instruments);
    snapshot(5'000, 1, {}, {});
    for (std::uint32_t i = 0; i < 5'000; ++i) delta(5'001 + i, 1, {i + 1, 1, false, Side::sell});
    EXPECT_FALSE(valid(1));
    EXPECT_EQ(side(Side::sell).size(), L2Receiver::k_maximum_levels);
}

}  // namespace
}  // namespace damrak::client::l2_receiver_test
