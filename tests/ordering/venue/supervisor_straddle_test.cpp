// Straddle states of limit up, limit down (docs/rule-book/limit-up-limit-down.md, LU-15): seen, and
// paused by command.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/regular_hours.hpp"
#include "support/supervised_market.hpp"

namespace damrak::venue::supervisor_straddle_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::SupervisedMarket;

std::string with_luld(std::string_view luld) {
    return std::string{"name = \"day\"\n"}
        .append(testing::k_regular_hours)
        .append("[rules]\nluld = ")
        .append(luld)
        .append("\n");
}

TEST(SupervisorStraddle, TheOperatorPausesOutOfAStraddleState) {
    SupervisedMarket market{with_luld("{ tier = 1, previous_close = 20 }")};
    market.go_to(at(10));
    market.buy(1'500);
    market.told();
    Command pause = instrument_command(1);
    pause.kind = CommandKind::set_phase;
    pause.phase = {.phase = Phase::call,
                   .auction = market.instrument().auction,
                   .call = CallKind::reopening,
                   .cause = HaltCause::limit_up_limit_down};
    EXPECT_EQ(market.apply(pause), Reason::none);
    market.go_to(at(11));
    EXPECT_THAT(market.told(),
                ElementsAre("10:00:00 S1 band 1900-2100", "10:05:00 S1 uncross continuous",
                            "10:05:00 S1 band 1900-2100"))
        << "with the bands as its collar";
}

TEST(SupervisorStraddle, AStraddleStateOfSomeTimeIsPausedIfTheVenueSaysSo) {
    SupervisedMarket market{
        with_luld("{ tier = 1, previous_close = 20, straddle_pause = \"30s\" }")};
    market.go_to(at(10));
    market.buy(1'500);
    market.go_to(at(10, 0, 20));
    market.buy(2'000);
    market.told();
    market.go_to(at(10, 1));
    EXPECT_THAT(market.told(), IsEmpty()) << "it was over in time";
    market.cancel_all();
    market.buy(1'500);
    market.go_to(at(10, 10));
    EXPECT_THAT(market.told(),
                ElementsAre("10:01:30 S1 call reopening", "10:01:30 S1 band 1900-2100",
                            "10:06:30 S1 uncross continuous", "10:06:30 S1 band 1900-2100",
                            "10:07:00 S1 call reopening", "10:07:00 S1 band 1900-2100"));
}

TEST(SupervisorStraddle, AStraddleStateIsSeenOnly) {
    SupervisedMarket market{with_luld("{ tier = 1, previous_close = 20 }")};
    market.go_to(at(10));
    market.told();
    market.buy(1'500);
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::straddle);
    market.go_to(at(11));
    EXPECT_THAT(market.told(), IsEmpty());
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{2}), std::nullopt);
}

}  // namespace
}  // namespace damrak::venue::supervisor_straddle_test
