// The files that `damrak serve --classic-logs` writes as MiniExchange's server would have.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/scratch_folder.hpp"
#include "telemetry_run.hpp"

namespace damrak::serve_classic_logs_test {
namespace {

using ::testing::ElementsAre;
using testing::rows_of;
using ::testing::SizeIs;
using testing::Trader;
using testing::untimed;

constexpr std::size_t k_ack_bytes = Trader::k_ack_bytes;

class TheClassicLogs : public testing::ServeRun {};

TEST_F(TheClassicLogs, TellWhatClientsDid) {
    serve({"--timing", "1", "--classic-logs"});
    trade_a_little();
    {
        Trader leaver{server_->port()};
        leaver.log_out();
        ASSERT_THAT(leaver.answer(Trader::k_logout_ack_bytes), SizeIs(Trader::k_logout_ack_bytes));
    }
    EXPECT_EQ(server_->terminate(), 0);
    const auto run = run_folder() / "classic";
    const auto config = nlohmann::json::parse(testing::content_of(run / "run_config.json"));
    EXPECT_EQ(config["port"], server_->port());
    EXPECT_GT(config["nsPerTick"], 0.0);
    EXPECT_GT(config["baseTick"], 0U);
    ASSERT_EQ(config["files"].size(), 10U);
    std::map<std::string, std::vector<std::vector<std::string>>> files;
    for (const auto& [name, path] : config["files"].items()) files[name] = rows_of(path);

    EXPECT_THAT(files["timings"][0],
                ElementsAre("messageType", "tReceived", "tDeserialized", "tBuffered"));
    ASSERT_THAT(files["timings"], SizeIs(1 + 7)) << "no logout: the scripts have no name for it";
    for (std::size_t i = 1; i < files["timings"].size(); ++i) {
        const auto& row = files["timings"][i];
        EXPECT_GE(std::stoull(row[1]), config["baseTick"].get<std::uint64_t>());
        EXPECT_LE(std::stoull(row[1]), std::stoull(row[2]));
        EXPECT_LE(std::stoull(row[2]), std::stoull(row[3]));
    }
    EXPECT_THAT(files["recv_messages"][0], ElementsAre("ts", "fd", "clientID", "type", "ref"));
    ASSERT_THAT(files["recv_messages"], SizeIs(1 + 8));
    EXPECT_EQ(files["recv_messages"][3][3], "10");
    EXPECT_THAT(files["sent_messages"][0], ElementsAre("ts", "fd", "clientID", "type", "ref"));
    EXPECT_GE(files["sent_messages"].size(), 1U + 6U);
    EXPECT_THAT(files["added_to_book"],
                ElementsAre(ElementsAre("ts", "orderID", "clientID", "side", "qty", "price", "tif",
                                        "goodTill", "instrumentID", "ref"),
                            SizeIs(10), SizeIs(10)));
    EXPECT_THAT(untimed(files["added_to_book"][1]),
                ElementsAre("1", "1", "0", "100", "10123", "0", "18446744073709551615", "1", "2"));
    EXPECT_THAT(untimed(files["added_to_book"][2]),
                ElementsAre("3", "1", "0", "60", "10120", "0", "18446744073709551615", "1", "3"));
    EXPECT_THAT(files["removed_from_book"],
                ElementsAre(ElementsAre("ts", "orderID"), SizeIs(2), SizeIs(2)));
    EXPECT_THAT(untimed(files["removed_from_book"][2]), ElementsAre("3"));
    EXPECT_THAT(files["cancelled_orders"],
                ElementsAre(ElementsAre("ts", "clientID", "orderID"), SizeIs(3)));
    EXPECT_THAT(untimed(files["cancelled_orders"][1]), ElementsAre("1", "3"));
    EXPECT_THAT(files["modified_orders"],
                ElementsAre(ElementsAre("ts", "serverClientID", "oldOrderID", "newOrderID",
                                        "newQty", "newPrice", "status", "instrumentID"),
                            SizeIs(8)));
    EXPECT_THAT(untimed(files["modified_orders"][1]),
                ElementsAre("1", "1", "3", "60", "10120", "1", "1"));
    EXPECT_THAT(files["trades"],
                ElementsAre(ElementsAre("ts", "tradeID", "buyerOrderID", "sellerOrderID", "buyerID",
                                        "sellerID", "qty", "price", "timestamp", "instrumentID"),
                            SizeIs(10)));
    auto trade = untimed(files["trades"][1]);
    trade.erase(trade.begin() + 7);
    EXPECT_THAT(trade, ElementsAre("1", "1", "2", "1", "2", "25", "10123", "1"));
    EXPECT_THAT(files["new_connections"],
                ElementsAre(ElementsAre("ts", "fd", "port", "ip0", "ip1", "ip2", "ip3"), SizeIs(7),
                            SizeIs(7), SizeIs(7)));
    EXPECT_EQ(files["new_connections"][1][3], "127");
    ASSERT_THAT(files["disconnects"], SizeIs(1 + 3));
    EXPECT_THAT(files["disconnects"][0], ElementsAre("ts", "fd"));
    EXPECT_NE(files["disconnects"][1][1], "0");
}

// As in the original, each message has its own times, even if one read returned several.
TEST_F(TheClassicLogs, TellMessagesOfOneReadApart) {
    constexpr std::size_t k_orders = 50;
    for (const char* wiring : {"inline", "pipelined"}) {
        SCOPED_TRACE(wiring);
        std::filesystem::remove_all(data_);
        serve({"--timing", "1", "--classic-logs", "--wiring", wiring});
        {
            Trader trader{server_->port()};
            trader.order_at_once(k_orders);
            EXPECT_THAT(trader.answer(k_orders * k_ack_bytes), SizeIs(k_orders * k_ack_bytes));
        }
        EXPECT_EQ(server_->terminate(), 0);
        const auto run = run_folder() / "classic";
        std::vector<std::uint64_t> received;
        for (const auto& row : rows_of(run / "recv_messages.csv"))
            if (row[3] == "10") received.push_back(std::stoull(row[0]));
        ASSERT_THAT(received, SizeIs(k_orders));
        EXPECT_TRUE(std::ranges::is_sorted(received, std::less_equal{})) << "two at one instant";
        const auto timings = rows_of(run / "timings.csv");
        ASSERT_GE(timings.size(), 1U + 2U);
        std::uint64_t last = 0;
        for (const auto& row : timings) {
            if (row[0] != "10") continue;
            EXPECT_GE(std::stoull(row[1]), last) << "began before the one ahead of it was decoded";
            last = std::stoull(row[2]);
        }
    }
}

// The date as the client wrote it, though version 1 does not enforce it; and each modify that was
// answered, regardless of who refused it.
TEST_F(TheClassicLogs, HaveDatesAndRefusedModifies) {
    serve({"--classic-logs"});
    {
        Trader trader{server_->port()};
        const auto answered = [&] { EXPECT_THAT(trader.answer(k_ack_bytes), SizeIs(k_ack_bytes)); };
        trader.order(0, 100, 10'123, 4'711);
        answered();
        trader.modify(1, 60, 10'120);
        answered();
        trader.modify(99, 5, 10'000);
        answered();
        trader.repeat_number();
        trader.modify(2, 6, 10'001);
        answered();
        trader.take_name(77);
        trader.modify(2, 7, 10'002);
        answered();
    }
    EXPECT_EQ(server_->terminate(), 0);
    const auto run = run_folder() / "classic";
    const auto added = rows_of(run / "added_to_book.csv");
    ASSERT_THAT(added, SizeIs(1 + 2));
    EXPECT_THAT(untimed(added[1]),
                ElementsAre("1", "1", "0", "100", "10123", "0", "4711", "1", "2"));
    EXPECT_THAT(untimed(added[2]),
                ElementsAre("2", "1", "0", "60", "10120", "0", "4711", "1", "3"));
    const auto modified = rows_of(run / "modified_orders.csv");
    ASSERT_THAT(modified, SizeIs(1 + 4));
    EXPECT_THAT(untimed(modified[1]), ElementsAre("1", "1", "2", "60", "10120", "1", "1"));
    EXPECT_THAT(untimed(modified[2]), ElementsAre("1", "99", "0", "5", "10000", "3", "1"))
        << "not found";
    EXPECT_THAT(untimed(modified[3]), ElementsAre("1", "2", "0", "6", "10001", "5", "1"))
        << "out of order";
    EXPECT_THAT(untimed(modified[4]), ElementsAre("1", "2", "0", "7", "10002", "2", "1"))
        << "in another's name";
}

}  // namespace
}  // namespace damrak::serve_classic_logs_test
