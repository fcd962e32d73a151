// The control is the definition of what every row has to do, so it is held to the rules one by one.

#include "support/control_book.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/row_events.hpp"

namespace damrak::bench::control_book_test {
namespace {

using Kind = RowEventKind;
constexpr std::uint8_t k_buy = 0;
constexpr std::uint8_t k_sell = 1;

struct Recorder {
    std::vector<RowEvent> events;
    void write(const RowEvent& event) { events.push_back(event); }
};

struct Seen {
    Kind kind;
    std::uint64_t order_id;
    std::uint64_t maker_id;
    std::int32_t price_ticks;
    std::uint32_t quantity;
    bool operator==(const Seen&) const = default;
};

class Control : public ::testing::Test {
  protected:
    // Events since the last call.
    std::vector<Seen> events() {
        std::vector<Seen> seen;
        seen.reserve(recorder_.events.size());
        for (const RowEvent& e : recorder_.events) {
            seen.push_back({e.kind, e.order_id, e.maker_id, e.price_ticks, e.quantity});
        }
        recorder_.events.clear();
        return seen;
    }

    Recorder recorder_;
    ControlBook<Recorder> book_{0, recorder_};
};

TEST_F(Control, TradesBestPriceFirstAndThenOldestFirst) {
    book_.add({1, k_sell, 11, 100}, false);
    book_.add({2, k_sell, 10, 100}, false);
    book_.add({3, k_sell, 10, 100}, false);
    events();
    book_.add({4, k_buy, 11, 250}, false);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::acknowledged, 4, 0, 11, 250},
                                           {Kind::traded, 4, 2, 10, 100},
                                           {Kind::traded, 4, 3, 10, 100},
                                           {Kind::traded, 4, 1, 11, 50}}));
    EXPECT_EQ(book_.live_orders(), 1U);
}

TEST_F(Control, RestsWhatDoesNotTrade) {
    book_.add({1, k_buy, 10, 40}, false);
    book_.add({2, k_sell, 10, 100}, false);
    book_.add({3, k_buy, 10, 60}, false);
    events();
    EXPECT_EQ(book_.live_orders(), 0U);
}

TEST_F(Control, DropsTheRemainderOfAnImmediateOrder) {
    book_.add({1, k_buy, 10, 40}, false);
    events();
    book_.add({2, k_sell, 10, 100}, true);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::acknowledged, 2, 0, 10, 100},
                                           {Kind::traded, 2, 1, 10, 40},
                                           {Kind::remainder_dropped, 2, 0, 10, 60}}));
    EXPECT_EQ(book_.live_orders(), 0U);
}

TEST_F(Control, CancelsWhatIsLeftOfAnOrder) {
    book_.add({1, k_buy, 10, 100}, false);
    book_.add({2, k_sell, 10, 30}, false);
    events();
    book_.cancel(1);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::cancelled, 1, 0, 10, 70}}));
    EXPECT_EQ(book_.live_orders(), 0U);
}

TEST_F(Control, PutsAReplacedOrderBehindItsPrice) {
    book_.add({1, k_buy, 10, 100}, false);
    book_.add({2, k_buy, 10, 100}, false);
    book_.replace(1, 10, 100);
    events();
    book_.add({3, k_sell, 10, 150}, false);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::acknowledged, 3, 0, 10, 150},
                                           {Kind::traded, 3, 2, 10, 100},
                                           {Kind::traded, 3, 1, 10, 50}}));
}

TEST_F(Control, LetsAReplacedOrderTrade) {
    book_.add({1, k_buy, 10, 100}, false);
    book_.add({2, k_sell, 12, 60}, false);
    events();
    book_.replace(1, 12, 60);
    EXPECT_EQ(events(),
              (std::vector<Seen>{{Kind::replaced, 1, 0, 12, 60}, {Kind::traded, 1, 2, 12, 60}}));
    EXPECT_EQ(book_.live_orders(), 0U);
}

TEST_F(Control, RefusesALiveIdAndTakesItAgainOnceItIsGone) {
    book_.add({1, k_buy, 10, 100}, false);
    events();
    book_.add({1, k_sell, 10, 100}, false);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::refused, 1, 0, 0, 0}}));
    book_.cancel(1);
    book_.add({1, k_sell, 10, 100}, false);
    EXPECT_EQ(book_.live_orders(), 1U);
}

TEST_F(Control, RefusesUnknownIdsAndNoQuantityAndChangesNothing) {
    book_.add({1, k_buy, 10, 100}, false);
    events();
    book_.cancel(2);
    book_.replace(2, 10, 100);
    book_.add({3, k_buy, 10, 0}, false);
    book_.replace(1, 11, 0);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::refused, 2, 0, 0, 0},
                                           {Kind::refused, 2, 0, 0, 0},
                                           {Kind::refused, 3, 0, 0, 0},
                                           {Kind::refused, 1, 0, 0, 0}}));
    book_.cancel(1);
    EXPECT_EQ(events(), (std::vector<Seen>{{Kind::cancelled, 1, 0, 10, 100}}));
}

}  // namespace
}  // namespace damrak::bench::control_book_test
