// The clients of a load run notice when an answer breaks a rule of the protocol.
#include <array>
#include <map>
#include <optional>
#include <span>
#include <variant>

#include <gmock/gmock.h>

#include <damrak/base/system_time.hpp>
#include <damrak/client/load_client.hpp>

#include "support/bytes.hpp"

namespace damrak::client::load_client_rules_test {
namespace {

using namespace wire::binary;
using testing::Bytes;
using ::testing::HasSubstr;

using Memory = std::array<std::byte, BinaryClient::k_largest_request_bytes>;

LoadSettings only_new_orders() {
    LoadSettings settings;
    settings.verify = true;
    settings.maximum_quantity = 20;
    settings.mix = {1, 0, 0};
    return settings;
}

/// A client, and an exchange that sends whatever a test wants.
class LyingExchange : public ::testing::Test {
  protected:
    explicit LyingExchange(Version version = Version::v1) : settings_{only_new_orders()} {
        settings_.version = version;
        client_.emplace(settings_, tally_, 1);
        client_->hello(memory_);
        say(HelloAck{ClientId{9}, 1});
        ask();
    }
    template <class M>
    void say(const M& message) {
        Bytes bytes(frame_length<M>(settings_.version));
        encode(settings_.version, {.client = sequence_, .server = ++answers_}, message, bytes);
        client_->receive(bytes, 1);
    }
    void ask() {
        const std::size_t length = client_->request(memory_, 0);
        const auto frame = std::span<const std::byte>{memory_}.first(length);
        const Header header = decode_header(frame.data());
        sequence_ = header.client_sequence;
        order_ = std::get<NewOrder>(*decode(header, frame.subspan(k_header_length)));
    }
    [[nodiscard]] OrderAck ack(std::uint64_t id) const {
        return {.client_id = ClientId{9},
                .order_id = OrderId{id},
                .price_e2 = order_.price_e2,
                .quantity = order_.quantity,
                .instrument = order_.instrument,
                .status = 1};
    }
    [[nodiscard]] Trade fill(std::uint64_t order, std::uint64_t trade,
                             std::uint64_t quantity) const {
        return {.client_id = ClientId{9},
                .order_id = OrderId{order},
                .trade_id = trade,
                .quantity = quantity,
                .price_e2 = order_.price_e2};
    }
    /// Order 50, of at least this quantity, at time 100.
    void enter_at_least(std::uint64_t quantity) {
        for (std::uint64_t id = 1; order_.quantity < quantity; ++id) {
            say(ack(id));
            ask();
        }
        OrderAck entered = ack(50);
        entered.server_time_us = 100;
        say(entered);
    }
    /// A unit of order 50, at a price that is better for it by this much.
    void trade(std::uint64_t time_us, int better) {
        Trade one = fill(50, ++trades_, 1);
        one.timestamp_us = time_us;
        const int higher = order_.side == 0 ? -better : better;
        one.price_e2 = static_cast<std::uint64_t>(static_cast<std::int64_t>(one.price_e2) + higher);
        say(one);
    }
    void expect_rule(const char* rule) const {
        EXPECT_EQ(tally_.violations, 1U);
        EXPECT_THAT(tally_.first_error, HasSubstr(rule));
    }

    LoadSettings settings_;
    LoadTally tally_{};
    std::optional<LoadClient> client_{};
    Memory memory_{};
    NewOrder order_{};
    std::uint32_t sequence_ = 1;
    std::uint32_t answers_ = 0;
    std::uint64_t trades_ = 0;
};

TEST_F(LyingExchange, IsBelievedWhileItReportsTheTruth) {
    say(ack(5));
    say(fill(5, 1, order_.quantity));
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    EXPECT_EQ(client_->live_orders(), 0U);
}
// A market order that waits for its batch is not cancelled at the end.
class LyingAuctioneer : public LyingExchange {
  protected:
    LyingAuctioneer() { settings_.auctions = true; }
};
TEST_F(LyingAuctioneer, MayReportATradeBehindTheLogout) {
    std::uint64_t id = 1;
    for (; order_.price_e2 != 0; ++id) {
        say(ack(id));
        ask();
    }
    OrderAck of_market = ack(id);
    of_market.quantity = 0;
    say(of_market);
    client_->end();
    for (;;) {
        const std::size_t length = client_->request(memory_, 0);
        const auto frame = std::span<const std::byte>{memory_}.first(length);
        const Header header = decode_header(frame.data());
        sequence_ = header.client_sequence;
        const auto request = *decode(header, frame.subspan(k_header_length));
        if (!std::holds_alternative<CancelOrder>(request)) break;
        say(CancelAck{.client_id = ClientId{9},
                      .order_id = std::get<CancelOrder>(request).order_id,
                      .status = 1});
    }
    say(LogoutAck{ClientId{9}, 1});
    say(fill(id, 1, 1));
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
}
TEST_F(LyingExchange, MayNotAnswerTwice) {
    say(ack(5));
    say(ack(6));
    expect_rule("not for the oldest request");
}
TEST_F(LyingExchange, MayNotAnswerWhatWasNotAsked) {
    say(CancelAck{.client_id = ClientId{9}, .order_id = OrderId{5}, .status = 1});
    expect_rule("not for the oldest request");
}
TEST_F(LyingExchange, MayNotSkipANumber) {
    answers_ += 1;
    say(ack(5));
    expect_rule("ascend by one");
}
TEST_F(LyingExchange, MayNotCallTheClientAnother) {
    OrderAck wrong = ack(5);
    wrong.client_id = ClientId{8};
    say(wrong);
    expect_rule("own id");
}
TEST_F(LyingExchange, MayNotChangeTheOrder) {
    OrderAck wrong = ack(5);
    wrong.quantity += 1;
    say(wrong);
    expect_rule("must repeat price, quantity");
}
TEST_F(LyingExchange, MayNotUseAnOrderIdAgain) {
    say(ack(5));
    ask();
    say(ack(5));
    expect_rule("order ids must ascend");
}
TEST_F(LyingExchange, MayCountUndisplayedOrdersApart) {
    say(ack(k_private_order + 7));
    ask();
    say(ack(5));
    ask();
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    say(ack(k_private_order + 7));
    expect_rule("order ids must ascend");
}
TEST_F(LyingExchange, MayNotFillMoreThanWasOrdered) {
    say(ack(5));
    say(fill(5, 1, order_.quantity + 1));
    expect_rule("more than the open quantity");
}
TEST_F(LyingExchange, MayNotFillAnothersOrder) {
    say(ack(5));
    say(fill(4, 1, 1));
    expect_rule("not live");
}
TEST_F(LyingExchange, MayNotFillBeyondTheLimit) {
    say(ack(5));
    Trade wrong = fill(5, 1, 1);
    wrong.price_e2 = order_.side == 0 ? order_.price_e2 + 1 : order_.price_e2 - 1;
    say(wrong);
    expect_rule("worse than the order's limit");
}
TEST_F(LyingExchange, MayTradeANewOrderAtABetterPriceAndARestingOneAtItsOwn) {
    enter_at_least(3);
    trade(100, 1);
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    trade(200, 0);
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    trade(300, 1);
    expect_rule("a resting order must trade at its own price, but in auctions (--auctions)");
}
TEST_F(LyingExchange, MayTradeARestingOrderAtABetterPriceInAnAuction) {
    settings_.auctions = true;
    enter_at_least(2);
    trade(200, 1);
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    trade(200, -1);
    expect_rule("worse than the order's limit");
}
TEST_F(LyingExchange, MayRefuseACancelByPhaseAndTradeTheOrderLater) {
    settings_.auctions = true;
    settings_.mix = {1, 1, 0};
    client_.emplace(settings_, tally_, 1);
    client_->hello(memory_);
    answers_ = 0;
    sequence_ = 1;
    say(HelloAck{ClientId{9}, 1});
    std::map<std::uint64_t, NewOrder> entered;
    while (tally_.declined == 0) {
        const std::size_t length = client_->request(memory_, 0);
        ASSERT_GT(length, 0U);
        const auto frame = std::span<const std::byte>{memory_}.first(length);
        const Header header = decode_header(frame.data());
        sequence_ = header.client_sequence;
        const auto request = *decode(header, frame.subspan(k_header_length));
        if (const auto* order = std::get_if<NewOrder>(&request)) {
            order_ = *order;
            entered[entered.size() + 1] = order_;
            say(ack(entered.size()));
            continue;
        }
        const OrderId wanted = std::get<CancelOrder>(request).order_id;
        say(CancelAck{.client_id = ClientId{9}, .order_id = wanted, .status = 2});
        order_ = entered.at(wanted.value);
        say(fill(wanted.value, 1, 1));
    }
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    tally_.check_taken();
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
}
TEST_F(LyingExchange, MayNotRefuseEveryOrderByPhase) {
    settings_.auctions = true;
    OrderAck refused = ack(5);
    refused.status = 2;
    say(refused);
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    tally_.check_taken();
    EXPECT_THAT(tally_.first_error, HasSubstr("no order was accepted"));
}
TEST_F(LyingExchange, MayNotGoBackInTime) {
    OrderAck first = ack(5);
    first.server_time_us = 100;
    say(first);
    ask();
    OrderAck second = ack(6);
    second.server_time_us = 99;
    say(second);
    expect_rule("must not go back");
}
TEST_F(LyingExchange, MayNotActBeforeItWasAskedNorAfterItReported) {
    settings_.same_clock = true;
    OrderAck early = ack(5);
    early.server_time_us = static_cast<std::uint64_t>(system_time_ns() / 1'000 - 1'000'000);
    say(early);
    expect_rule("must not precede its request");
    ask();
    OrderAck late = ack(6);
    late.server_time_us = static_cast<std::uint64_t>(system_time_ns() / 1'000 + 1'000'000);
    say(late);
    EXPECT_EQ(tally_.violations, 2U);
}
TEST_F(LyingExchange, MayNotTellTheTwoSidesDifferentThings) {
    struct Told {
        std::uint64_t time;
        std::uint64_t price;
        std::uint64_t quantity;
        const char* differing;
    };
    for (const Told& told :
         {Told{7, 100, 5, ""}, Told{7, 101, 5, "prices"}, Told{8, 100, 5, "times"},
          Told{7, 100, 6, "quantities"}, Told{8, 101, 5, ""}}) {
        LoadTally buyer;
        LoadTally seller;
        buyer.trades.add(true, 9, 50, 1);
        seller.trades.add(false, 9, 50, 1);
        buyer.trades.add(true, 7, 100, 5);
        seller.trades.add(false, told.time, told.price, told.quantity);
        buyer.merge(seller);
        EXPECT_EQ(buyer.trades.differing(), told.differing);
        EXPECT_EQ(buyer.trades.closed(), told.time == 7 && told.price == 100 && told.quantity == 5);
        buyer.compare_sides();
        EXPECT_EQ(buyer.violations, *told.differing == '\0' ? 0U : 1U);
    }
}
TEST_F(LyingExchange, MayNotLeaveOutATradeId) {
    say(ack(5));
    say(fill(5, 2, order_.quantity));
    expect_rule("must be 1, 2, 3");
}
TEST_F(LyingExchange, MayNotRepeatAnotherRequestsNumber) {
    say(ack(5));
    sequence_ -= 1;
    say(fill(5, 1, order_.quantity));
    expect_rule("number of the last answered request");
}
TEST_F(LyingExchange, MayNotSayNonsense) {
    const Bytes noise(64, std::byte{0xee});
    EXPECT_EQ(client_->receive(noise, 1).fault, Fault::unknown_version);
    expect_rule("not a message of the protocol");
}

/// The same in version 2, which tells what matching made of an order.
class LyingExchange2 : public LyingExchange {
  protected:
    LyingExchange2() : LyingExchange(Version::v2) {}
    [[nodiscard]] OrderAck ack(std::uint64_t left, std::uint8_t status) const {
        OrderAck ack = LyingExchange::ack(5);
        ack.client_order_id = order_.client_order_id;
        ack.quantity = left;
        ack.status = status;
        return ack;
    }
    [[nodiscard]] Trade fill(std::uint64_t quantity) const {
        Trade fill = LyingExchange::fill(5, 77, quantity);
        fill.client_order_id = order_.client_order_id;
        return fill;
    }
};

TEST_F(LyingExchange2, IsBelievedWhileItTellsTheTruth) {
    say(ack(0, 4));
    say(fill(order_.quantity));
    ask();
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    EXPECT_EQ(client_->live_orders(), 0U);
}
TEST_F(LyingExchange2, MayNotTellAnotherOutcome) {
    say(ack(order_.quantity, 4));
    expect_rule("must match the open quantity");
}
TEST_F(LyingExchange2, MayNotKeepATradeBack) {
    say(ack(0, 4));
    ask();
    say(OrderAck{.client_id = ClientId{9},
                 .order_id = OrderId{6},
                 .client_order_id = order_.client_order_id,
                 .price_e2 = order_.price_e2,
                 .quantity = order_.quantity,
                 .instrument = order_.instrument,
                 .status = 1});
    expect_rule("trades announced by ORDER_ACK must follow");
}
TEST_F(LyingExchange2, MayNotGiveATradeAnotherTimeThanItsOrder) {
    say(ack(0, 4));
    Trade wrong = fill(order_.quantity);
    wrong.timestamp_us = 1;
    say(wrong);
    EXPECT_GE(tally_.violations, 1U);
}
TEST_F(LyingExchange2, MayNotForgetTheClientsName) {
    OrderAck wrong = ack(order_.quantity, 1);
    wrong.client_order_id.value += 1;
    say(wrong);
    expect_rule("client order id");
}
TEST_F(LyingExchange2, MayNotTradeUnderAnotherName) {
    say(ack(0, 4));
    Trade wrong = fill(order_.quantity);
    wrong.client_order_id.value += 1;
    say(wrong);
    expect_rule("client order id");
}
TEST_F(LyingExchange2, MayNotUseATradeIdAgain) {
    say(ack(0, 4));
    Trade wrong = fill(order_.quantity);
    wrong.trade_id = 0;
    say(wrong);
    expect_rule("trade ids must ascend");
}

}  // namespace
}  // namespace damrak::client::load_client_rules_test
