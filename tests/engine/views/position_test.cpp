// Positions, their cost and their profit.
#include <damrak/views/position.hpp>

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/command_stream.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::views::position_test {
namespace {

std::int64_t number(Int128 value) { return static_cast<std::int64_t>(value); }

TEST(Position, BoughtAndSoldHigherIsAProfit) {
    Position position;
    position.trade(Side::buy, Price{100}, Quantity{10});
    position.trade(Side::buy, Price{110}, Quantity{10});
    EXPECT_EQ(position.open().value, 20);
    EXPECT_EQ(position.average_price(), Price{105});
    EXPECT_EQ(number(position.unrealised(Price{107})), 40);
    position.trade(Side::sell, Price{120}, Quantity{5});
    EXPECT_EQ(number(position.realised()), 75);
    EXPECT_EQ(position.average_price(), Price{105});
}

TEST(Position, SoldShortAndBoughtBackHigherIsALoss) {
    Position position;
    position.trade(Side::sell, Price{100}, Quantity{10});
    EXPECT_EQ(position.open().value, -10);
    EXPECT_EQ(number(position.unrealised(Price{103})), -30);
    position.trade(Side::buy, Price{102}, Quantity{4});
    EXPECT_EQ(number(position.realised()), -8);
    EXPECT_EQ(position.open().value, -6);
}

TEST(Position, ATradeThroughZeroClosesFirstAndOpensTheRest) {
    Position position;
    position.trade(Side::buy, Price{100}, Quantity{10});
    position.trade(Side::sell, Price{90}, Quantity{15});
    EXPECT_EQ(number(position.realised()), -100);
    EXPECT_EQ(position.open().value, -5);
    EXPECT_EQ(position.average_price(), Price{90});
    EXPECT_EQ(position.bought().value, 10);
    EXPECT_EQ(position.sold().value, 15);
}

TEST(Position, LosesNoFraction) {
    Position position;
    position.trade(Side::buy, Price{10}, Quantity{1});
    position.trade(Side::buy, Price{11}, Quantity{2});  // 32 for 3
    for (int i = 0; i < 3; ++i) position.trade(Side::sell, Price{12}, Quantity{1});
    EXPECT_EQ(number(position.realised()), 36 - 32);
    EXPECT_EQ(position.open().value, 0);
    EXPECT_EQ(position.average_price(), Price{0});
    EXPECT_EQ(number(position.unrealised(Price{99})), 0);
}

TEST(Positions, EqualTheEnginesAndSumToZeroProfit) {
    for (const StreamProfile& profile : stream_profiles()) {
        CommandStream stream{profile, 11};
        const EngineConfig config = differential::config_of(stream.settings());
        EventRecorder recorder;
        EngineInto<EventRecorder> engine{config, recorder};
        Positions positions;
        bool is_implied = false;
        for (int i = 0; i < 2'000; ++i) {
            const Command command = stream.next();
            recorder.events.clear();
            engine.apply(command);
            for (const Event& event : recorder.events) {
                positions.on_event(event);
                is_implied |= has_flag(event, EventFlags::k_implied);
            }
            stream.observe(command, recorder.events);
        }
        const Accounts& accounts = engine.accounts();
        Int128 sum = 0;
        std::size_t with_position = 0;
        for (AccountIndex i = 1; i <= accounts.account_count(); ++i) {
            const Account& account = accounts.account(i);
            const Position position = positions.of(account.participant, account.instrument);
            EXPECT_EQ(position.open(), account.position) << profile.name;
            EXPECT_EQ(position.bought() - position.sold(), account.position) << profile.name;
            sum += position.realised() + position.unrealised(Price{100});
            with_position += position.open().value != 0 ? 1U : 0U;
        }
        EXPECT_GT(with_position, 0U) << profile.name;
        // Trades that somebody made who was released since.
        for (std::uint32_t id = 1; id <= config.maximum_instruments; ++id) {
            const Position of_nobody = positions.of({}, InstrumentId{id});
            sum += of_nobody.realised() + of_nobody.unrealised(Price{100});
        }
        // An implied trade is between instruments.
        if (is_implied) continue;
        EXPECT_EQ(number(sum), 0) << profile.name << ": one participant's profit is another's loss";
    }
}

}  // namespace
}  // namespace damrak::views::position_test
