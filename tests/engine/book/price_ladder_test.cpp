// The price ladder compared with std::map, under random and hostile prices; and its cost in nodes
// for distant prices.

#include <damrak/book/price_ladder.hpp>

#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::price_ladder_test {
namespace {

constexpr Tick k_far = 1'000'000'000'000'000'000;

// A ladder and its model; every change is made to both.
class CheckedLadder {
  public:
    explicit CheckedLadder(LadderNodes& nodes) : nodes_(&nodes) {}

    void insert(PriceKey key) {
        const LevelIndex expected = model_.contains(key) ? model_[key] : ++levels_;
        model_[key] = expected;
        ASSERT_EQ(ladder_.find_or_insert(*nodes_, key, [&] { return expected; }), expected);
        check_best();
    }
    void erase(PriceKey key) {
        model_.erase(key);
        ladder_.erase(*nodes_, key);
        ASSERT_EQ(ladder_.find(*nodes_, key), 0U);
        check_best();
    }
    void toggle(PriceKey key) { model_.contains(key) ? erase(key) : insert(key); }

    void check_at(PriceKey key) const {
        const auto exact = model_.find(key);
        const LevelIndex expected = exact == model_.end() ? 0 : exact->second;
        ASSERT_EQ(ladder_.find(*nodes_, key), expected);
        const auto after = model_.upper_bound(key);
        const PriceLadder::Place next = ladder_.next(*nodes_, key);
        ASSERT_EQ(next.key, after == model_.end() ? k_no_price : after->first);
        ASSERT_EQ(next.level, after == model_.end() ? 0 : after->second);
    }
    void check_all() const {
        auto at = ladder_.best();
        for (const auto& [key, level] : model_) {
            ASSERT_EQ(at.key, key);
            ASSERT_EQ(at.level, level);
            ASSERT_EQ(ladder_.find(*nodes_, key), level);
            at = ladder_.next(*nodes_, at.key);
        }
        ASSERT_EQ(at.key, k_no_price);
        ASSERT_EQ(at.level, 0U);
    }
    void clear() {
        while (!model_.empty()) erase(model_.begin()->first);
    }
    [[nodiscard]] const std::map<PriceKey, LevelIndex>& model() const { return model_; }

  private:
    void check_best() const {
        ASSERT_EQ(ladder_.empty(), model_.empty());
        if (model_.empty()) {
            ASSERT_EQ(ladder_.best_key(), k_no_price);
            ASSERT_EQ(ladder_.best_level(), 0U);
        } else {
            ASSERT_EQ(ladder_.best_key(), model_.begin()->first);
            ASSERT_EQ(ladder_.best_level(), model_.begin()->second);
        }
    }

    LadderNodes* nodes_;
    PriceLadder ladder_;
    std::map<PriceKey, LevelIndex> model_;
    LevelIndex levels_ = 0;
};

PriceKey ask(Tick tick) { return price_key(Side::sell, tick); }

TEST(PriceKey, OrdersAsksUpwardsAndBidsDownwards) {
    EXPECT_LT(price_key(Side::sell, 100), price_key(Side::sell, 101));
    EXPECT_LT(price_key(Side::buy, 101), price_key(Side::buy, 100));
    EXPECT_LT(price_key(Side::sell, -1), price_key(Side::sell, 0));
}

TEST(PriceKey, IsUndoneByTickOf) {
    for (const Side side : {Side::buy, Side::sell})
        for (const Tick tick : {Tick{0}, Tick{1}, Tick{-1}, k_far, -k_far})
            EXPECT_EQ(tick_of(side, price_key(side, tick)), tick);
}

TEST(PriceLadder, OwnsNothingWhileItIsEmpty) {
    LadderNodes nodes(100);
    CheckedLadder ladder(nodes);
    ladder.check_all();
    ladder.check_at(ask(5));
    EXPECT_EQ(nodes.pool().used(), 0U);
}

TEST(PriceLadder, GivesSixtyFourNeighbouringPricesOneNode) {
    LadderNodes nodes(100);
    CheckedLadder ladder(nodes);
    for (Tick tick = 6'400; tick < 6'464; ++tick) ladder.insert(ask(tick));
    EXPECT_EQ(nodes.pool().used(), 1U);
    ladder.check_all();
}

TEST(PriceLadder, KeepsAnExistingLevel) {
    LadderNodes nodes(100);
    PriceLadder ladder;
    const auto first = [] { return LevelIndex{7}; };
    const auto second = [] { return LevelIndex{8}; };
    EXPECT_EQ(ladder.find_or_insert(nodes, ask(5), first), 7U);
    EXPECT_EQ(ladder.find_or_insert(nodes, ask(5), second), 7U);
}

// One order at 1 tick and one at 10^9 ticks cost a path each, whatever the distance.
TEST(PriceLadder, HoldsOneTickAndABillionTicksInAHandfulOfNodes) {
    LadderNodes nodes(100);
    CheckedLadder ladder(nodes);
    ladder.insert(ask(1));
    ladder.insert(ask(1'000'000'000));
    ladder.check_all();
    EXPECT_LE(nodes.pool().used(), 2U * 5U) << "2^30 prices are five levels of 64";
    ladder.erase(ask(1'000'000'000));
    EXPECT_EQ(nodes.pool().used(), 1U) << "removing the far price removes the roots above";
    ladder.erase(ask(1));
    EXPECT_EQ(nodes.pool().used(), 0U);
}

TEST(PriceLadder, NeedsAtMostTwoPathsForTheFarthestPrices) {
    LadderNodes nodes(100);
    CheckedLadder ladder(nodes);
    ladder.insert(ask(-k_far));
    EXPECT_EQ(nodes.pool().used(), 1U);
    ladder.insert(ask(k_far));
    EXPECT_LE(nodes.pool().used(), 2 * LadderNodes::k_path);
    ladder.insert(ask(0));
    EXPECT_LE(nodes.pool().used(), 3 * LadderNodes::k_path);
    ladder.check_all();
    ladder.clear();
    EXPECT_EQ(nodes.pool().used(), 0U);
}

TEST(PriceLadder, ShrinksToALeafWhicheverPriceRemains) {
    const std::vector<Tick> ticks{1, 64, 65, 4'096, 1'000'000, 1'000'000'000, k_far, -k_far};
    for (const Tick last : ticks) {
        LadderNodes nodes(200);
        CheckedLadder ladder(nodes);
        for (const Tick tick : ticks) ladder.insert(ask(tick));
        for (const Tick tick : ticks)
            if (tick != last) ladder.erase(ask(tick));
        ladder.check_all();
        EXPECT_EQ(nodes.pool().used(), 1U) << last;
        ladder.insert(ask(last + 1'000'000));
        ladder.check_all();
        ladder.clear();
        EXPECT_EQ(nodes.pool().used(), 0U) << last;
    }
}

TEST(PriceLadder, FindsTheNextPriceFromMissingPrices) {
    LadderNodes nodes(200);
    CheckedLadder ladder(nodes);
    for (const Tick tick : {Tick{1'000}, Tick{1'001}, Tick{5'000}, Tick{1'000'000}})
        ladder.insert(ask(tick));
    for (const Tick from : {Tick{0}, Tick{999}, Tick{1'000}, Tick{1'002}, Tick{1'063}, Tick{4'999},
                            Tick{5'001}, Tick{999'999}, Tick{1'000'000}, k_far, -k_far})
        ladder.check_at(ask(from));
}

// Random walks over price ranges of very different size, so that roots grow and shrink all the
// time.
class PriceLadderAgainstMap : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PriceLadderAgainstMap, AgreesAboutEveryPrice) {
    RandomStream random(GetParam());
    LadderNodes nodes(20'000);
    CheckedLadder ladder(nodes);
    const std::vector<std::function<PriceKey()>> shapes{
        [&] { return ask(1'000'000 + random.below(200)); },
        [&] { return ask(1'000'000 + random.below(20'000)); },
        [&] { return ask(64 * Tick{random.below(100)}); },
        [&] { return ask((Tick{1} << random.below(60)) + random.below(3)); },
        [&] { return ask(-(Tick{1} << random.below(60)) - random.below(3)); },
        [&] { return ask(static_cast<Tick>(random.next() >> 4U) - k_far / 2); },
        [&] { return price_key(Side::buy, random.below(2) == 0 ? 1 : 1'000'000'000); },
    };
    for (int step = 0; step < 60'000; ++step) {
        // On average few prices are live, so the ladder becomes empty now and then.
        if (!ladder.model().empty() && random.below(ladder.model().size() > 200 ? 2U : 3U) == 0) {
            auto at = ladder.model().lower_bound(random.next());
            if (at == ladder.model().end() || random.coin()) at = ladder.model().begin();
            ladder.erase(at->first);
        } else {
            ladder.toggle(shapes[random.below(static_cast<std::uint32_t>(shapes.size()))]());
        }
        ladder.check_at(shapes[random.below(static_cast<std::uint32_t>(shapes.size()))]());
        if (step % 500 == 0) ladder.check_all();
        if (step % 5'000 == 4'999) {
            ladder.clear();
            ASSERT_EQ(nodes.pool().used(), 0U) << "every node is back in the pool";
        }
        if (HasFatalFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, PriceLadderAgainstMap, ::testing::Range<std::uint64_t>(1, 7));

// Nodes move from book to book: a ladder's cached leaf must not outlive its use there.
TEST(PriceLadder, NeverReachesIntoANodeThatAnotherBookTookOver) {
    RandomStream random(11);
    LadderNodes nodes(2'000);
    std::vector<CheckedLadder> books(8, CheckedLadder(nodes));
    for (int step = 0; step < 200'000; ++step) {
        CheckedLadder& book = books[random.below(8)];
        // Leaves 16 apart share a slot in the cache of recent leaves.
        const PriceKey key = ask(64 * (random.below(3) + 16 * Tick{random.below(4)}) + 1);
        book.toggle(key);
        books[random.below(8)].check_at(key);
        if (HasFatalFailure()) return;
    }
    for (CheckedLadder& book : books) {
        book.check_all();
        book.clear();
    }
    EXPECT_EQ(nodes.pool().used(), 0U);
}

TEST(PriceLadder, FillsThePoolToTheLastNodeAndGivesAllBack) {
    LadderNodes nodes(64 + 1);
    CheckedLadder ladder(nodes);
    for (Tick leaf = 0; leaf < 64; ++leaf) ladder.insert(ask(leaf * 64));
    EXPECT_EQ(nodes.pool().available(), 0U);
    ladder.check_all();
    ladder.clear();
    EXPECT_EQ(nodes.pool().available(), 65U);
}

}  // namespace
}  // namespace damrak::price_ladder_test
