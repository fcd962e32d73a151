// A feed whose next file cannot be opened: it says so once, loses nothing, and goes on when it can.
#include <damrak/feed/itch/itch_feed.hpp>

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>

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
                                 .on_notice = [this](auto& line) { notices_.push_back(line); }},
                                k_capacity);
        const std::uint64_t kept = feed_->kept().value();
        if (auto begun = feed_->begin(engine_, kept == MarketObserver::k_any ? 0 : kept); !begun)
            return begun;
        for (std::uint64_t i = kept == MarketObserver::k_any ? 0 : kept; i < records_.size(); ++i)
            pass_on(i);
        return feed_->go_live(records_.size());
    }
    void day(CommandKind kind, std::int32_t date) {
        Command command{};
        command.kind = kind;
        command.trading_day.date = date;
        command.trading_day.is_open = kind == CommandKind::day_opened ? 1 : 0;
        records_.push_back(command);
        pass_on(records_.size() - 1);
    }
    void pass_on(std::uint64_t record) const {
        feed_->on_command(records_[record], {.sequence = {record + 1}, .timestamp = {1'000}});
        feed_->on_batch_end(true);
    }
    /// A folder in place of the file: even root cannot open it.
    void block(std::int32_t date) const { std::filesystem::create_directory(file(date)); }
    void unblock(std::int32_t date) const { std::filesystem::remove(file(date)); }
    [[nodiscard]] std::filesystem::path file(std::int32_t date) const {
        return folder_ / (FeedSessionId{.date = date}.text() + ".itch");
    }

    static constexpr EngineConfig k_capacity{};
    testing::ScratchFolder folder_;
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

}  // namespace
}  // namespace damrak::feed::itch_feed_test
