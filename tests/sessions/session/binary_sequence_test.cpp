// Sequence numbers of requests and answers; answers keep the order of requests, however late they
// come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_sequence_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::binary::CancelOrder;
using wire::binary::ClientId;
using wire::binary::ModifyOrder;
using wire::binary::Version;

struct BinarySequenceV1 : ::testing::Test {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect();
    void SetUp() override {
        client.hello(10);
        client.heard_bytes();
    }
    void order(std::uint32_t sequence, std::uint64_t quantity = 1) {
        client.send(client.order_of(0, quantity, 100), sequence);
    }
};

TEST_F(BinarySequenceV1, OrdersMustHaveAHigherNumberAndGapsAreAllowed) {
    order(11);
    order(500);
    order(500);
    order(499);
    order(501);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("11/2 order_ack 1 #1 1@100", "500/3 order_ack 1 #2 1@100",
                            "500/4 order_ack 3 #0 1@0", "500/5 order_ack 3 #0 1@0",
                            "501/6 order_ack 1 #3 1@100"));
}

TEST_F(BinarySequenceV1, ARejectedOrderDoesNotCount) {
    order(20, 0);
    order(11);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("10/2 order_ack 2 #0 0@0", "11/3 order_ack 1 #1 1@100"));
}

TEST_F(BinarySequenceV1, AnOrderRejectedByTheEngineDoesNotCount) {
    client.send(client.order_of(0, 1, 20'000'000), 20);
    order(11);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("10/2 order_ack 2 #0 1@0", "11/3 order_ack 1 #1 1@100"));
}

TEST_F(BinarySequenceV1, ValidityIsCheckedBeforeTheNumber) {
    order(1, 0);
    EXPECT_THAT(client.heard(), ElementsAre("order_ack 2 #0 0@0"));
}

TEST_F(BinarySequenceV1, CancelsAreNotCheckedButSetTheNumber) {
    order(11);
    client.cancel(1, 3);
    client.cancel(1, 2);
    client.send(CancelOrder{ClientId{9}, OrderId{1}, {}, {}}, 1);
    order(2);
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("11/2 order_ack 1 #1 1@100", "3/3 cancel_ack 1 #1", "2/4 cancel_ack 3 #1",
                    "1/5 cancel_ack 2 #1", "2/6 order_ack 1 #2 1@100"));
}

TEST_F(BinarySequenceV1, ModifiesOutOfOrderAreRejected) {
    order(11, 5);
    client.modify(1, 4, 100, 11);
    client.modify(1, 3, 100, 12);
    client.modify(9, 3, 100, 13);
    client.send(ModifyOrder{ClientId{9}, OrderId{1}, {}, 1, 100, {}}, 20);
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("11/2 order_ack 1 #1 5@100", "11/3 modify_ack 5 #1 now #0 4@100",
                    "12/4 modify_ack 1 #1 now #1 3@100", "13/5 modify_ack 3 #9 now #0 3@100",
                    "13/6 modify_ack 2 #1 now #0 1@100"));
}

TEST_F(BinarySequenceV1, AModifyRejectedForItsQuantityOrPriceCounts) {
    order(11, 5);
    client.modify(1, ~std::uint64_t{0}, 100, 12);
    client.modify(1, 4, ~std::uint64_t{0}, 13);
    client.modify(1, 0, 100, 14);
    client.modify(1, 4, 100, 14);
    client.modify(1, 4, 100, 15);
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("11/2 order_ack 1 #1 5@100",
                    "12/3 modify_ack 2 #1 now #0 18446744073709551615@100",
                    "13/4 modify_ack 2 #1 now #0 4@-1", "14/5 modify_ack 2 #1 now #0 0@100",
                    "14/6 modify_ack 5 #1 now #0 4@100", "15/7 modify_ack 1 #1 now #1 4@100"));
}

TEST_F(BinarySequenceV1, LogoutAndHelloMustHaveAHigherNumber) {
    client.logout(10);
    client.logout(11);
    client.hello(11);
    client.hello(12);
    EXPECT_THAT(client.heard_with_numbers(), ElementsAre("10/2 logout_ack 4", "11/3 logout_ack 1",
                                                         "11/4 hello_ack 4", "12/5 hello_ack 1"));
}

TEST_F(BinarySequenceV1, HeartbeatsDoNotCount) {
    client.send(wire::binary::Heartbeat{ClientId{1}}, 999);
    order(11);
    EXPECT_THAT(client.heard_with_numbers(), ElementsAre("11/2 order_ack 1 #1 1@100"));
}

TEST(BinarySequenceV2, AMessageWithAnUnexpectedNumberIsIgnored) {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect(Version::v2);
    client.hello(2);
    client.hello(0);
    EXPECT_THAT(client.heard(), IsEmpty());
    client.send(client.order_of(0, 1, 100), 1);
    client.hello(1);
    client.hello(2);
    client.send(client.order_of(0, 1, 100), 3);
    client.send(client.order_of(0, 1, 100), 1);
    client.send(client.order_of(0, 0, 100), 2);
    client.cancel(77, 2);
    client.cancel(77, 3);
    client.modify(77, 1, 1, 5);
    client.modify(77, 1, 1, 4);
    client.logout(4);
    client.logout(5);
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("1/1 hello_ack 1", "2/2 order_ack 2 #0 0@0 named 4", "3/3 cancel_ack 2 #77",
                    "4/4 modify_ack 3 #77 now #0 1@1", "5/5 logout_ack 1"));
}

// An exchange that answers later.
struct BinaryPipeline : ::testing::Test {
    BinaryExchange exchange{{.deferred = true}};
    BinaryClient& client = exchange.connect();
    BinaryClient& other = exchange.connect();
    void SetUp() override {
        client.hello();
        other.hello();
        exchange.run();
        client.heard_bytes();
        other.heard_bytes();
    }
};

TEST_F(BinaryPipeline, AnswersRepeatTheNumberOfTheirRequestNotTheLatest) {
    client.buy(1, 100);
    client.buy(2, 100);
    client.cancel(1);
    EXPECT_THAT(client.heard(), IsEmpty());
    EXPECT_EQ(client.session().pending(), 3U);
    exchange.run();
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("2/2 order_ack 1 #1 1@100", "3/3 order_ack 1 #2 2@100", "4/4 cancel_ack 1 #1"));
}

TEST_F(BinaryPipeline, ARejectByTheSessionWaitsForEarlierAnswers) {
    client.buy(1, 100);
    client.buy(0, 100);
    client.buy(2, 100);
    EXPECT_EQ(client.session().pending(), 1U);
    EXPECT_EQ(client.waiting_bytes(), 2U * 56);
    exchange.run();
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("2/2 order_ack 1 #1 1@100", "2/3 order_ack 2 #0 0@0",
                            "4/4 order_ack 1 #2 2@100"));
}

TEST_F(BinaryPipeline, ATradeOfTheSameCommandRepeatsTheNumberOfThatCommand) {
    other.sell(1, 100);
    client.buy(1, 100);
    client.buy(1, 99);
    exchange.run();
    EXPECT_THAT(
        client.heard_with_numbers(),
        ElementsAre("2/2 order_ack 1 #2 1@100", "2/3 trade 1 #2 1@100", "3/4 order_ack 1 #3 1@99"));
}

TEST_F(BinaryPipeline, ALateRejectByTheEngineStillDoesNotCount) {
    client.send(client.order_of(0, 1, 20'000'000), 20);
    exchange.run();
    client.send(client.order_of(0, 1, 100), 3);
    exchange.run();
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/2 order_ack 2 #0 1@0", "3/3 order_ack 1 #1 1@100"));
}

TEST_F(BinaryPipeline, RequestsMayFollowHelloAndLogoutAtOnce) {
    BinaryClient& fresh = exchange.connect();
    fresh.hello();
    fresh.buy(1, 100);
    fresh.logout();
    fresh.hello();
    fresh.cancel(1);
    exchange.run();
    EXPECT_THAT(fresh.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 order_ack 1 #1 1@100", "3/3 logout_ack 1",
                            "4/4 hello_ack 1", "5/5 cancel_ack 1 #1"));
}

TEST_F(BinaryPipeline, StopsReadingWhenTheGatewayHasNoRoom) {
    BinaryExchange narrow{{.deferred = true, .queue_commands = 3}};
    BinaryClient& eager = narrow.connect();
    eager.hello();
    for (int i = 0; i < 5; ++i) eager.buy(1, 100);
    EXPECT_EQ(eager.session().pending(), 2U);
    EXPECT_EQ(eager.waiting_bytes(), 4U * 56);
    narrow.run();
    EXPECT_EQ(eager.heard().size(), 6U);
}

// Version 2 reports the outcome of matching before the trades: nothing may be sent in between.
TEST(BinaryHeldAck, IsNotReadableUntilItsCommandEnds) {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect(Version::v2);
    client.hello();
    client.heard_bytes();
    const Origin cause{SessionId{1}, 2,
                       session::binary::Note{.version = Version::v2,
                                             .request = session::binary::Request::new_order,
                                             .instrument = InstrumentId{1},
                                             .echo = 5}
                           .tag()};
    Event event{};
    event.kind = EventKind::accepted;
    event.order_id = OrderId{1};
    event.participant = ParticipantId{1};
    client.session().on_event(event, cause, {});
    EXPECT_TRUE(client.output().readable().empty());
    event.kind = EventKind::executed;
    event.flags = EventFlags::k_aggressor;
    event.quantity = Quantity{5};
    client.session().on_event(event, cause, {});
    EXPECT_TRUE(client.output().readable().empty());
    client.send(client.order_of(0, 1, 100));
    EXPECT_THAT(client.heard(), ElementsAre("order_ack 4 #1 0@0", "trade 0 #1 5@0",
                                            "order_ack 1 #1 1@100 named 1"));
}

}  // namespace
}  // namespace damrak::testing::binary_sequence_test
