// The place of an order in its queue, displayed or not.
#include <damrak/views/queue_position.hpp>

#include <cstdint>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/commands.hpp"

namespace damrak::views::queue_position_test {
namespace {

using ::testing::Eq;

class QueuePlace : public ::testing::Test {
  protected:
    QueuePlace() { apply(instrument_command(1)); }

    std::uint64_t apply(const Command& command) {
        std::uint64_t id = 0;
        engine_.apply(command, [&](const Event& event) {
            if (event.kind == EventKind::accepted) id = event.order_id.value;
        });
        return id;
    }
    std::uint64_t sell(std::int64_t quantity, CommandFlags::Bits flags = 0,
                       std::int64_t display = 0, std::int64_t minimum = 0) {
        Command command = order_command(1, ++participant_, Side::sell, 10'000, quantity);
        command.flags = flags;
        command.order.display_quantity = {display};
        command.order.minimum_quantity = {minimum};
        return apply(command);
    }
    void buy(std::int64_t quantity) {
        apply(order_command(1, ++participant_, Side::buy, 10'000, quantity));
    }
    [[nodiscard]] std::optional<QueuePosition> of(std::uint64_t id) const {
        return queue_position(engine_, {1}, {id});
    }
    static std::optional<QueuePosition> ahead(std::uint32_t orders, std::int64_t quantity,
                                              bool is_displayed = true) {
        return QueuePosition{orders, Quantity{quantity}, is_displayed};
    }

    Engine engine_{EngineConfig{}};
    std::uint32_t participant_ = 0;
};

TEST_F(QueuePlace, IsAfterEarlierOrders) {
    const auto first = sell(10);
    const auto second = sell(20);
    const auto third = sell(30);
    EXPECT_THAT(of(first), Eq(ahead(0, 0)));
    EXPECT_THAT(of(second), Eq(ahead(1, 10)));
    EXPECT_THAT(of(third), Eq(ahead(2, 30)));
    buy(15);
    EXPECT_THAT(of(first), Eq(std::nullopt));
    EXPECT_THAT(of(second), Eq(ahead(0, 0)));
    EXPECT_THAT(of(third), Eq(ahead(1, 15)));
}

TEST_F(QueuePlace, OfAHiddenOrderIsAfterAllDisplayedOnesEvenLaterOnes) {
    const auto hidden = sell(40, CommandFlags::k_hidden);
    const auto hidden_too = sell(50, CommandFlags::k_hidden);
    EXPECT_THAT(of(hidden), Eq(ahead(0, 0, false)));
    const auto displayed = sell(10);
    EXPECT_THAT(of(displayed), Eq(ahead(0, 0)));
    EXPECT_THAT(of(hidden), Eq(ahead(1, 10, false)));
    EXPECT_THAT(of(hidden_too), Eq(ahead(2, 50, false)));
}

TEST_F(QueuePlace, OfAnIcebergIsAtTheBackWithEachSlice) {
    const auto iceberg = sell(30, 0, 10);
    const auto plain = sell(5);
    EXPECT_THAT(of(plain), Eq(ahead(1, 10)));
    buy(10);
    EXPECT_THAT(of(plain), Eq(ahead(0, 0)));
    EXPECT_THAT(of(iceberg), Eq(ahead(1, 5)));
}

TEST_F(QueuePlace, OfAHeldOrderIsAmongUndisplayedOrders) {
    const auto hidden = sell(40, CommandFlags::k_hidden);
    const auto held = sell(60, 0, 0, 60);
    EXPECT_THAT(of(hidden), Eq(ahead(0, 0, false)));
    EXPECT_THAT(of(held), Eq(ahead(1, 40, false)));
}

TEST_F(QueuePlace, IsEmptyForAnOrderThatDoesNotRest) {
    EXPECT_THAT(of(12'345), Eq(std::nullopt));
    EXPECT_THAT(queue_position(engine_, {2}, {1}), Eq(std::nullopt));
}

}  // namespace
}  // namespace damrak::views::queue_position_test
