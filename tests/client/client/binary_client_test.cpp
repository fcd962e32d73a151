// The client's side of the binary protocol, against real sessions and the real engine.
#include <damrak/client/binary_client.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "support/binary_exchange.hpp"

namespace damrak::client::binary_client_test {
namespace {

using namespace wire::binary;
using testing::BinaryExchange;
using testing::Bytes;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Writes down what a client hears.
struct Listener {
    void on_hello(const Header&, const HelloAck& m) { say("hello {}", m.status); }
    void on_logout(const Header&, const LogoutAck& m) { say("logout {}", m.status); }
    void on_order_ack(const Header&, const OrderAck& m) {
        say("order {} #{}", m.status, m.order_id.value);
    }
    void on_cancel_ack(const Header&, const CancelAck& m) {
        say("cancel {} #{}", m.status, m.order_id.value);
    }
    void on_modify_ack(const Header&, const ModifyAck& m) {
        say("modify {} #{} now #{}", m.status, m.old_order_id.value, m.new_order_id.value);
    }
    void on_trade(const Header&, const Trade& m) {
        say("trade #{} {}@{}", m.order_id.value, m.quantity, m.price_e2);
    }
    void on_error(const Header&, const Error& m) { say("error {}", m.code); }
    void on_timeout(const Header&, const SessionTimeout&) { lines.push_back("timeout"); }

    template <class... Args>
    void say(fmt::format_string<Args...> form, Args&&... args) {
        lines.push_back(fmt::format(form, std::forward<Args>(args)...));
    }
    std::vector<std::string> lines{};
};

/// A client of ours at one end of a connection, the exchange at the other.
struct Connection {
    Connection(BinaryExchange& exchange, Version version)
        : far(exchange.connect(version)), client(version) {}

    void send(std::size_t length) { far.send_bytes(std::span{memory}.first(length)); }
    std::vector<std::string> heard() {
        const Bytes bytes = far.heard_bytes();
        last = client.receive(bytes, listener);
        EXPECT_EQ(last.consumed_bytes, bytes.size());
        return std::exchange(listener.lines, {});
    }
    void login() {
        send(client.hello(memory));
        EXPECT_THAT(heard(), ElementsAre("hello 1"));
    }
    void order(std::uint8_t side, std::uint64_t quantity, std::uint64_t price_e2) {
        send(client.new_order(memory, {.client_order_id = ClientOrderId{7},
                                       .instrument = InstrumentId{1},
                                       .side = side,
                                       .quantity = quantity,
                                       .price_e2 = price_e2}));
    }

    testing::BinaryClient& far;
    BinaryClient client;
    Listener listener{};
    Heard last{};
    std::array<std::byte, BinaryClient::k_largest_request_bytes> memory{};
};

class BinaryClientTest : public ::testing::TestWithParam<Version> {
  protected:
    BinaryExchange exchange_;
    Connection alice_{exchange_, GetParam()};
    Connection bob_{exchange_, GetParam()};
};

TEST_P(BinaryClientTest, LearnsItsIdAtTheLogin) {
    EXPECT_FALSE(bob_.client.client_id());
    bob_.login();
    EXPECT_EQ(bob_.client.client_id(), ClientId{2});
}

TEST_P(BinaryClientTest, TradesModifiesCancelsAndLogsOut) {
    alice_.login();
    bob_.login();
    alice_.order(0, 100, 10'000);
    EXPECT_THAT(alice_.heard(), ElementsAre("order 1 #1"));
    bob_.order(1, 40, 9'990);
    EXPECT_THAT(bob_.heard(), ElementsAre(GetParam() == Version::v1 ? "order 1 #2" : "order 4 #2",
                                          "trade #2 40@10000"));
    EXPECT_THAT(alice_.heard(), ElementsAre("trade #1 40@10000"));
    alice_.send(alice_.client.modify(alice_.memory, {.order_id = OrderId{1},
                                                     .client_order_id = ClientOrderId{7},
                                                     .quantity = 50,
                                                     .price_e2 = 10'010,
                                                     .instrument = InstrumentId{1}}));
    EXPECT_THAT(alice_.heard(), ElementsAre("modify 1 #1 now #3"));
    alice_.send(alice_.client.cancel(alice_.memory,
                                     {.order_id = OrderId{3}, .instrument = InstrumentId{1}}));
    EXPECT_THAT(alice_.heard(), ElementsAre("cancel 1 #3"));
    alice_.send(alice_.client.logout(alice_.memory));
    EXPECT_THAT(alice_.heard(), ElementsAre("logout 1"));
}

TEST_P(BinaryClientTest, CountsItsRequestsFromOne) {
    alice_.login();
    alice_.order(0, 1, 1);
    EXPECT_EQ(alice_.client.sequence(), 2U);
    EXPECT_THAT(alice_.heard(), ElementsAre("order 1 #1"));
    EXPECT_EQ(alice_.client.server_sequence(), 2U);
}

TEST_P(BinaryClientTest, HearsMessagesHoweverTheyAreCut) {
    alice_.login();
    for (int i = 0; i < 3; ++i) alice_.order(0, 1, 100);
    const Bytes bytes = alice_.far.heard_bytes();
    Bytes waiting;
    for (const std::byte one : bytes) {
        waiting.push_back(one);
        const Heard heard = alice_.client.receive(waiting, alice_.listener);
        EXPECT_EQ(heard.fault, Fault::none);
        waiting.erase(waiting.begin(),
                      waiting.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes));
    }
    EXPECT_THAT(waiting, IsEmpty());
    EXPECT_THAT(alice_.listener.lines, ElementsAre("order 1 #1", "order 1 #2", "order 1 #3"));
}

TEST_P(BinaryClientTest, StopsAtWhatNoExchangeSays) {
    alice_.login();
    alice_.order(0, 1, 100);
    Bytes bytes = alice_.far.heard_bytes();
    const std::size_t good = bytes.size();
    const auto with = [&](std::size_t offset, std::byte value) {
        Bytes two = bytes;
        two.insert(two.end(), bytes.begin(), bytes.end());
        two[good + offset] = value;
        return alice_.client.receive(two, alice_.listener);
    };
    const std::byte other_version{GetParam() == Version::v1 ? std::uint8_t{2} : std::uint8_t{1}};
    for (const auto& [heard, fault] :
         {std::pair{with(k_type_offset, std::byte{99}), Fault::unknown_type},
          std::pair{with(k_version_offset, std::byte{3}), Fault::unknown_version},
          std::pair{with(k_version_offset, other_version), Fault::unknown_version},
          std::pair{with(k_payload_length_offset, std::byte{0xff}), Fault::payload_too_long},
          std::pair{with(k_payload_length_offset + 1, std::byte{1}), Fault::payload_too_short}}) {
        EXPECT_EQ(heard.fault, fault);
        EXPECT_EQ(heard.consumed_bytes, good);
        EXPECT_EQ(heard.messages, 1U);
    }
}

TEST(BinaryClientHeartbeat, IsNotCounted) {
    BinaryExchange exchange;
    Connection alice{exchange, Version::v1};
    alice.login();
    alice.send(alice.client.heartbeat(alice.memory));
    alice.order(0, 1, 100);
    EXPECT_THAT(alice.heard(), ElementsAre("order 1 #1"));
    EXPECT_EQ(alice.client.sequence(), 2U);
}

INSTANTIATE_TEST_SUITE_P(Versions, BinaryClientTest, ::testing::Values(Version::v1, Version::v2),
                         [](const auto& test) { return test.param == Version::v1 ? "V1" : "V2"; });

}  // namespace
}  // namespace damrak::client::binary_client_test
