// Participants that are told what to do (scripts, policies), and those that deceive.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/participants/detail/fat_finger.hpp>
#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/policy.hpp>
#include <damrak/participants/detail/policy_trader.hpp>
#include <damrak/participants/detail/quote_stuffer.hpp>
#include <damrak/participants/detail/scripted_trader.hpp>
#include <damrak/participants/detail/spoofer.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::strategies_test {
namespace {

using namespace participants;
using ::testing::HasSubstr;

/// Counts by participant.
class StrategyWatch final : public market_kernel::MarketWatcher {
  public:
    struct Counts {
        std::int64_t entered, cancelled, traded;
    };
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.participant.value == 0 || event.participant.value > 4) return;
        Counts& of = counts[event.participant.value];
        if (event.kind == EventKind::accepted) of.entered += event.quantity.value;
        if (event.kind == EventKind::cancelled) of.cancelled += event.quantity.value;
        if (event.kind == EventKind::executed) of.traded += event.quantity.value;
        if (event.kind == EventKind::rejected) ++rejects;
    }
    Counts counts[5]{};
    int rejects = 0;
};

ScriptedTrader::Parameters script(std::vector<std::string> orders) {
    ScriptedTrader::Parameters is;
    is.orders = std::move(orders);
    EXPECT_EQ(ScriptedTrader::check(is), "");
    return is;
}

TEST(ScriptedTrader, SendsEachOrderAtItsTime) {
    SmallMarket small;
    small.add<ScriptedTrader>(
        script({"1s buy 100 limit 99.98 for 2s", "1s sell 50 limit 100.02",
                "5s buy 70 limit 99.97 hidden", "6s sell 20 market", "8s cancel"}));
    small.add<ScriptedTrader>(script(
        {"2s sell 30 limit 99.98 ioc", "2.5s buy 10 market", "7s buy 500 limit 100.02 fok"}));
    StrategyWatch watch;
    auto& market = small.run(0.9, {&watch});
    EXPECT_FALSE(market.latest(k_first).has_bid());
    small.run(2.9);
    EXPECT_EQ(market.latest(k_first).bid, Price{999'800});
    EXPECT_EQ(market.latest(k_first).bid_quantity, Quantity{70});
    EXPECT_EQ(market.latest(k_first).ask_quantity, Quantity{40});
    EXPECT_EQ(market.position({1}, k_first), Quantity{20});
    small.run(3.1);
    EXPECT_FALSE(market.latest(k_first).has_bid()) << "taken back after two seconds";
    small.run(7.5);
    EXPECT_EQ(market.latest(k_first).ask_quantity, Quantity{40}) << "fill or kill";
    small.run(9);
    EXPECT_FALSE(market.latest(k_first).has_ask());
    EXPECT_EQ(watch.rejects, 0);
}

TEST(ScriptedTrader, SaysWhatIsWrong) {
    for (const char* const wrong :
         {"", "buy 100 market", "1 buy 100 market", "1s bye 100 market", "1s buy 0 market",
          "1s buy 1.5 market", "1s buy 100 limit", "1s buy 100 limit -3", "1s buy 100 market ioc",
          "1s buy 100 limit 9 foc", "1s buy 100 limit 9 for", "1s buy 100 limit 9 for 5",
          "1s buy 100 limit 9 show 200", "1s cancel all"}) {
        const auto row = parse_scripted_order(wrong);
        ASSERT_FALSE(row) << wrong;
        EXPECT_THAT(row.error(), HasSubstr("\"" + std::string{wrong} + "\" must be")) << wrong;
    }
    const auto good = parse_scripted_order("1.5ms sell 1000 limit 100.1 post-only show 100 for 1h");
    ASSERT_TRUE(good) << good.error();
    EXPECT_EQ(good->at_ns, 1'500'000);
    EXPECT_EQ(good->order.price, Price{1'001'000});
    EXPECT_EQ(good->order.display_quantity, Quantity{100});
    EXPECT_TRUE(good->order.post_only);
    EXPECT_EQ(good->for_ns, 3'600 * market_kernel::k_second_ns);
}

using models::Policy;
using models::PolicyAction;

//                                         inventory imbalance spread time_left last_return
constexpr models::PolicyFeatures k_features{0.2, 0.7, 3, 0.5, -1};

TEST(Policy, TheFirstRuleThatHoldsDecides) {
    const auto policy =
        Policy::of_rules({"inventory > 0.5 : sell", "imbalance > 0.5 and spread < 3 : buy",
                          "imbalance > 0.5 and last_return < 0 : bid", "else : cancel"});
    ASSERT_TRUE(policy) << policy.error();
    EXPECT_EQ(policy->choose(k_features), PolicyAction::bid);
    EXPECT_EQ(policy->choose({0.6, 0.7, 2, 0.5, -1}), PolicyAction::sell);
    EXPECT_EQ(policy->choose({0.5, 0.7, 2, 0.5, -1}), PolicyAction::buy);
    EXPECT_EQ(policy->choose({0.5, 0.5, 2, 0.5, -1}), PolicyAction::cancel);
    EXPECT_EQ(Policy::of_rules({})->choose(k_features), PolicyAction::nothing);
}

TEST(Policy, TheHighestScoreAboveZeroDecides) {
    const auto policy =
        Policy::of_scores({"buy = 2 * imbalance - 0.5 * inventory - 1",
                           "ask = -1 * last_return - 0.8", "quote = 0.1 * spread - 1 * time_left"});
    ASSERT_TRUE(policy) << policy.error();
    EXPECT_EQ(policy->choose(k_features), PolicyAction::buy);  // .3 against .2 and -.2
    EXPECT_EQ(policy->choose({0.5, 0.7, 3, 0.5, -1}), PolicyAction::ask);
    EXPECT_EQ(policy->choose({0.5, 0.7, 30, 0.5, -1}), PolicyAction::quote);
    EXPECT_EQ(policy->choose({0.5, 0, 3, 0.5, 0}), PolicyAction::nothing);
}

TEST(Policy, ATreeIsFollowedToALeaf) {
    const auto policy = Policy::of_tree(
        {"imbalance > 0.5 ? 1 : 2", "spread < 3 ? 3 : 4", "nothing", "buy", "quote"});
    ASSERT_TRUE(policy) << policy.error();
    EXPECT_EQ(policy->choose(k_features), PolicyAction::quote);
    EXPECT_EQ(policy->choose({0, 0.7, 2, 0, 0}), PolicyAction::buy);
    EXPECT_EQ(policy->choose({0, 0.4, 2, 0, 0}), PolicyAction::nothing);
}

TEST(Policy, MistakesAreNamed) {
    for (const char* const wrong :
         {"", "buy", "imbalance > : buy", "imbalance = 1 : buy", "size > 1 : buy",
          "spread > 1 or spread < 0 : buy", "spread > 1 : hold", "spread > 1 and : buy"})
        EXPECT_FALSE(Policy::of_rules({wrong})) << wrong;
    for (const char* const wrong :
         {"", "buy = ", "buy = x", "buy = 2 *", "buy = 2 * size", "buy = 2 3", "buy = 1 +"})
        EXPECT_FALSE(Policy::of_scores({wrong})) << wrong;
    for (const char* const wrong : {"spread > 1 ? 0 : 1", "spread > 1 ? 1 : 2", "hold", ""})
        EXPECT_FALSE(Policy::of_tree({wrong, "buy"})) << wrong;
    EXPECT_THAT(Policy::of_rules({"size > 1 : buy"}).error(), HasSubstr("features are inventory"));
    PolicyTrader::Parameters both;
    both.scores = {"buy = 1"};
    both.tree = {"buy"};
    EXPECT_NE(PolicyTrader::check(both), "");
}

PolicyTrader::Parameters fast(std::vector<std::string> rules) {
    PolicyTrader::Parameters is;
    is.looks_per_s = 20;
    is.rules = std::move(rules);
    return is;
}

TEST(PolicyTrader, ActsOnWhatItSees) {
    SmallMarket small;
    small.add<PolicyTrader>(
        fast({"inventory > 0.25 : cancel", "imbalance > 0.5 : buy", "else : quote"}));
    small.add<ScriptedTrader>(script(
        {"0s buy 100 limit 99.98", "0s sell 5000 limit 100.02", "20s buy 90000 limit 99.98"}));
    StrategyWatch watch;
    auto& market = small.run(10, {&watch});
    EXPECT_EQ(market.latest(k_first).bid_quantity, Quantity{200}) << "it joined both sides";
    EXPECT_EQ(market.latest(k_first).ask_quantity, Quantity{5'100});
    EXPECT_EQ(watch.counts[1].traded, 0);
    small.run(40);
    EXPECT_EQ(market.position({1}, k_first), Quantity{300}) << "until the inventory rule holds";
    EXPECT_EQ(market.latest(k_first).bid_quantity, Quantity{90'100}) << "cancelled";
}

TEST(PolicyTrader, StaysWithinItsPosition) {
    SmallMarket small;
    small.add<PolicyTrader>(fast({"else : sell"}));
    small.add<ScriptedTrader>(script({"0s buy 100000 limit 99.98", "0s sell 100 limit 100.02"}));
    EXPECT_EQ(small.run(60).position({1}, k_first), Quantity{-1'000});
}

struct Deceived {
    StrategyWatch::Counts counts;
    std::int64_t position, worth;
};
/// A deceiver among participants who follow the imbalance of the book, in a deep market.
Deceived deceived(std::int64_t shown_quantity) {
    SmallMarket small;
    Layerer::Parameters is;
    is.cycles_per_s = 1;
    is.shown_quantity = shown_quantity;
    is.ticks_away = 0;
    small.add<Layerer>(is);
    PolicyTrader::Parameters follower = fast({"imbalance > 0.4 : buy", "imbalance < -0.4 : sell"});
    follower.looks_per_s = 2;
    follower.most_position = 1'000'000;
    small.add<PolicyTrader>(follower);
    FixedMaker::Parameters maker;
    maker.anchor = "fundamental";
    maker.skew_ticks = 0;
    maker.most_position = 1'000'000;
    small.add<FixedMaker>(maker);
    StrategyWatch watch;
    auto& market = small.run(300, {&watch});
    const std::int64_t position = market.position({1}, k_first).value;
    return {watch.counts[1], position, market.account({1}).cash + 1'000'000 * position};
}

// What it shows does not trade but makes the followers take its small order on the other side; the
// next cycle leads its position back at a profit of the spread.
TEST(Layerer, FollowersOfTheImbalanceTradeWithIt) {
    const Deceived made = deceived(500);
    EXPECT_GT(made.counts.traded, 2'000);
    EXPECT_GT(made.counts.cancelled, 5 * made.counts.traded);
    EXPECT_LE(std::abs(made.position), 100);
    EXPECT_GT(made.worth, 0);
    EXPECT_EQ(deceived(1).counts.traded, 0) << "a small order deceives nobody";
}

TEST(QuoteStuffer, EveryOrderOfABurstIsCancelled) {
    QuoteStuffer::Parameters is;
    is.bursts_per_s = 1;
    is.pairs = 100;
    is.start_ns = 10 * market_kernel::k_second_ns;
    is.end_ns = 60 * market_kernel::k_second_ns;
    SmallMarket small;
    small.add<QuoteStuffer>(is);
    small.add<ScriptedTrader>(script({"0s buy 100 limit 99.98", "0s sell 100 limit 100.02"}));
    StrategyWatch watch;
    auto& market = small.run(10, {&watch});
    EXPECT_EQ(watch.counts[1].entered, 0);
    small.run(120);
    EXPECT_GT(watch.counts[1].entered, 30 * 100);
    EXPECT_LT(watch.counts[1].entered, 75 * 100);
    EXPECT_EQ(watch.counts[1].entered, watch.counts[1].cancelled);
    EXPECT_EQ(market.account({1}).messages,
              2U * static_cast<std::uint64_t>(watch.counts[1].entered));
    EXPECT_EQ(market.latest(k_first).bid, Price{999'800}) << "it never was the best price";
}

TEST(QuoteStuffer, WithoutARateThereIsOneBurstAtTheStart) {
    QuoteStuffer::Parameters is;
    is.bursts_per_s = 0;
    is.pairs = 100;
    is.gap_ns = market_kernel::k_millisecond_ns;
    is.start_ns = 10 * market_kernel::k_second_ns;
    SmallMarket small;
    small.add<QuoteStuffer>(is);
    StrategyWatch watch;
    small.run(9.999, {&watch});
    EXPECT_EQ(watch.counts[1].entered, 0);
    small.run(10.0495);
    EXPECT_EQ(watch.counts[1].entered, 50);
    small.run(120);
    EXPECT_EQ(watch.counts[1].entered, 100);
}

FatFinger::Parameters by_mistake(std::int64_t quantity, std::int64_t ticks_through) {
    FatFinger::Parameters is;
    is.quantity = quantity;
    is.ticks_through = ticks_through;
    is.start_ns = market_kernel::k_second_ns;
    is.end_ns = 5 * market_kernel::k_second_ns;
    return is;
}

TEST(FatFinger, AMarketOrderTakesWhatThereIs) {
    SmallMarket small;
    small.add<FatFinger>(by_mistake(1'000, 0));
    small.add<ScriptedTrader>(script({"0s buy 100 limit 99.98", "0s buy 200 limit 99.50"}));
    StrategyWatch watch;
    auto& market = small.run(10, {&watch});
    EXPECT_EQ(watch.counts[1].traded, 300);
    EXPECT_EQ(market.account({1}).cash, 100 * 999'800 + 200 * 995'000);
    EXPECT_FALSE(market.latest(k_first).has_ask());
}

TEST(FatFinger, ALimitFarThroughTheBookStopsThereAndRestsUntilItIsNoticed) {
    SmallMarket small;
    small.add<FatFinger>(by_mistake(1'000, 20));  // at 99.78
    small.add<ScriptedTrader>(
        script({"0s buy 100 limit 99.98", "0s buy 200 limit 99.78", "0s buy 400 limit 99.77"}));
    StrategyWatch watch;
    auto& market = small.run(4, {&watch});
    EXPECT_EQ(watch.counts[1].traded, 300);
    EXPECT_EQ(market.latest(k_first).ask, Price{997'800});
    EXPECT_EQ(market.latest(k_first).ask_quantity, Quantity{700});
    small.run(10);
    EXPECT_EQ(watch.counts[1].cancelled, 700);
    EXPECT_FALSE(market.latest(k_first).has_ask());
}

TEST(FatFinger, WithoutAnotherSideItGoesFromTheReferencePrice) {
    SmallMarket small;
    auto is = by_mistake(10, 20);
    is.side = "buy";
    small.add<FatFinger>(is);
    EXPECT_EQ(small.run(2).latest(k_first).bid, Price{1'002'000});
    is.end_ns = is.start_ns;
    EXPECT_EQ(FatFinger::check(is), "end must be after start");
}

}  // namespace
}  // namespace damrak::participants_tests::strategies_test
