// Market data at the FIX gateway of `damrak serve` over real sockets: clients that do not read what
// they asked for, and kill -9 between two updates.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_market_test {
namespace {

using testing::FixClient;
using testing::FixFields;
using testing::RunningServer;

class FixMarketGateway : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] std::unique_ptr<RunningServer> serve() const {
        return std::make_unique<RunningServer>(
            folder_ / "data", folder_ / "log",
            std::vector<std::string>{"--only", "fix", "--wiring", GetParam()});
    }

    testing::ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixMarketGateway, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

std::string limit_order(const std::string& name, char side, const std::string& price) {
    return fmt::format("35=D|11={}|21=1|55=TEST|54={}|60=20260302-09:00:00|38=1|40=2|44={}", name,
                       side, price);
}
std::string cancel(const std::string& name) {
    return fmt::format("35=F|41={0}|11=c{0}|55=TEST|54=1|60=20260302-09:00:00", name);
}
std::string watch(const std::string& id, int update_type) {
    return fmt::format("35=V|262={}|263=1|264=0|265={}|267=2|269=0|269=1|146=1|55=TEST", id,
                       update_type);
}
/// Waits for the next one; empty if none came.
FixFields next(FixClient& client) { return client.receive().value_or(FixFields{}); }

TEST_P(FixMarketGateway, TellsWhetherAnInstrumentTrades) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "CLIENT"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    client.send("35=e|324=s|55=TEST|263=1");
    FixFields status = next(client);
    EXPECT_EQ(status[35], "f");
    EXPECT_EQ(status[55], "TEST");
    EXPECT_EQ(status[326], "17");
    EXPECT_EQ(status[625], "3");
    client.send("35=g|335=t|336=TEST|263=0");
    status = next(client);
    EXPECT_EQ(status[35], "h");
    EXPECT_EQ(status[340], "2");
    client.send("35=e|324=u|55=NONE|263=0");
    status = next(client);
    EXPECT_EQ(status[326], "20");
    EXPECT_EQ(status[58], "Symbol NONE: no such instrument");
    EXPECT_EQ(server->terminate(), 0);
}

TEST_P(FixMarketGateway, PeggedOrdersFollowTheMarket) {
    const auto server = serve();
    FixClient client{"FIX.4.4", "CLIENT"};
    ASSERT_TRUE(client.connect(server->fix_port()));
    client.send(limit_order("b", '1', "9"));
    EXPECT_EQ(next(client)[39], "0");
    client.send("35=D|11=p|21=1|55=TEST|54=1|60=20260302-09:00:00|38=1|40=P|18=R|211=-0.5");
    FixFields report = next(client);
    EXPECT_EQ(report[39], "0");
    EXPECT_EQ(report[40], "P");
    EXPECT_EQ(report[18], "R");
    EXPECT_EQ(report[211], "-0.5");
    EXPECT_EQ(report[839], "8.5");
    EXPECT_EQ(server->terminate(), 0);
}

TEST_P(FixMarketGateway, AClientThatDoesNotReadHoldsUpNoOther) {
    const auto server = serve();
    FixClient watcher{"FIX.4.4", "WATCHER"};
    FixClient trader{"FIX.4.4", "TRADER"};
    ASSERT_TRUE(watcher.connect(server->fix_port()));
    ASSERT_TRUE(trader.connect(server->fix_port()));
    for (int i = 0; i < 400; ++i) {
        trader.send(limit_order(fmt::format("b{}", i), '1', fmt::format("{}", 1 + i)));
        ASSERT_EQ(next(trader)[39], "0");
    }
    // Each update is some 15 kB of each subscription: more than all buffers on the way can hold.
    constexpr int k_subscriptions = 20;
    for (int i = 0; i < k_subscriptions; ++i) watcher.send(watch(fmt::format("m{}", i), 0));
    for (int i = 0; i < 1'000; ++i) {
        trader.send(limit_order(fmt::format("o{}", i), '1', "500"));
        ASSERT_EQ(next(trader)[39], "0") << i;
        trader.send(cancel(fmt::format("o{}", i)));
        ASSERT_EQ(next(trader)[39], "4") << i;
    }
    trader.send(limit_order("last", '2', "600"));
    ASSERT_EQ(next(trader)[39], "0");
    // It hears the newest in the end, of every subscription. The offer stands last in a message.
    int heard_of_offer = 0;
    for (int i = 0; i < 100'000 && heard_of_offer < k_subscriptions; ++i) {
        FixFields update = next(watcher);
        ASSERT_EQ(update[35], "W");
        heard_of_offer += update[270] == "600";
    }
    EXPECT_EQ(heard_of_offer, k_subscriptions);
    EXPECT_EQ(watcher.repeated(), 0);
}

TEST_P(FixMarketGateway, AWatcherGoesOnBehindAKill) {
    std::uint64_t before = 0;
    FixClient watcher{"FIX.4.4", "WATCHER"};
    FixClient trader{"FIX.4.4", "TRADER"};
    {
        const auto server = serve();
        ASSERT_TRUE(watcher.connect(server->fix_port()));
        ASSERT_TRUE(trader.connect(server->fix_port()));
        watcher.send(watch("m", 1));
        EXPECT_EQ(next(watcher)[35], "W");
        for (int i = 0; i < 200; ++i) {
            trader.send(limit_order(fmt::format("b{}", i), '1', fmt::format("{}", 1 + i)));
            ASSERT_EQ(next(trader)[39], "0");
            ASSERT_EQ(next(watcher)[35], "X");
        }
        before = watcher.next_incoming();
        server->kill();
    }
    const auto server = serve();
    watcher.close();
    ASSERT_TRUE(watcher.connect(server->fix_port())) << "its numbers go on";
    EXPECT_GE(watcher.next_incoming(), before);
    EXPECT_EQ(watcher.repeated(), 0);
    // Earlier subscriptions ended with the session; the books are unchanged.
    watcher.send("35=V|262=m|263=0|264=1|267=1|269=0|146=1|55=TEST");
    FixFields book = next(watcher);
    EXPECT_EQ(book[35], "W");
    EXPECT_EQ(book[270], "200");
    watcher.close();
    EXPECT_EQ(server->terminate(), 0);
    int sessions = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder_ / "data/fix"}) {
        if (!entry.is_directory()) continue;
        ++sessions;
        const auto verified = testing::run_program({"fix", "verify", entry.path().string()});
        EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    }
    EXPECT_EQ(sessions, 2);
}

}  // namespace
}  // namespace damrak::fix_market_test
