// A market led through the sessions of a venue: each begins once, even after a restart, and what
// was missed is made up for. The engine is the real one.
#include <damrak/venue/phase_clock.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/domain/phase_names.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/venue/venue_file.hpp>

#include "support/commands.hpp"

namespace damrak::venue::phase_clock_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view k_day = R"(name = "day"
[[session]]
at = "08:00"
phase = "pre_open"
[[session]]
at = "09:00"
phase = "call"
call = "opening"
auction = "lse"
random_end = "30s"
[[session]]
at = "09:10"
phase = "continuous"
[[session]]
at = "17:00"
phase = "call"
call = "closing"
auction = "lse"
[[session]]
at = "17:05"
phase = "closed"
)";

constexpr std::string_view k_batches = R"(name = "batches"
[[session]]
at = "00:00"
phase = "closed"
[[session]]
at = "09:00"
phase = "call"
auction = "frequent_batch"
interval = "100ms"
sealed = true
)";

constexpr std::string_view k_cutoffs = R"(name = "cutoffs"
[[session]]
at = "09:00"
phase = "continuous"
[[session]]
at = "15:50"
phase = "continuous"
refuses = ["auction_order_changes"]
[[session]]
at = "15:55"
phase = "call"
call = "closing"
auction = "nasdaq"
refuses = ["market_auction_orders", "auction_order_changes"]
[[session]]
at = "16:00"
phase = "continuous"
refuses = ["changes"]
)";

Timestamp at(int hour, int minute = 0, double second = 0) {
    return {(std::int64_t{hour} * 3'600 + std::int64_t{minute} * 60) * k_second_ns +
            static_cast<std::int64_t>(second * 1e9)};
}

struct PhaseClockTest : ::testing::Test {
    explicit PhaseClockTest(std::string_view file = k_day)
        : venue(parse_venue(file, "test").value()) {
        EngineConfig config;
        config.maximum_instruments = 4;
        config.maximum_participants = 4;
        engine = std::make_unique<Engine>(config);
        apply(instrument_command(1));
        restart();
    }
    void restart() { clock.emplace(venue, Timetable::make(venue, 1).value()); }
    [[nodiscard]] const InstrumentState& instrument() const {
        return *engine->instrument(InstrumentId{1});
    }
    std::vector<Reason> apply(const Command& given, Timestamp now = {}) const {
        Command command = given;
        command.timestamp = now;
        std::vector<Reason> rejected;
        engine->apply(command, [&](const Event& event) {
            if (event.kind == EventKind::rejected) rejected.push_back(event.reason);
        });
        return rejected;
    }
    /// What is done at a time.
    std::vector<std::string> step(Timestamp now) {
        std::vector<std::string> lines;
        if (!clock->is_due(now)) return lines;
        const InstrumentState* const in = &instrument();
        for (const Command& command : clock->due(now, {&in, 1})) {
            if (command.kind == CommandKind::tick) {
                lines.emplace_back("tick");
                continue;
            }
            const bool crosses = command.kind == CommandKind::uncross;
            std::string line =
                fmt::format("{} {}", crosses ? "uncross" : "set", name(command.phase.phase));
            if (!crosses && command.phase.phase == Phase::call)
                line +=
                    fmt::format(" {} {}", name(command.phase.call), name(command.phase.auction));
            for (const Reason reason : apply(command, now))
                line += fmt::format(" rejected {}", name(reason));
            lines.push_back(std::move(line));
        }
        return lines;
    }
    /// What is done until a time, whenever it is due, with the time in seconds.
    std::vector<std::string> run(Timestamp from, Timestamp until) {
        std::vector<std::string> lines;
        for (Timestamp now = from; now <= until; now = std::max(clock->next(), now + Timestamp{1}))
            for (const std::string& line : step(now))
                lines.push_back(fmt::format("{} {}", now.value / k_second_ns, line));
        return lines;
    }

    Venue venue;
    std::unique_ptr<Engine> engine;
    std::optional<PhaseClock> clock;
};

TEST_F(PhaseClockTest, LeadsThroughTheDay) {
    EXPECT_THAT(step(at(0)), ElementsAre("set closed"));
    EXPECT_THAT(step(at(7, 59)), IsEmpty());
    EXPECT_THAT(step(at(8)), ElementsAre("set pre_open"));
    EXPECT_THAT(step(at(9)), ElementsAre("set call opening lse"));
    EXPECT_THAT(step(at(9, 9, 59.9)), IsEmpty());
    EXPECT_THAT(step(at(9, 10, 31)), ElementsAre("uncross continuous"));
    EXPECT_THAT(step(at(17)), ElementsAre("set call closing lse"));
    EXPECT_THAT(step(at(17, 5)), ElementsAre("uncross closed"));
    EXPECT_THAT(step(at(23)), IsEmpty());
    EXPECT_THAT(step(at(24)), IsEmpty());
    EXPECT_THAT(step(at(24 + 8)), ElementsAre("set pre_open"));
}

struct Cutoffs : PhaseClockTest {
    Cutoffs() : PhaseClockTest(k_cutoffs) {}
};

TEST_F(Cutoffs, AreRestrictionsOfTheirSessions) {
    using Refused = PhaseRestrictions;
    const auto refused = [&] { return instrument().restrictions; };
    EXPECT_THAT(step(at(10)), IsEmpty());
    EXPECT_THAT(step(at(15, 50)), ElementsAre("set continuous"));
    EXPECT_EQ(refused(), Refused::k_auction_order_changes);
    EXPECT_THAT(step(at(15, 51)), IsEmpty());
    EXPECT_THAT(step(at(15, 55)), ElementsAre("set call closing nasdaq"));
    EXPECT_EQ(refused(), Refused::k_auction_order_changes | Refused::k_market_auction_orders);
    EXPECT_THAT(step(at(16)), ElementsAre("uncross continuous", "set continuous"));
    EXPECT_EQ(refused(), Refused::k_changes);
    EXPECT_THAT(step(at(17)), IsEmpty());
}

TEST_F(PhaseClockTest, TicksWhileACallRunsWhereFeedsTellItsValuesByTheClock) {
    venue.indicative_every_ns = 200 * k_second_ns;
    restart();
    run(at(8), at(8, 59, 59));
    constexpr std::int64_t k_nine = 9 * 3'600;
    EXPECT_THAT(run(at(9), at(9, 10)), ElementsAre(fmt::format("{} set call opening lse", k_nine),
                                                   fmt::format("{} tick", k_nine + 200),
                                                   fmt::format("{} tick", k_nine + 400),
                                                   fmt::format("{} tick", k_nine + 600)));
    EXPECT_THAT(run(at(9, 11), at(16, 59)),
                ElementsAre(fmt::format("{} uncross continuous", k_nine + 660)));
}

TEST_F(PhaseClockTest, ACallEndsAtItsRandomEnd) {
    step(at(9));
    const Timestamp end = clock->timetable().at(at(9, 5), InstrumentId{1}).end;
    ASSERT_GT(end, at(9, 10));
    EXPECT_THAT(step(end - Timestamp{1}), IsEmpty());
    EXPECT_THAT(step(end), ElementsAre("uncross continuous"));
    EXPECT_EQ(instrument().phase_since, end);
}

TEST_F(PhaseClockTest, NothingHappensTwiceAfterARestart) {
    for (const Timestamp now : {at(8), at(9), at(9, 11), at(17), at(17, 5)}) {
        EXPECT_FALSE(step(now).empty());
        restart();
        EXPECT_THAT(step(now + Timestamp{1}), IsEmpty());
    }
}

TEST_F(PhaseClockTest, ARestartGoesOnFromWhatWasMissed) {
    step(at(8));
    restart();
    EXPECT_THAT(step(at(10)), ElementsAre("set call opening lse", "uncross continuous"))
        << "the opening was missed";
    restart();
    EXPECT_THAT(step(at(18)), ElementsAre("set closed")) << "the close was";
    restart();
    step(at(24 + 9));
    restart();
    EXPECT_THAT(step(at(24 + 10)), ElementsAre("uncross continuous")) << "the end of the opening";
    step(at(24 + 17));
    restart();
    EXPECT_THAT(step(at(48 + 9)), ElementsAre("uncross call", "set call opening lse"))
        << "from one call to another";
    restart();
    EXPECT_THAT(step(at(72 + 9)), ElementsAre("uncross call", "set call opening lse"))
        << "or to that of the next day";
}

TEST_F(PhaseClockTest, AHaltedInstrumentHasItsAuctionWhenTheHaltEnds) {
    step(at(9));
    Command halt = instrument_command(1);
    halt.kind = CommandKind::set_trading_state;
    halt.trading_state = TradingState::halted;
    apply(halt, at(9, 5));
    EXPECT_THAT(run(at(9, 5), at(9, 20)), IsEmpty());
    halt.trading_state = TradingState::trading;
    apply(halt, at(9, 20));
    EXPECT_THAT(run(at(9, 20), at(9, 22)), ElementsAre("33600 uncross continuous"));
}

struct Interrupted : PhaseClockTest {
    Interrupted()
        : PhaseClockTest(std::string{k_day} + R"([rules]
dynamic_corridor = { percent = 2 }
on_breach = "interrupt"
interruption = { minimum = "2min", random_end = "30s" }
)") {
        step(at(9, 11));
    }
    /// As the engine does when a price leaves its corridor.
    void interrupt(Timestamp now) {
        Command command = instrument_command(1);
        command.kind = CommandKind::set_phase;
        command.phase = {
            .phase = Phase::call, .auction = AuctionRule::lse, .call = CallKind::interruption};
        EXPECT_THAT(apply(command, now), IsEmpty());
    }
};

TEST_F(Interrupted, TradingGoesOnAfterTheMinimumAndARandomTime) {
    interrupt(at(11));
    EXPECT_THAT(run(at(11), at(11, 2)), IsEmpty());
    const auto after = run(at(11, 2), at(11, 5));
    ASSERT_EQ(after.size(), 1);
    EXPECT_THAT(after[0], ::testing::HasSubstr("uncross continuous"));
    EXPECT_GT(instrument().phase_since, at(11, 2));
    EXPECT_LE(instrument().phase_since, at(11, 2, 31));
}

TEST_F(Interrupted, AScheduledCallTakesItOver) {
    interrupt(at(16, 59));
    EXPECT_THAT(run(at(16, 59), at(17, 6)),
                ElementsAre("61200 set call closing lse", "61500 uncross closed"));
}

TEST_F(Interrupted, ARestartInTheMiddleEndsItOnce) {
    interrupt(at(11));
    restart();
    EXPECT_THAT(run(at(11, 1), at(11, 1, 59)), IsEmpty());
    restart();
    EXPECT_EQ(run(at(13), at(14)).size(), 1);
}

struct Batches : PhaseClockTest {
    Batches() : PhaseClockTest(k_batches) {}
};

TEST_F(Batches, EndAtWholeIntervals) {
    EXPECT_THAT(step(at(9, 0, 0.02)), ElementsAre("set call intraday frequent_batch"));
    EXPECT_THAT(step(at(9, 0, 0.0999)), IsEmpty());
    EXPECT_THAT(step(at(9, 0, 0.1)), ElementsAre("uncross call"));
    EXPECT_THAT(step(at(9, 0, 0.1001)), IsEmpty());
    EXPECT_EQ(run(at(9, 0, 0.11), at(9, 0, 1.0)).size(), 9);
    restart();
    EXPECT_THAT(step(at(9, 0, 1.01)), IsEmpty()) << "its batch goes on";
    EXPECT_THAT(step(at(9, 0, 5.05)), ElementsAre("uncross call")) << "one, for those missed";
    EXPECT_THAT(step(at(9, 0, 5.06)), IsEmpty());
    EXPECT_THAT(step(at(9, 0, 5.1)), ElementsAre("uncross call"));
    EXPECT_THAT(step(at(24)), ElementsAre("uncross closed"));
}

}  // namespace
}  // namespace damrak::venue::phase_clock_test
