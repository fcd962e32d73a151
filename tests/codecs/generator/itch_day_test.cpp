// A generated day is one that an exchange could have published.

#include <damrak/generator/itch_day.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::generator::itch_day_test {
namespace {

using ::testing::HasSubstr;
namespace itch = wire::itch;

constexpr std::int64_t k_minute_ns = 60'000'000'000;
constexpr std::int64_t k_open_ns = 570 * k_minute_ns;
constexpr std::int64_t k_close_ns = 960 * k_minute_ns;

constexpr FlowOptions k_small{.messages = 50'000, .symbols = 3, .live_orders = 600, .seed = 1};

std::vector<itch::Message> day_of(const FlowOptions& options) {
    auto day = ItchDay::create(options);
    EXPECT_TRUE(day.has_value()) << day.error();
    std::vector<itch::Message> messages;
    for (;;) {
        const auto& published = day->next();
        if (published.empty()) return messages;
        messages.insert(messages.end(), published.begin(), published.end());
    }
}

std::int64_t time_of(const itch::Message& message) {
    return std::visit([](const auto& m) { return m.timestamp_ns; }, message);
}

char type_of(const itch::Message& message) {
    return std::visit([]<class M>(const M&) { return itch::Layout<M>::k_type; }, message);
}

bool is_about_orders(char type) { return std::string{"AEDU"}.contains(type); }

TEST(ItchDay, HasItsSystemEventsWhereTheyBelong) {
    std::string sequence;  // each system event, and what kinds of messages stand between them
    for (const itch::Message& message : day_of(k_small)) {
        const auto* event = std::get_if<itch::SystemEvent>(&message);
        const char letter = event != nullptr ? event->event_code : type_of(message);
        const char shown = is_about_orders(letter) && event == nullptr ? 'a' : letter;
        if (sequence.empty() || sequence.back() != shown) sequence += shown;
    }
    EXPECT_EQ(sequence, "ORSHaQaMEC");
}

TEST(ItchDay, NamesEverySymbolAndOpensItForTrading) {
    std::set<std::string> listed;
    std::set<std::string> trading;
    for (const itch::Message& message : day_of(k_small)) {
        if (const auto* entry = std::get_if<itch::StockDirectory>(&message)) {
            listed.emplace(entry->stock.text());
        } else if (const auto* action = std::get_if<itch::StockTradingAction>(&message)) {
            EXPECT_EQ(action->trading_state, 'T');
            trading.emplace(action->stock.text());
        }
    }
    EXPECT_THAT(listed, ::testing::ElementsAre("SIM1", "SIM2", "SIM3"));
    EXPECT_EQ(trading, listed);
}

TEST(ItchDay, TimeNeverGoesBackAndOrdersKeepToTheirHours) {
    for (const std::uint64_t count : {1ULL, 10ULL, 50'000ULL}) {
        std::int64_t last_ns = 0;
        bool open = false;
        FlowOptions options = k_small;
        options.messages = count;
        for (const itch::Message& message : day_of(options)) {
            const std::int64_t time_ns = time_of(message);
            ASSERT_GE(time_ns, last_ns);
            last_ns = time_ns;
            if (const auto* event = std::get_if<itch::SystemEvent>(&message)) {
                open = event->event_code == 'Q';
            } else if (is_about_orders(type_of(message))) {
                ASSERT_EQ(time_ns > k_open_ns, open);
                ASSERT_LT(time_ns, k_close_ns);
            }
        }
    }
}

TEST(ItchDay, IsBusierAtTheOpenAndAtTheCloseThanAtNoon) {
    std::map<std::int64_t, int> by_half_hour;
    for (const itch::Message& message : day_of(k_small)) {
        if (time_of(message) > k_open_ns) ++by_half_hour[time_of(message) / (30 * k_minute_ns)];
    }
    const int noon = by_half_hour[25];
    EXPECT_GT(by_half_hour[19], 2 * noon);
    EXPECT_GT(by_half_hour[31], 2 * noon);
    EXPECT_GT(noon, 0);
}

// The rules of the specification on what may be said of an order, and its books never cross.
TEST(ItchDay, OfEveryShapeAddsUp) {
    struct Resting {
        std::uint16_t locate;
        Side side;
        std::uint32_t price_e4;
        std::uint32_t shares;
    };
    for (const FlowShape shape :
         {FlowShape::neutral, FlowShape::calm, FlowShape::swinging, FlowShape::crash}) {
        std::map<std::uint64_t, Resting> orders;
        std::map<std::pair<std::uint16_t, Side>, std::map<std::uint32_t, std::uint64_t>> levels;
        const auto change = [&](const Resting& order, std::int64_t shares) {
            auto& side = levels[{order.locate, order.side}];
            side[order.price_e4] += static_cast<std::uint64_t>(shares);
            if (side[order.price_e4] == 0) side.erase(order.price_e4);
        };
        const auto take = [&](std::uint64_t reference, std::uint32_t shares) {
            Resting& order = orders.at(reference);
            ASSERT_LE(shares, order.shares);
            change(order, -std::int64_t{shares});
            order.shares -= shares;
            if (order.shares == 0) orders.erase(reference);
        };
        const auto add = [&](std::uint64_t reference, const Resting& order) {
            ASSERT_GT(order.shares, 0U);
            ASSERT_TRUE(orders.emplace(reference, order).second) << "a reference is used once";
            change(order, order.shares);
            const auto& bids = levels[{order.locate, Side::buy}];
            const auto& asks = levels[{order.locate, Side::sell}];
            ASSERT_TRUE(bids.empty() || asks.empty() || bids.rbegin()->first < asks.begin()->first);
        };
        std::uint64_t last_match = 0;
        FlowOptions options = k_small;
        options.shape = shape;
        for (const itch::Message& message : day_of(options)) {
            if (const auto* a = std::get_if<itch::AddOrder>(&message)) {
                add(a->order_ref, {a->stock_locate, a->side, a->price_e4, a->shares});
            } else if (const auto* e = std::get_if<itch::OrderExecuted>(&message)) {
                take(e->order_ref, e->executed_shares);
                ASSERT_EQ(e->match_number, ++last_match);
            } else if (const auto* d = std::get_if<itch::OrderDelete>(&message)) {
                take(d->order_ref, orders.at(d->order_ref).shares);
            } else if (const auto* u = std::get_if<itch::OrderReplace>(&message)) {
                Resting order = orders.at(u->order_ref);
                take(u->order_ref, order.shares);
                order.shares = u->shares;
                order.price_e4 = u->price_e4;
                add(u->new_order_ref, order);
            }
            ASSERT_FALSE(HasFatalFailure());
        }
        EXPECT_GT(last_match, 1000U);
    }
}

TEST(ItchDay, IsTheSameForTheSameSeedOnly) {
    const auto first = day_of(k_small);
    EXPECT_EQ(first, day_of(k_small));
    FlowOptions other = k_small;
    other.seed = 2;
    EXPECT_NE(first, day_of(other));
}

TEST(ItchDay, CountsWhatItPublished) {
    auto day = ItchDay::create(k_small);
    ASSERT_TRUE(day.has_value()) << day.error();
    std::uint64_t executions = 0;
    for (const auto* published = &day->next(); !published->empty(); published = &day->next()) {
        for (const auto& message : *published) executions += type_of(message) == 'E' ? 1U : 0U;
    }
    EXPECT_EQ(day->submitted(), k_small.messages);
    EXPECT_EQ(day->trades(), executions);
    EXPECT_TRUE(day->next().empty());
}

TEST(ItchDay, RefusesWhatTheFeedCannotCarry) {
    const auto many_symbols = ItchDay::create({.symbols = 65'536, .live_orders = 100'000});
    ASSERT_FALSE(many_symbols.has_value());
    EXPECT_THAT(many_symbols.error(), HasSubstr("at most 65535 symbols"));
    const auto many_messages = ItchDay::create({.messages = 2'000'000'000});
    ASSERT_FALSE(many_messages.has_value());
    EXPECT_THAT(many_messages.error(), HasSubstr("at most 1000000000 messages"));
    EXPECT_FALSE(ItchDay::create({.symbols = 0}).has_value());
}

TEST(ItchDay, NamesFitTheFeed) {
    EXPECT_EQ(stock_name(0).text(), "SIM1");
    EXPECT_EQ(stock_name(65'534).text(), "SIM65535");
}

}  // namespace
}  // namespace damrak::generator::itch_day_test
