// The FIX gateway of `damrak serve` over real sockets: every version on one port, beside the binary
// gateway, with clients that mean harm, and through kill -9 in the middle of trading.
#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/fix_client.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_gateway_test {
namespace {

using testing::FixClient;
using testing::FixFields;
using testing::RunningServer;

class FixGateway : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] std::unique_ptr<RunningServer> serve(std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--only", "fix,binary", "--wiring", wiring_});
        return std::make_unique<RunningServer>((folder_ / "data").string(),
                                               (folder_ / "log").string(), std::move(more));
    }

    testing::ScratchFolder folder_;
    std::string wiring_ = GetParam();
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixGateway, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

std::string limit_order(const std::string& name, char side, int quantity,
                        const std::string& price) {
    return fmt::format("35=D|11={}|21=1|55=TEST|54={}|60=20260302-09:00:00|38={}|40=2|44={}", name,
                       side, quantity, price);
}

/// Tags 39, 11, 14 of the next report.
std::string report(FixClient& client) {
    auto message = client.receive();
    if (!message) return "nothing";
    return fmt::format("{} 39={} 11={} 14={}", (*message)[35], (*message)[39], (*message)[11],
                       (*message)[14]);
}

TEST_P(FixGateway, SpeaksEveryVersionOnOnePort) {
    const auto server = serve();
    FixClient old{"FIX.4.2", "OLD"};
    FixClient usual{"FIX.4.4", "USUAL"};
    FixClient modern{"FIXT.1.1", "MODERN"};
    for (FixClient* client : {&old, &usual, &modern})
        ASSERT_TRUE(client->connect(server->fix_port()));
    old.send(limit_order("o", '1', 100, "10.00"));
    EXPECT_EQ(report(old), "8 39=0 11=o 14=0");
    usual.send(limit_order("u", '2', 40, "10.00"));
    EXPECT_EQ(report(usual), "8 39=0 11=u 14=0");
    EXPECT_EQ(report(usual), "8 39=2 11=u 14=40");
    EXPECT_EQ(report(old), "8 39=1 11=o 14=40");
    modern.send("35=D|11=m|55=TEST|54=2|60=20260302-09:00:00|38=60|40=1");
    EXPECT_EQ(report(modern), "8 39=0 11=m 14=0");
    EXPECT_EQ(report(modern), "8 39=2 11=m 14=60");
    EXPECT_EQ(report(old), "8 39=2 11=o 14=100");
    EXPECT_EQ(server->ready_line().find("\"fix\":0"), std::string::npos);
}

TEST_P(FixGateway, RequestsThatFollowAtOnceAreTakenInTurn) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "FAST"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    for (int i = 0; i < 100; ++i) {
        client.send(limit_order(fmt::format("o{}", i), '1', 10, "9.00"));
        client.send(fmt::format("35=F|41=o{}|11=c{}|55=TEST|54=1|60=20260302-09:00:00", i, i));
    }
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(report(client), fmt::format("8 39=0 11=o{} 14=0", i));
        ASSERT_EQ(report(client), fmt::format("8 39=4 11=c{} 14=0", i));
    }
}

TEST_P(FixGateway, AMessageThatIsTooLongIsRefusedAndTheSessionGoesOn) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "LONG"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    for (const std::size_t bytes : {65'536U, 100'000U, 3'000'000U}) {
        client.send(limit_order("long", '1', 1, "10.00") + "|58=" + std::string(bytes, 'x'));
        auto refused = client.receive();
        ASSERT_TRUE(refused);
        EXPECT_EQ((*refused)[35] + (*refused)[372] + (*refused)[373], "3D99");
    }
    client.send(limit_order("short", '1', 1, "10.00"));
    EXPECT_EQ(report(client), "8 39=0 11=short 14=0");
    EXPECT_EQ(client.repeated(), 0);
}

TEST_P(FixGateway, AMessageLongerThanTheReadsOfATurnIsAccepted) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "LENGTHY"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    for (const std::size_t bytes : {8'192U, 20'000U, 60'000U}) {
        const std::string name = fmt::format("o{}", bytes);
        client.send(limit_order(name, '1', 1, "10.00") + "|58=" + std::string(bytes, 'x'));
        EXPECT_EQ(report(client), fmt::format("8 39=0 11={} 14=0", name));
    }
}

TEST_P(FixGateway, TradesWithTheBinaryGateway) {
    const auto server = serve();
    FixClient fix{"FIX.4.4", "FIX"};
    ASSERT_TRUE(fix.connect(server->fix_port()));
    fix.send(limit_order("f", '1', 10, "10.00"));
    EXPECT_EQ(report(fix), "8 39=0 11=f 14=0");
    const testing::RawClient binary{server->port()};
    const testing::Login login = testing::hello(binary);
    EXPECT_EQ(login.status, 1U);
    EXPECT_EQ(testing::place(binary, 2, login.client,
                             {.side = 1, .quantity = 4, .price_e2 = 1'000, .instrument = 4})
                  .status,
              1U);
    EXPECT_EQ(report(fix), "8 39=1 11=f 14=4");
}

TEST_P(FixGateway, OrdersAndReportsOutliveTheServer) {
    auto server = serve();
    FixClient alice{"FIX.4.4", "ALICE"};
    FixClient bob{"FIX.4.4", "BOB"};
    ASSERT_TRUE(alice.connect(server->fix_port()));
    alice.send(limit_order("a", '1', 100, "10.00"));
    EXPECT_EQ(report(alice), "8 39=0 11=a 14=0");
    alice.close();
    EXPECT_EQ(server->terminate(), 0);
    server = serve();
    ASSERT_TRUE(bob.connect(server->fix_port()));
    bob.send(limit_order("b", '2', 30, "10.00"));
    EXPECT_EQ(report(bob), "8 39=0 11=b 14=0");
    EXPECT_EQ(report(bob), "8 39=2 11=b 14=30");
    server->kill();
    server = serve();
    ASSERT_TRUE(alice.connect(server->fix_port()));
    EXPECT_EQ(report(alice), "8 39=1 11=a 14=30") << "told though it was away";
    alice.send("35=F|41=a|11=a2|55=TEST|54=1|60=20260302-09:00:00");
    EXPECT_EQ(report(alice), "8 39=4 11=a2 14=30");
    EXPECT_EQ(alice.repeated(), 0);
}

/// Tags 150, 39, 11, 40, 99, 14, 31 of the next report.
std::string stop_report(FixClient& client) {
    auto message = client.receive();
    if (!message) return "nothing";
    std::string line = (*message)[35];
    for (const int tag : {150, 39, 11, 40, 99, 14, 31})
        if (const std::string& text = (*message)[tag]; !text.empty())
            line += fmt::format(" {}={}", tag, text);
    return line;
}

TEST_P(FixGateway, StopsWaitThroughAKillAndAreTriggered) {
    const std::string_view buy = "35=D|55=TEST|54=1|21=1|60=20260302-09:00:00";
    FixClient usual{"FIX.4.4", "USUAL"};
    FixClient modern{"FIXT.1.1", "MODERN"};
    {
        const auto server = serve();
        ASSERT_TRUE(usual.connect(server->fix_port()));
        ASSERT_TRUE(modern.connect(server->fix_port()));
        usual.send(fmt::format("{}|11=limited|38=10|40=4|44=10.50|99=10.20", buy));
        EXPECT_EQ(stop_report(usual), "8 150=0 39=0 11=limited 40=4 99=10.2 14=0");
        modern.send(fmt::format("{}|11=m|38=5|40=3|99=10.90", buy));
        EXPECT_EQ(stop_report(modern), "8 150=0 39=0 11=m 40=3 99=10.9 14=0");
        modern.send(
            "35=G|11=nearer|41=m|55=TEST|54=1|21=1|60=20260302-09:00:00|38=5|40=3|99=10.30");
        EXPECT_EQ(stop_report(modern), "8 150=5 39=0 11=nearer 40=3 99=10.3 14=0");
        server->kill();
    }
    const auto server = serve();
    ASSERT_TRUE(usual.connect(server->fix_port()));
    ASSERT_TRUE(modern.connect(server->fix_port()));
    usual.send("35=H|11=limited|55=TEST|54=1");
    EXPECT_EQ(stop_report(usual), "8 150=I 39=0 11=limited 40=4 99=10.2 14=0");
    FixClient other{"FIX.4.4", "OTHER"};
    ASSERT_TRUE(other.connect(server->fix_port()));
    other.send(limit_order("low", '2', 1, "10.20"));
    other.send(limit_order("high", '2', 20, "10.40"));
    // It trades at 10.20, which triggers the first; that trades at 10.40, which triggers the other.
    other.send(fmt::format("{}|11=spark|38=1|40=1", buy));
    EXPECT_EQ(stop_report(usual), "8 150=F 39=2 11=limited 40=4 99=10.2 14=10 31=10.4");
    EXPECT_EQ(stop_report(modern), "8 150=L 39=0 11=nearer 40=3 99=10.3 14=0");
    EXPECT_EQ(stop_report(modern), "8 150=F 39=2 11=nearer 40=3 99=10.3 14=5 31=10.4");
    EXPECT_EQ(usual.repeated() + modern.repeated(), 0);
}

TEST_P(FixGateway, ClientsThatMeanHarmHarmThemselves) {
    const auto server = serve();
    const testing::RawClient binary{server->port()};
    const testing::Login login = testing::hello(binary);
    EXPECT_EQ(login.status, 1U);
    FixClient good{"FIX.4.4", "GOOD"};
    ASSERT_TRUE(good.connect(server->fix_port()));
    RandomStream random{7};
    for (int round = 0; round < 40; ++round) {
        FixClient bad{"FIX.4.4", fmt::format("BAD{}", round % 5)};
        const bool inside = bad.connect(server->fix_port(), true);
        std::string noise =
            "8=FIX.4.4\x01"
            "9=";
        for (int i = 0; i < 2'000; ++i) noise += static_cast<char>(random.below(256));
        bad.send_bytes(noise);
        if (inside) bad.send(limit_order("x", '1', -5, "abc"));
        if (round % 3 == 0)
            bad.send_bytes(
                "8=FIX.4.4\x01"
                "9=999999999\x01");
        good.send(limit_order(fmt::format("g{}", round), '1', 1, "1.00"));
        ASSERT_EQ(report(good), fmt::format("8 39=0 11=g{} 14=0", round));
    }
    EXPECT_EQ(testing::place(binary, 2, login.client,
                             {.side = 1, .quantity = 4, .price_e2 = 100'000, .instrument = 4})
                  .status,
              1U);
}

std::uint64_t rounds_of_killing() {
    const char* const text = std::getenv("DAMRAK_KILL_ROUNDS");
    return text == nullptr ? 6 : std::strtoull(text, nullptr, 10);
}

/// A client that sends orders while the server is killed, and adds up the reports.
class Trader {
  public:
    Trader(std::string who, char which)
        : client("FIX.4.4", who), name(std::move(who)), side(which) {}

    [[nodiscard]] bool connect(std::uint16_t port) { return client.connect(port); }
    /// Orders until the server is gone.
    void trade() {
        while (!client.closed()) {
            const std::string order = fmt::format("{}{}", name, ++orders);
            sent.insert(order);  // also one that does not get through: it is sent again later
            if (!client.send(limit_order(order, side, 10, "10.00"))) return client.close();
            if (const auto message = client.receive()) note(*message);
            while (const auto message = client.receive_waiting()) note(*message);
        }
    }
    void listen() {
        EXPECT_TRUE(client.receive_all_until_now([this](const FixFields& one) { note(one); }));
    }
    void note(const FixFields& fields) {
        if (fields.at(35) != "8") {
            ADD_FAILURE() << "MsgType " << fields.at(35)
                          << (fields.contains(58) ? fields.at(58) : "");
            return;
        }
        ++heard;
        if (!reports.insert(fields.at(17)).second) ADD_FAILURE() << "twice: " << fields.at(17);
        if (fields.at(39) == "0" && !accepted.insert(fields.at(11)).second)
            ADD_FAILURE() << "accepted twice: " << fields.at(11);
        if (fields.at(39) == "8") ADD_FAILURE() << "refused: " << fields.at(58);
        if (fields.at(150) == "F") executed += std::stoll(fields.at(32));
    }

    FixClient client;
    std::string name;
    char side;
    int orders = 0;
    long long executed = 0;
    std::set<std::string> sent;
    std::set<std::string> accepted;
    std::set<std::string> reports;
    std::atomic<std::size_t> heard = 0;  ///< reports since it was set to zero
};

TEST_P(FixGateway, KilledServersLoseNoReportAndTellNoneTwice) {
    Trader buyer{"B", '1'};
    Trader seller{"S", '2'};
    RandomStream random{20'261'121};
    for (std::uint64_t round = 0; round < rounds_of_killing(); ++round) {
        const auto server = serve();
        ASSERT_TRUE(buyer.connect(server->fix_port()));
        ASSERT_TRUE(seller.connect(server->fix_port()));
        buyer.heard = seller.heard = 0;
        std::thread one{[&] { buyer.trade(); }};
        std::thread other{[&] { seller.trade(); }};
        const std::size_t enough = 20 + random.below(200);
        EXPECT_TRUE(testing::eventually([&] { return buyer.heard + seller.heard >= enough; }));
        server->kill();
        one.join();
        other.join();
    }
    const auto server = serve();
    ASSERT_TRUE(buyer.connect(server->fix_port()));
    ASSERT_TRUE(seller.connect(server->fix_port()));
    // A resent order may trade with another one.
    const auto all_is_reported = [&] {
        return buyer.executed == seller.executed && buyer.accepted == buyer.sent &&
               seller.accepted == seller.sent;
    };
    const auto listen = [&] {
        buyer.listen();
        seller.listen();
    };
    EXPECT_TRUE(testing::turns_until(listen, all_is_reported));
    listen();  // to what comes twice
    EXPECT_GT(buyer.executed, 0);
    EXPECT_EQ(buyer.executed, seller.executed) << "each trade is told to both";
    EXPECT_EQ(buyer.accepted, buyer.sent);
    EXPECT_EQ(seller.accepted, seller.sent);
    EXPECT_EQ(buyer.client.repeated() + seller.client.repeated(), 0);
}

}  // namespace
}  // namespace damrak::fix_gateway_test
