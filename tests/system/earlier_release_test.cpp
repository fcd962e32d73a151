// The program over the data directory that release 9a086a3 left at a graceful stop
// (tests/journal/golden/stop_9a086a3, which says what is in it): books, accounts, sessions and
// senders are there, trading goes on, and later starts replay what came then.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_udp.hpp"
#include "support/fix_client.hpp"
#include "support/golden_folder.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FixClient;
using testing::get;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RawUdp;
using testing::RunningServer;

class EarlierRelease : public ::testing::TestWithParam<const char*> {
  protected:
    EarlierRelease() {
        testing::unpack("tests/journal/golden/stop_9a086a3", data_);
        client_1_.go_on_with(15, 15);
        client_2_.go_on_with(5, 5);
    }

    [[nodiscard]] std::vector<std::string> arguments() const {
        // The directory's last record may be far from the time of the test.
        return {"--only", "fix,binary,udp", "--accept-clock", "--wiring", GetParam()};
    }
    void start() {
        server_.reset();
        log_ = folder_ / fmt::format("log_{}", ++starts_);
        server_ = std::make_unique<RunningServer>(data_.string(), log_.string(), arguments());
        sender_.aim_at(server_->udp_port());
    }
    /// The next report, as "ClOrdID OrdStatus open done price of this trade".
    static std::string report(FixClient& client) {
        auto message = client.receive();
        if (!message) return "nothing";
        std::string line = fmt::format("{} {} {} {}", (*message)[11], (*message)[39],
                                       (*message)[151], (*message)[14]);
        if (!(*message)[31].empty()) line += " at " + (*message)[31];
        return line;
    }
    static std::vector<std::string> reports(FixClient& client, int count) {
        std::vector<std::string> lines;
        for (int i = 0; i < count; ++i) lines.push_back(report(client));
        return lines;
    }
    static std::vector<std::string> open_orders(FixClient& client, int count) {
        client.send("35=AF|584=m|585=7");
        return reports(client, count);
    }
    static void enter(FixClient& client, std::string_view name, std::string_view symbol, char side,
                      int quantity, std::string_view price) {
        client.send(fmt::format("35=D|11={}|55={}|54={}|60=20260302-09:00:00|38={}|40=2|44={}|59=3",
                                name, symbol, side, quantity, price));
    }

    void expect_trades_of_the_sender() const {
        const auto sold = sender_.receive();
        ASSERT_TRUE(sold);
        EXPECT_EQ(get(*sold, 24, 8), 502U);
        const auto bought = sender_.receive();
        ASSERT_TRUE(bought);
        EXPECT_EQ(get(*bought, 24, 8), 501U);
        EXPECT_EQ(get(*bought, 56, 4), 190U) << "still open";
        sender_.send(testing::extended(
            {.sequence = 5, .id = 503, .price = 9'500, .quantity = 50, .side = 1}));
        const auto again = sender_.receive();
        ASSERT_TRUE(again);
        EXPECT_EQ(get(*again, 18, 1), 200U) << "duplicate number";
    }
    /// By a replay of what came behind the earlier release's snapshot, and from one of today.
    void expect_the_same_after_restarts() {
        server_->kill();
        start();
        ASSERT_NE(server_->fix_port(), 0) << testing::content_of(log_);
        EXPECT_THAT(testing::content_of(log_), HasSubstr("converted"));
        ASSERT_TRUE(client_1_.connect(server_->fix_port()));
        const auto left =
            ElementsAre("after 0 25 0", "stoplimit 0 45 0", "dated 0 60 0", "plain 0 70 0");
        EXPECT_THAT(open_orders(client_1_, 4), left);
        EXPECT_EQ(server_->terminate(), 0);

        start();
        EXPECT_THAT(testing::content_of(log_), Not(HasSubstr("converted")))
            << "the stop left a snapshot of today";
        ASSERT_TRUE(client_1_.connect(server_->fix_port()));
        EXPECT_THAT(open_orders(client_1_, 4), left);
        EXPECT_EQ(server_->terminate(), 0);
        const auto verified = testing::run_program({"journal", "verify", data_.string()});
        EXPECT_EQ(verified.exit_code, 0) << verified.err;
    }

    testing::ScratchFolder folder_;
    std::filesystem::path data_ = folder_ / "data";
    std::filesystem::path log_;
    int starts_ = 0;
    std::unique_ptr<RunningServer> server_;
    FixClient client_1_{"FIX.4.4", "CLIENT1"};
    FixClient client_2_{"FIX.4.4", "CLIENT2"};
    RawUdp sender_{1, "127.0.0.1", "127.99.3.7", 26'999};
};

INSTANTIATE_TEST_SUITE_P(Wirings, EarlierRelease, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

TEST_P(EarlierRelease, IsGoneOnFrom) {
    start();
    ASSERT_NE(server_->fix_port(), 0) << testing::content_of(log_);
    EXPECT_THAT(testing::content_of(log_), HasSubstr("it is of rules version 1: converted"));
    ASSERT_TRUE(client_1_.connect(server_->fix_port()));
    EXPECT_THAT(reports(client_1_, 2),
                ElementsAre("iceberg 1 400 100 at 101", "iceberg 1 385 115 at 101"))
        << "of the earlier run, as it asks for what it has not had";
    EXPECT_THAT(open_orders(client_1_, 10),
                ElementsAre("between 0 15 0", "after 0 25 0", "held 0 1000 0", "stoplimit 0 45 0",
                            "stop 0 40 0", "dated 0 60 0", "passive 0 80 0", "hidden 0 90 0",
                            "iceberg 1 385 115", "plain 0 70 0"));
    ASSERT_TRUE(client_2_.connect(server_->fix_port()));
    EXPECT_THAT(reports(client_2_, 2), ElementsAre("small 2 0 35 at 100.2", "under 0 33 0"));
    EXPECT_THAT(open_orders(client_2_, 2), ElementsAre("under 0 33 0", "freed 1 50 50"));

    // An order that could not trade under the earlier rules trades with the next order of its book.
    FixClient taker{"FIX.4.4", "TAKER"};
    ASSERT_TRUE(taker.connect(server_->fix_port()));
    enter(taker, "a", "EURX", '1', 1, "50");
    EXPECT_THAT(reports(taker, 2), ElementsAre("a 0 1 0", "a 4 0 0"));
    EXPECT_EQ(report(client_2_), "freed 1 35 65 at 110");
    EXPECT_EQ(report(client_1_), "between 2 0 15 at 110");
    enter(taker, "b", "MSFT", '2', 5, "50.2");
    EXPECT_THAT(reports(taker, 2), ElementsAre("b 0 5 0", "b 2 0 5 at 50.5"));
    // The whole book of AAPL, up and down.
    enter(taker, "c", "AAPL", '1', 1'000, "105");
    EXPECT_THAT(
        reports(taker, 10),
        ElementsAre("c 0 1000 0", "c 1 967 33 at 100.3", "c 1 882 118 at 101", "c 1 782 218 at 101",
                    "c 1 682 318 at 101", "c 1 582 418 at 101", "c 1 492 508 at 101.5",
                    "c 1 412 588 at 102", "c 1 292 708 at 105", "c 4 0 708"));
    EXPECT_EQ(report(client_2_), "under 2 0 33 at 100.3");
    EXPECT_THAT(reports(client_1_, 7),
                ElementsAre("iceberg 1 300 200 at 101", "iceberg 1 200 300 at 101",
                            "iceberg 1 100 400 at 101", "iceberg 2 0 500 at 101",
                            "hidden 2 0 90 at 101.5", "passive 2 0 80 at 102", "stop 4 0 0"));
    enter(taker, "d", "AAPL", '2', 1'100, "99.4");
    EXPECT_THAT(reports(taker, 3),
                ElementsAre("d 0 1100 0", "d 1 100 1000 at 100.5", "d 2 0 1100 at 99.5"));
    EXPECT_EQ(report(client_1_), "held 2 0 1000 at 100.5");

    expect_trades_of_the_sender();
    expect_the_same_after_restarts();
}

TEST_P(EarlierRelease, IsRefusedWithoutTheSnapshotOfItsEnd) {
    std::filesystem::remove(data_ / "snapshot-00000000000000000046.snap");
    std::vector<std::string> serve{"serve", "--data", data_.string(), "--binary-port",
                                   "0",     "--only", "binary"};
    for (const std::string& argument : arguments()) serve.push_back(argument);
    const auto refused = testing::run_program(serve);
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_THAT(refused.err, AllOf(HasSubstr("records from 1 on are of rules version 1"),
                                   HasSubstr("stop it with SIGTERM")));
    EXPECT_TRUE(std::filesystem::exists(data_ / "journal-00000000000000005441.seg"));
}

}  // namespace
}  // namespace damrak
