// What `damrak serve` tells of itself: over HTTP, on a signal, and in the directory of its run.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/wire/binary/encode.hpp>

#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using testing::Bytes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;
using ::testing::SizeIs;
using ::testing::StartsWith;
using wire::binary::Version;

// A client of version 1 that counts its messages and forgets the answers.
class Trader {
  public:
    explicit Trader(std::uint16_t port) : client_(port) {
        send(wire::binary::Hello{});
        id_ = {std::to_integer<std::uint64_t>(answer(32)[23])};
    }
    template <class M>
    void send(const M& message) {
        Bytes bytes(wire::binary::frame_length<M>(Version::v1));
        encode(Version::v1, {.client = ++sequence_, .server = 0}, message, bytes);
        client_.send(bytes);
    }
    void order(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2,
               std::uint64_t good_till_us = UINT64_MAX) {
        send(wire::binary::NewOrder{.client_id = id_,
                                    .instrument = {1},
                                    .side = side,
                                    .quantity = quantity,
                                    .price_e2 = price_e2,
                                    .good_till_us = good_till_us});
    }
    void modify(std::uint64_t order, std::uint64_t quantity, std::uint64_t price_e2) {
        send(wire::binary::ModifyOrder{
            .client_id = id_, .order_id = {order}, .quantity = quantity, .price_e2 = price_e2});
    }
    /// The next message has the number of the last one.
    void repeat_number() { --sequence_; }
    void take_name(std::uint64_t client) { id_ = {client}; }
    void cancel(std::uint64_t order) {
        send(wire::binary::CancelOrder{.client_id = id_, .order_id = {order}});
    }
    void log_out() { send(wire::binary::Logout{.client_id = id_}); }
    Bytes answer(std::size_t bytes) const { return client_.receive(bytes); }

  private:
    RawClient client_;
    wire::binary::ClientId id_{};
    std::uint32_t sequence_ = 0;
};

constexpr std::size_t k_ack_bytes = 64;
constexpr std::size_t k_trade_bytes = 64;
constexpr std::size_t k_cancel_ack_bytes = 40;
constexpr std::size_t k_logout_ack_bytes =
    wire::binary::frame_length<wire::binary::LogoutAck>(Version::v1);

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(file, line);) {
        std::istringstream cells{line};
        rows.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    return rows;
}

// Without the first column, which is a time.
std::vector<std::string> untimed(const std::vector<std::string>& row) {
    return {row.begin() + 1, row.end()};
}

class ServeTelemetry : public ::testing::Test {
  protected:
    void serve(std::vector<std::string> arguments) {
        server_ = std::make_unique<RunningServer>(data_, log_, std::move(arguments));
        const auto ready = nlohmann::json::parse(server_->ready_line(), nullptr, false);
        if (ready.is_object() && ready["ports"].contains("http"))
            http_ = ready["ports"]["http"].get<std::uint16_t>();
    }
    [[nodiscard]] std::string get(std::string_view target) const {
        const RawClient client{http_};
        const std::string request =
            "GET " + std::string{target} + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        client.send(std::as_bytes(std::span{request}));
        std::string answer;
        for (const std::byte b : client.receive(1'000'000))
            answer += static_cast<char>(std::to_integer<unsigned char>(b));
        return answer;
    }
    // Counters are shown a little later: asks until the page says so.
    [[nodiscard]] std::string get_until(std::string_view target, std::string_view text) const {
        std::string page;
        for (int tries = 0; tries < 200; ++tries) {
            page = get(target);
            if (page.find(text) != std::string::npos) break;
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
        return page;
    }
    // Client 1 bids 100 at 101.23, client 2 sells 25 to it; client 1 changes and cancels the rest.
    void trade_a_little() const {
        Trader first{server_->port()};
        Trader second{server_->port()};
        first.order(0, 100, 10'123);
        ASSERT_THAT(first.answer(k_ack_bytes), SizeIs(k_ack_bytes));
        second.order(1, 25, 10'100);
        ASSERT_THAT(second.answer(k_ack_bytes + k_trade_bytes), SizeIs(128));
        ASSERT_THAT(first.answer(k_trade_bytes), SizeIs(k_trade_bytes));
        first.modify(1, 60, 10'120);
        ASSERT_THAT(first.answer(k_ack_bytes), SizeIs(k_ack_bytes));
        first.cancel(3);
        ASSERT_THAT(first.answer(k_cancel_ack_bytes), SizeIs(k_cancel_ack_bytes));
    }
    [[nodiscard]] std::filesystem::path run_folder() const {
        const std::filesystem::directory_iterator runs{folder_ / "data/runs"};
        return runs == std::filesystem::directory_iterator{} ? "" : runs->path();
    }

    ScratchFolder folder_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::unique_ptr<RunningServer> server_;
    std::uint16_t http_ = 0;
};

TEST_F(ServeTelemetry, IsWatchedOverHttp) {
    serve({"--only", "http", "--http-port", "0", "--timing", "1"});
    ASSERT_NE(http_, 0);
    trade_a_little();
    const std::string metrics =
        get_until("/metrics", "damrak_messages_total{request=\"cancel\"} 1\n");
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"new_order\"} 2\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"modify\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_messages_total{request=\"cancel\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_trades_total 1\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_traded_quantity_total 25\n"));
    EXPECT_THAT(metrics, HasSubstr("damrak_up 1\n"));
    const std::string table = get_until("/timing", "cancel    total");
    EXPECT_THAT(table, HasSubstr("new_order internal           2"));
    EXPECT_THAT(table, HasSubstr("cancel    total              1"));
    EXPECT_THAT(get("/timing?format=json"), HasSubstr("\"span\": \"internal\""));
    EXPECT_THAT(get("/health"), StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(get("/health"), HasSubstr("\"status\": \"ok\""));
    EXPECT_THAT(get("/nothing"), StartsWith("HTTP/1.1 404"));
}

TEST_F(ServeTelemetry, TimesTheFixDoorAsTheOther) {
    for (const char* wiring : {"inline", "pipelined"}) {
        SCOPED_TRACE(wiring);
        server_.reset();
        std::filesystem::remove_all(data_);
        std::filesystem::remove(log_);
        serve({"--only", "http,fix", "--http-port", "0", "--timing", "1", "--wiring", wiring});
        testing::FixClient client{"FIX.4.4", "CLIENT"};
        ASSERT_TRUE(client.connect(server_->fix_port()));
        client.send("35=D|11=a|55=TEST|54=1|60=20260302-09:00:00|38=10|40=2|44=10");
        ASSERT_EQ(client.receive().value()[39], "0");
        client.send("35=D|11=b|55=NONE|54=1|60=20260302-09:00:00|38=10|40=2|44=10");
        ASSERT_EQ(client.receive().value()[39], "8") << "told without a command";
        client.send("35=F|41=a|11=c|55=TEST|54=1|60=20260302-09:00:00");
        ASSERT_EQ(client.receive().value()[39], "4");
        const std::string table = get_until("/timing", "cancel    total");
        EXPECT_THAT(table, HasSubstr("new_order internal           2"));
        EXPECT_THAT(table, HasSubstr("new_order total              2"));
        EXPECT_THAT(table, HasSubstr("cancel    total              1"));
        const std::string counted = "damrak_messages_total{request=\"new_order\"} 2\n";
        EXPECT_THAT(get_until("/metrics", counted), HasSubstr(counted));
        EXPECT_THAT(get("/metrics"), HasSubstr("damrak_connections 1\n"));
    }
}

TEST_F(ServeTelemetry, HasNoHttpUnlessThatDoorIsOpen) {
    serve({});
    EXPECT_EQ(http_, 0);
    EXPECT_THAT(server_->ready_line(), Not(HasSubstr("http")));
}

TEST_F(ServeTelemetry, TellsThatThePortIsTaken) {
    serve({"--only", "http", "--http-port", "0"});
    const auto second = run_program({"serve", "--data", folder_ / "other", "--only", "binary,http",
                                     "--binary-port", "0", "--http-port", std::to_string(http_)});
    EXPECT_EQ(second.exit_code, 1);
    EXPECT_THAT(second.err, HasSubstr("cannot listen for HTTP on 127.0.0.1:"));
}

TEST_F(ServeTelemetry, TellsTheTableOnASignalAndGoesOn) {
    serve({"--timing", "1"});
    trade_a_little();
    server_->ask_for_timing();
    EXPECT_THAT(server_->log_with("new_order total"), HasSubstr("new_order internal           2"));
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("new_order internal           4"));
}

TEST_F(ServeTelemetry, KeepsWhatIsKnownOfARun) {
    serve({"--timing", "1", "--event-log"});
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    const auto run = run_folder();
    const auto metadata = nlohmann::json::parse(testing::content_of(run / "metadata.json"));
    EXPECT_EQ(metadata["build"].get<std::string>().empty(), false);
    EXPECT_GT(metadata["clock"]["ns_per_tick"], 0.0);
    EXPECT_GT(metadata["machine"]["processors"], 0);
    EXPECT_EQ(run_program({"serve", "--config", run / "configuration.toml", "--print-config"}).out,
              testing::content_of(run / "configuration.toml"));
    const auto timing = nlohmann::json::parse(testing::content_of(run / "timing.json"));
    std::map<std::string, int> counts;
    for (const auto& row : timing["rows"])
        if (row["span"] == "internal") counts[row["request"]] = row["count"];
    EXPECT_EQ(counts, (std::map<std::string, int>{
                          {"hello", 2}, {"new_order", 2}, {"modify", 1}, {"cancel", 1}}));
    EXPECT_THAT(testing::content_of(run / "timing.hlog"), HasSubstr("Tag=new_order-internal,"));
    EXPECT_TRUE(std::filesystem::exists(run / "hgrm/new_order-internal.hgrm"));
    EXPECT_GE(rows_of(run / "throughput.csv").size(), 2U);
    const auto requests = rows_of(run / "events/requests.csv");
    ASSERT_THAT(requests, SizeIs(1 + 6));
    EXPECT_THAT(untimed(requests[3]), ElementsAre("1", "new_order", "10", "2"));
    EXPECT_THAT(rows_of(run / "events/trades.csv"), SizeIs(1 + 1));
    EXPECT_THAT(rows_of(run / "events/connections_closed.csv"), SizeIs(1 + 2));
    const auto orders = rows_of(run / "events/orders.csv");
    ASSERT_THAT(orders, SizeIs(1 + 4));
    EXPECT_EQ(orders[4][1], "cancelled");
    EXPECT_EQ(orders[4][2], "cancel_order");
}

TEST_F(ServeTelemetry, KeepsTheNewestRunsOnly) {
    const auto old = folder_ / "data/runs/20200101T000000Z-";
    for (const int run : {1, 2, 3})
        std::filesystem::create_directories(old.string() + std::to_string(run));
    serve({"--keep-runs", "2"});
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("2 old ones removed; --keep-runs is 2"));
    EXPECT_FALSE(std::filesystem::exists(old.string() + "2"));
    EXPECT_TRUE(std::filesystem::exists(old.string() + "3"));
    const std::filesystem::directory_iterator runs{folder_ / "data/runs"};
    EXPECT_EQ(std::distance(begin(runs), end(runs)), 2);
}

TEST_F(ServeTelemetry, TimesNothingIfThatIsOff) {
    serve({"--timing", "off"});
    trade_a_little();
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_FALSE(std::filesystem::exists(run_folder() / "timing.json"));
    EXPECT_THAT(testing::content_of(log_), Not(HasSubstr("internal")));
}

TEST_F(ServeTelemetry, WritesTheClassicLogsOfWhatClientsDid) {
    serve({"--timing", "1", "--classic-logs"});
    trade_a_little();
    {
        Trader leaver{server_->port()};
        leaver.log_out();
        ASSERT_THAT(leaver.answer(k_logout_ack_bytes), SizeIs(k_logout_ack_bytes));
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

// The date as the client wrote it, though version 1 does not enforce it; and each modify that was
// answered, whoever refused it.
TEST_F(ServeTelemetry, HasDatesAndRefusedModifiesInTheClassicLogs) {
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

// Whoever talks nonsense to the HTTP port, or holds all its connections, keeps nobody from trading.
TEST_F(ServeTelemetry, TradesOnUnderHostileHttp) {
    serve({"--only", "http", "--http-port", "0"});
    std::vector<std::unique_ptr<RawClient>> crowd;
    const std::string noise(3'000, '\x80');
    for (int i = 0; i < 100; ++i) {
        crowd.push_back(std::make_unique<RawClient>(http_));
        crowd.back()->send(std::as_bytes(std::span{noise}));
    }
    trade_a_little();
    crowd.clear();
    EXPECT_THAT(get_until("/health", "\"ok\""), StartsWith("HTTP/1.1 200"));
    EXPECT_EQ(server_->terminate(), 0);
}

}  // namespace
}  // namespace damrak
