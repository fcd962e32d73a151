// Logons that a FIX acceptor accepts and rejects, over real sockets and in virtual time.
#include <damrak/client/fix_acceptor.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/client/fix_pair.hpp"
#include "support/virtual_tcp.hpp"

namespace damrak::client::fix_acceptor_test {
namespace {

using session::fix::MemoryStore;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::VirtualTcp;

constexpr std::int64_t k_second_ns = 1'000'000'000;

struct FixAcceptorTest : ::testing::Test {
    using Acceptor = FixAcceptor<TestMarket, MemoryStore, VirtualTcp>;
    using Client = FixClient<TestTrader, MemoryStore, VirtualTcp>;
    struct Guest {
        TestTrader trader{};
        MemoryStore store{};
        std::unique_ptr<Client> client{};
    };

    void serve(FixAcceptorSettings settings) {
        world.now_ns = 1'767'571'200 * k_second_ns;
        acceptor =
            Acceptor::make(market, std::move(settings), Acceptor::in_memory, VirtualTcp{world})
                .value();
    }
    Guest& connect(const std::string& name, const std::string& target = "DAMRAK") {
        Guest& guest = *guests.emplace_back(std::make_unique<Guest>());
        FixClientSettings settings{.session = session_of(name, target), .reconnect = false};
        guest.client = Client::make(guest.trader, guest.store, settings, VirtualTcp{world}).value();
        settle();
        return guest;
    }
    void settle() {
        for (std::size_t work = 1; work > 0;) {
            work = acceptor->poll();
            for (const auto& guest : guests) work += guest->client->poll();
        }
    }

    VirtualTcp::World world;
    TestMarket market;
    std::unique_ptr<Acceptor> acceptor;
    std::vector<std::unique_ptr<Guest>> guests;
};

TEST_F(FixAcceptorTest, ATemplateMakesASessionForEachWhoComes) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    EXPECT_EQ(acceptor->sessions(), 0U);
    EXPECT_TRUE(connect("CLIENT1").client->logged_on());
    EXPECT_TRUE(connect("CLIENT2").client->logged_on());
    EXPECT_EQ(acceptor->sessions(), 2U);
    EXPECT_THAT(market.take(), ElementsAre("CLIENT1 logged on", "CLIENT2 logged on"));
    EXPECT_EQ(acceptor->session(1).settings().name.target_comp_id, "CLIENT2");
}

TEST_F(FixAcceptorTest, WithoutATemplateOnlyThoseOfTheSettings) {
    serve({.sessions = {session_of("DAMRAK", "CLIENT1")}});
    EXPECT_TRUE(connect("CLIENT1").client->logged_on());
    EXPECT_TRUE(connect("STRANGER").client->finished());
    EXPECT_EQ(acceptor->trouble(), "no session has these comp ids in this version");
    EXPECT_THAT(market.take(), ElementsAre("CLIENT1 logged on"));
}

TEST_F(FixAcceptorTest, NoClientIsLetInTwice) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    EXPECT_TRUE(connect("CLIENT1").client->logged_on());
    EXPECT_TRUE(connect("CLIENT1").client->finished());
    EXPECT_EQ(acceptor->trouble(), "the session is already logged on");
    EXPECT_TRUE(guests[0]->client->logged_on()) << "the first is not disturbed";
    guests[0]->client->logout();
    settle();
    EXPECT_EQ(acceptor->connections(), 0U);
}

TEST_F(FixAcceptorTest, ManyTradeAtOnce) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    for (int i = 0; i < 20; ++i) connect(fmt::format("CLIENT{}", i));
    for (int round = 0; round < 10; ++round)
        for (const auto& guest : guests)
            EXPECT_TRUE(guest->client->send("D", [&](auto& order) {
                put_order(order, std::to_string(round), guest->client->now());
            }));
    settle();
    EXPECT_EQ(market.count, 200);
    for (const auto& guest : guests) EXPECT_EQ(guest->trader.lines.size(), 1U + 10U);
}

TEST_F(FixAcceptorTest, AMessageThatIsTooLongIsRefused) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    Guest& guest = connect("CLIENT1");
    VirtualTcp network{world};
    ASSERT_TRUE(guest.client->send("D", [&](auto& order) {
        put_order(order, "a", guest.client->now());
        order.put(tag::text, std::string(1'000, 'x'));
    }));
    // The same order, grown on its way.
    std::string bytes;
    auto& way = world.cables.back()->bytes[1];
    for (const std::byte byte : way) bytes += static_cast<char>(byte);
    const std::string body =
        bytes.substr(bytes.find("35="), bytes.find("\00110=") + 1 - bytes.find("35="));
    way.clear();
    const std::string longer = body + "58=" + std::string(100'000, 'x') + '\x01';
    std::string again = fmt::format(
        "8=FIX.4.4\x01"
        "9={}\x01{}",
        longer.size(), longer);
    unsigned sum = 0;
    for (const char c : again) sum += static_cast<unsigned char>(c);
    again += fmt::format("10={:03}\x01", sum % 256);
    for (const char c : again) way.push_back(static_cast<std::byte>(c));
    settle();
    EXPECT_EQ(acceptor->session(0).next_incoming(), 3U);
    EXPECT_EQ(market.count, 0);
    ASSERT_TRUE(
        guest.client->send("D", [&](auto& order) { put_order(order, "b", guest.client->now()); }));
    settle();
    EXPECT_EQ(market.count, 1);
}

TEST_F(FixAcceptorTest, AConnectionThatSaysNothingIsEndedAfterTenSeconds) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    VirtualTcp network{world};
    const auto silent = network.connect("", 0).value();
    settle();
    world.now_ns += 9 * k_second_ns;
    settle();
    EXPECT_EQ(acceptor->connections(), 1U);
    world.now_ns += k_second_ns;
    settle();
    EXPECT_EQ(acceptor->connections(), 0U);
}

TEST_F(FixAcceptorTest, WhoSpeaksNonsenseOrLeavesEarlyIsForgotten) {
    serve({.sessions = {session_of("DAMRAK", "*")}});
    VirtualTcp network{world};
    const auto rude = network.connect("", 0).value();
    static_cast<void>(network.send(rude, std::as_bytes(std::span{"GET / HTTP/1.1\r\n\r\n"})));
    settle();
    EXPECT_EQ(acceptor->connections(), 0U);
    EXPECT_EQ(acceptor->trouble(), "the first message is not a Logon");
    {
        const auto hasty = network.connect("", 0).value();
    }
    settle();
    EXPECT_EQ(acceptor->connections(), 0U);
    EXPECT_THAT(market.take(), IsEmpty());
}

TEST_F(FixAcceptorTest, TakesNoMoreConnectionsThanItMay) {
    serve({.sessions = {session_of("DAMRAK", "*")}, .maximum_connections = 1});
    EXPECT_TRUE(connect("CLIENT1").client->logged_on());
    EXPECT_FALSE(connect("CLIENT2").client->logged_on());
    guests[0]->client->logout();
    settle();
    EXPECT_TRUE(guests[1]->client->logged_on()) << "its turn has come";
}

TEST_F(FixAcceptorTest, EndsAConnectionThatDoesNotReadWhatItAskedFor) {
    serve({.sessions = {session_of("DAMRAK", "*")}, .output_bytes = 16'384});
    connect("CLIENT1");
    Acceptor::Session& session = acceptor->session(0);
    const std::string text(4'000, 'x');
    for (int i = 0; i < 5; ++i)
        session.send("B", acceptor->now(), [&](auto& news) { news.put(tag::text, text); });
    EXPECT_EQ(session.ended(), session::fix::Ended::slow_reader);
    settle();
    EXPECT_EQ(acceptor->connections(), 0U);
    EXPECT_EQ(market.take().back(), "CLIENT1 gone: did not read its messages");
}

TEST(FixAcceptorOverSockets, RefusesAPortThatIsTaken) {
    TestMarket market;
    const FixAcceptorSettings settings{.port = 0, .sessions = {session_of("DAMRAK", "*")}};
    const auto first = FixAcceptor<TestMarket>::make(market, settings).value();
    FixAcceptorSettings again = settings;
    again.port = first->port();
    const auto second = FixAcceptor<TestMarket>::make(market, again);
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("Address already in use"));
}

TEST(FixAcceptorOverSockets, RefusesToStartIfMessagesCannotBeKept) {
    TestMarket market;
    const auto acceptor = FixAcceptor<TestMarket>::make(
        market, {.port = 0, .sessions = {session_of("DAMRAK", "CLIENT1")}},
        [](const session::fix::SessionName& name, Timestamp) {
            return std::expected<std::unique_ptr<MemoryStore>, std::string>{
                std::unexpected{"no room for " + name.target_comp_id}};
        });
    ASSERT_FALSE(acceptor);
    EXPECT_EQ(acceptor.error(), "no room for CLIENT1");
}

}  // namespace
}  // namespace damrak::client::fix_acceptor_test
