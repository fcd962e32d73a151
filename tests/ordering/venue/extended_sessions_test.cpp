// Extended calls and interruptions that meet another session: what ends when, and by which rules
// (docs/rule-book/collars.md and docs/how-to/venues.md).
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/supervised_market.hpp"

namespace damrak::venue::extended_sessions_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using testing::SupervisedMarket;

constexpr std::string_view k_rules = R"([rules]
dynamic_corridor = { percent = 2 }
auction_corridor = { percent = 5 }
band = { lower = 1, upper = 1000, reference = 100 }
on_breach = "interrupt"
interruption = { minimum = "2min", extensions = 1 }
extensions = { price = 1, price_time = "3min" }
)";

std::string session(std::string_view begin, std::string_view phase, std::string_view more = {}) {
    return fmt::format("[[session]]\nat = \"{}\"\nphase = \"{}\"\n{}\n", begin, phase, more);
}

struct Sessions {
    explicit Sessions(std::string_view sessions)
        : market(fmt::format("name = \"day\"\n{}{}", sessions, k_rules)) {
        market.go_to(at(10));
        market.trade(10'000);
        market.told();
    }
    /// A trade in a call whose price is outside the corridor.
    void leave_corridor() {
        market.buy(10'501);
        market.sell(10'501);
    }
    void interrupt() {
        market.sell(10'600);
        market.buy(10'600);
        EXPECT_EQ(market.instrument().call, CallKind::interruption);
    }
    SupervisedMarket market;
};

TEST(ExtendedSessions, ACallIsExtendedAlsoIfTheNextSessionHasAnotherRule) {
    Sessions of{session("09:00", "continuous", "auction = 'xetra'") +
                session("13:00", "call", "auction = 'xetra'") +
                session("13:05", "continuous", "auction = 'lse'")};
    of.market.go_to(at(13, 1));
    of.leave_corridor();
    of.market.go_to(at(14));
    EXPECT_THAT(of.market.told(),
                ElementsAre("13:00:00 S1 call intraday",
                            "13:05:00 S1 uncross continuous: auction_price_outside",
                            "13:05:00 S1 call intraday", "13:08:00 S1 uncross continuous",
                            "13:08:00 S1 continuous"));
    EXPECT_EQ(of.market.instrument().auction, AuctionRule::lse);
}

TEST(ExtendedSessions, ACallIsExtendedAlsoIfTheNextSessionIsACall) {
    Sessions of{session("09:00", "continuous", "auction = 'xetra'") +
                session("13:00", "call", "auction = 'xetra'") +
                session("13:05", "call", "call = 'closing'\nauction = 'xetra'")};
    of.market.go_to(at(13, 1));
    of.leave_corridor();
    of.market.go_to(at(14));
    EXPECT_THAT(of.market.told(),
                ElementsAre("13:00:00 S1 call intraday",
                            "13:05:00 S1 uncross pre_open: auction_price_outside",
                            "13:05:00 S1 call intraday", "13:08:00 S1 uncross call",
                            "13:08:00 S1 call closing"));
}

TEST(ExtendedSessions, AnInterruptionLastsAsLongWhateverSessionBegins) {
    for (const std::string_view next : {"continuous", "pre_open", "closed"}) {
        Sessions of{session("09:00", "continuous", "auction = 'xetra'") + session("13:00", next)};
        of.market.go_to(at(12, 59));
        of.interrupt();
        of.market.go_to(at(14));
        EXPECT_THAT(of.market.told(),
                    ElementsAre(fmt::format("13:01:00 S1 uncross {}: auction_price_outside", next),
                                "13:01:00 S1 call interruption",
                                fmt::format("13:03:00 S1 uncross {}", next)));
    }
}

TEST(ExtendedSessions, TheRuleOfTheSessionHoldsAsSoonAsAnInterruptionHasEnded) {
    Sessions of{session("09:00", "continuous", "auction = 'xetra'") +
                session("13:00", "continuous", "auction = 'euronext'")};
    of.market.go_to(at(12, 59));
    of.market.sell(10'300);
    of.market.buy(10'300);
    of.market.go_to(at(13, 1) + Timestamp{k_second_ns / 2});
    EXPECT_THAT(of.market.told(),
                ElementsAre("13:01:00 S1 uncross continuous", "13:01:00 S1 continuous"));
    EXPECT_EQ(of.market.instrument().auction, AuctionRule::euronext);
}

TEST(ExtendedSessions, ACallOfAnotherVenueIsNotExtendedButEnds) {
    Sessions of{session("09:00", "closed")};
    of.market.apply([] {
        Command command{};
        command.kind = CommandKind::set_phase;
        command.instrument = InstrumentId{1};
        command.phase = {.phase = Phase::call};
        return command;
    }());
    of.market.restart();
    of.market.go_to(at(10, 0, 1));
    EXPECT_THAT(of.market.told(), ElementsAre("10:00:00 S1 uncross closed"));
}

}  // namespace
}  // namespace damrak::venue::extended_sessions_test
