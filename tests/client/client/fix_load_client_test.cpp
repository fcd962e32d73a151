// A FIX client of a load run against a session of the other side with a small market, bytes handed
// over by the test.
#include <damrak/client/fix_load_client.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_market.hpp"

namespace damrak::client::fix_load_client_test {
namespace {

using session::fix::MemoryStore;
using ::testing::HasSubstr;

struct LoadWorld {
    using Exchange = session::fix::Session<testing::FixMarket, MemoryStore>;

    explicit LoadWorld(LoadSettings wanted = {}) : settings(wanted) {
        exchange_settings.name = {.begin_string = settings.fix_version,
                                  .sender_comp_id = "DAMRAK",
                                  .target_comp_id = "CLIENT3"};
        exchange = std::make_unique<Exchange>(market, store, tools, exchange_settings);
        exchange->connect(out, calendar());
        client = std::make_unique<FixLoadClient>(settings, tally, 3);
        give(client->hello(bytes, steady_ns()));
        hear();
    }

    static std::int64_t steady_ns() {
        const auto now = std::chrono::steady_clock::now();  // real time: the client reads it
        return now.time_since_epoch() / std::chrono::nanoseconds{1};
    }
    static Timestamp calendar() {
        const auto now = std::chrono::system_clock::now();  // real time: of its messages
        return Timestamp{now.time_since_epoch() / std::chrono::nanoseconds{1}};
    }
    void give(std::size_t length) {
        EXPECT_EQ(exchange->receive(std::span{bytes}.first(length), calendar()).consumed_bytes,
                  length);
    }
    void hear() {
        const auto all = out.readable();
        EXPECT_EQ(client->receive(all, steady_ns()).consumed_bytes, all.size());
        out.consume(all.size());
    }
    /// Fills the window with requests; returns their number.
    int fill() {
        int count = 0;
        while (const std::size_t length = client->request(bytes, steady_ns())) {
            give(length);
            ++count;
        }
        return count;
    }
    void run(int rounds) {
        for (int i = 0; i < rounds; ++i) {
            fill();
            hear();
        }
    }

    LoadSettings settings;
    LoadTally tally{.recording = true};
    testing::FixMarket market;
    MemoryStore store;
    session::fix::SessionTools tools;
    session::fix::SessionSettings exchange_settings;
    std::vector<std::byte> memory = std::vector<std::byte>(1 << 20U);
    session::OutputBuffer out{memory};
    std::unique_ptr<Exchange> exchange;
    std::unique_ptr<FixLoadClient> client;
    std::array<std::byte, 4'096> bytes{};
};

TEST(FixLoadClient, LogsOnAndFillsItsWindow) {
    LoadWorld world{{.window = 5, .mix = {100, 0, 0}}};
    EXPECT_TRUE(world.client->logged_in());
    EXPECT_EQ(world.fill(), 5);
    EXPECT_EQ(world.client->outstanding(), 5U);
    world.hear();
    EXPECT_EQ(world.client->outstanding(), 0U);
    EXPECT_EQ(world.fill(), 5);
}

TEST(FixLoadClient, FollowsItsOrdersThroughCancelsAndReplacesInAllVersions) {
    using fix_codec::BeginString;
    for (const BeginString version :
         {BeginString::fix42, BeginString::fix44, BeginString::fixt11}) {
        SCOPED_TRACE(fix_codec::text(version));
        LoadWorld world{{.window = 8, .mix = {50, 30, 20}, .verify = true, .fix_version = version}};
        world.run(500);
        EXPECT_EQ(world.tally.errors(), 0U) << world.tally.first_error;
        EXPECT_EQ(world.tally.all_answers,
                  world.tally.asked[0] + world.tally.asked[1] + world.tally.asked[2]);
        EXPECT_EQ(world.market.orders, world.tally.asked[0]);
        EXPECT_EQ(world.market.cancels + world.market.replaces + world.tally.not_found,
                  world.tally.asked[1] + world.tally.asked[2]);
        EXPECT_EQ(world.tally.not_found, world.market.not_found);
        EXPECT_EQ(world.tally.trade_messages, world.market.fills);
        EXPECT_EQ(world.client->live_orders(), world.market.resting());
        EXPECT_GT(world.market.replaces, 100U);
        EXPECT_EQ(world.tally.latency_ns[0].count(), world.tally.asked[0]);
    }
}

TEST(FixLoadClient, GoesOnWithAnOrderWhoseReplaceCameTooLate) {
    LoadWorld world{{.window = 8, .mix = {50, 20, 30}, .verify = true}};
    world.market.late_every = 3;
    world.run(300);
    EXPECT_GT(world.market.late, 50U);
    EXPECT_EQ(world.tally.errors(), 0U) << world.tally.first_error;
    EXPECT_EQ(world.tally.not_found, world.market.not_found + world.market.late);
    EXPECT_EQ(world.client->live_orders(), world.market.resting());
    world.client->end();
    world.run(200);
    EXPECT_EQ(world.market.resting(), 0U) << "those too are cancelled at the end";
}

TEST(FixLoadClient, CancelsWhatIsLiveAtTheEndAndLogsOut) {
    LoadWorld world;
    world.run(50);
    EXPECT_GT(world.market.resting(), 0U);
    world.client->end();
    world.run(200);
    EXPECT_EQ(world.market.resting(), 0U);
    EXPECT_TRUE(world.client->ended());
    EXPECT_FALSE(world.client->broken());
    world.client->close();
    EXPECT_EQ(world.tally.errors(), 0U) << world.tally.first_error;
}

TEST(FixLoadClient, CountsWhatIsRefused) {
    LoadWorld world{{.window = 1, .mix = {100, 0, 0}}};
    world.market.refuse_all = true;
    world.run(3);
    EXPECT_EQ(world.tally.refused, 3U);
    EXPECT_EQ(world.tally.first_error, "client 3: order 1 was refused: closed for today");
    EXPECT_EQ(world.client->outstanding(), 0U);
}

TEST(FixLoadClient, ReportsWhatWasNeverAnswered) {
    LoadWorld world{{.window = 4, .mix = {100, 0, 0}}};
    EXPECT_EQ(world.fill(), 4);
    world.client->close();
    EXPECT_EQ(world.tally.unanswered, 4U);
    EXPECT_THAT(world.tally.first_error, HasSubstr("no answer to ClOrdID 1"));
}

TEST(FixLoadClient, IsBrokenWhenTheOtherSideEndsTheSession) {
    LoadWorld world;
    world.exchange->logout("closing", LoadWorld::calendar());
    world.hear();
    EXPECT_TRUE(world.client->broken());
    EXPECT_THAT(world.tally.first_error, HasSubstr("logged out: closing"));
}

TEST(FixLoadClient, SaysHeartbeatsWhenThereIsNothingElseToSay) {
    LoadWorld world;
    const std::int64_t later_ns = LoadWorld::steady_ns() + 31'000'000'000;
    const std::size_t length = world.client->heartbeat(world.bytes, later_ns);
    const std::string said{reinterpret_cast<const char*>(world.bytes.data()), length};
    EXPECT_THAT(said, HasSubstr("\x01"
                                "35=0\x01"));
}

}  // namespace
}  // namespace damrak::client::fix_load_client_test
