// The one case that the reference model does not cover: the pool of price levels is full. Streams
// run through engines with room for a few prices only; the guarantees about events must hold
// anyway.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/reason.hpp>

#include "support/command_stream.hpp"
#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/differential/event_audit.hpp"

namespace damrak::differential::full_levels_test {
namespace {

class FullLevels : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(FullLevels, reject_or_cancel_and_keep_every_guarantee) {
    std::uint64_t refused = 0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        CommandStream stream{GetParam(), seed};
        const auto subject = make_engine_subject(stream.settings(), {.levels = 12, .nodes = 60});
        EventAudit audit;
        std::vector<Event> events;
        for (int i = 0; i < 5'000; ++i) {
            const Command command = stream.next();
            const std::uint64_t before = subject->state_hash();
            subject->apply(command, events);
            stream.observe(command, events);
            const auto finding = audit.follow(command, events);
            ASSERT_FALSE(finding) << "seed " << seed << ": " << describe(command) << '\n'
                                  << *finding;
            for (const Event& event : events)
                refused += event.reason == Reason::levels_full ? 1U : 0U;
            const bool rejected = events.size() == 1 && events[0].kind == EventKind::rejected &&
                                  !has_flag(command, CommandFlags::k_number_refused);
            ASSERT_TRUE(!rejected || before == subject->state_hash());
            if (i % 50 == 0) subject->check_invariants();
        }
    }
    EXPECT_GT(refused, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, FullLevels,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

/// Stops at one price share one level while they wait, and need one each when they rest.
TEST(FullLevels, stops_that_cannot_rest_are_cancelled) {
    const auto subject = make_engine_subject({}, {.levels = 10, .nodes = 60});
    Command command{};
    command.kind = CommandKind::add_instrument;
    command.instrument = InstrumentId{1};
    command.definition = {.symbol = Symbol::of("TEST"),
                          .tick_size = Price{1},
                          .maximum_price = Price{1'000},
                          .lot_size = Quantity{1},
                          .maximum_quantity = Quantity{10}};
    std::vector<Event> events;
    subject->apply(command, events);
    const auto enter = [&](Side side, std::int64_t price, std::int64_t stop_price) {
        command = {};
        command.kind = CommandKind::new_order;
        command.instrument = InstrumentId{1};
        command.participant = ParticipantId{1};
        command.side = side;
        command.order_type = stop_price == 0 ? OrderType::limit : OrderType::stop_limit;
        command.price = Price{price};
        command.order.stop_price = Price{stop_price};
        command.quantity = Quantity{1};
        subject->apply(command, events);
    };
    for (int i = 0; i < 12; ++i) enter(Side::buy, 100 + i, 200);
    enter(Side::sell, 250, 0);
    enter(Side::buy, 250, 0);
    std::uint64_t rested = 0;
    std::uint64_t cancelled = 0;
    for (const Event& event : events) {
        const bool rests = (event.flags & EventFlags::k_on_book) != 0;
        rested += event.kind == EventKind::triggered && rests ? 1U : 0U;
        cancelled += event.reason == Reason::levels_full ? 1U : 0U;
    }
    EXPECT_EQ(rested + cancelled, 12U);
    EXPECT_GT(rested, 0U);
    EXPECT_GT(cancelled, 0U);
    subject->check_invariants();
}

}  // namespace
}  // namespace damrak::differential::full_levels_test
