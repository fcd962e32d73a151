// One participant's resting orders do not lengthen the work for another's command, whatever they
// are. Work is counted in instructions.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/engine/engine.hpp>

#include "support/commands.hpp"
#include "support/counted_work.hpp"
#include "support/order_terms.hpp"
#include "support/test_size.hpp"

namespace damrak::work_test {
namespace {

using namespace terms;

constexpr std::uint32_t k_few = 100;
constexpr std::uint32_t k_many = 3'200;

Command order(ParticipantId who, Side side, double at_price, std::int64_t quantity = 1) {
    return limit_order({.instrument{1},
                        .participant = who,
                        .side = side,
                        .price = price(at_price),
                        .quantity{quantity}});
}

/// Another participant's order, this far behind the best price.
struct Resting {
    std::string_view name;
    Command (*make)(double step);
};
const std::array k_resting{
    Resting{"displayed", [](double step) { return order(bob, Side::sell, 101 + step, 100); }},
    Resting{"hidden",
            [](double step) {
                Command command = order(bob, Side::sell, 101 + step, 100);
                command.flags |= CommandFlags::k_hidden;
                return command;
            }},
    Resting{"iceberg",
            [](double step) {
                Command command = order(bob, Side::sell, 101 + step, 100);
                command.order.display_quantity = Quantity{10};
                return command;
            }},
    Resting{"minimum_quantity",
            [](double step) {
                Command command = order(bob, Side::sell, 101 + step, 100);
                command.flags |= CommandFlags::k_hidden;
                command.order.minimum_quantity = Quantity{50};
                return command;
            }},
    Resting{"stop",
            [](double step) {
                Command command = order(bob, Side::buy, 300 + step, 100);
                command.order_type = OrderType::stop_limit;
                command.order.stop_price = price(200 + step);
                return command;
            }},
    Resting{"pegged",
            [](double step) {
                Command command = order(bob, Side::sell, 0, 100);
                command.order_type = OrderType::market;
                command.flags |= CommandFlags::k_hidden | CommandFlags::k_pegged;
                command.order.peg = PegReference::primary;
                command.order.offset = price(step);
                return command;
            }},
    Resting{"for_the_close",
            [](double step) {
                Command command = order(bob, Side::sell, 101 + step, 100);
                command.time_in_force = TimeInForce::at_close;
                return command;
            }},
    Resting{"until_a_date",
            [](double step) {
                Command command = order(bob, Side::sell, 101 + step, 100);
                command.time_in_force = TimeInForce::gtd;
                command.order.expire_time = Timestamp{1'000'000'000};
                return command;
            }},
};

/// A command of a participant with one bid of 5 at 98.00, order 4, and one offer behind all others.
struct Asked {
    std::string_view name;
    Command (*make)();
    bool is_quick = false;  ///< also in the shorter run
};
const std::array k_asked{
    Asked{"rests", [] { return order(alice, Side::buy, 90); }},
    Asked{"joins the best price", [] { return order(alice, Side::buy, 99); }},
    Asked{"trades", [] { return order(alice, Side::buy, 400); }},
    Asked{"trades, and keeps its own offer",
          [] {
              Command command = order(alice, Side::buy, 400);
              command.self_trade_prevention = SelfTradePrevention::skip_own;
              return command;
          },
          true},
    Asked{"trades at any price",
          [] {
              Command command = order(alice, Side::buy, 0);
              command.order_type = OrderType::market;
              return command;
          }},
    Asked{"immediate, finds nothing",
          [] {
              Command command = order(alice, Side::buy, 95);
              command.time_in_force = TimeInForce::ioc;
              return command;
          }},
    Asked{"all or nothing",
          [] {
              Command command = order(alice, Side::buy, 400);
              command.time_in_force = TimeInForce::fok;
              return command;
          },
          true},
    Asked{"all or nothing, and keeps its own offer",
          [] {
              Command command = order(alice, Side::buy, 400, 2);
              command.time_in_force = TimeInForce::fok;
              command.self_trade_prevention = SelfTradePrevention::skip_own;
              return command;
          },
          true},
    Asked{"post only",
          [] {
              Command command = order(alice, Side::buy, 400);
              command.flags |= CommandFlags::k_post_only;
              return command;
          }},
    Asked{"sells", [] { return order(alice, Side::sell, 99); }},
    Asked{"cancels",
          [] {
              return cancel_order({.instrument{1}, .participant = alice, .order_id = OrderId{4}});
          }},
    Asked{"replaces",
          [] {
              return replace_order({.instrument{1},
                                    .participant = alice,
                                    .order_id = OrderId{4},
                                    .price = price(97),
                                    .quantity{5}});
          }},
};

void tell_nobody(const Event& /*event*/) {}

/// A bid of carol at 99.00; her offers at 101.00, behind bob's, and at 102.00; one of alice at
/// 300.00.
class Book {
  public:
    Book(const Resting& resting, std::uint32_t count, OnBreach on_breach) : engine_(config()) {
        apply(instrument_command(1));
        apply(order(carol, Side::sell, 100));
        apply(order(alice, Side::buy, 100));
        apply(order(carol, Side::buy, 99, 1'000));
        apply(order(alice, Side::buy, 98, 5));
        Command limits{};
        limits.kind = CommandKind::set_price_limits;
        limits.instrument = InstrumentId{1};
        limits.price_limits = {.dynamic_corridor = {.basis_points = 500}, .on_breach = on_breach};
        apply(limits);
        apply(order(carol, Side::sell, 102, 1'000));
        // Of some kinds a participant may have a limited number.
        const std::uint32_t before = refused_;
        for (std::uint32_t i = 0; i < count; ++i) apply(resting.make(i % 2 == 0 ? 0 : 0.01 * i));
        EXPECT_LE(refused_ - before, count - k_few) << resting.name;
        refused_ = before;
        apply(order(carol, Side::sell, 101, 1'000));
        apply(order(alice, Side::sell, 300, 5));
        EXPECT_EQ(refused_, 0U);
    }

    [[nodiscard]] std::optional<std::uint64_t> work_of(const Command& command) {
        return testing::instructions_of([&] { engine_.apply(command, tell_nobody); });
    }

  private:
    void apply(const Command& command) {
        engine_.apply(command, [this](const Event& event) {
            if (event.kind == EventKind::rejected) ++refused_;
        });
    }
    static EngineConfig config() {
        EngineConfig config;
        config.maximum_instruments = 1;
        config.maximum_participants = 16;
        config.maximum_orders = 10'000;
        config.maximum_extensions = 10'000;
        config.maximum_accounts = 16;
        config.maximum_levels = 20'000;
        config.maximum_ladder_nodes = 10'000;
        return config;
    }

    Engine engine_;
    std::uint32_t refused_ = 0;
};

/// Half of the other's orders are at one price, half each at a price of its own.
class Work : public ::testing::TestWithParam<Resting> {};

TEST_P(Work, DoesNotGrowWithTheOrdersOfOthers) {
    for (const OnBreach on_breach : {OnBreach::interrupt, OnBreach::cancel}) {
        Book few{GetParam(), k_few, on_breach};
        Book many{GetParam(), k_many, on_breach};
        for (const Asked& asked : k_asked) {
            if (!asked.is_quick && !test_size::is_whole()) continue;
            const auto little = few.work_of(asked.make());
            if (!little) GTEST_SKIP() << "nothing steps here";
            const auto much = many.work_of(asked.make());
            ASSERT_TRUE(much);
            // Trees may be deeper by five levels.
            EXPECT_LE(*much, *little * 3 / 2 + 200) << "a command that " << asked.name;
        }
        if (!test_size::is_whole()) break;
    }
}

INSTANTIATE_TEST_SUITE_P(Beside, Work, ::testing::ValuesIn(k_resting),
                         [](const auto& one) { return std::string{one.param.name}; });

}  // namespace
}  // namespace damrak::work_test
