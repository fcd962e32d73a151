// The public market from single messages, and what it says of them.
#include <damrak/client/itch/feed_books.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/directory.hpp>
#include <damrak/wire/itch/encode.hpp>

namespace damrak::client::feed_books_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace itch = wire::itch;

const itch::Stock k_stock = *itch::Stock::from("AAPL");

struct FeedBooksTest : ::testing::Test {
    FeedBooksTest() {
        books.on_session({'2', '0', '2', '6', '1', '1', '2', '3', '0', '0'});
        hear(itch::plain_directory(7, 1, k_stock, 1));
    }
    template <class M>
    void hear(const M& message) {
        std::array<std::byte, itch::Layout<M>::k_length> bytes;
        itch::encode(message, bytes);
        books.on_message(++number, bytes);
    }
    void add(std::uint64_t reference, Side side, std::uint32_t shares, std::uint32_t price_e4) {
        hear(itch::AddOrder{.stock_locate = 7,
                            .timestamp_ns = 5,
                            .order_ref = reference,
                            .side = side,
                            .shares = shares,
                            .stock = k_stock,
                            .price_e4 = price_e4});
    }
    [[nodiscard]] const FeedInstrument& stock() const { return *books.find("AAPL"); }

    FeedBooks books;
    std::uint64_t number = 0;
};

TEST_F(FeedBooksTest, ShowLevelsOrdersBestPricesAndTheLastTrade) {
    add(1, Side::buy, 10, 10'000);
    add(2, Side::buy, 20, 10'050);
    add(3, Side::buy, 5, 10'000);
    add(4, Side::sell, 8, 10'100);
    EXPECT_THAT(books.levels(stock(), Side::buy),
                ElementsAre(BookLevel{{10'050}, {20}, 1}, BookLevel{{10'000}, {15}, 2}));
    EXPECT_THAT(books.levels(stock(), Side::buy, 1), ElementsAre(BookLevel{{10'050}, {20}, 1}));
    EXPECT_THAT(books.orders(stock(), Side::buy),
                ElementsAre(BookOrder{2, {10'050}, {20}}, BookOrder{1, {10'000}, {10}},
                            BookOrder{3, {10'000}, {5}}));
    EXPECT_EQ(books.best(stock(), Side::sell), (BookLevel{{10'100}, {8}, 1}));
    EXPECT_EQ(books.find(std::uint16_t{7}), &stock());
    EXPECT_EQ(books.find(std::uint16_t{8}), nullptr);
    EXPECT_EQ(stock().last_trade, std::nullopt);
    EXPECT_EQ(stock().changes, 4U);

    hear(itch::OrderExecuted{.stock_locate = 7,
                             .timestamp_ns = 9,
                             .order_ref = 4,
                             .executed_shares = 8,
                             .match_number = 1});
    EXPECT_EQ(books.best(stock(), Side::sell), std::nullopt);
    EXPECT_EQ(stock().last_trade, (FeedTrade{9, {10'100}, {8}, Side::buy}));
    EXPECT_EQ(stock().traded, 8);
    EXPECT_EQ(books.sequence(), 6U);
    EXPECT_EQ(books.time_ns(), 9);
    EXPECT_EQ(books.anomalies().total(), 0U);
}

// The second and the last are none of ITCH, the third is about an order that is not there.
TEST_F(FeedBooksTest, TakeTheMessagesOfAPacketTogether) {
    std::vector<std::byte> frames;
    const auto append = [&](std::span<const std::byte> message) {
        frames.push_back(std::byte{0});
        frames.push_back(static_cast<std::byte>(message.size()));
        frames.insert(frames.end(), message.begin(), message.end());
    };
    const auto append_message = [&]<class M>(const M& message) {
        std::array<std::byte, itch::Layout<M>::k_length> bytes{};
        itch::encode(message, bytes);
        append(bytes);
    };
    const auto order = [](std::uint64_t reference, std::int64_t time_ns) {
        return itch::AddOrder{.stock_locate = 7,
                              .timestamp_ns = time_ns,
                              .order_ref = reference,
                              .side = Side::buy,
                              .shares = 10,
                              .stock = k_stock,
                              .price_e4 = 10'000};
    };
    append_message(order(1, 5));
    append(std::as_bytes(std::span{std::string_view{"nonsense"}}));
    append_message(itch::OrderDelete{.stock_locate = 7, .timestamp_ns = 6, .order_ref = 99});
    append_message(order(2, 7));
    append({});
    books.on_messages(2, frames);
    EXPECT_EQ(books.sequence(), 6U);
    EXPECT_EQ(books.time_ns(), 7);
    EXPECT_EQ(books.faults(), 2U);
    EXPECT_EQ(books.anomalies().total(), 1U);
    EXPECT_THAT(books.orders(stock(), Side::buy),
                ElementsAre(BookOrder{1, {10'000}, {10}}, BookOrder{2, {10'000}, {10}}));
}

TEST_F(FeedBooksTest, KnowAHalt) {
    hear(itch::StockTradingAction{
        .stock_locate = 7, .timestamp_ns = 3, .stock = k_stock, .trading_state = 'H'});
    EXPECT_TRUE(stock().halted);
    hear(itch::StockTradingAction{
        .stock_locate = 7, .timestamp_ns = 4, .stock = k_stock, .trading_state = 'T'});
    EXPECT_FALSE(stock().halted);
    EXPECT_EQ(stock().changes, 2U);
}

TEST_F(FeedBooksTest, TellWhatAnAuctionWouldBe) {
    EXPECT_EQ(state_text(stock()), "");
    const auto state = [this](char code) {
        hear(itch::StockTradingAction{
            .stock_locate = 7, .timestamp_ns = 3, .stock = k_stock, .trading_state = code});
    };
    const auto tell = [this](std::uint32_t price_e4, char direction, std::uint64_t imbalance) {
        hear(itch::NetOrderImbalance{.stock_locate = 7,
                                     .timestamp_ns = 4,
                                     .paired_shares = price_e4 == 0 ? 0U : 500U,
                                     .imbalance_shares = imbalance,
                                     .imbalance_direction = direction,
                                     .stock = k_stock,
                                     .reference_price_e4 = price_e4,
                                     .cross_type = 'O'});
    };
    state('Q');
    EXPECT_TRUE(stock().collects);
    EXPECT_EQ(state_text(stock()), "orders are collected");
    tell(0, 'O', 0);
    EXPECT_EQ(state_text(stock()), "auction without a price yet");
    tell(1'000'100, 'B', 200);
    EXPECT_EQ(state_text(stock()), "auction 500 at 100.01, 200 more to buy");
    EXPECT_EQ(stock().indicative, (order_flow::Indicative{{1'000'100}, 500, 200, Side::buy, 'O'}));
    tell(1'000'150, 'S', 7);
    EXPECT_EQ(state_text(stock()), "auction 500 at 100.0150, 7 more to sell");
    tell(1'000'100, 'N', 0);
    EXPECT_EQ(state_text(stock()), "auction 500 at 100.01");
    EXPECT_EQ(books.time_ns(), 4);
    EXPECT_EQ(stock().changes, 5U);
    state('T');
    EXPECT_FALSE(stock().indicative.has_value());
    EXPECT_EQ(state_text(stock()), "");
    state('H');
    EXPECT_EQ(state_text(stock()), "halted");
}

TEST_F(FeedBooksTest, TellWhyAnInstrumentDoesNotTrade) {
    const auto state = [this](char code, std::string_view reason) {
        hear(itch::StockTradingAction{.stock_locate = 7,
                                      .timestamp_ns = 3,
                                      .stock = k_stock,
                                      .trading_state = code,
                                      .reason = *itch::Alpha<4>::from(reason)});
    };
    const auto halt = [this](char action) {
        hear(itch::OperationalHalt{
            .stock_locate = 7, .timestamp_ns = 3, .stock = k_stock, .action = action});
    };
    state('Q', "LUDP");
    hear(itch::LuldAuctionCollar{.stock_locate = 7,
                                 .timestamp_ns = 3,
                                 .stock = k_stock,
                                 .upper_price_e4 = 1'000'050,
                                 .lower_price_e4 = 950'000});
    EXPECT_EQ(state_text(stock()), "orders are collected (volatility, from 95.00 to 100.0050)");
    state('H', "LUDP");
    halt('H');
    EXPECT_EQ(state_text(stock()), "halted (operator, from 95.00 to 100.0050)");
    state('Q', "LUDP");
    halt('T');
    EXPECT_EQ(state_text(stock()), "orders are collected (volatility, from 95.00 to 100.0050)");
    state('T', "");
    EXPECT_EQ(state_text(stock()), "");
    state('Q', "MWC2");
    EXPECT_EQ(state_text(stock()), "orders are collected (market_wide_2)");
    state('H', "MWC3");
    EXPECT_EQ(state_text(stock()), "halted (market_wide_3)");
    EXPECT_EQ(stock().changes, 13U);
}

TEST_F(FeedBooksTest, BeginAnewWithASessionAndAreNotWholeWithinASnapshot) {
    add(1, Side::buy, 10, 10'000);
    books.on_session({'2', '0', '2', '6', '1', '1', '2', '3', '0', '1'});
    EXPECT_THAT(books.instruments(), IsEmpty());
    EXPECT_EQ(books.sequence(), 0U);
    std::array<std::byte, itch::Layout<itch::StockDirectory>::k_length> bytes;
    itch::encode(itch::plain_directory(7, 1, k_stock, 1), bytes);
    books.on_message(0, bytes);
    EXPECT_FALSE(books.is_whole());
    books.on_joined(12);
    EXPECT_TRUE(books.is_whole());
    EXPECT_EQ(books.sequence(), 11U);
    EXPECT_NE(books.find("AAPL"), nullptr);
}

TEST_F(FeedBooksTest, CountWhatIsNoMessageAndWhatCannotBe) {
    books.on_message(++number, {});
    books.on_message(++number, std::as_bytes(std::span{std::string_view{"nonsense"}}));
    EXPECT_EQ(books.faults(), 2U);
    hear(itch::OrderDelete{.stock_locate = 7, .timestamp_ns = 5, .order_ref = 99});
    EXPECT_EQ(books.anomalies().total(), 1U);
    EXPECT_EQ(books.sequence(), number);
}

}  // namespace
}  // namespace damrak::client::feed_books_test
