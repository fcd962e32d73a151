// The speed bump: what waits, for how long, what may not overtake, and how much of it one session
// may fill.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/exchange/detail/delayed.hpp>

namespace damrak::exchange::delay_stage_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr Timestamp at(std::int64_t ns) { return {1'000'000'000 + ns}; }

Command order(std::uint64_t name, CommandFlags::Bits flags = 0) {
    Command command{};
    command.kind = CommandKind::new_order;
    command.client_order_id = {name};
    command.flags = flags;
    return command;
}
Command cancel(std::uint64_t name) {
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.client_order_id = {name};
    return command;
}
Origin session(std::uint64_t number) { return {.session = {number}}; }

/// Keeps what passed the speed bump.
class Passed {
  public:
    bool submit(const Command& command, const Origin&, Timestamp now, std::uint32_t delay_ns = 0) {
        names.push_back(command.client_order_id.value);
        times.push_back(now);
        delays.push_back(delay_ns);
        return true;
    }
    bool attach(const Attachment& attachment, const Origin&, Timestamp) {
        attached.push_back(attachment.length);
        attached_before.push_back(names.size());
        return true;
    }
    static bool do_work(Timestamp) { return true; }
    [[nodiscard]] bool ready() const { return is_ready; }
    [[nodiscard]] static bool awaits_answers() { return false; }

    std::vector<std::uint64_t> names;
    std::vector<Timestamp> times;
    std::vector<std::uint32_t> delays;
    std::vector<std::uint16_t> attached;
    std::vector<std::size_t> attached_before;
    bool is_ready = true;
};

class SpeedBump : public ::testing::Test {
  protected:
    SpeedBump() { exchange_.set_delay({.taking = {.fixed_ns = 100}}, 1); }
    void send(const Command& command, std::uint64_t from, std::int64_t when) {
        EXPECT_TRUE(exchange_.submit(command, session(from), at(when)));
    }
    std::vector<std::uint64_t> passed_by(std::int64_t when) {
        EXPECT_TRUE(exchange_.do_work(at(when)));
        return exchange_.names;
    }
    Delayed<Passed> exchange_;
};

TEST_F(SpeedBump, WhatMayTakeWaitsAndItsDelayIsTold) {
    send(order(1), 7, 0);
    EXPECT_TRUE(exchange_.awaits_answers());
    EXPECT_THAT(passed_by(99), IsEmpty());
    EXPECT_THAT(passed_by(100), ElementsAre(1));
    EXPECT_THAT(exchange_.delays, ElementsAre(100));
    EXPECT_THAT(exchange_.times, ElementsAre(at(100)));
    EXPECT_FALSE(exchange_.awaits_answers());
    EXPECT_EQ(exchange_.take_released(), 1U);
}

TEST_F(SpeedBump, CancelsAndPostOnlyOrdersOfOthersPass) {
    send(order(1), 7, 0);
    send(cancel(2), 8, 10);
    send(order(3, CommandFlags::k_post_only), 9, 10);
    send(order(4, CommandFlags::k_post_only_reprice), 9, 10);
    EXPECT_THAT(exchange_.names, ElementsAre(2, 3, 4));
    EXPECT_THAT(exchange_.delays, ElementsAre(0, 0, 0));
}

TEST_F(SpeedBump, InASessionNothingOvertakes) {
    send(order(1), 7, 0);
    send(cancel(2), 7, 10);
    EXPECT_THAT(exchange_.names, IsEmpty());
    EXPECT_THAT(passed_by(100), ElementsAre(1, 2));
    send(cancel(3), 7, 101);
    EXPECT_THAT(exchange_.names, ElementsAre(1, 2, 3)) << "nothing of it waits any more";
}

TEST_F(SpeedBump, RandomDelaysStayInTheirRangeAndInOrder) {
    exchange_.set_delay({.taking = {.fixed_ns = 100, .random_ns = 50}}, 1);
    for (std::uint64_t i = 0; i < 200; ++i) send(order(i), 7, 0);
    (void)passed_by(99);
    EXPECT_THAT(exchange_.names, IsEmpty());
    (void)passed_by(150);
    ASSERT_EQ(exchange_.names.size(), 200U);
    EXPECT_TRUE(std::ranges::is_sorted(exchange_.names));
    const auto [least, most] = std::ranges::minmax(exchange_.delays);
    EXPECT_GE(least, 100U);
    EXPECT_LE(most, 150U);
    EXPECT_NE(least, most);
}

TEST_F(SpeedBump, TheExchangeItselfAndARecordedDayDoNotWait) {
    EXPECT_TRUE(exchange_.submit(order(1), {}, at(0)));
    EXPECT_TRUE(exchange_.submit(
        order(2), {.session = session_at(recorded_market::k_playback_gateway, 1)}, at(0)));
    EXPECT_THAT(exchange_.names, ElementsAre(1, 2));
}

TEST_F(SpeedBump, AnAttachmentStaysBeforeItsCommand) {
    Attachment text;
    text.append("four");
    EXPECT_TRUE(exchange_.attach(text, session(7), at(0)));
    send(order(1), 7, 0);
    send(cancel(2), 8, 10);
    EXPECT_THAT(exchange_.attached, IsEmpty());
    (void)passed_by(100);
    EXPECT_THAT(exchange_.attached, ElementsAre(4));
    EXPECT_THAT(exchange_.attached_before, ElementsAre(1U)) << "after the cancel of the other";
    EXPECT_TRUE(exchange_.attach(text, session(8), at(101)));
    send(cancel(3), 8, 101);
    EXPECT_THAT(exchange_.attached_before, ElementsAre(1U, 2U));
}

TEST_F(SpeedBump, WhileTheExchangeIsNotReadyNothingPasses) {
    send(order(1), 7, 0);
    exchange_.is_ready = false;
    EXPECT_THAT(passed_by(200), IsEmpty());
    exchange_.is_ready = true;
    EXPECT_THAT(passed_by(200), ElementsAre(1));
}

TEST_F(SpeedBump, AtTheEndAllThatWaitsPasses) {
    send(order(1), 7, 0);
    exchange_.end_delay(at(1));
    EXPECT_THAT(exchange_.names, ElementsAre(1));
    send(order(2), 7, 2);
    EXPECT_THAT(exchange_.names, ElementsAre(1, 2));
}

TEST_F(SpeedBump, OneSessionLeavesRoomForTheOthers) {
    std::uint32_t first = 0;
    while (exchange_.has_room_for(first)) send(order(++first), 7, 0);
    EXPECT_LT(first, DelayStage::k_capacity / 2);
    EXPECT_TRUE(exchange_.ready());
    std::uint32_t second = 0;
    while (exchange_.has_room_for(second)) send(order(++second), 8, 0);
    EXPECT_GT(second, first / 2);
    (void)passed_by(100);
    EXPECT_EQ(exchange_.names.size(), first + second);
}

}  // namespace
}  // namespace damrak::exchange::delay_stage_test
