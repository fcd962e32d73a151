// A recorded day is the market of an exchange, in both wirings: its commands carry its times, and
// its events are those of an engine that nobody else trades in.
#include <damrak/exchange/recorded_market.hpp>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/exchange.hpp>
#include <damrak/views/market_depth.hpp>

#include "support/commands.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"
#include "support/small_exchange.hpp"

namespace damrak::exchange::recorded_market_test {
namespace {

using ::testing::HasSubstr;
using testing::SmallDay;

constexpr std::uint32_t k_client = 5;

struct Told {
    std::int64_t time_ns;
    Event event;
};

class Watcher final : public feed::MarketObserver {
  public:
    void on_event(const Event& event, const CommandStamp& stamp) override {
        const std::scoped_lock lock{mutex_};
        told_.push_back({stamp.timestamp.value, event});
    }
    [[nodiscard]] std::vector<Told> told() const {
        const std::scoped_lock lock{mutex_};
        return told_;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<Told> told_;
};

class RecordedMarket : public ::testing::TestWithParam<Wiring> {
  protected:
    [[nodiscard]] std::filesystem::path file_of(const SmallDay& day) const {
        auto file = folder_.path() / "day.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(day.bytes().data()),
            static_cast<std::streamsize>(day.bytes().size()));
        return file;
    }
    [[nodiscard]] Settings settings() const {
        return testing::small_exchange(folder_.path(), GetParam());
    }
    void start(const recorded_market::ReplaySettings& replay) {
        Settings settings = this->settings();
        const auto opened = open_recorded_day(replay, settings);
        ASSERT_TRUE(opened) << opened.error();
        auto started = Exchange::start(settings, {&watcher_});
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
        day_ = settings.replayed;
    }
    void run_until(const auto& done) {
        ASSERT_TRUE(testing::turns_until([this] { exchange_->step(); }, done));
    }
    void run_to_end() {
        run_until([this] { return day_->status().over; });
    }
    /// Of the trades: quantity and price.
    [[nodiscard]] std::vector<std::pair<std::int64_t, std::int64_t>> trades() {
        exchange_->stop();
        std::vector<std::pair<std::int64_t, std::int64_t>> trades;
        for (const Told& one : watcher_.told())
            if (one.event.kind == EventKind::executed &&
                has_flag(one.event, EventFlags::k_aggressor))
                trades.emplace_back(one.event.quantity.value, one.event.price.value);
        return trades;
    }

    testing::ScratchFolder folder_;
    Watcher watcher_;
    std::shared_ptr<recorded_market::ReplayedDay> day_;
    std::unique_ptr<Exchange> exchange_;
};

SmallDay small_day() {
    SmallDay day;
    day.listed(1, "AAPL")
        .listed(2, "MSFT")
        .add(1, 11, Side::sell, 1'001, 100)
        .add(2, 12, Side::sell, 1'001, 50, 2)
        .execute(3, 11, 30)
        .replace(4, 11, 13, 1'002, 60)
        .execute_at(5, 13, 10, 1'001)
        .hidden_trade(6, 1'000, 25)
        .cancel(7, 13, 10)
        .remove(8, 12, 2);
    return day;
}

TEST_P(RecordedMarket, IsTheRecordingWhereNoClientTrades) {
    start({.file = file_of(small_day()), .speed = recorded_market::k_fastest, .window = {}});
    run_to_end();
    EXPECT_THAT(trades(), ::testing::ElementsAre(std::pair{30, 100'100}, std::pair{10, 100'100},
                                                 std::pair{25, 100'000}));
    const auto drift = day_->drift().total();
    EXPECT_EQ(drift.messages, 10U);
    EXPECT_EQ(drift.differences, 0U);
    views::MarketDepth depth{settings().capacity};
    std::int64_t last_ns = 0;
    for (const Told& one : watcher_.told()) {
        static_cast<void>(depth.on_event(one.event));
        if (one.event.command != CommandKind::day_opened) last_ns = one.time_ns;
    }
    EXPECT_EQ(depth.best(InstrumentId{1}, Side::sell).price, Price{100'200});
    EXPECT_EQ(depth.best(InstrumentId{1}, Side::sell).quantity, Quantity{40});
    EXPECT_EQ(depth.best(InstrumentId{2}, Side::sell).quantity, Quantity{0});
    EXPECT_EQ(last_ns, day_->at(SmallDay::time_ns(8)).value);
}

TEST_P(RecordedMarket, FillsClientsFirst) {
    start({.file = file_of(small_day()), .speed = recorded_market::k_fastest, .window = {}});
    day_->pause(true);
    exchange_->step();
    ASSERT_TRUE(exchange_->trading().submit(order_command(1, k_client, Side::sell, 100'000, 20)));
    day_->pause(false);
    run_to_end();
    EXPECT_THAT(trades(), ::testing::ElementsAre(std::pair{20, 100'000}, std::pair{10, 100'100},
                                                 std::pair{10, 100'100}, std::pair{25, 100'000}));
    EXPECT_EQ(day_->drift().of(InstrumentId{1}).taken, 20U);
    EXPECT_EQ(day_->drift().of(InstrumentId{1}).missed_quantity, 0U);
}

TEST_P(RecordedMarket, StandsStillWhilePaused) {
    start({.file = file_of(small_day()),
           .speed = recorded_market::k_fastest,
           .paused = true,
           .window = {}});
    const auto paused = day_->status().time_ns;
    for (int turns = 0; turns < 1'000; ++turns) exchange_->step();
    EXPECT_EQ(day_->status().time_ns, paused);
    EXPECT_EQ(day_->drift().total().messages, 0U);
    day_->pause(false);
    run_to_end();
    EXPECT_EQ(day_->status().time_ns, SmallDay::time_ns(8));
    std::int64_t last_ns = 0;
    exchange_->stop();
    for (const Told& one : watcher_.told()) {
        EXPECT_GE(one.time_ns, last_ns);
        last_ns = one.time_ns;
    }
}

TEST_P(RecordedMarket, BeginsWithBooksAndEndsAtTimes) {
    start({.file = file_of(small_day()),
           .speed = recorded_market::k_fastest,
           .window = {.from_ns = SmallDay::time_ns(4), .until_ns = SmallDay::time_ns(5)}});
    run_to_end();
    EXPECT_THAT(trades(), ::testing::ElementsAre(std::pair{10, 100'100}));
    EXPECT_EQ(day_->drift().total().differences, 0U);
    EXPECT_EQ(day_->status().time_ns, SmallDay::time_ns(5));
}

TEST_P(RecordedMarket, GoesOnAfterAKill) {
    const auto file = file_of(small_day());
    const auto begin = [&](double speed) { start({.file = file, .speed = speed, .window = {}}); };
    begin(1e-4);
    run_until([this] { return day_->drift().total().messages >= 5; });
    day_->pause(true);
    for (int turn = 0; turn < 20; ++turn) exchange_->step();  // all is answered
    EXPECT_TRUE(exchange_->trading().submit(order_command(1, k_client, Side::buy, 100'200, 5)));
    const auto before = day_->status().time_ns;
    const auto drift = day_->drift().total();
    exchange_.reset();  // as a kill does

    begin(recorded_market::k_fastest);
    EXPECT_EQ(day_->status().time_ns, before);
    EXPECT_EQ(day_->drift().total(), drift);
    EXPECT_EQ(drift.taken, 5U);
    run_to_end();
    EXPECT_EQ(day_->drift().total().messages, 10U);
    EXPECT_EQ(day_->drift().total().taken, 5U);
    exchange_->stop();
    exchange_.reset();

    Settings other = settings();
    ASSERT_TRUE(open_recorded_day(
        {.file = file, .speed = 1, .window = {.from_ns = SmallDay::time_ns(3)}}, other));
    const auto refused = Exchange::start(other);
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error(), HasSubstr("the replayed day cannot go on"));
}

TEST_P(RecordedMarket, HasADirectoryOfItsOwn) {
    const auto file = file_of(small_day());
    start({.file = file, .speed = recorded_market::k_fastest, .window = {}});
    exchange_->stop();
    Settings other = settings();
    const auto usual = check_no_recorded_day(other);
    ASSERT_FALSE(usual);
    EXPECT_THAT(usual.error(), HasSubstr("has the journal of a replayed day"));
    other.data = folder_.path() / "other";
    ASSERT_TRUE(Exchange::start(other));
    const auto taken = open_recorded_day({.file = file, .speed = 1, .window = {}}, other);
    ASSERT_FALSE(taken);
    EXPECT_THAT(taken.error(), HasSubstr("has the journal of another market"));
}

INSTANTIATE_TEST_SUITE_P(All, RecordedMarket,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace
}  // namespace damrak::exchange::recorded_market_test
