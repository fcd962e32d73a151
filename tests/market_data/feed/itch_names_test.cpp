// The names of participants on the feed.
#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/feed/itch/publisher.hpp>

#include "support/commands.hpp"
#include "support/itch_receiver.hpp"

namespace damrak::feed::itch_names_test {
namespace {

using ::testing::ElementsAre;

class ItchNames : public ::testing::Test {
  protected:
    ItchNames() {
        publisher_.load(engine_, false);
        publisher_.begin_session({0}, block_);
        apply(instrument_command(1));
    }
    /// The lines of the messages of this command.
    std::vector<std::string> apply(const Command& command) {
        stamp_.sequence.value += 1;
        std::vector<Event> events;
        engine_.apply(command, [&](const Event& event) { events.push_back(event); });
        publisher_.on_command(command);
        for (const Event& event : events) publisher_.on_event(event, stamp_, block_);
        publisher_.end_command(block_);
        receiver_.lines.clear();
        receiver_.hear(block_);
        block_.clear();
        return receiver_.lines;
    }
    static Command replace(std::uint64_t id, std::int64_t price) {
        Command command{};
        command.kind = CommandKind::replace_order;
        command.instrument = {1};
        command.participant = {7};
        command.order_id = {id};
        command.price = {price};
        command.quantity = {1};
        return command;
    }

    Engine engine_{EngineConfig{}};
    ItchPublisher publisher_{
        EngineConfig{}, {.zone = nullptr, .attributed = {{{7}, *wire::itch::Mpid::from("DESK")}}}};
    MessageBlock block_;
    CommandStamp stamp_;
    testing::ItchReceiver receiver_;
};

TEST_F(ItchNames, AreOnTheOrdersOfThoseWhoWantIt) {
    EXPECT_THAT(apply(order_command(1, 7, Side::buy, 100'000, 1)), ElementsAre("F 1 DESK"));
    EXPECT_THAT(apply(order_command(1, 8, Side::buy, 100'000, 1)), ElementsAre("A 2 B 1 @ 100000"));
}

TEST_F(ItchNames, AreNotOnOrdersThatAreToBeAnonymous) {
    publisher_.ask_about_orders([](OrderId id) { return id.value % 2 == 0; });
    EXPECT_THAT(apply(order_command(1, 7, Side::buy, 100'000, 1)), ElementsAre("F 1 DESK"));
    EXPECT_THAT(apply(order_command(1, 7, Side::buy, 100'000, 1)), ElementsAre("A 2 B 1 @ 100000"));
    // A message of a replace cannot tell that the name comes or goes.
    EXPECT_THAT(apply(replace(2, 100'100)), ElementsAre("D 2", "F 3 DESK"));
    EXPECT_THAT(apply(replace(3, 100'200)), ElementsAre("D 3", "A 4 B 1 @ 100200"));
}

}  // namespace
}  // namespace damrak::feed::itch_names_test
