// A running call: after every order, its indicative price is the price of the whole call.

#include <damrak/auction/running_call.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

#include "support/test_size.hpp"

namespace damrak::auction::running_call_test {
namespace {

constexpr int k_rules = 5;
const TickTable k_ones{Price{1}};
const TickTable k_fours{Price{4}};

struct Entered {
    Side side;
    std::optional<Price> limit;
    Quantity quantity;
};

TEST(RunningCall, TellsThePriceAfterEachOrder) {
    RunningCall call;
    const PriceTerms terms{.reference = Midpoint::at(Price{100})};
    EXPECT_EQ(call.indicative(terms), Equilibrium{});
    call.add(Side::buy, Price{105}, Quantity{50});
    EXPECT_EQ(call.indicative(terms), Equilibrium{});
    call.add(Side::sell, Price{95}, Quantity{30});
    EXPECT_EQ(call.indicative(terms), (Equilibrium{Price{105}, Quantity{30}, Quantity{20}}));
    call.add(Side::sell, std::nullopt, Quantity{20});
    EXPECT_EQ(call.indicative(terms), (Equilibrium{Price{100}, Quantity{50}, Quantity{0}}));
    call.remove(Side::buy, Price{105}, Quantity{10});
    EXPECT_EQ(call.indicative(terms), (Equilibrium{Price{95}, Quantity{40}, Quantity{-10}}));
    call.remove(Side::buy, Price{105}, Quantity{40});
    EXPECT_EQ(call.indicative(terms), Equilibrium{});
    EXPECT_TRUE(call.book().bids.empty());
}

class RandomDay {
  public:
    explicit RandomDay(std::uint64_t seed) : random_(seed) {
        terms_.rule = static_cast<PriceRule>(random_.below(k_rules));
        ticks_ = random_.coin() ? &k_ones : &k_fours;
        terms_.ticks = ticks_;
        terms_.prefer_higher = random_.coin();
        spread_ = 2 + random_.below(40);
        sizes_ = 1 + random_.below(9);
        if (random_.below(6) != 0) terms_.reference = Midpoint{Price{price()}, Price{price() + 1}};
        if (terms_.reference && terms_.reference->low > terms_.reference->high)
            terms_.reference = Midpoint::at(terms_.reference->low);
        if (random_.below(5) == 0) {
            const Price low{price()};
            terms_.threshold = {low, low + Price{random_.below(40)}};
        }
    }

    // Adds or removes one order and compares.
    void step() {
        if (entered_.empty() || random_.below(5) < 3) {
            add();
        } else {
            const auto at = random_.below(static_cast<std::uint32_t>(entered_.size()));
            remove(entered_[at]);
            if (entered_[at].quantity.value == 0)
                entered_.erase(entered_.begin() + static_cast<std::ptrdiff_t>(at));
        }
        ASSERT_EQ(call_.indicative(terms_), equilibrium(call_.book(), terms_));
    }
    void check_levels() const {
        const CallBook book = call_.book();
        for (const std::int64_t at : {-20, -1, 0, 1, 7, 100, 1'000}) {
            CurvePoint expected{Price{at}, {}, {}};
            for (const Entered& order : entered_) {
                if (order.side == Side::buy && (!order.limit || order.limit->value >= at))
                    expected.demand += order.quantity;
                if (order.side == Side::sell && (!order.limit || order.limit->value <= at))
                    expected.supply += order.quantity;
            }
            ASSERT_EQ(curve_at(book, Price{at}), expected);
        }
    }

  private:
    std::int64_t price() { return (std::int64_t{random_.below(spread_)} - 10) * tick(); }
    std::int64_t tick() const { return ticks_->tick_size_at({}).value; }

    void add() {
        Entered order{random_.coin() ? Side::buy : Side::sell, std::nullopt,
                      Quantity{1 + random_.below(sizes_)}};
        if (random_.below(10) == 0) order.quantity = Quantity{100};
        if (random_.below(10) != 0) order.limit = Price{price()};
        call_.add(order.side, order.limit, order.quantity);
        entered_.push_back(order);
    }
    void remove(Entered& order) {
        const auto all = static_cast<std::uint32_t>(order.quantity.value);
        const Quantity part{random_.coin() ? all : 1 + random_.below(all)};
        call_.remove(order.side, order.limit, part);
        order.quantity -= part;
    }

    RandomStream random_;
    RunningCall call_;
    PriceTerms terms_;
    const TickTable* ticks_ = &k_ones;
    std::uint32_t spread_ = 2;
    std::uint32_t sizes_ = 1;
    std::vector<Entered> entered_;
};

TEST(RunningCallModel, AgreesWithTheWholeCallAfterEveryOrder) {
    const auto days = test_size::scaled(std::uint64_t{600});
    for (std::uint64_t seed = 0; seed < days; ++seed) {
        RandomDay day(seed);
        for (int i = 0; i < 250; ++i) {
            SCOPED_TRACE(seed);
            day.step();
            if (::testing::Test::HasFatalFailure()) return;
        }
        day.check_levels();
    }
}

}  // namespace
}  // namespace damrak::auction::running_call_test
