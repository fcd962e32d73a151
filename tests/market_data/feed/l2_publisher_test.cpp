// The market data feed from the events of the exchange to the books of those who listen.
#include <damrak/feed/l2_publisher.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/l2_receiver.hpp>

#include "support/bytes.hpp"
#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/market.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::feed::l2_publisher_test {
namespace {

using namespace damrak::terms;
using client::L2Receiver;
using damrak::testing::Bytes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using wire::binary::FeedDelta;
using wire::binary::FeedLevel;
using wire::binary::FeedSnapshot;

constexpr std::int64_t k_ms = 1'000'000;
constexpr InstrumentId k_first{1};

// The best prices of a real book, as the feed counts them.
L2Receiver::Levels best_of(const EngineInto<EventRecorder>& engine, InstrumentId id, Side side) {
    L2Receiver::Levels levels;
    const InstrumentState* const in = engine.instrument(id);
    if (in == nullptr) return levels;
    in->book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        const std::int64_t price_e2 = in->price_of(level.tick).value / 100;
        const auto quantity = static_cast<std::uint64_t>(level.quantity.value);
        if (levels.empty() || levels.back().price_e2 != price_e2) levels.push_back({price_e2, 0});
        if (levels.size() > 64) return false;
        levels.back().quantity += quantity;
        return true;
    });
    if (levels.size() > 64) levels.pop_back();
    return levels;
}

class Streams : public ::testing::TestWithParam<StreamProfile> {};

// Whenever a turn has sent what is due, a listener with a snapshot and all since has the books,
// from whatever datagram on they listened.
TEST_P(Streams, EveryReceiverHasTheBooks) {
    CommandStream stream{GetParam(), 99};
    const EngineConfig config = differential::config_of(stream.settings());
    EventRecorder recorder;
    EngineInto<EventRecorder> engine{config, recorder};
    L2Receiver first;
    auto late = std::make_unique<L2Receiver>();
    L2Publisher publisher{{.flush_interval_ns = 0, .snapshot_interval_ns = 200},
                          config,
                          [&](std::span<const std::byte> datagram) {
                              first.on_datagram(datagram);
                              late->on_datagram(datagram);
                          }};
    std::size_t compared = 0;
    std::size_t compared_late = 0;
    for (int i = 0; i < 3'000; ++i) {
        if (i % 500 == 250) late = std::make_unique<L2Receiver>();
        const Command command = stream.next();
        recorder.events.clear();
        engine.apply(command);
        for (const Event& event : recorder.events) publisher.on_event(event);
        stream.observe(command, recorder.events);
        publisher.do_work(i);
        for (std::uint32_t id = 1; id <= config.maximum_instruments; ++id) {
            const auto* const book = first.book(InstrumentId{id});
            ASSERT_EQ(book != nullptr, engine.instrument(InstrumentId{id}) != nullptr);
            if (book == nullptr) continue;
            ASSERT_TRUE(book->valid) << "instrument " << id << ", command " << i;
            const auto* const joined = late->book(InstrumentId{id});
            const bool late_valid = joined != nullptr && joined->valid;
            for (const Side side : {Side::buy, Side::sell}) {
                const auto expected = best_of(engine, InstrumentId{id}, side);
                ASSERT_EQ(book->side(side), expected) << "instrument " << id << ", command " << i;
                if (late_valid) {
                    ASSERT_EQ(joined->side(side), expected) << "command " << i;
                }
                compared += expected.size();
                compared_late += late_valid ? expected.size() : 0;
            }
        }
    }
    EXPECT_EQ(first.counters().faults + late->counters().faults + first.counters().gaps, 0U);
    EXPECT_GT(compared, 1'000U);
    EXPECT_GT(compared_late, 500U);
}

INSTANTIATE_TEST_SUITE_P(All, Streams,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

class Feed : public ::testing::Test {
  protected:
    Feed() { publisher_.load(market_.engine()); }

    void follow(const Outcome& outcome) {
        for (const Event& event : outcome.events()) publisher_.on_event(event);
    }
    // Datagrams of a turn at this time.
    std::vector<Bytes> turn(std::int64_t now_ms) {
        sent_.clear();
        publisher_.do_work(now_ms * k_ms);
        return sent_;
    }
    static FeedDelta delta_in(const Bytes& datagram) {
        return std::get<FeedDelta>(wire::binary::decode_feed(datagram)->body);
    }
    static bool is_snapshot(const Bytes& datagram) {
        return std::holds_alternative<FeedSnapshot>(wire::binary::decode_feed(datagram)->body);
    }

    Market market_;
    std::vector<Bytes> sent_;
    L2Publisher publisher_{{.flush_interval_ns = 50 * k_ms, .snapshot_interval_ns = 1'000 * k_ms},
                           Market::small(),
                           [this](std::span<const std::byte> datagram) {
                               sent_.emplace_back(datagram.begin(), datagram.end());
                           }};
    static constexpr ParticipantId k_ann{1};
    static constexpr ParticipantId k_bob{2};
};

TEST_F(Feed, BeginsWithASnapshotNumberedZero) {
    const auto sent = turn(0);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(sent[0],
              damrak::testing::from_hex("00000000 00000000 00000001 00080101 00000000 00000000"));
}

TEST_F(Feed, ABookThatIsThereAtTheStartIsInTheFirstSnapshot) {
    market_.buy(k_ann, 7, at(1.01));
    L2Receiver receiver;
    L2Publisher late{{}, Market::small(), [&](std::span<const std::byte> datagram) {
                         receiver.on_datagram(datagram);
                     }};
    late.load(market_.engine());
    EXPECT_EQ(late.do_work(0), 1U);
    EXPECT_THAT(receiver.book(k_first)->side(Side::buy), ElementsAre(FeedLevel{101, 7}));
}

TEST_F(Feed, APhaseIsToldAtOnceInASnapshot) {
    turn(0);
    Command set{};
    set.kind = CommandKind::set_phase;
    set.instrument = k_first;
    set.phase = {.phase = Phase::call, .auction = AuctionRule::lse, .call = CallKind::closing};
    follow(market_.apply(set));
    auto sent = turn(1);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(sent[0],
              damrak::testing::from_hex("00000000 00000001 00000001 00080101 00000000 02020000"));
    set.kind = CommandKind::set_trading_state;
    set.trading_state = TradingState::halted;
    follow(market_.apply(set));
    L2Receiver receiver;
    receiver.on_datagram(turn(2).at(0));
    const auto& state = receiver.book(k_first)->state;
    EXPECT_EQ(state.phase, Phase::call);
    EXPECT_TRUE(state.halted);
    EXPECT_THAT(turn(3), SizeIs(0)) << "once";
}

TEST_F(Feed, ChangesAreTheCapturedBytes) {
    turn(0);
    follow(market_.buy(k_ann, 5, at(1.00)));
    auto sent = turn(50);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(sent[0], damrak::testing::from_hex("00000000 00000001 00000001 00180001 00000000 "
                                                 "00000064 00000000 00000005 00000000 00000000"));
    follow(market_.cancel(k_ann, 1));
    sent = turn(100);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(delta_in(sent[0]), (FeedDelta{100, 5, true, Side::buy}));
}

TEST_F(Feed, SeveralChangesOfAPriceAreOneMessage) {
    turn(0);
    for (int i = 0; i < 10; ++i) follow(market_.sell(k_ann, 3, at(2.00)));
    const auto sent = turn(50);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(delta_in(sent[0]), (FeedDelta{200, 30, false, Side::sell}));
}

// The original announces a change of zero.
TEST_F(Feed, AReductionInPlaceIsReportedByHowMuch) {
    turn(0);
    follow(market_.buy(k_ann, 100, at(1.00)));
    turn(50);
    follow(market_.replace(k_ann, 1, 60, at(1.00)));
    const auto sent = turn(100);
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(delta_in(sent[0]), (FeedDelta{100, 40, true, Side::buy}));
}

TEST_F(Feed, WhatCancelsOutIsNotReportedAtAll) {
    turn(0);
    follow(market_.buy(k_ann, 5, at(1.00)));
    follow(market_.cancel(k_ann, 1));
    EXPECT_THAT(turn(50), IsEmpty());
}

TEST_F(Feed, ChangesWaitForTheInterval) {
    turn(0);
    follow(market_.buy(k_ann, 5, at(1.00)));
    EXPECT_THAT(turn(100), SizeIs(1)) << "nothing was sent for long";
    follow(market_.buy(k_ann, 5, at(1.01)));
    EXPECT_THAT(turn(149), IsEmpty());
    EXPECT_THAT(turn(150), SizeIs(1));
}

TEST_F(Feed, HiddenQuantityIsNotReportedWhateverHappensToIt) {
    turn(0);
    follow(market_.buy(k_ann, 500, at(1.00), hidden));
    EXPECT_THAT(turn(50), IsEmpty());
    follow(market_.sell(k_bob, 500, at(1.00)));
    EXPECT_THAT(turn(100), IsEmpty());
    follow(market_.sell(k_ann, 100, at(2.00), showing(10)));
    ASSERT_THAT(turn(150), SizeIs(1));
    EXPECT_EQ(delta_in(sent_[0]).quantity, 10U);
    follow(market_.buy(k_bob, 30, at(2.00)));  // three slices; the next shows the same
    EXPECT_THAT(turn(200), IsEmpty());
}

TEST_F(Feed, ASnapshotComesAtLeastEverySecondAlsoWhenNothingHappens) {
    std::int64_t last_ms = 0;
    std::size_t snapshots = 0;
    for (std::int64_t now_ms = 0; now_ms < 10'000; now_ms += 20) {
        for (const Bytes& datagram : turn(now_ms)) {
            ASSERT_TRUE(is_snapshot(datagram));
            EXPECT_LE(now_ms - last_ms, 1'000);
            last_ms = now_ms;
            ++snapshots;
        }
    }
    EXPECT_GE(snapshots, 10U);
    EXPECT_LE(snapshots, 12U);
}

// The original's snapshot may contain what it announces again afterwards.
TEST_F(Feed, NothingInASnapshotIsSentAgainBehindIt) {
    turn(0);
    follow(market_.buy(k_ann, 5, at(1.00)));
    const auto sent = turn(1'000);
    ASSERT_THAT(sent, SizeIs(2));
    EXPECT_EQ(delta_in(sent[0]), (FeedDelta{100, 5, false, Side::buy}));
    EXPECT_TRUE(is_snapshot(sent[1]));
    EXPECT_THAT(turn(1'060), IsEmpty());
}

TEST_F(Feed, OnlyTheBestSixtyFourPricesAreReportedAndOthersWhenTheyBecomeSo) {
    L2Receiver receiver;
    const auto hear = [&](std::int64_t now_ms) {
        for (const Bytes& datagram : turn(now_ms)) receiver.on_datagram(datagram);
    };
    hear(0);
    for (int i = 0; i < 70; ++i) follow(market_.buy(k_ann, 1, at(1.00 + i * 0.01)));
    hear(50);
    const L2Receiver::Levels& bids = receiver.book(k_first)->side(Side::buy);
    ASSERT_THAT(bids, SizeIs(64));
    EXPECT_EQ(bids.front(), (FeedLevel{169, 1}));
    EXPECT_EQ(bids.back(), (FeedLevel{106, 1}));
    follow(market_.sell(k_bob, 3, at(1.67)));
    hear(100);
    ASSERT_THAT(bids, SizeIs(64));
    EXPECT_EQ(bids.front(), (FeedLevel{166, 1}));
    EXPECT_EQ(bids.back(), (FeedLevel{103, 1}));
    EXPECT_EQ(receiver.counters().faults, 0U);
}

TEST_F(Feed, OneNumberingForAllInstruments) {
    turn(0);
    follow(market_.add_instrument(2, Market::stock()));
    ASSERT_THAT(turn(10), SizeIs(1)) << "a new book is told at once";
    follow(market_.buy(k_ann, 5, at(1.00)));
    follow(market_.buy(k_ann, 6, at(1.00), in(2)));
    const auto sent = turn(100);
    ASSERT_THAT(sent, SizeIs(2));
    EXPECT_EQ(wire::binary::decode_feed(sent[0])->header,
              (wire::binary::FeedHeader{2, InstrumentId{1}}));
    EXPECT_EQ(wire::binary::decode_feed(sent[1])->header,
              (wire::binary::FeedHeader{3, InstrumentId{2}}));
}

}  // namespace
}  // namespace damrak::feed::l2_publisher_test
