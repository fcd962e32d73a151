// What is noted of the instruments for readers on other threads.
#include <damrak/feed/status_board.hpp>

#include <gtest/gtest.h>

#include "support/commands.hpp"

namespace damrak::feed::status_board_test {
namespace {

TEST(StatusBoard, HasTheDefinitionsAndFollowsTheirTickBands) {
    Engine engine{EngineConfig{}};
    StatusBoard board;
    const auto apply = [&](const Command& command) {
        engine.apply(command, [&](const Event& event) { board.on_event(event, engine); });
    };
    EXPECT_FALSE(board.definition("ONE"));
    apply(instrument_command(1, test_stock("ONE")));
    ASSERT_TRUE(board.definition("ONE"));
    EXPECT_EQ(*board.definition("ONE"), engine.instrument(InstrumentId{1})->definition());
    Command band{};
    band.kind = CommandKind::add_tick_band;
    band.instrument = InstrumentId{1};
    band.tick_band = {.from_price = Price{1'000'000}, .tick_size = Price{2'500}};
    apply(band);
    EXPECT_EQ(board.definition("ONE")->tick_size_at(Price{1'000'000}), Price{2'500});
    StatusBoard later;
    later.load(engine);
    EXPECT_EQ(later.definition("ONE"), board.definition("ONE"));
}

}  // namespace
}  // namespace damrak::feed::status_board_test
