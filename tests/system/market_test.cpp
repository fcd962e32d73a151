// The market of `damrak serve`: the L2 multicast and the demo market.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/client/order_entry.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/market_listener.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::market_test {
namespace {

using client::L2Receiver;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::hello;
using testing::MarketListener;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
using testing::ScratchFolder;
using wire::binary::FeedLevel;
using wire::binary::Version;

constexpr InstrumentId k_first{1};
constexpr std::uint32_t k_instruments = 4;
constexpr std::uint64_t k_wrong_key = 3;

// A client of version 2 that waits for each answer.
class Trader {
  public:
    explicit Trader(const RunningServer& server) : socket_(server.port()) {
        entry_.login();
        exchange(32);
    }
    std::uint32_t enter(Side side, std::uint64_t quantity, std::int64_t price_e2) {
        const std::uint32_t number = entry_.enter(k_first, side, quantity, price_e2);
        exchange(72);
        return number;
    }
    void cancel(std::uint32_t number) {
        EXPECT_TRUE(entry_.cancel(number));
        exchange(48);
    }

  private:
    void exchange(std::size_t answer_bytes) {
        socket_.send(entry_.unsent());
        entry_.mark_sent(entry_.unsent().size());
        EXPECT_EQ(entry_.receive(socket_.receive(answer_bytes)), wire::binary::Fault::none);
        EXPECT_EQ(entry_.pending(), 0U);
    }

    RawClient socket_;
    client::OrderEntry entry_{Version::v2};
};

class ServeMarket : public ::testing::Test {
  protected:
    [[nodiscard]] RunningServer serve(std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--only", "l2", "--l2-port", "0"});
        return RunningServer{data_, log_, more};
    }
    static std::uint16_t l2_port(const RunningServer& server) {
        return nlohmann::json::parse(server.ready_line())["ports"]["l2"].get<std::uint16_t>();
    }
    // Whether every instrument's book was published and is empty.
    static bool all_empty(const L2Receiver& books) {
        for (std::uint32_t id = 1; id <= k_instruments; ++id) {
            const auto* const book = books.book(InstrumentId{id});
            if (book == nullptr || !book->valid) return false;
            if (!book->side(Side::buy).empty() || !book->side(Side::sell).empty()) return false;
        }
        return true;
    }

    /// Files of the data directory that are called so.
    [[nodiscard]] int snapshots(std::string_view suffix) const {
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator{data_})
            count += entry.path().filename().string().ends_with(suffix) ? 1 : 0;
        return count;
    }

    const ScratchFolder folder_;
    const std::string data_ = folder_ / "data";
    const std::string log_ = folder_ / "log";
};

TEST_F(ServeMarket, TheFeedHasTheBookAlsoAfterAnotherStart) {
    {
        RunningServer server = serve();
        MarketListener listener{l2_port(server)};
        EXPECT_TRUE(listener.hears(all_empty)) << "a quiet market";
        Trader trader{server};
        trader.enter(Side::buy, 100, 10'123);
        const std::uint32_t second = trader.enter(Side::buy, 50, 10'120);
        trader.enter(Side::sell, 7, 10'130);
        EXPECT_THAT(listener.side(k_first, Side::buy, 2),
                    ElementsAre(FeedLevel{10'123, 100}, FeedLevel{10'120, 50}));
        EXPECT_THAT(listener.side(k_first, Side::sell, 1), ElementsAre(FeedLevel{10'130, 7}));
        trader.cancel(second);
        EXPECT_THAT(listener.side(k_first, Side::buy, 1), ElementsAre(FeedLevel{10'123, 100}));
        EXPECT_EQ(listener.books().counters().gaps, 0U);
        EXPECT_EQ(listener.books().counters().faults, 0U);
        server.kill();
    }
    RunningServer again = serve();
    MarketListener listener{l2_port(again)};
    EXPECT_THAT(listener.side(k_first, Side::buy, 1), ElementsAre(FeedLevel{10'123, 100}));
    EXPECT_THAT(listener.side(k_first, Side::sell, 1), ElementsAre(FeedLevel{10'130, 7}));
    EXPECT_EQ(again.terminate(), 0);
}

// Own orders do not trade with each other, and yet nobody sees them stand crossed or locked.
TEST_F(ServeMarket, TheFeedIsNotCrossedByTheOrdersOfOneParticipant) {
    for (const std::string wiring : {"inline", "pipelined"}) {
        const std::string data = data_ + wiring;
        std::uint32_t ask = 0;
        {
            RunningServer server{
                data, log_, {"--wiring", wiring, "--only", "l2", "--l2-port", "0"}};
            MarketListener listener{l2_port(server)};
            Trader trader{server};
            ask = trader.enter(Side::sell, 10, 5'000);
            trader.enter(Side::buy, 10, 5'100);
            trader.enter(Side::buy, 10, 5'000);
            trader.enter(Side::buy, 10, 4'990);
            EXPECT_THAT(listener.side(k_first, Side::buy, 1), ElementsAre(FeedLevel{4'990, 10}));
            EXPECT_THAT(listener.side(k_first, Side::sell, 1), ElementsAre(FeedLevel{5'000, 10}));
            trader.cancel(ask);
            EXPECT_THAT(
                listener.side(k_first, Side::buy, 3),
                ElementsAre(FeedLevel{5'100, 10}, FeedLevel{5'000, 10}, FeedLevel{4'990, 10}));
            trader.enter(Side::sell, 5, 4'995);
            EXPECT_THAT(
                listener.side(k_first, Side::buy, 3),
                ElementsAre(FeedLevel{5'100, 10}, FeedLevel{5'000, 10}, FeedLevel{4'990, 10}));
            server.kill();
        }
        RunningServer again{data, log_, {"--wiring", wiring, "--only", "l2", "--l2-port", "0"}};
        MarketListener listener{l2_port(again)};
        EXPECT_TRUE(listener.hears([](const L2Receiver& books) {
            const auto* const book = books.book(k_first);
            return book != nullptr && book->valid && book->side(Side::buy).size() == 3;
        }));
        EXPECT_TRUE(listener.books().book(k_first)->side(Side::sell).empty());
        EXPECT_EQ(again.terminate(), 0);
    }
}

// A disk so slow that the sync of the snapshot does not end before the test allows it.
TEST_F(ServeMarket, TheFeedGoesOnWhileASnapshotIsWritten) {
    const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
    const std::string library = program.parent_path() / "tests" / "failing_sync.so";
    if (!std::filesystem::exists(library)) GTEST_SKIP() << "the sanitizers do not allow it";
    const std::string slow = folder_ / "slow";
    const std::string config = folder_.write("exchange.toml", "[journal]\nsnapshot_every = 20\n");
    RunningServer server{data_,
                         log_,
                         {"--config", config, "--only", "l2", "--l2-port", "0"},
                         {"LD_PRELOAD=" + library, "DAMRAK_SYNC_WAITS_IF=" + slow}};
    MarketListener listener{l2_port(server)};
    EXPECT_TRUE(listener.hears(all_empty));
    std::ofstream{slow} << "as long as this is here";
    Trader trader{server};
    for (int i = 0; i < 20; ++i) trader.enter(Side::buy, 1, 10'000);
    EXPECT_TRUE(testing::eventually([this] { return snapshots(".snap.new") == 1; }));
    trader.enter(Side::buy, 5, 10'001);
    const L2Receiver::Levels bids{{10'001, 5}, {10'000, 20}};
    EXPECT_TRUE(listener.hears(
        [&bids](const L2Receiver& books) { return books.book(k_first)->side(Side::buy) == bids; }));
    EXPECT_EQ(snapshots(".snap"), 0) << "it is still being written";
    EXPECT_EQ(listener.books().counters().gaps, 0U);
    std::filesystem::remove(slow);
    EXPECT_TRUE(testing::eventually([this] { return snapshots(".snap") > 0; }));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_F(ServeMarket, TheDemoMarketTradesAndLeavesNothingBehind) {
    {
        RunningServer server = serve({"--demo-market", "--only", "itch", "--itch-port", "0"});
        MarketListener listener{l2_port(server)};
        EXPECT_TRUE(listener.hears([](const L2Receiver& books) {
            for (std::uint32_t id = 1; id <= k_instruments; ++id) {
                const auto* const book = books.book(InstrumentId{id});
                if (book == nullptr || !book->valid || book->side(Side::buy).size() < 5 ||
                    book->side(Side::sell).size() < 5)
                    return false;
            }
            return true;
        })) << "five prices a side, of every instrument";
        // Some of what is shown is taken.
        EXPECT_TRUE(
            listener.hears([](const L2Receiver& books) { return books.counters().deltas > 100; }));
        EXPECT_EQ(server.terminate(), 0);
    }
    const auto verified = run_program({"journal", "verify", data_, "--json"});
    EXPECT_EQ(nlohmann::json::parse(verified.out)["ok"], true);
    RunningServer quiet = serve();
    MarketListener listener{l2_port(quiet)};
    EXPECT_TRUE(listener.hears(all_empty));
}

TEST_F(ServeMarket, TheDemoMarketIsLetInWhereOnlyKeysAreAlsoAfterAReload) {
    const std::string file = folder_ / "exchange.toml";
    std::ofstream{file} << "[[participants]]\nid = 3\napi_key = \"three\"\n";
    RunningServer server =
        serve({"--demo-market", "--config", file, "--only", "itch", "--itch-port", "0"});
    MarketListener listener{l2_port(server)};
    const auto quoted = [](const L2Receiver& books) {
        for (std::uint32_t id = 1; id <= k_instruments; ++id) {
            const auto* const book = books.book(InstrumentId{id});
            if (book == nullptr || !book->valid || book->side(Side::buy).size() < 5) return false;
        }
        return true;
    };
    EXPECT_TRUE(listener.hears(quoted));
    EXPECT_EQ(hello(RawClient{server.port()}).status, k_wrong_key) << "nobody else comes in by it";
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("reloaded"), HasSubstr("reloaded     0 commands; 1 API key"));
    const std::uint64_t deltas = listener.books().counters().deltas;
    EXPECT_TRUE(listener.hears(
        [&](const L2Receiver& books) { return books.counters().deltas > deltas + 50; }));
    EXPECT_EQ(server.terminate(), 0);
    EXPECT_THAT(testing::content_of(log_), ::testing::Not(HasSubstr("login refused")));
}

TEST_F(ServeMarket, TheGatewayStaysClosedUnlessItIsAskedFor) {
    RunningServer server{data_, log_, {"--l2-port", "9001"}};
    EXPECT_THAT(server.ready_line(), ::testing::Not(HasSubstr("l2")));
}

}  // namespace
}  // namespace damrak::market_test
