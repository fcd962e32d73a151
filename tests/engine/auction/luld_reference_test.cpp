// The LULD reference price: when it follows the mean of the last five minutes, and when it stays.

#include <damrak/auction/luld_reference.hpp>

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::auction::luld_reference_test {
namespace {

constexpr Timestamp k_open = minutes(9 * 60 + 30);
constexpr Price cents(std::int64_t count) { return Price{count * 100}; }

LuldReference opened_at(Price price) { return {{}, k_open, price}; }

TEST(LuldReference, IsTheOpeningPriceAtFirst) {
    EXPECT_EQ(opened_at(cents(4'837)).reference(), cents(4'837));
    EXPECT_EQ(opened_at(cents(4'837)).pro_forma(), std::nullopt);
    EXPECT_EQ(opened_at(cents(4'837)).due(), std::nullopt);
}

TEST(LuldReference, KeepsItsValueUnlessTheMeanDiffersByOnePerCent) {
    LuldReference reference = opened_at(cents(4'837));
    EXPECT_FALSE(reference.on_trade(k_open + seconds(40), cents(4'885)));
    EXPECT_EQ(reference.reference(), cents(4'837));
    LuldReference other = opened_at(cents(4'837));
    EXPECT_TRUE(other.on_trade(k_open + seconds(40), cents(4'886)));
    EXPECT_EQ(other.reference(), cents(4'886));
}

TEST(LuldReference, ChangesAtExactlyOnePerCentUpOrDown) {
    for (const std::int64_t price : {9'900, 10'100}) {
        LuldReference reference = opened_at(cents(10'000));
        EXPECT_TRUE(reference.on_trade(k_open + seconds(30), cents(price)));
    }
    for (const std::int64_t price : {9'901, 10'099}) {
        LuldReference reference = opened_at(cents(10'000));
        EXPECT_FALSE(reference.on_trade(k_open + seconds(30), cents(price)));
    }
}

TEST(LuldReference, StaysThirtySecondsAndThenFollowsByItself) {
    LuldReference reference = opened_at(cents(10'000));
    EXPECT_FALSE(reference.on_trade(k_open + seconds(10), cents(11'000)));
    EXPECT_EQ(reference.due(), k_open + seconds(30));
    EXPECT_FALSE(reference.on_time(k_open + seconds(30) - Timestamp{1}));
    EXPECT_TRUE(reference.on_time(k_open + seconds(30)));
    EXPECT_EQ(reference.reference(), cents(11'000));
}

TEST(LuldReference, IsTheMeanOfTradesWhateverTheirSize) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open + seconds(1), cents(10'200));
    reference.on_trade(k_open + seconds(2), cents(10'301));
    EXPECT_EQ(reference.pro_forma(), Price{1'025'050});
    reference.on_trade(k_open + seconds(3), Price{1'025'051});
    EXPECT_EQ(reference.pro_forma(), Price{1'025'050});  // …50.33
    EXPECT_TRUE(reference.on_time(k_open + seconds(30)));
    EXPECT_EQ(reference.reference(), Price{1'025'050});
}

TEST(LuldReference, RoundsTheMeanHalfUp) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open, Price{1'000'000});
    reference.on_trade(k_open, Price{1'000'001});
    EXPECT_EQ(reference.pro_forma(), Price{1'000'001});
}

TEST(LuldReference, ForgetsTradesAfterFiveMinutes) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open + seconds(5), cents(10'000));
    reference.on_trade(k_open + seconds(60), cents(10'180));
    EXPECT_EQ(reference.pro_forma(), cents(10'090));
    EXPECT_EQ(reference.due(), k_open + seconds(305));
    EXPECT_FALSE(reference.on_time(k_open + seconds(305) - Timestamp{1}));
    EXPECT_EQ(reference.pro_forma(), cents(10'090));
    EXPECT_TRUE(reference.on_time(k_open + seconds(305)));
    EXPECT_EQ(reference.reference(), cents(10'180));
}

TEST(LuldReference, StaysWhenThereAreNoTradesLeft) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open + seconds(40), cents(10'200));
    EXPECT_FALSE(reference.on_time(k_open + minutes(60)));
    EXPECT_EQ(reference.pro_forma(), std::nullopt);
    EXPECT_EQ(reference.reference(), cents(10'200));
    EXPECT_EQ(reference.due(), std::nullopt);
}

TEST(LuldReference, BeginsAnewAfterAPause) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open + seconds(40), cents(10'200));
    reference.restart(k_open + minutes(2), cents(9'000));
    EXPECT_EQ(reference.reference(), cents(9'000));
    EXPECT_EQ(reference.pro_forma(), std::nullopt);
    EXPECT_FALSE(reference.on_trade(k_open + minutes(2) + seconds(29), cents(9'500)));
    EXPECT_EQ(reference.pro_forma(), cents(9'500));
    EXPECT_TRUE(reference.on_time(k_open + minutes(2) + seconds(30)));
}

TEST(LuldReference, StaysAsItIsWhileHeldAndTradesStillCount) {
    LuldReference reference = opened_at(cents(10'000));
    reference.hold(reference.standing());
    EXPECT_FALSE(reference.on_trade(k_open + seconds(40), cents(11'000)));
    EXPECT_FALSE(reference.on_time(k_open + seconds(60)));
    reference.on_trade(k_open + seconds(60), cents(9'000));
    reference.on_trade(k_open + seconds(60), cents(9'000));
    EXPECT_EQ(reference.reference(), cents(10'000));
    reference.release(k_open + seconds(70));
    EXPECT_EQ(reference.standing(),
              (LuldReference::Standing{Price{966'667}, k_open + seconds(70)}));
    EXPECT_FALSE(reference.on_trade(k_open + seconds(99), cents(20'000)));
    EXPECT_TRUE(reference.on_time(k_open + seconds(100)));
}

TEST(LuldReference, ForgetsTradesWhileHeld) {
    LuldReference reference = opened_at(cents(10'000));
    reference.on_trade(k_open + seconds(5), cents(9'000));
    reference.hold(reference.standing());
    reference.on_trade(k_open + seconds(100), cents(10'000));
    reference.release(k_open + seconds(305));
    EXPECT_EQ(reference.pro_forma(), cents(10'000));
    EXPECT_EQ(reference.reference(), cents(10'000));
}

TEST(LuldReference, GoesBackToTheOneInEffectWhenHeld) {
    LuldReference reference = opened_at(cents(10'000));
    const LuldReference::Standing in_effect = reference.standing();
    EXPECT_TRUE(reference.on_trade(k_open + seconds(40), cents(11'000)));
    reference.hold(in_effect);
    EXPECT_EQ(reference.standing(), in_effect);
    reference.release(k_open + seconds(41));
    EXPECT_EQ(reference.standing(), (LuldReference::Standing{cents(11'000), k_open + seconds(41)}));
    reference.release(k_open + seconds(90));
    EXPECT_EQ(reference.standing().since, k_open + seconds(41)) << "it is not held any more";
}

// Keeps all trades, and looks at every second.
class Model {
  public:
    explicit Model(Price reference) : reference_(reference) {}

    void on_trade(Timestamp now, Price price) {
        advance(now);
        trades_.push_back({now, price});
        look(now);
    }
    void advance(Timestamp now) {
        for (std::int64_t second = looked_.value / seconds(1).value + 1; seconds(second) <= now;
             ++second)
            look(seconds(second));
        looked_ = now;
    }
    Price reference() const { return reference_; }

  private:
    struct Trade {
        Timestamp time;
        Price price;
    };
    void look(Timestamp now) {
        std::int64_t sum = 0;
        std::int64_t count = 0;
        for (const Trade& trade : trades_) {
            const std::int64_t age =
                now.value / seconds(1).value - trade.time.value / seconds(1).value;
            if (age >= 300) continue;
            sum += trade.price.value;
            ++count;
        }
        if (count == 0 || now - since_ < seconds(30)) return;
        const std::int64_t mean = (2 * sum + count) / (2 * count);
        const std::int64_t change = mean - reference_.value;
        if (change * 100 >= reference_.value || -change * 100 >= reference_.value) {
            reference_ = Price{mean};
            since_ = now;
        }
    }

    std::vector<Trade> trades_;
    Price reference_;
    Timestamp since_ = k_open;
    Timestamp looked_ = k_open;
};

// Changes happen on whole seconds in this test, as the model looks only then.
TEST(LuldReferenceModel, AgreesOnRandomTradesHoweverOftenTimeIsTold) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        RandomStream random(seed);
        LuldReference reference = opened_at(cents(1'000));
        Model model(cents(1'000));
        Timestamp now = k_open;
        for (int i = 0; i < 200; ++i) {
            now += seconds(random.below(random.below(10) == 0 ? 200 : 8));
            if (random.below(3) == 0) reference.on_time(now);
            const Price price = cents(950 + random.below(100));
            reference.on_trade(now, price);
            model.on_trade(now, price);
            ASSERT_EQ(reference.reference(), model.reference()) << "seed " << seed << " " << i;
        }
        now += seconds(400);
        reference.on_time(now);
        model.advance(now);
        ASSERT_EQ(reference.reference(), model.reference());
    }
}

}  // namespace
}  // namespace damrak::auction::luld_reference_test
