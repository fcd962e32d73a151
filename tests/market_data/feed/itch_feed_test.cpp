// The files of the feed over days: a new session within a day; market hours; a file that cannot be
// opened, which is said once, loses nothing, and continues when it can.
#include <damrak/feed/itch/itch_feed.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/wire/itch/view_mark.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::feed::itch_feed_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int32_t k_first = 20261127;
constexpr std::int32_t k_second = 20261128;
constexpr std::int32_t k_third = 20261129;

class ItchFeedFiles : public ::testing::Test {
  protected:
    /// Starts the feed of a journal with these records so far, as the exchange does.
    std::expected<void, std::string> start() {
        feed_.reset();
        notices_.clear();
        feed_ = *ItchFeed::open({.folder = folder_.path(),
                                 .itch = settings_,
                                 .on_notice = [this](auto& line) { notices_.push_back(line); }},
                                k_capacity);
        const std::uint64_t kept = feed_->kept().value();
        if (auto begun = feed_->begin(engine_, kept == MarketObserver::k_any ? 0 : kept); !begun)
            return begun;
        for (std::uint64_t i = kept == MarketObserver::k_any ? 0 : kept; i < records_.size(); ++i)
            pass_on(i);
        return feed_->go_live(records_.size());
    }
    void day(CommandKind kind, std::int32_t date, std::uint16_t session = 0) {
        Command command{};
        command.kind = kind;
        command.timestamp = {1'000};
        command.trading_day.date = date;
        command.trading_day.feed_session = session;
        command.trading_day.is_open = kind == CommandKind::day_opened ? 1 : 0;
        record(command);
    }
    void record(const Command& command) {
        records_.push_back(command);
        pass_on(records_.size() - 1);
    }
    void pass_on(std::uint64_t record) const {
        feed_->on_command(records_[record],
                          {.sequence = {record + 1}, .timestamp = records_[record].timestamp});
        feed_->on_batch_end(true);
    }
    /// A folder in place of the file: even root cannot open it.
    static void block(const std::filesystem::path& file) {
        std::filesystem::create_directory(file);
    }
    static void unblock(const std::filesystem::path& file) { std::filesystem::remove(file); }
    void block(std::int32_t date) const { block(file(date)); }
    void unblock(std::int32_t date) const { unblock(file(date)); }
    [[nodiscard]] std::filesystem::path file(std::int32_t date) const {
        return file({.date = date});
    }
    [[nodiscard]] std::filesystem::path file(FeedSessionId id) const {
        return folder_ / (id.text() + ".itch");
    }

    static constexpr EngineConfig k_capacity{};
    testing::ScratchFolder folder_;
    ItchSettings settings_;
    Engine engine_{k_capacity};
    std::vector<Command> records_;
    std::vector<std::string> notices_;
    std::unique_ptr<ItchFeed> feed_;
};

TEST_F(ItchFeedFiles, AtAChangeOfDayThatCannotBeOpenedAreTriedAgainWithAllThatWaits) {
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    day(CommandKind::day_closed, k_first);
    EXPECT_FALSE(feed_->is_failing());
    block(k_second);
    day(CommandKind::day_opened, k_second);
    EXPECT_TRUE(feed_->is_failing());
    EXPECT_EQ(feed_->session()->id().date, k_first);
    feed_->on_turn(10 * k_second_ns);
    ASSERT_THAT(notices_, SizeIs(1));
    EXPECT_THAT(notices_[0], AllOf(HasSubstr(file(k_second).string()), HasSubstr("cannot open")));
    unblock(k_second);
    feed_->on_turn(20 * k_second_ns);
    EXPECT_FALSE(feed_->is_failing());
    day(CommandKind::day_closed, k_second);
    EXPECT_TRUE(feed_->session()->ended());
    EXPECT_EQ(testing::content_of(file(k_second)), testing::content_of(file(k_first)));
}

TEST_F(ItchFeedFiles, ThatStayClosedForADayArePublishedByTheNextStart) {
    ASSERT_TRUE(start());
    block(k_first);
    day(CommandKind::day_opened, k_first);
    day(CommandKind::day_closed, k_first);
    day(CommandKind::day_opened, k_second);
    day(CommandKind::day_closed, k_second);
    day(CommandKind::day_opened, k_third);
    EXPECT_TRUE(feed_->is_failing());
    EXPECT_THAT(notices_, SizeIs(2)) << "the second one asks for a start";
    const auto refused = start();
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr(file(k_first).string() + ": cannot open"));
    unblock(k_first);
    ASSERT_TRUE(start());
    EXPECT_EQ(feed_->session()->id().date, k_third);
    EXPECT_EQ(testing::content_of(file(k_second)), testing::content_of(file(k_first)));
    EXPECT_FALSE(testing::content_of(file(k_first)).empty());
}

TEST_F(ItchFeedFiles, OfASessionWithinADayBeginAsThoseOfADayAlsoAfterAKill) {
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    day(CommandKind::day_opened, k_first, 1);
    const std::string begun = testing::content_of(file(k_first));
    EXPECT_FALSE(begun.empty());
    EXPECT_EQ(testing::content_of(file({.date = k_first, .number = 1})), begun);
    ASSERT_TRUE(start());
    EXPECT_EQ(testing::content_of(file({.date = k_first, .number = 1})), begun);
    day(CommandKind::day_opened, k_first, 2);
    EXPECT_EQ(testing::content_of(file({.date = k_first, .number = 2})), begun);
}

// The kill comes after the old session has ended, and before the new one has a file.
TEST_F(ItchFeedFiles, OfASessionWithinADayBeginAlsoWhereAKillCameBetween) {
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    block(file({.date = k_first, .number = 1}));
    day(CommandKind::day_opened, k_first, 1);
    unblock(file({.date = k_first, .number = 1}));
    ASSERT_TRUE(start());
    EXPECT_EQ(testing::content_of(file({.date = k_first, .number = 1})),
              testing::content_of(file(k_first)));
}

/// Opening call from 9:00 to 10:00, closing call from 16:00 to 17:00.
std::shared_ptr<const venue::MarketHours> hours() {
    venue::Venue made;
    const auto add = [&](std::int64_t hour, Phase phase, CallKind call = {}) {
        venue::TradingSession& session = made.sessions.emplace_back();
        session.at_ns = hour * k_hour_ns;
        session.phase = phase;
        session.call = call;
    };
    add(8, Phase::continuous);
    add(9, Phase::call, CallKind::opening);
    add(10, Phase::continuous);
    add(16, Phase::call, CallKind::closing);
    add(17, Phase::continuous);
    add(20, Phase::closed);
    return std::make_shared<venue::MarketHours>(*venue::Timetable::make(made, 0));
}

class ItchFeedHours : public ItchFeedFiles {
  protected:
    ItchFeedHours() { settings_.hours = hours(); }
    void tick(std::int64_t hour, std::int64_t beyond_ns = 0) {
        Command command{};
        command.kind = CommandKind::tick;
        command.timestamp = {hour * k_hour_ns + beyond_ns};
        record(command);
    }
    /// The codes of the system events in the file.
    [[nodiscard]] std::string events() const {
        constexpr std::size_t k_frame = 14;
        std::string codes;
        const std::string all = testing::content_of(file(k_first));
        for (std::size_t at = k_frame; at <= all.size(); at += k_frame) codes += all[at - 1];
        return codes;
    }
};

TEST_F(ItchFeedHours, BeginAfterTheOpeningCallAndEndAfterTheClosingOne) {
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    tick(9);
    tick(10, -1);
    EXPECT_EQ(events(), "OS");
    tick(10);
    EXPECT_EQ(events(), "OSQ");
    tick(17, -1);
    EXPECT_EQ(events(), "OSQ");
    tick(17);
    tick(19);
    EXPECT_EQ(events(), "OSQM");
    day(CommandKind::day_closed, k_first);
    EXPECT_EQ(events(), "OSQMEC");
}

TEST_F(ItchFeedHours, AreToldOnceOverKills) {
    const std::vector<std::string> told{"OS", "OS", "OSQ", "OSQ", "OSQM", "OSQM"};
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    for (std::size_t i = 0; i < told.size(); ++i) {
        tick(std::array{8, 9, 10, 15, 17, 19}[i]);
        EXPECT_EQ(events(), told[i]);
        ASSERT_TRUE(start());
        EXPECT_EQ(events(), told[i]);
    }
}

TEST_F(ItchFeedHours, ThatBeginWithTheDayEndWithItUnlessTheyEndedBefore) {
    settings_.hours = nullptr;
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    tick(10);
    day(CommandKind::day_closed, k_first);
    EXPECT_EQ(events(), "OSQMEC");
}

struct Listener {
    wire::itch::ViewMarks marks;
    void on(const wire::itch::SystemEvent& event) { marks.note(event); }
};

// The marks of a day of limited depth say with Q and M when its book is known.
TEST_F(ItchFeedHours, AreNoMarksOfAView) {
    settings_.recording = Recording{.participant = {9}, .has_view = true, .levels = 5};
    ASSERT_TRUE(start());
    day(CommandKind::day_opened, k_first);
    tick(10);
    tick(17);
    ASSERT_EQ(events(), "OSQM");
    Listener heard;
    const std::string all = testing::content_of(file(k_first));
    static_cast<void>(wire::itch::walk(std::as_bytes(std::span{all}), heard));
    EXPECT_TRUE(heard.marks.are_told());
    EXPECT_EQ(heard.marks.known_from_ns(), 0);
    EXPECT_EQ(heard.marks.known_until_ns(), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace damrak::feed::itch_feed_test
