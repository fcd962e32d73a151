// The way back of a speed bump: reports and positions of the journal that wait.
#include <damrak/exchange/detail/held_reports.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/detail/delayed.hpp>
#include <damrak/exchange/detail/held_position.hpp>

namespace damrak::exchange::held_reports_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Reports : public ::testing::Test {
  protected:
    /// A command with this many events.
    void happen(std::uint64_t sequence, std::int64_t when, int events = 1) {
        const Origin origin{.session = {sequence}};
        for (int i = 0; i < events; ++i)
            held_.add({}, origin, {SequenceNumber{sequence}, Timestamp{when}});
        EXPECT_TRUE(held_.add_end(origin));
    }
    std::vector<std::string> told_by(std::int64_t when) {
        std::vector<std::string> told;
        held_.release(
            Timestamp{when},
            [&](const Event&, const Origin&, const CommandStamp& stamp) {
                told.push_back("event " + std::to_string(stamp.sequence.value));
            },
            [&](const Origin& origin) {
                told.push_back("end " + std::to_string(origin.session.value));
            });
        return told;
    }
    HeldReports held_;
};

TEST_F(Reports, WaitInOrder) {
    EXPECT_FALSE(held_.holds());
    held_.set(100);
    EXPECT_TRUE(held_.holds());
    happen(5, 0, 2);
    happen(6, 10);
    EXPECT_THAT(told_by(99), IsEmpty());
    EXPECT_EQ(held_.passed_position(), 4U);
    EXPECT_THAT(told_by(100), ElementsAre("event 5", "event 5", "end 5"));
    EXPECT_EQ(held_.passed_position(), 5U);
    EXPECT_THAT(told_by(110), ElementsAre("event 6", "end 6"));
    EXPECT_EQ(held_.passed_position(), UINT64_MAX);
    EXPECT_FALSE(held_.add_end({})) << "of a command whose events did not wait";
}

TEST_F(Reports, WithoutADelayWhatComesStaysBehindWhatWaits) {
    held_.set(100);
    happen(5, 0);
    held_.set(0);
    EXPECT_TRUE(held_.holds());
    happen(6, 1);
    EXPECT_THAT(told_by(1), ElementsAre("event 5", "end 5", "event 6", "end 6"));
    EXPECT_FALSE(held_.holds());
}

TEST_F(Reports, MayBeEnough) {
    held_.set(100);
    happen(5, 0, HeldReports::k_enough - 2);
    EXPECT_FALSE(held_.is_full());
    happen(6, 0);
    EXPECT_TRUE(held_.is_full());
}

/// Has reported all of ten commands.
struct Done {
    [[nodiscard]] static bool ready() { return true; }
    [[nodiscard]] static bool awaits_answers() { return false; }
    [[nodiscard]] static std::uint64_t reported_position() { return 10; }
};

TEST(HeldReports, AnExchangeReadsNoMoreRequestsAndHasNotReportedWhatWaits) {
    Delayed<Done> exchange;
    EXPECT_EQ(exchange.reported_position(), 10U);
    exchange.note_held_reports(7, true);
    EXPECT_EQ(exchange.reported_position(), 7U);
    EXPECT_FALSE(exchange.ready());
    exchange.note_held_reports(UINT64_MAX, false);
    EXPECT_EQ(exchange.reported_position(), 10U);
    EXPECT_TRUE(exchange.ready());
}

TEST(HeldPosition, IsThatOfADelayAgo) {
    HeldPosition held{3};
    EXPECT_EQ(held.pass(3, Timestamp{0}, Timestamp{6'400}), 3U);
    EXPECT_EQ(held.pass(5, Timestamp{10}, Timestamp{6'400}), 3U);
    EXPECT_EQ(held.pass(6, Timestamp{50}, Timestamp{6'400}), 3U);
    EXPECT_EQ(held.pass(7, Timestamp{110}, Timestamp{6'400}), 3U);
    EXPECT_EQ(held.pass(7, Timestamp{6'409}, Timestamp{6'400}), 3U);
    EXPECT_EQ(held.pass(7, Timestamp{6'410}, Timestamp{6'400}), 5U);
    EXPECT_EQ(held.pass(7, Timestamp{6'510}, Timestamp{6'400}), 7U) << "6 has no mark of its own";
    EXPECT_EQ(held.pass(9, Timestamp{6'520}, Timestamp{6'400}), 7U);
    EXPECT_EQ(held.pass(9, Timestamp{6'521}, Timestamp{}), 9U);
}

}  // namespace
}  // namespace damrak::exchange::held_reports_test
