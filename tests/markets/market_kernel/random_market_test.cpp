// Repeatability, independence of streams and conservation, on traders that act at random.
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/market.hpp>

#include "scripted_market.hpp"

namespace damrak::market_tests::random_market_test {
namespace {

/// Sends at random, from streams of its own.
class RandomTrader final : public Participant {
  public:
    explicit RandomTrader(double per_s) : per_s_(per_s) {}
    void on_start(MarketAccess& access) override {
        arrivals_ = access.draws("arrival");
        terms_ = access.draws("terms");
        sleep(access);
    }
    void on_timer(MarketAccess& access, std::uint64_t /*key*/) override {
        const Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
        const auto away = static_cast<std::int64_t>(terms_.below(10)) * 100;
        const auto price = 1'000'000 + (side == Side::buy ? -away : away);
        decided.push_back(price);
        if (open_.size() < 20) {
            open_.push_back(access.enter(limit(side, price, 10)));
        } else {
            access.cancel(open_.front());
            open_.erase(open_.begin());
        }
        sleep(access);
    }
    std::vector<std::int64_t> decided;

  private:
    void sleep(MarketAccess& access) {
        const double wait_s = arrivals_.exponential(per_s_);
        access.wake_at({access.now().value + static_cast<std::int64_t>(wait_s * 1e9)});
    }
    double per_s_;
    market_kernel::Draws arrivals_;
    market_kernel::Draws terms_;
    std::vector<OrderHandle> open_;
};

struct RandomTraders {
    explicit RandomTraders(int traders, std::uint64_t seed = 1, double first_per_s = 100,
                           int idle_before = 0) {
        MarketSetup setup;
        setup.seed = seed;
        setup.begin = k_begin;
        setup.instruments.push_back(instrument());
        setup.fundamentals.push_back({.start = 1'000'000});
        for (int i = 0; i < idle_before; ++i)
            setup.seats.push_back({.participant = std::make_unique<Scripted>(), .group = "idle"});
        for (int i = 0; i < traders; ++i) {
            auto trader = std::make_unique<RandomTrader>(i == 0 ? first_per_s : 100);
            all.push_back(trader.get());
            Connection connection;
            connection.orders = {.kind = market_kernel::Latency::Kind::log_normal,
                                 .base_ns = 200 * k_us,
                                 .sigma = 0.5};
            setup.seats.push_back({.participant = std::move(trader),
                                   .group = "random",
                                   .member = static_cast<std::uint32_t>(i),
                                   .members = static_cast<std::uint32_t>(traders),
                                   .connection = connection});
        }
        market = std::make_unique<Market>(std::move(setup));
        EXPECT_TRUE(market->run_until(k_begin + Timestamp{5 * market_kernel::k_second_ns}));
    }
    std::vector<RandomTrader*> all;
    std::unique_ptr<Market> market;
};

TEST(RandomMarket, TheSameSetupGivesTheSameEvents) {
    const RandomTraders one{10};
    const RandomTraders again{10};
    const RandomTraders other{10, 2};
    EXPECT_GT(one.market->counts().trades, 100U);
    EXPECT_EQ(one.market->hash(), again.market->hash());
    EXPECT_NE(one.market->hash(), other.market->hash());
}

TEST(RandomMarket, AChangeOfOneParticipantLeavesTheDrawsOfAllOthers) {
    const RandomTraders one{10};
    const RandomTraders faster{10, 1, 150};
    EXPECT_NE(one.market->hash(), faster.market->hash());
    for (std::size_t i = 1; i < 10; ++i)
        EXPECT_EQ(one.all[i]->decided, faster.all[i]->decided) << i;
}

// Streams go by group and member, not by the place among all participants.
TEST(RandomMarket, ParticipantsBeforeItLeaveTheDrawsOfAParticipant) {
    const RandomTraders one{10};
    const RandomTraders later{10, 1, 100, 3};
    for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(one.all[i]->decided, later.all[i]->decided) << i;
}

// Two runs one after the other in one process, or in the other order, draw the same.
TEST(RandomMarket, AnotherMarketBeforeItLeavesTheDraws) {
    const RandomTraders alone{3, 5};
    const RandomTraders other{7, 6};
    const RandomTraders again{3, 5};
    EXPECT_EQ(alone.all[2]->decided, again.all[2]->decided);
}

TEST(RandomMarket, CashAndSharesAreConserved) {
    const RandomTraders one{20};
    std::int64_t cash = 0;
    std::int64_t shares = 0;
    for (std::uint32_t i = 1; i <= one.market->participants(); ++i) {
        cash += one.market->account({i}).cash;
        shares += one.market->position({i}, k_first).value;
    }
    EXPECT_EQ(cash, 0);
    EXPECT_EQ(shares, 0);
    EXPECT_NO_FATAL_FAILURE(one.market->engine().check_invariants());
}

}  // namespace
}  // namespace damrak::market_tests::random_market_test
