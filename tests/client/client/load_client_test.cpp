// The clients of a load run: what they ask of a real exchange.
#include <damrak/client/load_client.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "support/binary_exchange.hpp"

namespace damrak::client::load_client_test {
namespace {

using namespace wire::binary;
using testing::BinaryExchange;
using testing::Bytes;
using ::testing::HasSubstr;

using Memory = std::array<std::byte, BinaryClient::k_largest_request_bytes>;

/// Load clients that trade with each other at an exchange, in turns.
class Crowd {
  public:
    explicit Crowd(LoadSettings wanted, std::size_t count = 5) : settings(wanted) {
        for (std::size_t i = 0; i < count; ++i) {
            far.push_back(&exchange.connect(settings.version));
            clients.push_back(std::make_unique<LoadClient>(settings, tally, i + 1));
            far[i]->send_bytes(std::span{memory}.first(clients[i]->hello(memory)));
        }
        hear();
    }
    /// Every client fills its window, then all hear the answers.
    void turn() {
        for (std::size_t i = 0; i < clients.size(); ++i)
            while (const std::size_t length = clients[i]->request(memory, now_ns))
                far[i]->send_bytes(std::span{memory}.first(length));
        hear();
    }
    void hear() {
        now_ns += 1'000;
        for (std::size_t i = 0; i < clients.size(); ++i) {
            const Bytes bytes = far[i]->heard_bytes();
            clients[i]->receive(bytes, now_ns);
        }
    }

    BinaryExchange exchange;
    LoadSettings settings;
    LoadTally tally{};
    std::vector<testing::BinaryClient*> far{};
    std::vector<std::unique_ptr<LoadClient>> clients{};
    Memory memory{};
    std::int64_t now_ns = 0;
};

LoadSettings verifying() {
    LoadSettings settings;
    settings.verify = true;
    settings.maximum_quantity = 20;
    return settings;
}

struct Protocol {
    const char* name;
    Version version;
    bool capture;
};
class LoadClientOf : public ::testing::TestWithParam<Protocol> {
  protected:
    static LoadSettings settings() {
        LoadSettings settings = verifying();
        settings.version = GetParam().version;
        settings.capture = GetParam().capture;
        return settings;
    }
};
INSTANTIATE_TEST_SUITE_P(Protocols, LoadClientOf,
                         ::testing::Values(Protocol{"V1", Version::v1, false},
                                           Protocol{"Capture", Version::v1, true},
                                           Protocol{"V2", Version::v2, false}),
                         [](const auto& test) { return std::string{test.param.name}; });

TEST_P(LoadClientOf, FindsNothingWrongWithTheExchange) {
    Crowd crowd{settings()};
    crowd.tally.recording = true;
    for (int i = 0; i < 500; ++i) crowd.turn();
    EXPECT_EQ(crowd.tally.errors(), 0U) << crowd.tally.first_error;
    EXPECT_GT(crowd.tally.trade_messages, 1'000U);
    for (const Histogram& kind : crowd.tally.latency_ns) {
        EXPECT_GT(kind.count(), 500U);
        EXPECT_EQ(kind.max(), 1'000U);  // asked in one turn, answered at its end
    }
    EXPECT_GT(crowd.tally.not_found, 0U);
}

LoadSettings only_new_orders() {
    LoadSettings settings = verifying();
    settings.mix = {1, 0, 0};
    return settings;
}

TEST(LoadClient, AsksNoMoreThanItsWindow) {
    Crowd crowd{only_new_orders(), 1};
    Memory memory{};
    LoadClient& client = *crowd.clients[0];
    std::size_t asked = 0;
    while (client.request(memory, 0) > 0) asked += 1;
    EXPECT_EQ(asked, verifying().window);
    EXPECT_EQ(client.outstanding(), verifying().window);
}

TEST(LoadClient, CancelsNothingBeforeItsFirstOrderIsAccepted) {
    LoadSettings settings = verifying();
    settings.mix = {1, 1, 0};
    Crowd crowd{settings, 1};
    Memory memory{};
    LoadClient& client = *crowd.clients[0];
    while (const std::size_t length = client.request(memory, 0))
        crowd.far[0]->send_bytes(std::span{memory}.first(length));
    EXPECT_LT(client.outstanding(), settings.window);
    crowd.hear();
    EXPECT_GT(client.request(memory, 0), 0U);
}

TEST(LoadClient, ReachesTheMixWhateverBecomesOfItsOrders) {
    for (const std::optional<std::uint32_t> aggressive :
         {std::optional<std::uint32_t>{}, std::optional{0U}, std::optional{100U}}) {
        LoadSettings settings = verifying();
        settings.aggressive_percent = aggressive;
        Crowd crowd{settings};
        for (int i = 0; i < 500; ++i) crowd.turn();
        const auto& [made, cancelled, modified] = crowd.tally.asked;
        // Every client may be within a deck of 100.
        EXPECT_NEAR(static_cast<double>(made), 6.0 * static_cast<double>(modified), 300);
        EXPECT_NEAR(static_cast<double>(cancelled), 3.0 * static_cast<double>(modified), 300);
        EXPECT_GT(modified, 1'000U);
        EXPECT_EQ(crowd.tally.errors(), 0U) << crowd.tally.first_error;
    }
}

TEST(LoadClient, FindsMostOrdersThatItCancelsOrModifiesWhereFewArePricedToTrade) {
    for (const Version version : {Version::v1, Version::v2}) {
        LoadSettings settings = verifying();
        settings.version = version;
        settings.aggressive_percent = 20;
        Crowd crowd{settings};
        for (int i = 0; i < 500; ++i) crowd.turn();
        EXPECT_GT(crowd.tally.found, 9 * crowd.tally.not_found);
        EXPECT_EQ(crowd.tally.errors(), 0U) << crowd.tally.first_error;
        EXPECT_TRUE(crowd.tally.trades.closed()) << "nobody else is there";
    }
}

TEST(LoadClient, SendsMarketOrdersWhenItHasTooManyResting) {
    for (const Version version : {Version::v1, Version::v2}) {
        LoadSettings settings = only_new_orders();
        settings.version = version;
        settings.aggressive_percent = 0;
        Crowd crowd{settings};
        crowd.tally.recording = true;
        for (int i = 0; i < 100; ++i) crowd.turn();
        // Nobody crosses the middle, so without them nothing would trade.
        EXPECT_GT(crowd.tally.trade_messages, 0U);
        EXPECT_EQ(crowd.tally.errors(), 0U) << crowd.tally.first_error;
        for (const auto& client : crowd.clients)
            EXPECT_LE(client->live_orders(), 64U + settings.window);
    }
}

TEST(LoadClient, SendsTheSameForTheSameSeed) {
    const auto sent = [](std::uint64_t seed, std::uint64_t number) {
        LoadSettings settings = only_new_orders();
        settings.seed = seed;
        LoadTally tally;
        LoadClient client{settings, tally, number};
        Bytes all;
        Memory memory{};
        while (const std::size_t length = client.request(memory, 0))
            all.insert(all.end(), memory.begin(),
                       memory.begin() + static_cast<std::ptrdiff_t>(length));
        return all;
    };
    EXPECT_EQ(sent(1, 1), sent(1, 1));
    EXPECT_NE(sent(1, 1), sent(2, 1));
    EXPECT_NE(sent(1, 1), sent(1, 2));
}

TEST_P(LoadClientOf, LeavesTheBookAsItFoundIt) {
    Crowd crowd{settings()};
    for (int i = 0; i < 50; ++i) crowd.turn();
    EXPECT_GT(crowd.exchange.engine().store().order_pool.used(), 0U);
    for (const auto& client : crowd.clients) client->end();
    for (int i = 0; i < 20; ++i) crowd.turn();
    for (const auto& client : crowd.clients) {
        EXPECT_TRUE(client->ended());
        client->close();
    }
    EXPECT_EQ(crowd.exchange.engine().store().order_pool.used(), 0U);
    EXPECT_EQ(crowd.tally.errors(), 0U) << crowd.tally.first_error;
}

TEST(LoadClient, CountsRequestsThatWereNeverAnswered) {
    Crowd crowd{only_new_orders(), 1};
    Memory memory{};
    for (int i = 0; i < 3; ++i) ASSERT_GT(crowd.clients[0]->request(memory, 0), 0U);
    crowd.clients[0]->close();
    EXPECT_EQ(crowd.tally.unanswered, 3U);
    EXPECT_THAT(crowd.tally.first_error, HasSubstr("no answer to request 2"));
}

TEST(LoadClient, CountsRefusals) {
    LoadSettings settings = only_new_orders();
    settings.instrument = InstrumentId{3};  // the exchange has two
    Crowd crowd{settings, 1};
    crowd.turn();
    EXPECT_EQ(crowd.tally.refused, settings.window);
    EXPECT_THAT(crowd.tally.first_error, HasSubstr("a new order was refused with status 2"));
}

}  // namespace
}  // namespace damrak::client::load_client_test
