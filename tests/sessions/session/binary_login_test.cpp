// Login and logout, answers to clients that are not logged in, keys, and the orders of clients that
// leave.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_login_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::binary::ApiKey;
using wire::binary::ClientId;
using wire::binary::Heartbeat;
using wire::binary::Hello;
using wire::binary::Logout;
using wire::binary::Version;

struct BinaryLogin : ::testing::Test {
    BinaryExchange exchange;
    BinaryClient& v1 = exchange.connect();
    BinaryClient& v2 = exchange.connect(Version::v2);
};

TEST_F(BinaryLogin, GivesTheClientIdOfTheConnection) {
    v2.hello();
    EXPECT_THAT(v2.heard_hex(), ElementsAre("02020010 00000001 00000001 00000000 "
                                            "00000000 00000002 01000000 00000000"));
}

TEST_F(BinaryLogin, ASecondHelloIsIgnored) {
    v1.hello();
    v1.hello();
    v1.buy(1, 1);
    EXPECT_THAT(v1.heard_with_numbers(), ElementsAre("1/1 hello_ack 1", "3/2 order_ack 1 #1 1@1"));
    v2.hello();
    v2.hello();
    v2.buy(1, 1);
    EXPECT_THAT(v2.heard_with_numbers(), ElementsAre("1/1 hello_ack 1"))
        << "ignored messages did not count, and an order with too high a number is out of order";
    v2.send(v2.order_of(0, 1, 1), 2);
    EXPECT_THAT(v2.heard_with_numbers(), ElementsAre("2/2 order_ack 1 #2 1@1 named 2"));
}

TEST_F(BinaryLogin, RequestsBeforeItAreIgnored) {
    v1.buy(1, 1);
    v1.cancel(1);
    v1.modify(1, 1, 1);
    v1.logout();
    v1.send(Heartbeat{ClientId{0}});
    v2.buy(1, 1);
    v2.logout();
    EXPECT_THAT(v1.heard(), IsEmpty());
    EXPECT_THAT(v2.heard(), IsEmpty());
    v1.hello(1);
    EXPECT_THAT(v1.heard_with_numbers(), ElementsAre("1/1 hello_ack 1"))
        << "ignored messages did not count";
    v2.hello(1);
    EXPECT_THAT(v2.heard_with_numbers(), ElementsAre("1/1 hello_ack 1"));
}

TEST_F(BinaryLogin, AfterALogoutTheConnectionStaysAndSoDoTheOrders) {
    v1.hello();
    v1.buy(10, 100);
    v1.logout();
    v1.buy(10, 100);
    EXPECT_THAT(v1.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 order_ack 1 #1 10@100", "3/3 logout_ack 1"));
    v2.hello();
    v2.sell(4, 100);
    EXPECT_THAT(v1.heard_with_numbers(), ElementsAre("3/4 trade 1 #1 4@100"));
    v1.hello(4);
    v1.cancel(1);
    EXPECT_THAT(v1.heard_with_numbers(), ElementsAre("4/5 hello_ack 1", "5/6 cancel_ack 1 #1"));
}

TEST_F(BinaryLogin, Version2MayCancelAndModifyAfterTheLogout) {
    v2.hello();
    v2.buy(10, 100);
    v2.logout();
    v2.modify(1, 5, 100);
    v2.cancel(1);
    EXPECT_THAT(v2.heard(),
                ElementsAre("hello_ack 1", "order_ack 1 #1 10@100 named 1", "logout_ack 1",
                            "modify_ack 1 #1 now #1 5@100", "cancel_ack 1 #1"));
}

TEST_F(BinaryLogin, Version2MayNotCancelBeforeItsFirstLogin) {
    v2.cancel(1);
    v2.modify(1, 1, 1);
    EXPECT_THAT(v2.heard(), ElementsAre("cancel_ack 2 #1", "modify_ack 2 #1 now #0 1@1"));
}

TEST_F(BinaryLogin, ALogoutWithAnotherClientIdIsRejected) {
    v1.hello();
    v2.hello();
    v1.send(Logout{ClientId{2}});
    v2.send(Logout{ClientId{1}});
    EXPECT_THAT(v1.heard(), ElementsAre("hello_ack 1", "error 6"));
    EXPECT_THAT(v2.heard(), ElementsAre("hello_ack 1", "logout_ack 2"));
    EXPECT_TRUE(v1.session().logged_in());
    EXPECT_TRUE(v2.session().logged_in());
}

TEST_F(BinaryLogin, LoginsAndLogoutsAreCommands) {
    v1.hello();
    v1.logout();
    const auto& commands = exchange.commands();
    EXPECT_EQ(commands.at(commands.size() - 2).kind, CommandKind::session_opened);
    EXPECT_EQ(commands.at(commands.size() - 2).participant, ParticipantId{1});
    EXPECT_EQ(commands.back().kind, CommandKind::session_closed);
}

ApiKey key_of(std::uint8_t byte) {
    ApiKey key;
    key.fill(std::byte{byte});
    return key;
}

TEST(BinaryApiKey, DeterminesTheParticipant) {
    BinaryExchange exchange{{.api_keys = {{key_of(7), ParticipantId{40}}}}};
    BinaryClient& client = exchange.connect();
    client.send(Hello{key_of(8)});
    client.send(Hello{key_of(7)});
    EXPECT_THAT(client.heard_with_numbers(), ElementsAre("0/1 hello_ack 3", "2/2 hello_ack 1"));
    EXPECT_EQ(client.session().participant(), ParticipantId{40});
}

TEST(BinaryApiKey, CannotBeSentInVersion2) {
    BinaryExchange exchange{{.api_keys = {{key_of(0), ParticipantId{40}}}}};
    BinaryClient& client = exchange.connect(Version::v2);
    client.hello();
    EXPECT_THAT(client.heard_with_numbers(), ElementsAre("1/1 hello_ack 2"));
    EXPECT_FALSE(client.session().logged_in());
}

TEST(BinaryApiKey, TwoConnectionsOfOneOwnerShareItsOrders) {
    BinaryExchange exchange{{.api_keys = {{key_of(7), ParticipantId{40}}}}};
    BinaryClient& first = exchange.connect();
    BinaryClient& second = exchange.connect();
    first.send(Hello{key_of(7)});
    second.send(Hello{key_of(7)});
    first.buy(1, 100);
    second.cancel(1);
    EXPECT_THAT(first.heard(), ElementsAre("hello_ack 1", "order_ack 1 #1 1@100"));
    EXPECT_THAT(second.heard(), ElementsAre("hello_ack 1", "cancel_ack 1 #1"));
}

TEST(BinaryDeparture, LeavesOrdersInTheBookUnlessConfiguredOtherwise) {
    BinaryExchange exchange;
    BinaryClient& leaver = exchange.connect();
    BinaryClient& stayer = exchange.connect();
    leaver.hello();
    leaver.buy(5, 100);
    exchange.disconnect(leaver);
    stayer.hello();
    stayer.sell(5, 100);
    EXPECT_THAT(stayer.heard(),
                ElementsAre("hello_ack 1", "order_ack 1 #2 5@100", "trade 1 #2 5@100"));
    EXPECT_EQ(exchange.commands().at(4).kind, CommandKind::session_closed);
}

TEST(BinaryDeparture, CancelsOrdersIfConfigured) {
    BinaryExchange exchange{{.rules = {.cancel_on_disconnect = true}}};
    BinaryClient& leaver = exchange.connect();
    BinaryClient& stayer = exchange.connect();
    leaver.hello();
    EXPECT_EQ(exchange.commands().back().flags, CommandFlags::k_cancel_on_disconnect);
    leaver.buy(5, 100);
    exchange.disconnect(leaver);
    EXPECT_EQ(exchange.commands().back().kind, CommandKind::session_closed);
    stayer.hello();
    stayer.sell(5, 100);
    EXPECT_THAT(stayer.heard(), ElementsAre("hello_ack 1", "order_ack 1 #2 5@100"));
}

TEST(BinaryDeparture, LogoutCancelsOrdersIfConfigured) {
    BinaryExchange exchange{{.rules = {.cancel_on_logout = true}}};
    BinaryClient& leaver = exchange.connect();
    leaver.hello();
    leaver.buy(5, 100);
    leaver.logout();
    leaver.hello();
    leaver.cancel(1);
    EXPECT_THAT(leaver.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 order_ack 1 #1 5@100", "3/3 logout_ack 1",
                            "4/4 hello_ack 1", "5/5 cancel_ack 3 #1"));
}

TEST(BinaryTimeout, IsReportedInVersion1AndEndsTheSession) {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect();
    client.hello();
    EXPECT_TRUE(client.session().is_supervised());
    exchange.now = Timestamp{5'000'000};
    client.session().time_out(exchange.now);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "1/2 session_timeout at 5000"));
    EXPECT_EQ(client.session().disconnect(), session::Disconnect::timed_out);
    client.buy(1, 1);
    EXPECT_THAT(client.heard(), IsEmpty());
}

TEST(BinaryTimeout, SparesClientsOfVersion2OnceTheyAreLoggedIn) {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect(Version::v2);
    EXPECT_TRUE(client.session().is_supervised());
    client.hello();
    EXPECT_FALSE(client.session().is_supervised()) << "they have no heartbeat to send";
}

}  // namespace
}  // namespace damrak::testing::binary_login_test
