// A reader on another thread sees the market after the record that it asked for, or later. Tested
// on random streams over the whole rule book.
#include <damrak/feed/market_snapshots.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::feed::market_snapshots_test {
namespace {

using ::testing::SizeIs;

constexpr InstrumentId k_first{1};

/// A stream of commands through an engine, and the snapshots behind it.
class Behind {
  public:
    explicit Behind(const StreamProfile& profile, std::uint64_t seed = 5)
        : stream_(profile, seed),
          config_(differential::config_of(stream_.settings())),
          engine_{config_, recorder_},
          snapshots_(config_.maximum_instruments) {}

    /// The next command; the writer has its turn only if asked.
    void step(bool turn, bool caught_up = true) {
        const Command command = stream_.next();
        recorder_.events.clear();
        engine_.apply(command);
        ++sequence_;
        for (const Event& event : recorder_.events) {
            writer_.on_event(event, {{sequence_}, {static_cast<std::int64_t>(1'000 + sequence_)}});
            trades_ += event.kind == EventKind::executed && event.instrument == k_first &&
                       adds_to_volume(event);
        }
        stream_.observe(command, recorder_.events);
        if (turn) this->turn(caught_up);
    }
    void turn(bool caught_up = true) { writer_.on_turn(engine_, caught_up, ++turns_); }

    [[nodiscard]] std::vector<views::PublicLevel> side(Side side) const {
        std::vector<views::PublicLevel> levels;
        const InstrumentState* const in = engine_.instrument(k_first);
        if (in == nullptr) return levels;
        in->book.for_each_level(engine_.store(), side, [&](const DepthLevel& level) {
            levels.push_back({in->price_of(level.tick), level.quantity, level.orders});
            return true;
        });
        return levels;
    }
    [[nodiscard]] MarketSnapshots& snapshots() { return snapshots_; }
    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// Trades of the first instrument so far.
    [[nodiscard]] std::uint64_t trades() const { return trades_; }

  private:
    CommandStream stream_;
    EngineConfig config_;
    EventRecorder recorder_;
    EngineInto<EventRecorder> engine_;
    MarketSnapshots snapshots_;
    MarketSnapshotWriter writer_{snapshots_, 0};
    std::uint64_t sequence_ = 0;
    std::uint64_t trades_ = 0;
    std::int64_t turns_ = 0;
};

class Snapshots : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(Snapshots, ShowTheBookAfterEveryCommand) {
    Behind behind{GetParam()};
    MarketSnapshot view;
    behind.snapshots().want(k_first, 0);
    behind.turn();
    std::size_t compared = 0;
    for (int i = 0; i < 3'000; ++i) {
        behind.step(true);
        ASSERT_TRUE(behind.snapshots().look(k_first, view));
        for (const Side side : {Side::buy, Side::sell}) {
            const auto expected = behind.side(side);
            ASSERT_EQ(view.sides[static_cast<std::size_t>(side)], expected) << "command " << i;
            compared += expected.size();
        }
        ASSERT_EQ(view.traded, behind.trades());
    }
    EXPECT_GT(compared, 100U);
}

INSTANTIATE_TEST_SUITE_P(All, Snapshots,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

class Board : public ::testing::Test {
  protected:
    void run(int commands, bool turns) {
        for (int i = 0; i < commands; ++i) behind_.step(turns);
    }
    [[nodiscard]] MarketSnapshots& snapshots() { return behind_.snapshots(); }

    Behind behind_{stream_profiles().front()};
    MarketSnapshot view_;
};

TEST_F(Board, OnlyRequestedInstrumentsAreShown) {
    run(500, true);
    EXPECT_EQ(snapshots().version(), 0U);
    EXPECT_TRUE(snapshots().look(k_first, view_));
    EXPECT_EQ(view_.version, 0U);
}

TEST_F(Board, TheFirstLookIsNotOlderThanWhatItWasAskedAfter) {
    run(500, true);
    // The one who asks is ahead of the one who follows.
    snapshots().want(k_first, behind_.sequence() + 3);
    for (int i = 0; i < 2; ++i) {
        behind_.turn(false);
        ASSERT_TRUE(snapshots().look(k_first, view_));
        EXPECT_LT(view_.position, behind_.sequence() + 3);
    }
    const std::uint64_t asked_after = behind_.sequence() + 3;
    for (int i = 0; i < 20; ++i) behind_.step(true, false);
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_GE(view_.position, asked_after);
}

TEST_F(Board, WhoHasCaughtUpHasAllThatWasAskedFor) {
    run(500, true);
    // A record without events came behind the last one with some.
    snapshots().want(k_first, behind_.sequence() + 1);
    behind_.turn();  // finds it
    behind_.turn();  // by now it has looked at the journal again
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_EQ(view_.position, behind_.sequence() + 1);
}

TEST_F(Board, WhoAsksAgainAndAgainDoesNotHoldUpTheFirst) {
    run(500, true);
    const std::uint64_t first = behind_.sequence() + 5;
    snapshots().want(k_first, first);
    for (int i = 0; i < 50; ++i) {
        behind_.step(true, false);
        snapshots().want(k_first, behind_.sequence() + 5);
    }
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_GE(view_.position, first);
}

TEST_F(Board, TheLastTradeIsKnownToWhoComesLater) {
    while (behind_.trades() == 0) run(1, true);
    snapshots().want(k_first, behind_.sequence());
    behind_.turn();
    behind_.turn();
    ASSERT_TRUE(snapshots().look(k_first, view_));
    ASSERT_EQ(view_.traded, 1U);
    EXPECT_GT(view_.trade(0).quantity.value, 0);
    EXPECT_GT(view_.trade(0).time.value, 1'000);
}

TEST_F(Board, TheLastUnreadTradesAreThere) {
    snapshots().want(k_first, 0);
    behind_.turn();
    while (behind_.trades() < 2 * MarketSnapshot::k_trades) run(1, true);
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_EQ(view_.traded, behind_.trades());
    EXPECT_THAT(view_.trades, SizeIs(MarketSnapshot::k_trades));
    for (std::uint64_t i = view_.traded - MarketSnapshot::k_trades + 1; i < view_.traded; ++i)
        ASSERT_LT(view_.trade(i - 1).id, view_.trade(i).id);
}

TEST_F(Board, WhatIsForgottenIsNotWrittenAnyMore) {
    snapshots().want(k_first, 0);
    behind_.turn();
    run(200, true);
    snapshots().forget(k_first);
    behind_.turn();
    const std::uint64_t version = snapshots().version();
    run(200, true);
    EXPECT_EQ(snapshots().version(), version);
    snapshots().want(k_first, behind_.sequence());
    behind_.turn();
    behind_.turn();
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_EQ(view_.sides[0], behind_.side(Side::buy));
}

TEST_F(Board, IsLookedAtFromAnotherThread) {
    snapshots().want(k_first, 0);
    behind_.turn();
    std::atomic<bool> done{false};
    std::jthread watcher{[&] {
        MarketSnapshot view;
        while (!done.load()) {
            const std::uint64_t before = view.position;
            if (!snapshots().look(k_first, view)) continue;
            ASSERT_GE(view.position, before);
            ASSERT_TRUE(std::ranges::is_sorted(view.sides[0], std::ranges::greater{},
                                               &views::PublicLevel::price));
            ASSERT_TRUE(std::ranges::is_sorted(view.sides[1], {}, &views::PublicLevel::price));
        }
    }};
    run(20'000, true);
    done.store(true);
    watcher.join();
    ASSERT_TRUE(snapshots().look(k_first, view_));
    EXPECT_EQ(view_.sides[0], behind_.side(Side::buy));
    EXPECT_EQ(view_.sides[1], behind_.side(Side::sell));
}

}  // namespace
}  // namespace damrak::feed::market_snapshots_test
