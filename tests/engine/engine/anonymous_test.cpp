// Participants without their own limits: the default limits, the share of the pools that they leave
// free, and the release of a participant. Rule book, sections 2, 9 and 12.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::anonymous_test {
namespace {

using namespace terms;

class Anonymous : public ::testing::Test {
  protected:
    Anonymous() { market.leave_reference_out(); }

    static EngineConfig config() {
        EngineConfig config = Market::small();
        config.maximum_orders = 10;
        return config;
    }
    Outcome set_share(std::uint32_t percent, std::uint32_t orders = 10) {
        Command command = share_of(market, percent);
        command.capacities.orders = orders;
        return market.apply(command);
    }
    static Command share_of(const Market& market, std::uint32_t percent) {
        Command command{};
        command.kind = CommandKind::set_capacities;
        command.capacities = market.engine().config().capacities(percent);
        return command;
    }
    Outcome release(ParticipantId who, CommandFlags::Bits flags = 0) {
        Command command{};
        command.kind = CommandKind::release_participant;
        command.flags = flags;
        command.participant = who;
        return market.apply(command);
    }
    [[nodiscard]] const Participant& of(ParticipantId who) const {
        return market.engine().accounts().participant(who);
    }

    Market market{config()};
};

TEST_F(Anonymous, HaveTheDefaultLimitsUntilTheyGetTheirOwn) {
    market.set_limits(ParticipantId{}, {.open_orders = 1});
    market.buy(alice, 1, at(10.00));
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_open_orders);
    market.set_limits(alice, {.open_orders = 2});
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
    market.buy(bob, 1, at(9.00));
    market.buy(bob, 1, at(9.00)).expect_rejected(Reason::limit_open_orders);
    Command back{};
    back.kind = CommandKind::set_limits;
    back.participant = alice;
    back.flags = CommandFlags::k_default_limits;
    market.apply(back);
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_open_orders);
}

TEST_F(Anonymous, LeaveAShareOfThePoolsToTheOthers) {
    set_share(50);
    market.set_limits(bob, {});
    for (int i = 0; i < 6; ++i) EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected()) << i;
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::anonymous_share);
    market.sell(carol, 1, at(10.00)).expect_rejected(Reason::anonymous_share);
    EXPECT_FALSE(market.sell(bob, 1, at(11.00)).rejected());
    market.cancel(alice, 1);
    market.cancel(alice, 2);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected()) << "five are in use, which is half";
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::anonymous_share);
    set_share(100);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
}

TEST_F(Anonymous, LeaveAShareOfTheQuoteProtectionsToTheOthers) {
    EngineConfig config = Market::small();
    config.maximum_participants = 64;
    Market many{config};
    many.leave_reference_out();
    many.apply(share_of(many, 50));
    Command command{};
    command.kind = CommandKind::set_quote_protection;
    command.instrument = InstrumentId{1};
    command.quote_protection = {Quantity{1}, 1};
    for (std::uint32_t i = 1; i <= 17; ++i) {
        command.participant = ParticipantId{i};
        EXPECT_FALSE(many.apply(command).rejected()) << i;
    }
    EXPECT_FALSE(many.apply(command).rejected()) << "it has one already";
    command.participant = ParticipantId{18};
    many.apply(command).expect_rejected(Reason::anonymous_share);
    many.set_limits(ParticipantId{18}, {});
    EXPECT_FALSE(many.apply(command).rejected());
}

TEST_F(Anonymous, MayNotMoveOrdersIntoTheReservedPriceLevels) {
    EngineConfig config = Market::small();
    config.maximum_levels = 12;
    Market tight{config};
    tight.leave_reference_out();
    tight.apply(share_of(tight, 25));
    for (int i = 0; i < 4; ++i) tight.buy(alice, 1, at(10.00 + i));
    tight.replace(alice, 1, 1, at(9.00)).expect_rejected(Reason::anonymous_share);
    EXPECT_FALSE(tight.replace(alice, 1, 1, at(10.00)).rejected()) << "the order keeps its price";
}

TEST_F(Anonymous, CapacitiesNeverShrink) {
    set_share(50, 9).expect_rejected(Reason::invalid_capacity);
    set_share(0).expect_rejected(Reason::invalid_capacity);
    set_share(101).expect_rejected(Reason::invalid_capacity);
    const std::uint64_t hash = market.state_hash();
    set_share(7);
    EXPECT_EQ(market.state_hash(), hash) << "capacities are not part of the state hash";
}

TEST_F(Anonymous, AreReleasedOnceTheyHaveNothingOpen) {
    const std::uint64_t fresh = market.state_hash();
    const auto order = market.buy(alice, 1, at(10.00)).id();
    release(alice).expect_rejected(Reason::participant_in_use);
    market.cancel(alice, order);
    const Event event = release(alice).events().front();
    EXPECT_EQ(event.kind, EventKind::participant_released);
    EXPECT_EQ(event.reference, 1U) << "generation";
    EXPECT_EQ(event.quantity.value, 1) << "accounts";
    EXPECT_EQ(event.remaining.value, 0) << "positions";
    EXPECT_EQ(of(alice).accounts, 0U);
    EXPECT_EQ(market.engine().accounts().account_count(), 0U);
    EXPECT_NE(market.state_hash(), fresh) << "the next one is a different participant";
    release(ParticipantId{}).expect_rejected(Reason::unknown_participant);
    release(ParticipantId{999}).expect_rejected(Reason::unknown_participant);
}

TEST_F(Anonymous, AreWrittenOffOnlyOnRequest) {
    market.add_instrument(2, Market::stock());
    for (const std::uint32_t id : {1U, 2U}) {
        market.buy(alice, 3, at(10.00), in(id));
        market.sell(bob, 3, at(10.00), in(id));
    }
    release(alice).expect_rejected(Reason::participant_in_use);
    const Event event = release(alice, CommandFlags::k_write_off).events().front();
    EXPECT_EQ(event.quantity.value, 2);
    EXPECT_EQ(event.remaining.value, 2);
    EXPECT_EQ(market.position(bob), -3) << "other positions stay";
    // The next participant starts without a position, with new accounts.
    market.sell(alice, 1, at(11.00), in(2));
    market.buy(carol, 1, at(11.00), in(2));
    EXPECT_EQ(market.position(alice, 2), -1);
    EXPECT_EQ(market.position(carol, 2), 1);
    EXPECT_EQ(market.position(alice, 1), 0);
}

TEST_F(Anonymous, KeepNoOrderOverTheDayIfThatIsAsked) {
    market.set_limits(bob, {});
    const auto good_till_cancelled = market.buy(alice, 1, at(10.00), gtc).id();
    const auto good_till_date = market.buy(alice, 1, at(10.00), until(9'000)).id();
    const auto of_named = market.buy(bob, 1, at(10.00), gtc).id();
    EXPECT_EQ(market.end_day().events().size(), 1U) << "day orders alone";
    Command end{};
    end.kind = CommandKind::end_day;
    end.flags = CommandFlags::k_all_of_anonymous;
    const auto events = market.apply(end).events();
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].order_id.value, good_till_cancelled);
    EXPECT_EQ(events[1].order_id.value, good_till_date);
    EXPECT_EQ(events[0].kind, EventKind::expired);
    EXPECT_EQ(events[0].reason, Reason::end_of_day);
    EXPECT_EQ(events[2].kind, EventKind::day_ended);
    EXPECT_FALSE(market.cancel(bob, of_named).rejected());
    end.flags |= CommandFlags::k_post_only;
    market.apply(end).expect_rejected(Reason::invalid_flags);
}

TEST_F(Anonymous, ParticipantsWithTheirOwnLimitsAreNotReleased) {
    market.set_limits(alice, {});
    release(alice).expect_rejected(Reason::participant_in_use);
    market.set_state(bob, ParticipantState::blocked);
    release(bob).expect_rejected(Reason::participant_in_use);
}

}  // namespace
}  // namespace damrak::anonymous_test
