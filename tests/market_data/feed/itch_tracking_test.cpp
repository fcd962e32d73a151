// The tracking numbers of the feed do not count commands, most of which nobody sees.
#include <cstdint>

#include <gtest/gtest.h>

#include <damrak/feed/itch/publisher.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/command_stream.hpp"
#include "support/commands.hpp"

namespace damrak::feed::itch_tracking_test {
namespace {

struct Tracked {
    void on(const auto& message) {
        ++messages;
        EXPECT_EQ(message.tracking_number, 0U);
    }
    int messages = 0;
};

TEST(ItchTracking, TellsNothing) {
    const EngineConfig config;
    Engine engine{config};
    ItchPublisher publisher{config, {}};
    MessageBlock block;
    publisher.load(engine, false);
    publisher.begin_session({0}, block);
    CommandStamp stamp{};
    const auto apply = [&](const Command& command) {
        stamp.sequence.value += 1'000;
        publisher.on_time(stamp, block);
        publisher.on_command(command);
        engine.apply(command, [&](const Event& event) { publisher.on_event(event, stamp, block); });
        publisher.end_command(block);
    };
    apply(instrument_command(1, test_stock("TEST")));
    apply(order_command(1, 1, Side::buy, 100'000, 10));
    apply(order_command(1, 2, Side::sell, 100'000, 15));
    publisher.end_session({0}, block);
    Tracked tracked;
    EXPECT_GE(wire::itch::walk(block.bytes(), tracked).messages, 8U);
    EXPECT_GE(tracked.messages, 8);
}

}  // namespace
}  // namespace damrak::feed::itch_tracking_test
