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
#include "support/market.hpp"
#include "support/order_terms.hpp"
#include "support/test_size.hpp"

namespace damrak::work_test {
namespace {

using namespace terms;

constexpr std::uint32_t k_few = 100;
constexpr std::uint32_t k_many = 3'200;

template <class... Terms>
Command order(ParticipantId who, Side side, std::int64_t quantity, const Terms&... terms) {
    Command command =
        market_order({.instrument{1}, .participant = who, .side = side, .quantity{quantity}});
    (terms(command), ...);
    return command;
}

/// Another participant's order, this far behind the best price.
struct Resting {
    std::string_view name;
    Command (*make)(double behind);
};
const std::array k_resting{
    Resting{"displayed",
            [](double behind) { return order(bob, Side::sell, 100, at(101 + behind)); }},
    Resting{"hidden",
            [](double behind) { return order(bob, Side::sell, 100, at(101 + behind), hidden); }},
    Resting{
        "iceberg",
        [](double behind) { return order(bob, Side::sell, 100, at(101 + behind), showing(10)); }},
    Resting{"minimum_quantity",
            [](double behind) {
                return order(bob, Side::sell, 100, at(101 + behind), hidden, at_least(50));
            }},
    Resting{"stop",
            [](double behind) {
                return order(bob, Side::buy, 100, at(300 + behind), stop(200 + behind));
            }},
    Resting{"pegged",
            [](double behind) {
                return order(bob, Side::sell, 100, hidden, flag(CommandFlags::k_pegged),
                             [&](Command& command) {
                                 command.order.peg = PegReference::primary;
                                 command.order.offset = price(behind);
                             });
            }},
    Resting{"for_the_close",
            [](double behind) {
                return order(bob, Side::sell, 100, at(101 + behind),
                             lasting(TimeInForce::at_close));
            }},
    Resting{"until_a_date",
            [](double behind) {
                return order(bob, Side::sell, 100, at(101 + behind), until(1'000'000'000));
            }},
};

/// A command of a participant with one bid of 5 at 98.00, order 4, and one offer behind all others.
struct Asked {
    std::string_view name;
    Command command;
    bool is_quick = false;  ///< also in the shorter run
};
const auto keeps_own = rule(SelfTradePrevention::skip_own);
const std::array k_asked{
    Asked{"rests", order(alice, Side::buy, 1, at(90))},
    Asked{"joins the best price", order(alice, Side::buy, 1, at(99))},
    Asked{"trades", order(alice, Side::buy, 1, at(400))},
    Asked{"trades, and keeps its own offer", order(alice, Side::buy, 1, at(400), keeps_own), true},
    Asked{"trades at any price", order(alice, Side::buy, 1)},
    Asked{"immediate, finds nothing", order(alice, Side::buy, 1, at(95), ioc)},
    Asked{"all or nothing", order(alice, Side::buy, 1, at(400), fok), true},
    Asked{"all or nothing, and keeps its own offer",
          order(alice, Side::buy, 2, at(400), fok, keeps_own), true},
    Asked{"post only", order(alice, Side::buy, 1, at(400), post_only)},
    Asked{"sells", order(alice, Side::sell, 1, at(99))},
    Asked{"cancels", cancel_order({.instrument{1}, .participant = alice, .order_id = OrderId{4}})},
    Asked{"replaces", replace_order({.instrument{1},
                                     .participant = alice,
                                     .order_id = OrderId{4},
                                     .price = price(97),
                                     .quantity{5}})},
};

void tell_nobody(const Event& /*event*/) {}

/// A bid of carol at 99.00; her offers at 101.00, behind bob's, and at 102.00; one of alice at
/// 300.00.
class Book {
  public:
    Book(const Resting& resting, std::uint32_t count, OnBreach on_breach) : engine_(config()) {
        apply(instrument_command(1));
        apply(order(carol, Side::sell, 1, at(100)));
        apply(order(alice, Side::buy, 1, at(100)));
        apply(order(carol, Side::buy, 1'000, at(99)));
        apply(order(alice, Side::buy, 5, at(98)));
        Command limits{};
        limits.kind = CommandKind::set_price_limits;
        limits.instrument = InstrumentId{1};
        limits.price_limits = {.dynamic_corridor = {.basis_points = 500}, .on_breach = on_breach};
        apply(limits);
        apply(order(carol, Side::sell, 1'000, at(102)));
        // Of some kinds a participant may have a limited number.
        const std::uint32_t before = refused_;
        for (std::uint32_t i = 0; i < count; ++i) apply(resting.make(i % 2 == 0 ? 0 : 0.01 * i));
        EXPECT_LE(refused_ - before, count - k_few) << resting.name;
        refused_ = before;
        apply(order(carol, Side::sell, 1'000, at(101)));
        apply(order(alice, Side::sell, 5, at(300)));
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
        EngineConfig config = Market::small();
        config.maximum_extensions = 10'000;
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
            const auto little = few.work_of(asked.command);
            if (!little) GTEST_SKIP() << "nothing steps here";
            const auto much = many.work_of(asked.command);
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
