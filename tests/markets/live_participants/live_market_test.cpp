// Participants at an exchange that runs: they decide as in virtual time, and survive what a
// connection does to them. The exchange has real sessions and the real engine, and its feed is that
// of a replica.
#include <damrak/live_participants/live_market.hpp>

#include <algorithm>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/order_entry.hpp>
#include <damrak/feed/itch/publisher.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/market_runs/market_file.hpp>

#include "support/binary_exchange.hpp"
#include "support/recorded_engine.hpp"

namespace damrak::live_participants::live_market_test {
namespace {

using ::testing::HasSubstr;
using wire::binary::Version;

constexpr std::string_view k_file = R"(duration = "60s"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "fixed-maker"
name = "makers"
[[participants]]
kind = "noise"
count = 6
orders_per_s = 2
)";

market_kernel::MarketSetup setup_of(std::string_view text = k_file) {
    const auto file = market_runs::parse_market_file(text, "test");
    EXPECT_TRUE(file) << file.error();
    return market_runs::make_setup(*file, 5);
}

/// What a participant asked for.
struct Decision {
    Timestamp time{};
    std::uint32_t participant = 0;
    CommandKind kind{};
    Side side{};
    std::int64_t price = 0;
    std::int64_t quantity = 0;
    friend bool operator==(const Decision&, const Decision&) = default;
    friend std::ostream& operator<<(std::ostream& out, const Decision& is) {
        return out << is.time.value << ": " << is.participant << ' '
                   << (is.kind == CommandKind::new_order ? "new " : "change ")
                   << (is.side == Side::buy ? "buy " : "sell ") << is.quantity << " at "
                   << is.price;
    }
};

Decision decision_of(const Command& command, Timestamp time) {
    const bool is_cancel = command.kind == CommandKind::cancel_order;
    return {time,
            command.participant.value,
            command.kind,
            command.kind == CommandKind::new_order ? command.side : Side::buy,
            is_cancel ? 0 : command.price.value,
            is_cancel ? 0 : command.quantity.value};
}

bool is_decision(const Command& command) {
    return command.kind == CommandKind::new_order || command.kind == CommandKind::cancel_order ||
           command.kind == CommandKind::replace_order;
}

/// An exchange with a feed, and a participant at each connection.
class World {
  public:
    explicit World(market_kernel::MarketSetup setup)
        : begin_(setup.begin), market_(std::move(setup), books_) {
        exchange_.now = begin_;
        publisher_.load(replica_, false);
        publisher_.begin_session(begin_, block_);
        for (std::size_t i = 0; i < market_.participants(); ++i) {
            lines_.push_back({client::OrderEntry{Version::v2}, &exchange_.connect(Version::v2)});
            lines_.back().entry.login();
        }
        for (std::size_t i = 0; i < lines_.size(); ++i) market_.connect(i, lines_[i].entry);
        carry();
    }

    /// From timer to timer, and at each time until nothing more follows.
    void run_until(Timestamp end) {
        Timestamp now = begin_;
        while (now <= end) {
            exchange_.now = now;
            do market_.step(now);
            while (carry());
            now = market_.next_timer().value_or(end + Timestamp{1});
        }
    }

    /// Carries bytes and feed; true: something moved.
    bool carry() {
        bool moved = false;
        for (Line& line : lines_) {
            const auto bytes = line.entry.unsent();
            moved = moved || !bytes.empty();
            if (line.is_connected) line.far->send_bytes(bytes);
            line.entry.mark_sent(bytes.size());
        }
        for (Line& line : lines_) {
            const auto heard = line.far->heard_bytes();
            moved = moved || !heard.empty();
            EXPECT_EQ(line.entry.receive(heard), wire::binary::Fault::none);
        }
        publish();
        return moved;
    }
    void cut(std::size_t participant) {
        exchange_.disconnect(*lines_[participant].far);
        lines_[participant].is_connected = false;
        lines_[participant].entry.lose();
        lines_[participant].entry.forget_unsure();
        market_.set_connected(participant, false);
    }

    [[nodiscard]] std::vector<Decision> decisions() const {
        std::vector<Decision> made;
        for (const Command& command : exchange_.commands())
            if (is_decision(command)) made.push_back(decision_of(command, command.timestamp));
        return made;
    }
    [[nodiscard]] const std::vector<Command>& commands() const { return exchange_.commands(); }
    [[nodiscard]] LiveMarket& market() { return market_; }
    [[nodiscard]] bool has_quotes() const {
        const auto& engine = exchange_.engine();
        const auto& book = engine.instrument({1})->book;
        return book.best(engine.store(), Side::buy).quantity.value > 0 ||
               book.best(engine.store(), Side::sell).quantity.value > 0;
    }

  private:
    struct Line {
        client::OrderEntry entry;
        testing::BinaryClient* far;
        bool is_connected = true;
    };

    void publish() {
        for (; applied_ < exchange_.commands().size(); ++applied_) {
            Command command = exchange_.commands()[applied_];
            if (command.kind == CommandKind::add_instrument && command.instrument.value == 1)
                command.definition.symbol = Symbol::of("AAA");
            publisher_.on_command(command);
            recorder_.events.clear();
            replica_.apply(command);
            for (const Event& event : recorder_.events)
                publisher_.on_event(event, {{applied_ + 1}, command.timestamp}, block_);
            publisher_.end_command(block_);
        }
        books_.on_messages(messages_ + 1, block_.bytes());
        messages_ += block_.messages();
        block_.clear();
    }

    static EngineConfig replica_config() {
        return {.maximum_instruments = 4,
                .maximum_participants = 64,
                .maximum_orders = 10'000,
                .maximum_extensions = 1'000,
                .maximum_accounts = 256,
                .maximum_levels = 1'000,
                .maximum_ladder_nodes = 1'000};
    }

    Timestamp begin_;
    testing::BinaryExchange exchange_;
    EventRecorder recorder_;
    EngineInto<EventRecorder> replica_{replica_config(), recorder_};
    feed::ItchPublisher publisher_{replica_config(), {}};
    feed::MessageBlock block_;
    client::FeedBooks books_;
    std::deque<Line> lines_;
    LiveMarket market_;
    std::size_t applied_ = 0;
    std::uint64_t messages_ = 0;
};

class Decisions final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId /*participant*/, const Command& command, Timestamp time) override {
        if (is_decision(command)) made.push_back(decision_of(command, time));
    }
    std::vector<Decision> made;
};

// One that reacts to the others: what several do at the same nanosecond has no order of its own.
// Those who take have no orders in the book: the binary protocol says nothing about trades with
// oneself.
TEST(LiveMarket, ParticipantsDecideAsInVirtualTime) {
    const std::string text = R"(duration = "60s"
[[instrument]]
symbol = "AAA"
[[participants]]
kind = "noise"
name = "providers"
count = 6
orders_per_s = 2
market_share = 0
[[participants]]
kind = "noise"
name = "takers"
count = 4
orders_per_s = 1
market_share = 1
[[participants]]
kind = "fixed-maker"
)";
    Decisions virtual_time;
    const Timestamp end = setup_of(text).begin + Timestamp{60 * k_second_ns};
    market_kernel::Market market{setup_of(text), {&virtual_time}};
    ASSERT_TRUE(market.run_until(end));

    World world{setup_of(text)};
    world.run_until(end);
    const auto live = world.decisions();
    ASSERT_GT(live.size(), 500U);
    EXPECT_GT(market.counts().trades, 100U);
    EXPECT_THAT(world.market().faults(), ::testing::IsEmpty());
    const auto [a, b] = std::ranges::mismatch(virtual_time.made, live);
    if (a != virtual_time.made.end() || b != live.end()) {
        ADD_FAILURE() << "decision " << a - virtual_time.made.begin() << " of "
                      << virtual_time.made.size() << " and " << live.size() << ": "
                      << (a == virtual_time.made.end() ? Decision{} : *a) << " against "
                      << (b == live.end() ? Decision{} : *b);
    }
    EXPECT_EQ(world.market().trades(), 2 * market.counts().trades);
}

TEST(LiveMarket, WithdrawnItLeavesNothingBehind) {
    World world{setup_of()};
    world.run_until(setup_of().begin + Timestamp{5 * k_second_ns});
    EXPECT_TRUE(world.has_quotes());
    for (int i = 0; i < 10 && !world.market().withdraw(); ++i) world.carry();
    EXPECT_FALSE(world.has_quotes());
}

TEST(LiveMarket, OrdersOfALostConnectionAreCancelledForTheirParticipant) {
    World world{setup_of()};
    const Timestamp begin = setup_of().begin;
    world.run_until(begin + Timestamp{5 * k_second_ns});
    const std::uint64_t sent = world.market().orders_sent();
    world.cut(0);
    world.run_until(begin + Timestamp{10 * k_second_ns});
    EXPECT_GT(world.market().orders_sent(), sent);
    EXPECT_THAT(world.market().faults(), ::testing::IsEmpty());
}

TEST(LiveMarket, NobodyActsBeforeTheFeedHasNamedAllInstruments) {
    World world{
        setup_of("duration = \"1s\"\n[[instrument]]\nsymbol = \"ZZZ\"\n"
                 "[[participants]]\nkind = \"noise\"\n")};
    world.run_until(setup_of().begin + Timestamp{k_second_ns});
    EXPECT_FALSE(world.market().has_started());
    EXPECT_THAT(world.market().view().missing(), ::testing::ElementsAre("ZZZ"));
    EXPECT_TRUE(world.decisions().empty());
}

/// Asks for something that the binary protocol has no field for.
class Hider final : public market_kernel::Participant {
    void on_start(market_kernel::MarketAccess& access) override {
        access.enter({.instrument = {1},
                      .side = Side::buy,
                      .hidden = true,
                      .price = {1'000'000},
                      .quantity = {100}});
    }
};

TEST(LiveMarket, WhatTheGatewayCannotCarryIsolatesItsParticipantAlone) {
    market_kernel::MarketSetup setup = setup_of();
    setup.seats.push_back(
        {.participant = std::make_unique<Hider>(), .group = "hider", .connection = {}});
    World world{std::move(setup)};
    world.run_until(setup_of().begin + Timestamp{60 * k_second_ns});
    ASSERT_EQ(world.market().faults().size(), 1U);
    EXPECT_THAT(world.market().faults()[0], HasSubstr("hider 1 of 1: "));
    EXPECT_THAT(world.market().faults()[0], HasSubstr("hidden"));
    EXPECT_GT(world.decisions().size(), 500U);
}

/// Its order is above any limit, and the exchange refuses it.
class Refused final : public market_kernel::Participant {
    void on_start(market_kernel::MarketAccess& access) override {
        access.enter({.instrument = {1},
                      .side = Side::buy,
                      .price = {1'000'000},
                      .quantity = {2'000'000'000'000'000'000}});
    }
    void on_report(market_kernel::MarketAccess& /*access*/,
                   const market_kernel::Report& report) override {
        *heard = report;
    }

  public:
    explicit Refused(market_kernel::Report* report) : heard(report) {}
    market_kernel::Report* heard;
};

TEST(LiveMarket, ARefusedOrderSaysHowMuchItWas) {
    market_kernel::MarketSetup setup = setup_of();
    market_kernel::Report heard{};
    setup.seats.clear();
    setup.seats.push_back(
        {.participant = std::make_unique<Refused>(&heard), .group = "refused", .connection = {}});
    World world{std::move(setup)};
    world.run_until(setup_of().begin + Timestamp{k_second_ns});
    EXPECT_EQ(heard.kind, market_kernel::Report::Kind::rejected);
    EXPECT_EQ(heard.quantity.value, 2'000'000'000'000'000'000);
    EXPECT_EQ(heard.order.open.value, 0);
    EXPECT_EQ(heard.order.state, market_kernel::OwnOrder::State::done);
}

TEST(LiveMarket, ImmediateOrdersRestNowhereAlsoWhereTheProtocolHasNone) {
    World world{setup_of(std::string{k_file} + "[[participants]]\nkind = \"momentum\"\ncount = 3\n"
                                               "threshold_ticks = 0.1\n")};
    world.run_until(setup_of().begin + Timestamp{60 * k_second_ns});
    EXPECT_THAT(world.market().faults(), ::testing::IsEmpty());
    std::size_t immediate = 0;
    for (const Command& command : world.commands())
        immediate += command.participant.value > 7 && command.kind == CommandKind::cancel_order;
    EXPECT_GT(immediate, 0U);
}

}  // namespace
}  // namespace damrak::live_participants::live_market_test
