// The order-by-order feed: what each event of the engine becomes, and the promise that a book built
// from the messages equals the engine's public book after each command.
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>
#include <damrak/feed/itch/publisher.hpp>

#include "support/command_stream.hpp"
#include "support/commands.hpp"
#include "support/describe.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/itch_receiver.hpp"
#include "support/test_size.hpp"

namespace damrak::feed::itch_publisher_test {
namespace {

namespace itch = wire::itch;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ItchReceiver;

/// Side, price, shares and reference of each displayed order, in the priority of its level.
using Book = std::vector<std::tuple<Side, std::int64_t, std::uint32_t, std::uint64_t>>;

Book book_of(const Engine& engine, InstrumentId id) {
    Book book;
    const InstrumentState* const in = engine.instrument(id);
    std::int64_t scale = 1;
    for (unsigned i = in->definition().price_decimals; i < 4; ++i) scale *= 10;
    for (const Side side : {Side::buy, Side::sell})
        in->book.for_each_order(engine.store(), side, [&](OrderIndex index) {
            const Order& order = engine.store().order(index);
            if (order.terms().undisplayed()) return true;
            const auto& extension = engine.store().extension(order.extension);
            book.emplace_back(side, in->price_of(order.tick).value * scale,
                              static_cast<std::uint32_t>(order.quantity.value),
                              order.extension == 0 ? order.id.value : extension.public_id.value);
            return true;
        });
    return book;
}

Book book_of(const ItchReceiver& receiver, InstrumentId id) {
    const auto found = receiver.orders.find(static_cast<std::uint16_t>(id.value));
    if (found == receiver.orders.end()) return {};
    std::map<std::tuple<Side, std::int64_t, std::uint64_t>, std::pair<std::uint32_t, std::uint64_t>>
        sorted;
    for (const auto& [reference, order] : found->second) {
        const std::int64_t price = order.price_e4;
        sorted[{order.side, order.side == Side::buy ? -price : price, order.arrival}] = {
            order.shares, reference};
    }
    Book book;
    for (const auto& [key, order] : sorted)
        book.emplace_back(std::get<0>(key), std::abs(std::get<1>(key)), order.first, order.second);
    return book;
}

/// An engine that is followed.
class Market {
  public:
    explicit Market(const EngineConfig& config = EngineConfig{}, ItchSettings settings = {})
        : engine(config), publisher_(config, std::move(settings)) {
        publisher_.load(engine, false);
        publisher_.begin_session({0}, block_);
        hear();
    }

    /// The lines of the messages of this command.
    std::vector<std::string> apply(const Command& command) {
        follow(command);
        return receiver.lines;
    }
    void follow(const Command& command) {
        stamp_.sequence.value += 1;
        stamp_.timestamp = command.timestamp;
        events.clear();
        engine.apply(command, [&](const Event& event) { events.push_back(event); });
        publisher_.on_command(command);
        for (const Event& event : events) {
            publisher_.on_event(event, stamp_, block_);
            note_trade(event);
        }
        publisher_.end_command(block_);
        hear();
    }
    void end_session() {
        publisher_.end_session({0}, block_);
        hear();
    }
    void begin_session(Timestamp time) {
        publisher_.begin_session(time, block_);
        hear();
    }
    [[nodiscard]] ItchReceiver snapshot() const {
        MessageBlock block;
        publisher_.snapshot({0}, block);
        ItchReceiver client;
        client.hear(block);
        return client;
    }
    [[nodiscard]] bool is_listed(InstrumentId id) const {
        const InstrumentState* const in = id ? engine.instrument(id) : nullptr;
        return in != nullptr && is_published(in->definition());
    }

    Engine engine;
    ItchReceiver receiver;
    std::vector<Event> events;  ///< of the last command
    std::map<std::pair<std::uint16_t, std::uint64_t>, std::uint64_t> trades;  ///< as the receiver's

  private:
    /// An auction is one trade.
    void note_trade(const Event& event) {
        if (event.kind == EventKind::uncrossed) auction_ = event.reference;
        if (event.kind != EventKind::executed || !adds_to_volume(event)) return;
        if (!is_listed(event.instrument)) return;
        const bool crossed = has_flag(event, EventFlags::k_cross);
        trades[{static_cast<std::uint16_t>(event.instrument.value),
                crossed ? auction_ : event.reference}] +=
            static_cast<std::uint64_t>(event.quantity.value);
    }
    void hear() {
        receiver.lines.clear();
        receiver.hear(block_);
        block_.clear();
    }

    ItchPublisher publisher_;
    MessageBlock block_;
    CommandStamp stamp_{};
    std::uint64_t auction_ = 0;  ///< trade number of the last one
};

class ItchFeed : public ::testing::Test {
  protected:
    ItchFeed() { market_.apply(instrument_command(1, test_stock("TEST"))); }

    static Command order(Side side, std::int64_t price, std::int64_t quantity,
                         std::uint32_t participant = 1) {
        return order_command(1, participant, side, price * 100, quantity);
    }
    static Command cancel(std::uint64_t id, std::int64_t quantity = 0) {
        Command command = order_command(1, 1, Side::buy, 0, quantity);
        command.kind = CommandKind::cancel_order;
        command.order_id = {id};
        return command;
    }
    static Command replace(std::uint64_t id, std::int64_t price, std::int64_t quantity) {
        Command command = order(Side::buy, price, quantity);
        command.kind = CommandKind::replace_order;
        command.order_id = {id};
        return command;
    }

    Market market_;
};

}  // namespace

TEST_F(ItchFeed, OrdersComeAndGo) {
    EXPECT_THAT(market_.apply(order(Side::buy, 1'000, 10)), ElementsAre("A 1 B 10 @ 100000"));
    EXPECT_THAT(market_.apply(cancel(1, 4)), ElementsAre("X 1 4"));
    EXPECT_THAT(market_.apply(cancel(1)), ElementsAre("D 1"));
    EXPECT_THAT(market_.apply(cancel(1)), IsEmpty());
}

TEST_F(ItchFeed, ATradeIsTheRestingOrdersAndTheIncomingOneIsNeverShown) {
    market_.apply(order(Side::buy, 1'000, 10));
    EXPECT_THAT(market_.apply(order(Side::sell, 1'000, 4, 2)), ElementsAre("E 1 4 match 1"));
    EXPECT_THAT(market_.apply(order(Side::sell, 1'000, 9, 2)),
                ElementsAre("E 1 6 match 2", "A 3 S 3 @ 100000"));
}

TEST_F(ItchFeed, AReplaceIsAReductionOrANewOrderOrTrades) {
    market_.apply(order(Side::buy, 1'000, 10));
    EXPECT_THAT(market_.apply(replace(1, 1'000, 7)), ElementsAre("X 1 3"));
    EXPECT_THAT(market_.apply(replace(1, 1'001, 7)), ElementsAre("U 1 2 7 @ 100100"));
    market_.apply(order(Side::sell, 1'005, 3, 2));
    EXPECT_THAT(market_.apply(replace(2, 1'005, 7)),
                ElementsAre("D 2", "E 3 3 match 1", "A 4 B 4 @ 100500"));
}

TEST_F(ItchFeed, AnIcebergsNextSliceIsAnotherOrder) {
    Command iceberg = order(Side::buy, 1'000, 10);
    iceberg.order.display_quantity = {4};
    EXPECT_THAT(market_.apply(iceberg), ElementsAre("A 1 B 4 @ 100000"));
    EXPECT_THAT(market_.apply(order(Side::sell, 1'000, 4, 2)),
                ElementsAre("E 1 4 match 1", "A 3 B 4 @ 100000"));
    EXPECT_THAT(market_.apply(cancel(1, 2)), IsEmpty()) << "the reserve is nobody's business";
    EXPECT_THAT(market_.apply(cancel(1, 1)), ElementsAre("X 3 1"));
}

TEST_F(ItchFeed, WhatIsHiddenTradesAndIsNeverShown) {
    Command hidden = order(Side::sell, 1'000, 10);
    hidden.flags = CommandFlags::k_hidden;
    EXPECT_THAT(market_.apply(hidden), IsEmpty());
    EXPECT_THAT(market_.apply(order(Side::buy, 1'000, 4, 2)), ElementsAre("P 4 @ 100000"));
    EXPECT_THAT(market_.apply(cancel(1)), IsEmpty());
}

TEST_F(ItchFeed, StopsAreShownOnceTheyRest) {
    Command stop = order(Side::buy, 1'010, 5);
    stop.order_type = OrderType::stop_limit;
    stop.order.stop_price = {100'500};
    EXPECT_THAT(market_.apply(stop), IsEmpty());
    market_.apply(order(Side::sell, 1'005, 1, 2));
    EXPECT_THAT(market_.apply(order(Side::buy, 1'005, 1, 3)),
                ElementsAre("E 2 1 match 1", "A 1 B 5 @ 101000"));
}

TEST_F(ItchFeed, HaltsAndTheEndOfTheDayAreReported) {
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = {1};
    halt.trading_state = TradingState::halted;
    EXPECT_THAT(market_.apply(halt), ElementsAre("H TEST H", "h TEST H on Q"));
    halt.trading_state = TradingState::trading;
    EXPECT_THAT(market_.apply(halt), ElementsAre("H TEST T", "h TEST T on Q"));
    market_.apply(order(Side::buy, 1'000, 10));
    Command end{};
    end.kind = CommandKind::end_day;
    EXPECT_THAT(market_.apply(end), ElementsAre("D 1"));
    market_.end_session();
    EXPECT_THAT(market_.receiver.lines, ElementsAre("S M", "S E", "S C"));
    EXPECT_THAT(market_.apply(order(Side::buy, 1'000, 10)), IsEmpty()) << "there is no session";
}

Command phase_command(CommandKind kind, Phase phase) {
    Command command{};
    command.kind = kind;
    command.instrument = {1};
    command.phase.phase = phase;
    return command;
}

TEST_F(ItchFeed, AnAuctionIsOneTradeAndItsPartsAreNotPrinted) {
    market_.apply(phase_command(CommandKind::set_phase, Phase::call));
    market_.apply(order(Side::buy, 1'000, 10));
    market_.apply(order(Side::sell, 990, 4));
    Command iceberg = order(Side::sell, 1'000, 5);
    iceberg.order.display_quantity = {2};
    market_.apply(iceberg);
    Command market_order = order(Side::sell, 0, 3);
    market_order.order_type = OrderType::market;
    market_.apply(market_order);
    EXPECT_THAT(market_.apply(phase_command(CommandKind::uncross, Phase::closed)),
                ElementsAre("C 1 3 @ 100000 in Q", "C 1 4 @ 100000 in Q", "C 2 4 @ 100000 in Q",
                            "C 1 3 @ 100000 in Q", "C 3 2 @ 100000 in Q", "A 5 S 2 @ 100000",
                            "Q 10 @ 100000 type I", "H TEST P"));
    market_.apply(phase_command(CommandKind::set_phase, Phase::call));
    market_.apply(order(Side::buy, 1'000, 1));
    EXPECT_THAT(market_.apply(phase_command(CommandKind::uncross, Phase::continuous)),
                ElementsAre("C 6 1 @ 100000 in Q", "C 5 1 @ 100000 in Q", "Q 1 @ 100000 type I",
                            "H TEST T"));
}

TEST_F(ItchFeed, AnAuctionOfNothingIsToldAsOne) {
    market_.apply(phase_command(CommandKind::set_phase, Phase::call));
    market_.apply(order(Side::buy, 1'000, 10));
    EXPECT_THAT(market_.apply(phase_command(CommandKind::uncross, Phase::continuous)),
                ElementsAre("Q 0 @ 0 type I", "H TEST T"));
}

TEST_F(ItchFeed, AnAuctionHasWhatImbalanceOnlyOrdersTrade) {
    market_.apply(phase_command(CommandKind::set_phase, Phase::call));
    market_.apply(order(Side::buy, 1'000, 10));
    market_.apply(order(Side::sell, 1'000, 4));
    Command filler = order(Side::sell, 1'000, 5);
    filler.time_in_force = TimeInForce::at_auction;
    filler.flags = CommandFlags::k_imbalance_only;
    market_.apply(filler);
    EXPECT_THAT(market_.apply(phase_command(CommandKind::uncross, Phase::continuous)),
                ElementsAre("C 1 4 @ 100000 in Q", "C 2 4 @ 100000 in Q", "C 1 5 @ 100000 in Q",
                            "Q 9 @ 100000 type I", "H TEST T"));
}

TEST_F(ItchFeed, ABustedTradeIsBrokenAndChangesNoOrder) {
    market_.apply(order(Side::buy, 1'000, 10));
    EXPECT_THAT(market_.apply(order(Side::sell, 1'000, 4)), ElementsAre("E 1 4 match 1"));
    Command bust{};
    bust.kind = CommandKind::bust_trade;
    bust.instrument = {1};
    bust.order_id = {1};
    bust.new_order_id = {2};
    bust.quantity = {4};
    bust.bust.trade = {1};
    for (const Event& event : market_.events)
        if (event.kind == EventKind::executed) {
            bust.price = event.price;
            if (event.side == Side::buy) bust.participant = event.participant;
            if (event.side == Side::sell) bust.bust.seller = event.participant;
        }
    EXPECT_THAT(market_.apply(bust), ElementsAre("B match 1"));
    EXPECT_THAT(market_.apply(bust), IsEmpty()) << "once";
}

TEST_F(ItchFeed, ASessionBeginsWithAllThatIsOpen) {
    market_.apply(order(Side::buy, 1'000, 10));
    market_.apply(order(Side::buy, 1'001, 11));
    market_.end_session();
    market_.apply(order(Side::sell, 1'002, 12));
    market_.receiver.orders.clear();
    market_.begin_session({k_day_ns + 5});
    EXPECT_THAT(market_.receiver.lines,
                ElementsAre("S O", "R TEST lot 1", "H TEST T", "S S", "A 2 B 11 @ 100100",
                            "A 1 B 10 @ 100000", "A 3 S 12 @ 100200", "S Q"));
    EXPECT_EQ(market_.receiver.time_ns, 5);
}

TEST(ItchFeedInstruments, ThatItCannotCarryAreNotOnIt) {
    Market market;
    InstrumentDetails secret = test_stock("SECRET");
    secret.unpublished = 1;
    EXPECT_THAT(market.apply(instrument_command(1, secret)), IsEmpty());
    EXPECT_THAT(market.apply(order_command(1, 1, Side::buy, 100'000, 1)), IsEmpty());
    InstrumentDetails cents = test_stock("CENTS");
    cents.price_decimals = 2;
    cents.tick_size = {1};
    cents.maximum_price = {20'000'000};
    EXPECT_THAT(market.apply(instrument_command(2, cents)),
                ElementsAre("R CENTS lot 1", "H CENTS T"));
    EXPECT_THAT(market.apply(order_command(2, 1, Side::buy, 1'234, 1)),
                ElementsAre(fmt::format("A {} B 1 @ 123400", (1ULL << 40U) + 1)));
}

#ifdef NDEBUG
const std::uint64_t k_seeds = test_size::scaled(std::uint64_t{12});
#else
constexpr std::uint64_t k_seeds = 1;
#endif
constexpr std::size_t k_commands = 4'000;

class ItchStreams : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(ItchStreams, ABookBuiltFromTheFeedIsThePublicBookAfterEachCommand) {
    std::uint64_t shown = 0;
    std::uint64_t streams = 0;
    for (std::uint64_t seed = 1; streams < k_seeds; ++seed) {
        CommandStream stream{GetParam(), seed};
        if (stream.settings().ids_in_commands) continue;  // not the ids of an exchange
        ++streams;
        Market market{differential::config_of(stream.settings())};
        for (std::size_t i = 0; i < k_commands; ++i) {
            const Command command = stream.next();
            market.follow(command);
            stream.observe(command, market.events);
            for (std::uint32_t id = 1; id <= stream.settings().maximum_instruments; ++id) {
                if (!market.is_listed({id})) continue;
                const Book truth = book_of(market.engine, {id});
                ASSERT_EQ(book_of(market.receiver, {id}), truth)
                    << "seed " << seed << ", command " << i << "\n"
                    << describe(command) << "\n"
                    << describe(market.events) << ::testing::PrintToString(market.receiver.lines);
                shown += truth.size();
                if (!stream.settings().ids_apart) continue;
                for (const auto& [side, price, shares, reference] : truth)
                    ASSERT_FALSE(is_private({reference})) << "seed " << seed << ", command " << i;
            }
        }
        EXPECT_EQ(market.receiver.trades, market.trades);
        const ItchReceiver snapshot = market.snapshot();
        for (std::uint32_t id = 1; id <= stream.settings().maximum_instruments; ++id) {
            if (!market.is_listed({id})) continue;
            EXPECT_EQ(book_of(snapshot, {id}), book_of(market.engine, {id}));
        }
    }
    EXPECT_GT(shown, 0U);
}

INSTANTIATE_TEST_SUITE_P(All, ItchStreams,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

}  // namespace damrak::feed::itch_publisher_test
