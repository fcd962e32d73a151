// A recorded day as the market, in virtual time.
#include <damrak/recorded_market/replayed_day.hpp>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>

#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::recorded_market::replayed_day_test {
namespace {

using testing::SmallDay;

/// Takes every command.
struct Taker {
    std::size_t taken = 0;
    [[nodiscard]] static bool ready() { return true; }
    bool submit(const Command& /*command*/, const Origin& /*origin*/, Timestamp /*system*/) {
        ++taken;
        return true;
    }
};

class PacedDay : public ::testing::Test {
  protected:
    PacedDay() {
        SmallDay day;
        day.event(0, 'O').listed(1, "AAPL");
        for (std::uint64_t us = 1; us <= 8; ++us)
            day.add(static_cast<std::int64_t>(us), us, Side::buy, 1'000, 100);
        const auto file = folder_.path() / "day.itch";
        std::ofstream{file, std::ios::binary}.write(
            reinterpret_cast<const char*>(day.bytes().data()),
            static_cast<std::streamsize>(day.bytes().size()));
        // A microsecond takes ten milliseconds.
        auto opened =
            ReplayedDay::open({.file = file, .speed = 1e-4, .window = {}},
                              {.folder = folder_.path(),
                               .participant = {1},
                               .maximum_orders = 1'000,
                               .maximum_instruments = 16,
                               .midnight = [](std::int32_t /*date*/) { return Timestamp{0}; }});
        if (!opened) throw std::runtime_error{opened.error()};
        day_ = *std::move(opened);
        turn_at(0);
    }
    void turn_at(std::int64_t system_ms) {
        bool stopped = false;
        day_->play({system_ms * k_millisecond_ns}, taker_, stopped);
        EXPECT_FALSE(stopped);
    }
    [[nodiscard]] std::int64_t time_us() const {
        return (day_->status().time_ns - SmallDay::k_begin_ns) / 1'000;
    }

    testing::ScratchFolder folder_;
    std::shared_ptr<ReplayedDay> day_;
    Taker taker_;
};

TEST_F(PacedDay, GoesAtItsSpeed) {
    const std::size_t before = taker_.taken;
    turn_at(10);
    EXPECT_EQ(time_us(), 1);
    EXPECT_EQ(taker_.taken, before + 1);
    turn_at(59);
    EXPECT_EQ(time_us(), 5);
    EXPECT_EQ(taker_.taken, before + 5);
    turn_at(80);
    EXPECT_EQ(taker_.taken, before + 8);
}

TEST_F(PacedDay, StandsStillWhilePausedAndGoesOnFromThere) {
    turn_at(20);
    day_->pause(true);
    const std::size_t before = taker_.taken;
    for (std::int64_t ms = 30; ms <= 100'030; ms += 1'000) turn_at(ms);
    EXPECT_EQ(time_us(), 2);
    EXPECT_EQ(taker_.taken, before);
    day_->pause(false);
    turn_at(100'040);
    EXPECT_EQ(time_us(), 3);
    EXPECT_EQ(taker_.taken, before + 1);
    day_->set_speed(k_fastest);
    turn_at(100'041);
    EXPECT_EQ(time_us(), 8);
    EXPECT_EQ(taker_.taken, before + 6);
}

}  // namespace
}  // namespace damrak::recorded_market::replayed_day_test
