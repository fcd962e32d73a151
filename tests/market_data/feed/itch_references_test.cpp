// The references of the feed of an exchange count displayed orders only.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/feed/message_block.hpp>

#include "support/commands.hpp"
#include "support/itch_receiver.hpp"
#include "support/test_size.hpp"

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
        const CommandStamp stamp{.timestamp = command.timestamp};
        for (const Event& event : events) publisher.on_event(event, stamp, block);
        publisher.end_command(block);
        receiver.hear(block);
        return receiver.lines;
    }
    /// Its bytes.
    std::vector<std::byte> feed(const Command& command) {
        apply(command);
        return {block.bytes().begin(), block.bytes().end()};
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

// A cancel of an order, or a replace without its new terms.
Command change_of(RandomStream& random, ParticipantId owner, OrderId id) {
    Command command{};
    command.kind = random.coin() ? CommandKind::cancel_order : CommandKind::replace_order;
    command.instrument = {1};
    command.participant = owner;
    command.order_id = id;
    return command;
}

// Random orders that the feed shows: all that trade do so with one another.
class DisplayedOrders {
  public:
    explicit DisplayedOrders(std::uint64_t seed) : random_{seed} {}

    Command next() {
        if (!open_.empty() && random_.below(100) < 35) return change(open_[pick()]);
        Command order = order_command(1, 1 + random_.below(3), any_side(), any_price(), any_size());
        order.self_trade_prevention = static_cast<SelfTradePrevention>(random_.below(6));
        switch (random_.below(8)) {
            case 0:
                order.order.display_quantity = {1 + random_.below(4)};
                break;
            case 1:
                order.flags = CommandFlags::k_post_only_reprice;
                break;
            case 2:
                order.time_in_force = TimeInForce::gtc;
                break;
            case 3:
                peg(order);
                break;
            default:
                break;
        }
        return order;
    }
    void learn(const std::vector<Event>& events) {
        for (const Event& event : events) {
            const auto known = std::ranges::find(open_, event.order_id, &Open::id);
            if (event.kind == EventKind::accepted) {
                open_.push_back({event.order_id, event.participant});
            } else if (known == open_.end()) {
                continue;
            } else if (event.kind == EventKind::replaced) {
                known->id = event.new_order_id();
            } else if (event.remaining.value == 0) {
                open_.erase(known);
            }
        }
    }

  private:
    struct Open {
        OrderId id;
        ParticipantId owner;
    };

    std::size_t pick() { return random_.below(static_cast<std::uint32_t>(open_.size())); }
    Side any_side() { return random_.coin() ? Side::buy : Side::sell; }
    std::int64_t any_price() { return 100'000 + random_.below(12) * std::int64_t{100}; }
    std::int64_t any_size() { return 1 + random_.below(9); }
    void peg(Command& order) {
        order.flags = CommandFlags::k_pegged;
        order.order.peg = PegReference::primary;
        order.price = {};
    }
    Command change(const Open& order) {
        Command command = change_of(random_, order.owner, order.id);
        if (command.kind == CommandKind::cancel_order) return command;
        command.price = {any_price()};
        command.quantity = {any_size()};
        if (random_.coin()) command.new_order_id = order.id;
        return command;
    }

    RandomStream random_;
    std::vector<Open> open_;
};

// Random orders that the feed never shows, none of which may trade.
class UnseenOrders {
  public:
    explicit UnseenOrders(std::uint64_t seed) : random_{seed} {}

    Command next() {
        if (!open_.empty() && random_.below(100) < 30) return change();
        const bool buys = random_.coin();
        const std::int64_t far = buys ? 50'000 : 200'000;
        Command order = order_command(1, 4 + random_.below(2), buys ? Side::buy : Side::sell, far,
                                      1 + random_.below(9));
        switch (random_.below(9)) {
            case 0:
                order.time_in_force = TimeInForce::ioc;
                break;
            case 1:
                order.time_in_force = TimeInForce::fok;
                break;
            case 2:
                order.order.minimum_quantity = order.quantity;
                break;
            case 3:
                order.time_in_force = TimeInForce::at_close;
                break;
            case 4:
                stop(order, OrderType::stop);
                break;
            case 5:
                stop(order, OrderType::stop_limit);
                break;
            case 6:
                trail(order);
                break;
            case 7:
                refuse(order);
                break;
            default:
                order.flags = CommandFlags::k_hidden;
                break;
        }
        return order;
    }
    void learn(const std::vector<Event>& events) {
        for (const Event& event : events) {
            if (event.kind == EventKind::accepted) {
                ++accepted;
                open_.push_back(event);
            }
        }
    }

    std::uint64_t accepted = 0;

  private:
    static void stop(Command& order, OrderType type) {
        order.order_type = type;
        order.order.stop_price = {order.side == Side::buy ? 200'000 : 50'000};
        order.price = {type == OrderType::stop ? 0 : order.order.stop_price.value};
    }
    static void trail(Command& order) {
        stop(order, OrderType::stop);
        order.flags = CommandFlags::k_trailing;
        order.order.offset = {90'000};
    }
    void refuse(Command& order) {
        order.price = {0};
        if (random_.coin()) order.flags = CommandFlags::k_number_refused;
    }
    Command change() {
        const Event& order = open_[random_.below(static_cast<std::uint32_t>(open_.size()))];
        Command command = change_of(random_, order.participant, order.order_id);
        if (command.kind == CommandKind::cancel_order) return command;
        command.price = order.price;
        command.quantity = {1 + random_.below(9)};
        return command;
    }

    RandomStream random_;
    std::vector<Event> open_;  ///< their entries; they may have ended since
};

// A market with unseen orders and one without them have the same feed, byte for byte, and the
// owners of displayed orders see the same ids.
TEST(ItchFeedReferences, AreTheSameWithAnyNumberOfUnseenOrdersBetween) {
    std::uint64_t unseen = 0;
    std::uint64_t trades = 0;
    for (std::uint64_t seed = 1; seed <= test_size::scaled(60U); ++seed) {
        Market alone;
        Market crowded;
        DisplayedOrders displayed{seed};
        UnseenOrders hidden{seed ^ 0x9E37U};
        RandomStream random{seed + 1'000};
        const Command listing = instrument_command(1);
        ASSERT_EQ(alone.feed(listing), crowded.feed(listing));
        for (std::int64_t i = 1; i <= 400; ++i) {
            for (std::uint32_t n = random.below(4); n > 0; --n) {
                Command command = hidden.next();
                command.timestamp = {i * 1'000 - n};
                ASSERT_THAT(crowded.feed(command), IsEmpty()) << "seed " << seed << ", step " << i;
                hidden.learn(crowded.events);
            }
            Command command = displayed.next();
            command.timestamp = {i * 1'000};
            ASSERT_EQ(alone.feed(command), crowded.feed(command)) << "seed " << seed << ", " << i;
            ASSERT_EQ(alone.events.front().order_id, crowded.events.front().order_id);
            displayed.learn(alone.events);
            trades += static_cast<std::uint64_t>(
                std::ranges::count(alone.events, EventKind::executed, &Event::kind));
        }
        unseen += hidden.accepted;
    }
    EXPECT_GT(unseen, 1'000U);
    EXPECT_GT(trades, 1'000U);
}

}  // namespace
}  // namespace damrak::feed::itch_references_test
