// The indicative values of calls on the order-by-order feed: what they say, that the last one is
// the auction, and that they follow from events alone.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/feed/itch/publisher.hpp>

#include "support/command_stream.hpp"
#include "support/commands.hpp"
#include "support/differential/engine_subject.hpp"
#include "support/itch_receiver.hpp"
#include "support/test_size.hpp"

namespace damrak::feed::indicative_test {
namespace {

namespace itch = wire::itch;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::ItchReceiver;

// The messages of a command, from its events alone.
void publish(ItchPublisher& publisher, const Command& command, std::span<const Event> events,
             std::uint64_t sequence, MessageBlock& out) {
    publisher.on_command(command);
    for (const Event& event : events)
        publisher.on_event(event, {{sequence}, command.timestamp}, out);
    publisher.end_command(out);
}

class IndicativeFeed : public ::testing::Test {
  protected:
    IndicativeFeed() {
        publisher_.load(engine_, false);
        publisher_.begin_session({0}, block_);
        apply(instrument_command(1, test_stock("TEST")));
    }
    std::vector<std::string> apply(const Command& command) {
        std::vector<Event> events;
        engine_.apply(command, [&](const Event& event) { events.push_back(event); });
        publish(publisher_, command, events, ++sequence_, block_);
        receiver_.lines.clear();
        receiver_.hear(block_);
        block_.clear();
        return receiver_.lines;
    }
    std::vector<std::string> to_phase(CommandKind kind, Phase phase, CallKind call = {}) {
        Command command{};
        command.kind = kind;
        command.instrument = {1};
        command.phase = {.phase = phase, .call = call};
        return apply(command);
    }
    static Command order(Side side, std::int64_t price, std::int64_t quantity) {
        return order_command(1, 1, side, price * 100, quantity);
    }

    Engine engine_{EngineConfig{}};
    ItchPublisher publisher_{EngineConfig{}, {}};
    MessageBlock block_;
    ItchReceiver receiver_;
    std::uint64_t sequence_ = 0;
};

}  // namespace

TEST_F(IndicativeFeed, SaysWhatTheAuctionWouldBeAfterEachCommandThatChangesIt) {
    EXPECT_THAT(to_phase(CommandKind::set_phase, Phase::pre_open), ElementsAre("H TEST Q"));
    EXPECT_THAT(apply(order(Side::buy, 1'000, 10)), ElementsAre("A 1 B 10 @ 100000"));
    EXPECT_THAT(to_phase(CommandKind::set_phase, Phase::call, CallKind::opening),
                ElementsAre("I 0 @ 0 O 0 type O"))
        << "the state was told before";
    EXPECT_THAT(apply(order(Side::sell, 990, 4)),
                ElementsAre("A 2 S 4 @ 99000", "I 4 @ 100000 B 6 type O"));
    EXPECT_THAT(apply(order(Side::sell, 1'010, 4)), ElementsAre("A 3 S 4 @ 101000"));
    Command market_order = order(Side::sell, 0, 6);
    market_order.order_type = OrderType::market;
    EXPECT_THAT(apply(market_order), ElementsAre("I 10 @ 100000 N 0 type O"));
    Command hidden = order(Side::sell, 1'000, 5);
    hidden.flags = CommandFlags::k_hidden;
    EXPECT_THAT(apply(hidden), ElementsAre("I 10 @ 99000 N 0 type O"));
    EXPECT_THAT(to_phase(CommandKind::uncross, Phase::continuous), Contains("Q 10 @ 99000 type O"));
    EXPECT_THAT(apply(order(Side::buy, 980, 1)), ElementsAre("A 6 B 1 @ 98000"));
}

TEST_F(IndicativeFeed, TellsThePriceOfTheAuctionOrdersAlone) {
    const auto for_close = [](Side side, std::int64_t price, std::int64_t quantity) {
        Command command = order(side, price, quantity);
        command.time_in_force = TimeInForce::at_close;
        return command;
    };
    apply(for_close(Side::buy, 1'020, 5));
    apply(order(Side::buy, 1'000, 10));
    EXPECT_THAT(to_phase(CommandKind::set_phase, Phase::call, CallKind::closing),
                ElementsAre("H TEST Q", "I 0 @ 0 O 0 type C"));
    EXPECT_THAT(apply(for_close(Side::sell, 1'010, 5)),
                ElementsAre("I 5 @ 102000 N 0 type C far 102000"));
    EXPECT_THAT(apply(order(Side::sell, 990, 12)),
                ElementsAre("A 4 S 12 @ 99000", "I 12 @ 100000 B 3 type C far 102000"));
    Command cancel = order(Side::sell, 0, 0);
    cancel.kind = CommandKind::cancel_order;
    cancel.order_id = {3};
    EXPECT_THAT(apply(cancel), ElementsAre("I 12 @ 100000 B 3 type C"));
}

TEST_F(IndicativeFeed, CountsReservesAndNeitherHeldOrdersNorStops) {
    to_phase(CommandKind::set_phase, Phase::call);
    Command iceberg = order(Side::buy, 1'000, 10);
    iceberg.order.display_quantity = {4};
    apply(iceberg);
    EXPECT_THAT(apply(order(Side::sell, 1'000, 7)),
                ElementsAre("A 2 S 7 @ 100000", "I 7 @ 100000 B 3 type I"));
    Command held = order(Side::sell, 1'000, 3);
    held.order.minimum_quantity = {3};
    EXPECT_THAT(apply(held), IsEmpty());
    Command stop = order(Side::sell, 0, 3);
    stop.order_type = OrderType::stop;
    stop.order.stop_price = {100'000};
    EXPECT_THAT(apply(stop), IsEmpty());
    Command cancel = order(Side::sell, 0, 0);
    cancel.kind = CommandKind::cancel_order;
    cancel.order_id = {2};
    EXPECT_THAT(apply(cancel), ElementsAre("D 2", "I 0 @ 0 O 0 type I"));
}

TEST_F(IndicativeFeed, TellsWhatACallIsFor) {
    const std::vector<std::pair<CallKind, std::string>> kinds{{CallKind::intraday, "I"},
                                                              {CallKind::opening, "O"},
                                                              {CallKind::closing, "C"},
                                                              {CallKind::interruption, "H"},
                                                              {CallKind::reopening, "H"}};
    for (const auto& [kind, letter] : kinds) {
        EXPECT_THAT(to_phase(CommandKind::set_phase, Phase::call, kind),
                    ElementsAre("H TEST Q", "I 0 @ 0 O 0 type " + letter));
        apply(order(Side::buy, 1'000, 1));
        apply(order(Side::sell, 1'000, 1));
        EXPECT_THAT(to_phase(CommandKind::uncross, Phase::continuous),
                    Contains("Q 1 @ 100000 type " + letter));
    }
}

TEST_F(IndicativeFeed, ACallThatFollowsAnAuctionBeginsAnew) {
    to_phase(CommandKind::set_phase, Phase::call);
    apply(order(Side::buy, 1'000, 3));
    apply(order(Side::sell, 1'000, 2));
    EXPECT_THAT(to_phase(CommandKind::uncross, Phase::call),
                ElementsAre("C 1 2 @ 100000 in Q", "C 2 2 @ 100000 in Q", "Q 2 @ 100000 type I",
                            "H TEST Q", "I 0 @ 0 O 0 type I"));
    EXPECT_THAT(apply(order(Side::sell, 1'000, 1)),
                ElementsAre("A 3 S 1 @ 100000", "I 1 @ 100000 N 0 type I"));
}

TEST_F(IndicativeFeed, AHaltInACallSaysTheValuesAgain) {
    to_phase(CommandKind::set_phase, Phase::call);
    apply(order(Side::buy, 1'000, 3));
    apply(order(Side::sell, 1'000, 2));
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = {1};
    halt.trading_state = TradingState::halted;
    EXPECT_THAT(apply(halt), ElementsAre("H TEST H", "h TEST H on Q", "I 2 @ 100000 B 1 type I"));
    halt.trading_state = TradingState::trading;
    EXPECT_THAT(apply(halt), ElementsAre("H TEST Q", "h TEST T on Q", "I 2 @ 100000 B 1 type I"));
    EXPECT_THAT(to_phase(CommandKind::set_phase, Phase::closed), ElementsAre("H TEST P"));
    halt.trading_state = TradingState::halted;
    EXPECT_THAT(apply(halt), ElementsAre("H TEST H", "h TEST H on Q"));
}

TEST_F(IndicativeFeed, ASnapshotHasTheValuesOfCalls) {
    to_phase(CommandKind::set_phase, Phase::call);
    apply(order(Side::buy, 1'000, 3));
    apply(order(Side::sell, 1'000, 2));
    MessageBlock block;
    publisher_.snapshot({0}, block);
    ItchReceiver late;
    late.hear(block);
    EXPECT_EQ(late.lines.back(), "I 2 @ 100000 B 1 type I");
    publisher_.end_session({0}, block_);
    publisher_.begin_session({0}, block_);
    ItchReceiver next_day;
    next_day.hear(block_);
    EXPECT_THAT(next_day.lines, ::testing::Contains("I 2 @ 100000 B 1 type I"));
}

// No state but the engine's is needed for the next tick: it tells every call.
TEST(IndicativeFeedOnAClock, TellsTheValuesOfAllCallsAtATickAndAtNoOtherTime) {
    Engine engine{EngineConfig{}};
    ItchSettings on_clock;
    on_clock.indicatives_on_clock = true;
    ItchPublisher publisher{EngineConfig{}, on_clock};
    publisher.load(engine, false);
    MessageBlock block;
    publisher.begin_session({0}, block);
    ItchReceiver receiver;
    std::uint64_t sequence = 0;
    const auto apply = [&](ItchPublisher& to, const Command& given) {
        Command command = given;
        command.timestamp = {static_cast<std::int64_t>(++sequence)};
        std::vector<Event> events;
        engine.apply(command, [&](const Event& event) { events.push_back(event); });
        to.on_time({{sequence}, command.timestamp}, block);
        publish(to, command, events, sequence, block);
        receiver.lines.clear();
        receiver.hear(block);
        block.clear();
        return receiver.lines;
    };
    apply(publisher, instrument_command(1, test_stock("TEST")));
    Command call{};
    call.kind = CommandKind::set_phase;
    call.instrument = {1};
    call.phase.phase = Phase::call;
    Command tick{};
    tick.kind = CommandKind::tick;
    EXPECT_THAT(apply(publisher, tick), IsEmpty());
    EXPECT_THAT(apply(publisher, call), ElementsAre("H TEST Q"));
    EXPECT_THAT(apply(publisher, tick), ElementsAre("I 0 @ 0 O 0 type I"));
    EXPECT_THAT(apply(publisher, order_command(1, 1, Side::buy, 100'000, 3)),
                ElementsAre("A 1 B 3 @ 100000"));
    EXPECT_THAT(apply(publisher, order_command(1, 1, Side::sell, 100'000, 2)),
                ElementsAre("A 2 S 2 @ 100000"));
    ItchPublisher restarted{EngineConfig{}, on_clock};
    restarted.load(engine, true);
    for (ItchPublisher* const one : {&publisher, &restarted}) {
        EXPECT_THAT(apply(*one, tick), ElementsAre("I 2 @ 100000 B 1 type I"));
        EXPECT_EQ(receiver.time_ns, static_cast<std::int64_t>(sequence));
    }
    call.kind = CommandKind::uncross;
    call.phase.phase = Phase::continuous;
    apply(publisher, call);
    EXPECT_THAT(apply(publisher, tick), IsEmpty());
}

namespace {

#ifdef NDEBUG
const std::uint64_t k_seeds = test_size::scaled(std::uint64_t{12});
#else
constexpr std::uint64_t k_seeds = 2;
#endif
constexpr std::size_t k_commands = 4'000;

// A stream of commands with their events.
struct Step {
    Command command;
    std::size_t events_end = 0;
};

// Hears all messages, and compares each auction with the values before it.
class AuctionCheck {
  public:
    explicit AuctionCheck(const Engine& engine) : engine_(&engine) {}

    // `call` is as before the command.
    void compare(std::span<const Event> events, const PhaseDetails& call) const {
        for (const Event& event : events) {
            if (event.kind != EventKind::uncrossed) continue;
            const auto locate = static_cast<std::uint16_t>(event.instrument.value);
            if (!is_published(engine_->instrument(event.instrument)->definition())) continue;
            ASSERT_EQ(receiver.indicative.contains(locate), call.sealed == 0);
            if (call.sealed != 0) continue;
            const itch::NetOrderImbalance& last = receiver.indicative.at(locate);
            std::int64_t scale = 1;
            for (unsigned i = engine_->instrument(event.instrument)->definition().price_decimals;
                 i < 4; ++i)
                scale *= 10;
            EXPECT_EQ(last.cross_type, "IOCHH"[static_cast<std::size_t>(call.call)]);
            EXPECT_EQ(last.reference_price_e4, event.price.value * scale);
            EXPECT_EQ(last.paired_shares, event.quantity.value);
            EXPECT_EQ(last.imbalance_shares, event.remaining.value);
            const char left = event.side == Side::buy ? 'B' : 'S';
            EXPECT_EQ(last.imbalance_direction, event.price.value == 0       ? 'O'
                                                : event.remaining.value == 0 ? 'N'
                                                                             : left);
        }
    }

    ItchReceiver receiver;

  private:
    const Engine* engine_;
};

// The messages of an engine that is up to `ahead` commands ahead, and of a publisher that begins
// in the middle.
std::vector<std::byte> published(const EngineConfig& config, std::span<const Command> commands,
                                 std::size_t ahead, std::size_t begin) {
    Engine engine(config);
    ItchPublisher publisher(config, {});
    MessageBlock block;
    for (const Command& command : commands.first(begin)) engine.apply(command, [](const Event&) {});
    publisher.load(engine, true);
    std::uint64_t sequence = begin;
    for (std::size_t at = begin; at < commands.size(); at += ahead) {
        std::vector<Step> steps;
        std::vector<Event> events;
        for (const Command& command : commands.subspan(at, std::min(ahead, commands.size() - at))) {
            engine.apply(command, [&](const Event& event) { events.push_back(event); });
            steps.push_back({command, events.size()});
        }
        std::size_t first = 0;
        for (const Step& step : steps) {
            publish(publisher, step.command,
                    std::span{events}.subspan(first, step.events_end - first), ++sequence, block);
            first = step.events_end;
        }
    }
    return {block.bytes().begin(), block.bytes().end()};
}

}  // namespace

class IndicativeStreams : public ::testing::TestWithParam<StreamProfile> {};

TEST_P(IndicativeStreams, TheLastValueIsTheAuctionAndFollowsFromEventsAlone) {
    std::uint64_t auctions = 0;
    for (std::uint64_t seed = 301, streams = 0; streams < k_seeds; ++seed) {
        CommandStream stream{GetParam(), seed};
        if (stream.settings().ids_in_commands) continue;  // not the ids of an exchange
        ++streams;
        const EngineConfig config = differential::config_of(stream.settings());
        Engine engine(config);
        ItchPublisher publisher(config, {});
        publisher.load(engine, true);
        AuctionCheck check{engine};
        std::vector<Command> commands;
        std::vector<std::byte> all;
        for (std::size_t i = 0; i < k_commands; ++i) {
            const Command& command = commands.emplace_back(stream.next());
            std::vector<Event> events;
            const InstrumentState* const in = engine.instrument(command.instrument);
            PhaseDetails call{};
            if (in != nullptr) call = {.call = in->call, .sealed = in->sealed};
            engine.apply(command, [&](const Event& event) { events.push_back(event); });
            check.compare(events, call);
            ASSERT_FALSE(HasFailure()) << "seed " << seed << ", command " << i;
            for (const Event& event : events) auctions += event.kind == EventKind::uncrossed;
            MessageBlock block;
            publish(publisher, command, events, i + 1, block);
            check.receiver.hear(block);
            all.insert(all.end(), block.bytes().begin(), block.bytes().end());
            stream.observe(command, events);
        }
        const std::vector<std::byte> behind = published(config, commands, 64, 0);
        EXPECT_TRUE(std::ranges::equal(behind, all)) << "seed " << seed;
        const std::vector<std::byte> late = published(config, commands, 64, k_commands / 2);
        EXPECT_TRUE(std::ranges::equal(late, std::span{all}.last(late.size()))) << "seed " << seed;
    }
    EXPECT_EQ(auctions > 0, GetParam().weights.uncross > 0);
}

INSTANTIATE_TEST_SUITE_P(All, IndicativeStreams,
                         ::testing::ValuesIn(stream_profiles().begin(), stream_profiles().end()),
                         [](const auto& each) { return std::string{each.param.name}; });

}  // namespace damrak::feed::indicative_test
