// A market in virtual time by the timetable of a venue.
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/market_kernel/market.hpp>

namespace damrak::market_kernel::venue_test {
namespace {

using ::testing::ElementsAre;

/// The commands that lead through the phases, with the seconds since the beginning.
class Phases final : public MarketWatcher {
  public:
    explicit Phases(Timestamp begin) : begin_(begin) {}
    void on_command(const Command& command, const CommandStamp& stamp) override {
        if (command.kind != CommandKind::set_phase && command.kind != CommandKind::uncross) return;
        lines.push_back(fmt::format("{} {} {}", (stamp.timestamp - begin_).value / k_second_ns,
                                    command.kind == CommandKind::uncross ? "uncross" : "set",
                                    name(command.phase.phase)));
    }
    std::vector<std::string> lines;

  private:
    Timestamp begin_;
};

venue::Venue venue_with(std::int64_t begin_ns) {
    const auto session = [&](std::int64_t after_s, Phase phase) {
        venue::TradingSession made;
        made.at_ns = (begin_ns + after_s * k_second_ns) % k_day_ns;
        made.phase = phase;
        if (phase == Phase::call) made.auction = AuctionRule::xetra;
        return made;
    };
    venue::Venue venue;
    venue.sessions = {session(0, Phase::call), session(60, Phase::continuous),
                      session(120, Phase::call), session(180, Phase::closed)};
    venue.rules.limits.dynamic_corridor = {200, 0};
    return venue;
}

MarketSetup setup_with_one_instrument() {
    MarketSetup setup;
    InstrumentDefinition definition;
    definition.id = InstrumentId{1};
    definition.symbol = Symbol::of("AAA");
    setup.instruments = {definition};
    setup.fundamentals.resize(1);
    return setup;
}

TEST(MarketVenue, LeadsThroughTheSessionsInVirtualTime) {
    MarketSetup setup = setup_with_one_instrument();
    const Timestamp begin = setup.begin;
    setup.venue = std::make_shared<const venue::Venue>(venue_with(begin.value % k_day_ns));
    Phases phases{begin};
    Market market{std::move(setup), {&phases}};
    EXPECT_TRUE(market.run_until(begin + Timestamp{600 * k_second_ns}));
    EXPECT_THAT(phases.lines, ElementsAre("0 set call", "60 uncross continuous", "120 set call",
                                          "180 uncross closed"));
    const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
    EXPECT_EQ(in.rules.price_limits.dynamic_corridor.basis_points, 200);
}

/// AAA, BBB and the spread A-B in continuous trading.
MarketSetup setup_with_a_spread() {
    MarketSetup setup = setup_with_one_instrument();
    for (const std::string_view symbol : {"BBB", "A-B"}) {
        InstrumentDefinition& definition = setup.instruments.emplace_back();
        definition.id = InstrumentId{static_cast<std::uint32_t>(setup.instruments.size())};
        definition.symbol = Symbol::of(symbol);
    }
    for (InstrumentDefinition& one : setup.instruments) one.shard_group = 1;
    setup.fundamentals.resize(3);
    venue::Venue venue;
    venue.sessions.emplace_back().phase = Phase::continuous;
    venue.combinations = {{.symbol = "A-B",
                           .kind = CombinationKind::spread,
                           .legs = {{"AAA", 1}, {"BBB", -1}},
                           .tick = 0,
                           .minimum_price = {},
                           .maximum_price = {},
                           .place = "v:1"}};
    setup.venue = std::make_shared<const venue::Venue>(std::move(venue));
    return setup;
}

TEST(MarketVenue, CombinesItsInstruments) {
    const Market market{setup_with_a_spread(), {}};
    EXPECT_EQ(market.engine().instrument(InstrumentId{3})->combination, CombinationKind::spread);
}

/// Sells AAA, buys BBB, and a second later buys the spread from these two orders.
class SpreadBuyer final : public Participant {
  public:
    void on_start(MarketAccess& access) override {
        enter(access, 1, Side::sell, 100);
        enter(access, 2, Side::buy, 90);
        access.wake_at(access.now() + Timestamp{k_second_ns});
    }
    void on_timer(MarketAccess& access, std::uint64_t key) override {
        if (key == 0) enter(access, 3, Side::buy, 15);
        if (key == 0) return access.wake_at(access.now() + Timestamp{k_second_ns}, 1);
        for (const std::uint32_t id : {1U, 2U, 3U}) seen.push_back(access.view(InstrumentId{id}));
    }
    std::vector<views::PublicChange> seen;

  private:
    static void enter(MarketAccess& access, std::uint32_t id, Side side, std::int64_t ticks) {
        access.enter({.instrument = InstrumentId{id},
                      .side = side,
                      .self_trade_prevention = SelfTradePrevention::none,
                      .price = Price{ticks * 100},
                      .quantity = Quantity{7}});
    }
};

struct Alone {
    std::vector<views::PublicChange> seen;
    MarketCounts counts{};
};

/// What a participant of this kind sees alone in a market.
template <class Seen>
Alone run_alone(MarketSetup setup) {
    const Timestamp begin = setup.begin;
    auto alone = std::make_unique<Seen>();
    const Seen& sees = *alone;
    setup.seats.emplace_back().participant = std::move(alone);
    Market market{std::move(setup), {}};
    EXPECT_TRUE(market.run_until(begin + Timestamp{10 * k_second_ns}));
    return {sees.seen, market.counts()};
}

TEST(MarketVenue, AnImpliedTradeIsATradeOfEachBook) {
    const auto [seen, counts] = run_alone<SpreadBuyer>(setup_with_a_spread());
    EXPECT_EQ(counts.trades, 1U);
    ASSERT_EQ(seen.size(), 3U);
    for (const auto& [view, price, taker] : {std::tuple{seen[0], 10'000, Side::buy},
                                             {seen[1], 9'000, Side::sell},
                                             {seen[2], 1'000, Side::buy}}) {
        EXPECT_EQ(view.trades, 1U);
        EXPECT_EQ(view.volume, 7U);
        EXPECT_EQ(view.last_price, Price{price});
        EXPECT_EQ(view.last_side, taker);
    }
}

/// Collects orders that cross in a call, and looks a second later.
class Collector final : public Participant {
  public:
    void on_start(MarketAccess& access) override {
        enter(access, Side::buy, 101, 100, true);
        enter(access, Side::sell, 99, 60);
        enter(access, Side::sell, 100, 30);
        access.wake_at(access.now() + Timestamp{k_second_ns});
    }
    void on_timer(MarketAccess& access, std::uint64_t /*key*/) override {
        seen.push_back(access.view(InstrumentId{1}));
        if (seen.size() == 2) return;
        enter(access, Side::sell, 99, 20);
        access.wake_at(access.now() + Timestamp{k_second_ns});
    }
    std::vector<views::PublicChange> seen;

  private:
    static void enter(MarketAccess& access, Side side, std::int64_t ticks, std::int64_t quantity,
                      bool hidden = false) {
        access.enter({.instrument = InstrumentId{1},
                      .side = side,
                      .self_trade_prevention = SelfTradePrevention::none,
                      .hidden = hidden,
                      .price = Price{ticks * 100},
                      .quantity = Quantity{quantity}});
    }
};

std::vector<views::PublicChange> seen_in_call(AuctionRule rule, bool sealed = false) {
    MarketSetup setup = setup_with_one_instrument();
    venue::Venue venue = venue_with(setup.begin.value % k_day_ns);
    venue.sessions[0].auction = rule;
    venue.sessions[0].sealed = sealed;
    setup.venue = std::make_shared<const venue::Venue>(std::move(venue));
    auto seen = run_alone<Collector>(std::move(setup)).seen;
    EXPECT_EQ(seen.size(), 2U);
    return seen;
}

TEST(MarketVenue, InACallBothSidesShowTheIndicativePriceByItsRule) {
    // Between 100 and 101, ten of the hidden buy order are left, then ten of the sell orders.
    for (const auto& [rule, first, second] : {std::tuple{AuctionRule::xetra, 10'100, 10'000},
                                              {AuctionRule::euronext, 10'100, 10'100}}) {
        const std::vector<views::PublicChange> seen = seen_in_call(rule);
        for (const auto& [view, price, quantity] :
             {std::tuple{seen[0], first, 90}, std::tuple{seen[1], second, 100}}) {
            EXPECT_EQ(view.bid, Price{price});
            EXPECT_EQ(view.ask, Price{price});
            EXPECT_EQ(view.bid_quantity, Quantity{quantity});
            EXPECT_EQ(view.ask_quantity, Quantity{quantity});
        }
    }
}

TEST(MarketVenue, OfASealedCallNothingIsSeen) {
    for (const views::PublicChange& view : seen_in_call(AuctionRule::frequent_batch, true)) {
        EXPECT_FALSE(view.has_bid());
        EXPECT_FALSE(view.has_ask());
    }
}

/// Has an order in the book from the first batch; in the second one enters orders that cross, and
/// then cancels it.
class Batcher final : public Participant {
  public:
    void on_start(MarketAccess& access) override {
        resting_ = enter(access, Side::buy, 90);
        access.wake_at(access.now() + Timestamp{k_second_ns * 3 / 2});
    }
    void on_timer(MarketAccess& access, std::uint64_t key) override {
        seen.push_back(access.view(InstrumentId{1}));
        if (key == 1) return;
        enter(access, Side::buy, 101);
        enter(access, Side::sell, 99);
        access.cancel(resting_);
        access.wake_at(access.now() + Timestamp{k_second_ns / 10}, 1);
    }
    std::vector<views::PublicChange> seen;

  private:
    static OrderHandle enter(MarketAccess& access, Side side, std::int64_t ticks) {
        return access.enter({.instrument = InstrumentId{1},
                             .side = side,
                             .self_trade_prevention = SelfTradePrevention::none,
                             .price = Price{ticks * 100},
                             .quantity = Quantity{5}});
    }
    OrderHandle resting_{};
};

TEST(MarketVenue, WhatIsDisplayedDoesNotGiveASealedCallAway) {
    MarketSetup setup = setup_with_one_instrument();
    venue::Venue venue = venue_with(setup.begin.value % k_day_ns);
    venue.sessions[0].auction = AuctionRule::frequent_batch;
    venue.sessions[0].sealed = true;
    venue.sessions[0].interval_ns = k_second_ns;
    setup.venue = std::make_shared<const venue::Venue>(std::move(venue));
    const std::vector<views::PublicChange> seen = run_alone<Batcher>(std::move(setup)).seen;
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen[0].bid, Price{9'000});
    EXPECT_TRUE(seen[0].has_bid()) << "of the first batch";
    EXPECT_FALSE(seen[1].has_bid());
    EXPECT_FALSE(seen[1].has_ask());
}

/// Trades with itself, from a second after the opening on, each second for 20 cents less.
class Crash final : public Participant {
  public:
    void on_start(MarketAccess& access) override {
        trade(access);
        access.wake_at(access.now() + Timestamp{61 * k_second_ns});
    }
    void on_timer(MarketAccess& access, std::uint64_t /*key*/) override {
        price_ -= Price{2'000};
        trade(access);
        if (price_ > Price{880'000}) access.wake_at(access.now() + Timestamp{k_second_ns});
    }

  private:
    void trade(MarketAccess& access) const {
        for (const Side side : {Side::sell, Side::buy})
            access.enter({.instrument = InstrumentId{1},
                          .side = side,
                          .self_trade_prevention = SelfTradePrevention::none,
                          .price = price_,
                          .quantity = Quantity{100}});
    }
    Price price_{1'000'000};
};

TEST(MarketVenue, ACrashEndsInALimitStateAPauseAndAReopening) {
    MarketSetup setup = setup_with_one_instrument();
    const Timestamp begin = setup.begin;
    venue::Venue venue = venue_with(begin.value % k_day_ns);
    venue.sessions[0].call = CallKind::opening;
    venue.sessions[2].call = CallKind::closing;
    for (const std::size_t later : {2U, 3U}) venue.sessions[later].at_ns += 3'600 * k_second_ns;
    venue.rules.luld.tier = 1;
    venue.rules.limits.dynamic_corridor = {};
    setup.venue = std::make_shared<const venue::Venue>(std::move(venue));
    setup.seats.emplace_back().participant = std::make_unique<Crash>();
    Phases phases{begin};
    Market market{std::move(setup), {&phases}};
    EXPECT_TRUE(market.run_until(begin + Timestamp{600 * k_second_ns}));
    EXPECT_THAT(phases.lines, ElementsAre("0 set call", "60 uncross continuous", "101 set call",
                                          "401 uncross continuous"))
        << "94.80 is below the lower band after 86 seconds";
    const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
    EXPECT_EQ(in.rules.price_band.reference, in.price_of(in.last_trade));
    EXPECT_LT(in.price_of(in.last_trade), Price{950'000});
}

}  // namespace
}  // namespace damrak::market_kernel::venue_test
