// The demo market on a real exchange of its own, in simulated time.
#include <damrak/sim/demo_market.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::sim {
namespace {

using client::OrderEntry;
using damrak::testing::BinaryExchange;
using wire::binary::Version;

constexpr std::int64_t k_turn_ns = 10'000'000;
constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr int k_turns_a_second = static_cast<int>(k_second_ns / k_turn_ns);

class World {
  public:
    explicit World(std::uint64_t seed)
        : market_({{.id = InstrumentId{1}, .price_e2 = 10'000},
                   {.id = InstrumentId{2}, .price_e2 = 42'000}},
                  seed) {
        for (std::size_t i = 0; i < market_.traders(); ++i) {
            lines_.push_back({OrderEntry{Version::v2}, &exchange_.connect(Version::v2)});
            lines_.back().entry.login();
            carry(lines_.back());
        }
    }

    // Ten milliseconds of everyone's.
    void turn() {
        now_ns_ += k_turn_ns;
        exchange_.now = Timestamp{now_ns_};
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            market_.act(i, now_ns_, lines_[i].entry);
            carry(lines_[i]);
        }
    }
    void run(int seconds) {
        for (int i = 0; i < seconds * k_turns_a_second; ++i) turn();
    }
    void withdraw() {
        for (Line& line : lines_) {
            while (!DemoMarket::withdraw(line.entry)) carry(line);
        }
    }

    [[nodiscard]] DepthLevel best(std::uint32_t instrument, Side side) const {
        const auto& engine = exchange_.engine();
        return engine.instrument(InstrumentId{instrument})->book.best(engine.store(), side);
    }
    [[nodiscard]] std::uint64_t trades(std::uint32_t instrument) const {
        return exchange_.engine().instrument(InstrumentId{instrument})->trade_number;
    }
    [[nodiscard]] const std::vector<Command>& commands() const { return exchange_.commands(); }
    // The best own prices of each participant, whose orders are all where it thinks.
    [[nodiscard]] bool anyone_crosses_itself() const {
        return std::ranges::any_of(lines_, [](const Line& line) {
            std::map<InstrumentId, std::pair<std::uint64_t, std::uint64_t>> best;
            for (const auto& [number, order] : line.entry.orders()) {
                auto& [bid, ask] = best.try_emplace(order.instrument, 0, UINT64_MAX).first->second;
                if (order.side == Side::buy)
                    bid = std::max(bid, order.price_e2);
                else
                    ask = std::min(ask, order.price_e2);
            }
            return std::ranges::any_of(
                best, [](const auto& each) { return each.second.first >= each.second.second; });
        });
    }

  private:
    struct Line {
        OrderEntry entry;
        damrak::testing::BinaryClient* far;
    };
    void carry(Line& line) {
        line.far->send_bytes(line.entry.unsent());
        line.entry.mark_sent(line.entry.unsent().size());
        for (Line& each : lines_)
            ASSERT_EQ(each.entry.receive(each.far->heard_bytes()), wire::binary::Fault::none);
    }

    BinaryExchange exchange_;
    DemoMarket market_;
    std::vector<Line> lines_;
    std::int64_t now_ns_ = 1'000 * k_second_ns;
};

TEST(DemoMarket, TheSameSeedGivesTheSameOrders) {
    World one{7};
    World same{7};
    World other{8};
    for (World* world : {&one, &same, &other}) world->run(30);
    const auto equal = [](const World& a, const World& b) {
        return std::ranges::equal(
            a.commands(), b.commands(), [](const Command& x, const Command& y) {
                return head_of(x) == head_of(y) && x.participant == y.participant &&
                       x.price == y.price && x.quantity == y.quantity && x.timestamp == y.timestamp;
            });
    };
    EXPECT_TRUE(equal(one, same));
    EXPECT_FALSE(equal(one, other));
}

TEST(DemoMarket, BothSidesAreQuotedTightlyAndPeopleTrade) {
    World world{1};
    world.run(2);
    std::int64_t lowest = INT64_MAX;
    std::int64_t highest = 0;
    for (int second = 0; second < 300; ++second) {
        world.run(1);
        for (const std::uint32_t instrument : {1U, 2U}) {
            const DepthLevel bid = world.best(instrument, Side::buy);
            const DepthLevel ask = world.best(instrument, Side::sell);
            ASSERT_GT(bid.orders, 0U) << "second " << second;
            ASSERT_GT(ask.orders, 0U) << "second " << second;
            EXPECT_LT(bid.tick, ask.tick) << "second " << second;
            EXPECT_LE(ask.tick - bid.tick, ask.tick / 200) << "half a percent";
        }
        lowest = std::min(lowest, world.best(1, Side::buy).tick);
        highest = std::max(highest, world.best(1, Side::buy).tick);
    }
    EXPECT_GT(world.trades(1), 100U);
    EXPECT_GT(world.trades(2), 100U);
    EXPECT_GE(highest - lowest, 5) << "prices move";
}

TEST(DemoMarket, ParticipantsDoNotTradeWithThemselves) {
    World world{3};
    for (int i = 0; i < 200 * k_turns_a_second; ++i) {
        world.turn();
        ASSERT_FALSE(world.anyone_crosses_itself()) << "turn " << i;
    }
}

TEST(DemoMarket, TheRateIsBounded) {
    World world{5};
    std::vector<std::size_t> before;
    for (int i = 0; i < 120 * k_turns_a_second; ++i) {
        before.push_back(world.commands().size());
        world.turn();
        const std::size_t second_ago =
            before.size() > k_turns_a_second ? before[before.size() - k_turns_a_second] : 0;
        ASSERT_LE(world.commands().size() - second_ago, k_demo_requests_per_second + 75U)
            << "with what was saved up";
    }
    EXPECT_LE(world.commands().size(), 120U * k_demo_requests_per_second);
    EXPECT_GE(world.commands().size(), 120U * 20U);
}

TEST(DemoMarket, WithdrawnItLeavesNothingBehind) {
    World world{1};
    world.run(20);
    world.withdraw();
    for (const std::uint32_t instrument : {1U, 2U})
        for (const Side side : {Side::buy, Side::sell})
            EXPECT_EQ(world.best(instrument, side).orders, 0U);
}

TEST(DemoMarket, CoarseTicksAndLotsAreKept) {
    BinaryExchange exchange;
    DemoMarket market{{{.id = InstrumentId{1}, .price_e2 = 10'000, .tick_e2 = 25, .lot = 10}}, 1};
    OrderEntry entry{Version::v2};
    auto& far = exchange.connect(Version::v2);
    entry.login();
    for (std::int64_t turn = 0; turn < 500; ++turn) {
        if (entry.logged_in()) market.act(0, turn * k_turn_ns, entry);
        far.send_bytes(entry.unsent());
        entry.mark_sent(entry.unsent().size());
        ASSERT_EQ(entry.receive(far.heard_bytes()), wire::binary::Fault::none);
        for (const auto& [number, order] : entry.orders()) {
            EXPECT_EQ(order.price_e2 % 25, 0U);
            EXPECT_EQ(order.open % 10, 0U);
        }
    }
    EXPECT_EQ(entry.orders().size(), 10U);
}

}  // namespace
}  // namespace damrak::sim
