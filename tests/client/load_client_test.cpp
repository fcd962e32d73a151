// The clients of a load run: what they ask of a real exchange, and that they notice when its
// answers break a rule.
#include <damrak/client/load_client.hpp>

#include <array>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include <gmock/gmock.h>

#include "support/binary_exchange.hpp"

namespace damrak::client {
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
            far.push_back(&exchange.connect());
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

TEST(LoadClient, FindsNothingWrongWithTheExchange) {
    Crowd crowd{verifying()};
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

TEST(LoadClient, AsksNoMoreThanItsWindow) {
    Crowd crowd{verifying(), 1};
    Memory memory{};
    LoadClient& client = *crowd.clients[0];
    std::size_t asked = 0;
    while (client.request(memory, 0) > 0) asked += 1;
    EXPECT_EQ(asked, verifying().window);
    EXPECT_EQ(client.outstanding(), verifying().window);
}

TEST(LoadClient, SendsTheSameForTheSameSeed) {
    const auto sent = [](std::uint64_t seed, std::uint64_t number) {
        LoadSettings settings;
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

TEST(LoadClient, LeavesTheBookAsItFoundIt) {
    Crowd crowd{verifying()};
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
    Crowd crowd{verifying(), 1};
    Memory memory{};
    for (int i = 0; i < 3; ++i) ASSERT_GT(crowd.clients[0]->request(memory, 0), 0U);
    crowd.clients[0]->close();
    EXPECT_EQ(crowd.tally.unanswered, 3U);
    EXPECT_THAT(crowd.tally.first_error, HasSubstr("no answer to request 2"));
}

TEST(LoadClient, CountsRefusals) {
    LoadSettings settings = verifying();
    settings.instrument = InstrumentId{3};  // the exchange has two
    settings.mix = {1, 0, 0};
    Crowd crowd{settings, 1};
    crowd.turn();
    EXPECT_EQ(crowd.tally.refused, settings.window);
    EXPECT_THAT(crowd.tally.first_error, HasSubstr("a new order was refused with status 2"));
}

/// One client, and an exchange that says what a test wants.
class LyingExchange : public ::testing::Test {
  protected:
    LyingExchange() {
        client_.hello(memory_);
        say(HelloAck{ClientId{9}, 1});
        ask();
    }
    template <class M>
    void say(const M& message) {
        Bytes bytes(frame_length<M>(Version::v1));
        encode(Version::v1, {.client = sequence_, .server = ++answers_}, message, bytes);
        client_.receive(bytes, 1);
    }
    void ask() {
        const std::size_t length = client_.request(memory_, 0);
        const auto frame = std::span<const std::byte>{memory_}.first(length);
        const Header header = decode_header(frame.data());
        sequence_ = header.client_sequence;
        order_ = std::get<NewOrder>(*decode(header, frame.subspan(k_header_length)));
    }
    [[nodiscard]] OrderAck ack(std::uint64_t id) const {
        return {.client_id = ClientId{9},
                .order_id = OrderId{id},
                .price_e2 = order_.price_e2,
                .quantity = order_.quantity,
                .instrument = order_.instrument,
                .status = 1};
    }
    [[nodiscard]] Trade fill(std::uint64_t order, std::uint64_t trade,
                             std::uint64_t quantity) const {
        return {.client_id = ClientId{9},
                .order_id = OrderId{order},
                .trade_id = trade,
                .quantity = quantity,
                .price_e2 = order_.price_e2};
    }
    void expect_rule(const char* rule) const {
        EXPECT_EQ(tally_.violations, 1U);
        EXPECT_THAT(tally_.first_error, HasSubstr(rule));
    }

    static LoadSettings only_new() {
        LoadSettings settings = verifying();
        settings.mix = {1, 0, 0};
        return settings;
    }
    LoadSettings settings_ = only_new();
    LoadTally tally_{};
    LoadClient client_{settings_, tally_, 1};
    Memory memory_{};
    NewOrder order_{};
    std::uint32_t sequence_ = 1;
    std::uint32_t answers_ = 0;
};

TEST_F(LyingExchange, IsBelievedWhileItTellsTheTruth) {
    say(ack(5));
    say(fill(5, 1, order_.quantity));
    EXPECT_EQ(tally_.errors(), 0U) << tally_.first_error;
    EXPECT_EQ(client_.live_orders(), 0U);
}
TEST_F(LyingExchange, MayNotAnswerTwice) {
    say(ack(5));
    say(ack(6));
    expect_rule("not to the oldest request");
}
TEST_F(LyingExchange, MayNotAnswerWhatWasNotAsked) {
    say(CancelAck{.client_id = ClientId{9}, .order_id = OrderId{5}, .status = 1});
    expect_rule("not to the oldest request");
}
TEST_F(LyingExchange, MayNotSkipANumber) {
    answers_ += 1;
    say(ack(5));
    expect_rule("ascend by one");
}
TEST_F(LyingExchange, MayNotCallTheClientAnother) {
    OrderAck wrong = ack(5);
    wrong.client_id = ClientId{8};
    say(wrong);
    expect_rule("own id");
}
TEST_F(LyingExchange, MayNotChangeTheOrder) {
    OrderAck wrong = ack(5);
    wrong.quantity += 1;
    say(wrong);
    expect_rule("repeats price, quantity");
}
TEST_F(LyingExchange, MayNotUseAnOrderIdAgain) {
    say(ack(5));
    ask();
    say(ack(5));
    expect_rule("order ids ascend");
}
TEST_F(LyingExchange, MayNotFillMoreThanWasOrdered) {
    say(ack(5));
    say(fill(5, 1, order_.quantity + 1));
    expect_rule("more than the order has left");
}
TEST_F(LyingExchange, MayNotFillAnothersOrder) {
    say(ack(5));
    say(fill(4, 1, 1));
    expect_rule("not live");
}
TEST_F(LyingExchange, MayNotFillBeyondTheLimit) {
    say(ack(5));
    Trade wrong = fill(5, 1, 1);
    wrong.price_e2 = order_.side == 0 ? order_.price_e2 + 1 : order_.price_e2 - 1;
    say(wrong);
    expect_rule("worse than the order's limit");
}
TEST_F(LyingExchange, MayNotLeaveOutATradeId) {
    say(ack(5));
    say(fill(5, 2, order_.quantity));
    expect_rule("count 1, 2, 3");
}
TEST_F(LyingExchange, MayNotRepeatAnotherRequestsNumber) {
    say(ack(5));
    sequence_ -= 1;
    say(fill(5, 1, order_.quantity));
    expect_rule("number of the last request");
}
TEST_F(LyingExchange, MayNotSayNonsense) {
    const Bytes noise(64, std::byte{0xee});
    EXPECT_EQ(client_.receive(noise, 1).fault, Fault::unknown_version);
    expect_rule("no message of the protocol");
}

}  // namespace
}  // namespace damrak::client
