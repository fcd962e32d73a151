// A FIX client and an acceptor, first in virtual time over a network that can be cut, then over
// real sockets with their messages in files.
#include <damrak/client/fix_client.hpp>

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/detail/fix_stores.hpp>

#include "client/client/fix_pair.hpp"
#include "support/scratch_folder.hpp"
#include "support/virtual_tcp.hpp"

namespace damrak::client::fix_client_test {
namespace {

using session::fix::Ended;
using session::fix::MemoryStore;
using session::fix::MessageStore;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::VirtualTcp;

constexpr std::int64_t k_second_ns = 1'000'000'000;
constexpr std::int64_t k_monday_ns = 1'767'571'200 * k_second_ns;  // 5 January 2026, midnight

/// An exchange and a client in a world without time or distance.
struct VirtualPair {
    using Client = FixClient<TestTrader, MemoryStore, VirtualTcp>;
    using Acceptor = FixAcceptor<TestMarket, MemoryStore, VirtualTcp>;

    explicit VirtualPair(FixClientSettings settings = {}) {
        world.now_ns = k_monday_ns;
        acceptor = Acceptor::make(market, {.sessions = {session_of("DAMRAK", "*")}},
                                  Acceptor::in_memory, VirtualTcp{world})
                       .value();
        if (settings.session.name.sender_comp_id.empty())
            settings.session = session_of("CLIENT1", "DAMRAK");
        client = Client::make(trader, store, settings, VirtualTcp{world}).value();
    }

    /// Until nobody has anything to do.
    void settle() {
        while (client->poll() + acceptor->poll() > 0) {
        }
    }
    void pass(std::int64_t seconds) {
        for (std::int64_t i = 0; i < seconds; ++i) {
            world.now_ns += k_second_ns;
            settle();
        }
    }
    bool order(const std::string& name) {
        return client->send("D", [&](auto& writer) { put_order(writer, name, client->now()); });
    }

    VirtualTcp::World world;
    TestMarket market;
    TestTrader trader;
    MemoryStore store;
    std::unique_ptr<Acceptor> acceptor;
    std::unique_ptr<Client> client;
};

TEST(FixClient, LogsOnTradesAndLogsOut) {
    VirtualPair pair;
    pair.settle();
    EXPECT_TRUE(pair.client->logged_on());
    EXPECT_TRUE(pair.order("A"));
    pair.settle();
    EXPECT_THAT(pair.trader.take(), ElementsAre("DAMRAK logged on", "order A is 0"));
    EXPECT_THAT(pair.market.take(), ElementsAre("CLIENT1 logged on", "order A"));

    pair.client->logout("good night");
    pair.settle();
    EXPECT_TRUE(pair.client->finished());
    EXPECT_THAT(pair.trader.take(), ElementsAre("DAMRAK gone: logged out"));
    EXPECT_THAT(pair.market.take(), ElementsAre("CLIENT1 gone: logged out: good night"));
    EXPECT_EQ(pair.acceptor->connections(), 0U);
}

TEST(FixClient, StaysLoggedOnThroughAnHourOfSilence) {
    VirtualPair pair;
    pair.pass(3'600);
    EXPECT_TRUE(pair.client->logged_on());
    EXPECT_THAT(pair.trader.take(), ElementsAre("DAMRAK logged on"));
    EXPECT_GT(pair.client->session().next_incoming(), 100U) << "heartbeats";
}

TEST(FixClient, TakesBytesInAnyPieces) {
    VirtualPair pair;
    pair.world.largest_transfer = 7;
    pair.settle();
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(pair.order(std::to_string(i)));
    pair.settle();
    EXPECT_EQ(pair.trader.take().size(), 1U + 20U);
}

TEST(FixClient, ComesBackAfterALossWithItsNumbersAndWhatWasMissed) {
    VirtualPair pair;
    pair.settle();
    EXPECT_TRUE(pair.order("A"));
    pair.client->poll();
    // The order is on its way and gets lost, like all else.
    pair.world.cut();
    pair.settle();
    EXPECT_FALSE(pair.client->logged_on());
    EXPECT_THAT(pair.client->trouble(), HasSubstr("closed the connection"));
    EXPECT_TRUE(pair.order("B")) << "kept until the connection is there again";
    pair.pass(4);
    EXPECT_EQ(pair.client->state(), VirtualPair::Client::State::waiting);
    pair.pass(1);
    EXPECT_TRUE(pair.client->logged_on());
    EXPECT_THAT(pair.market.take(),
                ElementsAre("CLIENT1 logged on", "CLIENT1 gone: logged out: connection lost",
                            "CLIENT1 logged on", "order A", "order B"));
    EXPECT_THAT(pair.trader.take(),
                ElementsAre("DAMRAK logged on", "DAMRAK gone: logged out: connection lost",
                            "DAMRAK logged on", "order A is 0", "order B is 0"));
}

TEST(FixClient, IsSentTheReportsThatItMissed) {
    VirtualPair pair;
    pair.settle();
    EXPECT_TRUE(pair.order("A"));
    pair.acceptor->poll();
    pair.world.cut();
    pair.settle();
    pair.pass(5);
    const Lines lines = pair.trader.take();
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines.back(), "order A is 0 again");
}

TEST(FixClient, TriesAgainUntilSomebodyListens) {
    VirtualPair pair;
    pair.world.listening = false;
    pair.settle();
    EXPECT_EQ(pair.client->trouble(), "cannot connect to 127.0.0.1:9878: Connection refused");
    pair.pass(20);
    EXPECT_FALSE(pair.client->logged_on());
    EXPECT_EQ(pair.world.cables.size(), 5U) << "at once, and every five seconds";
    pair.world.listening = true;
    pair.pass(5);
    EXPECT_TRUE(pair.client->logged_on());
}

TEST(FixClient, GivesUpOnAConnectionThatDoesNotComeAbout) {
    VirtualPair pair;
    pair.world.reachable = false;
    pair.pass(11);
    EXPECT_EQ(pair.client->trouble(), "cannot connect to 127.0.0.1:9878: no answer");
    pair.world.reachable = true;
    pair.pass(5);
    EXPECT_TRUE(pair.client->logged_on());
}

TEST(FixClient, FinishesAfterALossIfItShallNotReconnect) {
    VirtualPair pair{{.reconnect = false}};
    pair.settle();
    pair.world.cut();
    pair.settle();
    EXPECT_TRUE(pair.client->finished());
    pair.pass(60);
    EXPECT_EQ(pair.world.cables.size(), 1U);
}

TEST(FixClient, ConnectsInItsHoursOnly) {
    FixClientSettings settings{.session = session_of("CLIENT1", "DAMRAK")};
    settings.session.schedule = session::fix::Schedule::parse("00:01:00-00:02:00").value();
    VirtualPair pair{settings};
    pair.pass(59);
    EXPECT_TRUE(pair.world.cables.empty());
    pair.pass(1);
    EXPECT_TRUE(pair.client->logged_on());
    pair.pass(61);
    EXPECT_FALSE(pair.client->logged_on());
    EXPECT_THAT(pair.trader.take(), ElementsAre("DAMRAK logged on", "DAMRAK gone: logged out"));
}

TEST(FixClient, SaysWhatIsWrongWithItsSettings) {
    TestTrader trader;
    MemoryStore store;
    const auto nameless = FixClient<TestTrader>::make(trader, store, {});
    ASSERT_FALSE(nameless);
    EXPECT_THAT(nameless.error(), HasSubstr("both sides need a comp id"));
    const auto narrow = FixClient<TestTrader>::make(
        trader, store, {.session = session_of("CLIENT1", "DAMRAK"), .output_bytes = 1'000});
    ASSERT_FALSE(narrow);
    EXPECT_EQ(narrow.error(), "output_bytes must be at least 16384: two messages");
}

/// The same over real sockets of this machine.
TEST(FixClientOverSockets, KeepsItsNumbersInFilesFromOneLifeToTheNext) {
    const testing::ScratchFolder folder;
    TestMarket market;
    auto acceptor = FixAcceptor<TestMarket, MessageStore>::make(
                        market, {.port = 0, .sessions = {session_of("DAMRAK", "*")}},
                        fix_stores_in(folder / "exchange"))
                        .value();
    const FixStores stores = fix_stores_in(folder / "client");
    FixClientSettings settings{.port = acceptor->port(),
                               .session = session_of("CLIENT1", "DAMRAK")};
    const auto live_once = [&](const std::string& name, bool goodbye) {
        TestTrader trader;
        const auto store = stores(settings.session.name, acceptor->now()).value();
        const auto client =
            FixClient<TestTrader, MessageStore>::make(trader, *store, settings).value();
        const auto until = [&](auto&& done) {
            client->run([&] {
                acceptor->poll();
                return done();
            });
        };
        until([&] { return client->logged_on(); });
        EXPECT_TRUE(client->send("D", [&](auto& order) { put_order(order, name, client->now()); }));
        until([&] { return trader.lines.size() == 2; });
        EXPECT_EQ(trader.lines.back(), "order " + name + " is 0");
        if (goodbye) {
            client->logout();
            until([] { return false; });
        }
        return client->session().next_outgoing();
    };
    EXPECT_EQ(live_once("A", false), 3U) << "Logon and order";
    while (acceptor->connections() > 0) acceptor->poll();
    EXPECT_EQ(live_once("B", true), 6U) << "Logon, order and Logout behind those";
    while (acceptor->connections() > 0) acceptor->poll();
    EXPECT_EQ(live_once("C", true), 9U);
    EXPECT_EQ(market.count, 3);
}

TEST(FixClientOverSockets, ReportsThatTheServerDoesNotListen) {
    TestTrader trader;
    MemoryStore store;
    FixClientSettings settings{.session = session_of("CLIENT1", "DAMRAK"), .reconnect = false};
    {
        net::PlainTcp network;
        settings.port = network.listen("127.0.0.1", 0).value();
    }  // nobody has it now
    const auto client = FixClient<TestTrader>::make(trader, store, settings).value();
    client->run([] { return false; });
    EXPECT_EQ(client->trouble(),
              fmt::format("cannot connect to 127.0.0.1:{}: Connection refused", settings.port));
    EXPECT_THAT(trader.lines, IsEmpty());
}

}  // namespace
}  // namespace damrak::client::fix_client_test
