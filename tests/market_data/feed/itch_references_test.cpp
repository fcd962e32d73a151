// The references of the feed of an exchange count displayed orders only.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/feed/itch/publisher.hpp>

#include "support/command_stream.hpp"
#include "support/commands.hpp"
#include "support/itch_receiver.hpp"

namespace damrak::feed::itch_references_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

EngineConfig apart() {
    EngineConfig config;
    config.order_id_source = OrderIdSource::engine_apart;
    return config;
}

struct Market {
    Market() {
        publisher.load(engine, false);
        publisher.begin_session({0}, block);
        receiver.hear(block);
    }
    /// The lines of the messages of this command.
    std::vector<std::string> apply(const Command& command) {
        events.clear();
        block.clear();
        receiver.lines.clear();
        engine.apply(command, [&](const Event& event) { events.push_back(event); });
        publisher.on_command(command);
        for (const Event& event : events) publisher.on_event(event, {}, block);
        publisher.end_command(block);
        receiver.hear(block);
        return receiver.lines;
    }

    Engine engine{apart()};
    ItchPublisher publisher{apart(), {}};
    MessageBlock block;
    testing::ItchReceiver receiver;
    std::vector<Event> events;  ///< of the last command
};

// Whatever comes in unseen between two displayed orders, their references follow each other.
TEST(ItchFeedReferences, CountDisplayedOrdersOnly) {
    Market market;
    market.apply(instrument_command(1, test_stock("TEST")));
    const auto order = [](Side side, std::int64_t price, std::int64_t quantity) {
        return order_command(1, 1, side, price * 100, quantity);
    };
    EXPECT_THAT(market.apply(order(Side::buy, 1'000, 10)), ElementsAre("A 1 B 10 @ 100000"));
    Command unseen = order(Side::sell, 1'020, 5);
    unseen.flags = CommandFlags::k_hidden;
    EXPECT_THAT(market.apply(unseen), IsEmpty());
    Command immediate = order(Side::buy, 990, 5);
    immediate.time_in_force = TimeInForce::ioc;
    EXPECT_THAT(market.apply(immediate), IsEmpty());
    Command stop = order(Side::buy, 1'010, 5);
    stop.order_type = OrderType::stop_limit;
    stop.order.stop_price = {100'500};
    EXPECT_THAT(market.apply(stop), IsEmpty());
    const std::uint64_t stop_id = market.events.front().order_id.value;
    EXPECT_THAT(market.apply(order(Side::sell, 1'005, 1)), ElementsAre("A 2 S 1 @ 100500"));
    EXPECT_THAT(market.apply(order(Side::buy, 1'005, 1)),
                ElementsAre("E 2 1 match 1", "A 4 B 5 @ 101000"))
        << "the order that traded had a number, too";
    // Its owner replaces it by its own id, and the feed shows another one.
    Command replace = order(Side::buy, 1'011, 5);
    replace.kind = CommandKind::replace_order;
    replace.order_id = {stop_id};
    EXPECT_THAT(market.apply(replace), ElementsAre("D 4", "A 5 B 5 @ 101100"));
    EXPECT_TRUE(is_private({market.events.back().order_id.value}));
}

}  // namespace
}  // namespace damrak::feed::itch_references_test
