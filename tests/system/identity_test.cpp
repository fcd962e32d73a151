// Identities as clients see them, in both wirings: who owns an order, which session gets its
// reports, and what remains after a reconnect.
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "raw_binary.hpp"
#include "raw_udp.hpp"
#include "support/fix_client.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::identity_test {
namespace {

using testing::FixClient;
using testing::get;
using testing::hello;
using testing::Login;
using testing::place;
using testing::RawClient;
using testing::RunningServer;

constexpr std::uint8_t k_sell = 1;

struct Trade {
    std::uint64_t client = 0;  ///< zero: nothing came
    std::uint64_t order = 0;
    std::uint64_t quantity = 0;
    friend bool operator==(const Trade&, const Trade&) = default;
};

Trade heard_trade(const RawClient& client) {
    const testing::Bytes bytes = client.receive(64);
    if (bytes.size() < 64 || get(bytes, 0, 1) != 20) return {};
    return {.client = get(bytes, 16, 8), .order = get(bytes, 24, 8), .quantity = get(bytes, 40, 8)};
}

class Identity : public ::testing::TestWithParam<std::string> {
  protected:
    void write(const std::string& text) const { std::ofstream{file_} << text; }
    [[nodiscard]] RunningServer start(std::vector<std::string> flags = {}) const {
        flags.insert(flags.end(), {"--config", file_, "--wiring", GetParam()});
        return {data_, log_, flags};
    }

    testing::ScratchFolder folder_;
    std::string file_ = folder_ / "exchange.toml";
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
};

constexpr const char* k_two_owners =
    "[[participants]]\nid = 1\napi_key = \"shared\"\n[[participants]]\nid = 2\napi_key = "
    "\"other\"\n";

TEST_P(Identity, ReportsGoToTheSessionThatEnteredTheOrder) {
    write(k_two_owners);
    RunningServer server = start();
    const RawClient first{server.port()};
    const RawClient second{server.port()};
    const RawClient taker{server.port()};
    const Login one = hello(first, "shared");
    const Login two = hello(second, "shared");
    const Login other = hello(taker, "other");
    const auto of_first = place(first, 2, one.client, {.quantity = 10, .price_e2 = 101});
    const auto of_second = place(second, 2, two.client, {.quantity = 10, .price_e2 = 100});
    place(taker, 2, other.client, {.side = k_sell, .quantity = 14, .price_e2 = 100});
    EXPECT_EQ(heard_trade(first), (Trade{one.client, of_first.order, 10}));
    EXPECT_EQ(heard_trade(second), (Trade{two.client, of_second.order, 4}));
    // Each was reported once: the next message answers the next order.
    EXPECT_EQ(place(first, 3, one.client, {.price_e2 = 50}).status, 1U);
    EXPECT_EQ(place(second, 3, two.client, {.price_e2 = 50}).status, 1U);
}

TEST_P(Identity, OfASessionThatIsGoneTheyGoToTheLatestLoginStillIn) {
    write(k_two_owners);
    RunningServer server = start();
    const RawClient early{server.port()};
    const Login early_login = hello(early, "shared");
    const RawClient taker{server.port()};
    const Login other = hello(taker, "other");
    std::uint64_t order = 0;
    {
        const RawClient late{server.port()};
        const Login login = hello(late, "shared");
        order = place(late, 2, login.client, {.quantity = 10, .price_e2 = 100}).order;
    }
    // The exchange has seen the end of that one before it answers who comes after it.
    const RawClient later{server.port()};
    const Login later_login = hello(later, "shared");
    testing::Bytes logout = testing::from_hex("04010008 00000002 00000000 00000000");
    testing::put(logout, later_login.client, 8);
    later.send(logout);
    EXPECT_EQ(later.receive(32).size(), 32U);
    place(taker, 2, other.client, {.side = k_sell, .quantity = 3, .price_e2 = 100});
    EXPECT_EQ(heard_trade(early), (Trade{early_login.client, order, 3})) << "who left is not in";
    const RawClient latest{server.port()};
    const Login latest_login = hello(latest, "shared");
    static_cast<void>(taker.receive(64));
    place(taker, 3, other.client, {.side = k_sell, .quantity = 2, .price_e2 = 100});
    EXPECT_EQ(heard_trade(latest), (Trade{latest_login.client, order, 2}));
    EXPECT_EQ(place(early, 2, early_login.client, {.price_e2 = 50}).status, 1U);
}

TEST_P(Identity, OrdersHaveAnOwnerAlsoAfterARestart) {
    write(k_two_owners);
    std::uint64_t order = 0;
    {
        RunningServer server = start();
        const RawClient first{server.port()};
        const Login login = hello(first, "shared");
        order = place(first, 2, login.client, {.quantity = 10, .price_e2 = 100}).order;
        server.kill();
    }
    for (std::uint64_t round = 1; round <= 2; ++round) {
        RunningServer server = start();
        const RawClient earlier{server.port()};
        const Login earlier_login = hello(earlier, "shared");
        const RawClient again{server.port()};
        const Login login = hello(again, "shared");
        const RawClient taker{server.port()};
        const Login other = hello(taker, "other");
        place(taker, 2, other.client, {.side = k_sell, .quantity = round, .price_e2 = 100});
        EXPECT_EQ(heard_trade(again), (Trade{login.client, order, round}));
        EXPECT_EQ(place(earlier, 2, earlier_login.client, {.price_e2 = 50}).status, 1U);
        EXPECT_EQ(server.terminate(), 0);
    }
}

std::string fix_order(int quantity) {
    return fmt::format("35=D|11=q{0}|21=1|55=TEST|54=1|60=20260302-09:00:00|38={0}|40=2|44=1.00",
                       quantity);
}

TEST_P(Identity, HoldsWithItsLimitsAtEveryGateway) {
    write(
        "[[participants]]\nid = 3\napi_key = \"three\"\nfix_comp_ids = [\"THREE\"]\n"
        "udp_sources = [\"127.0.0.3\"]\nlimits.order_quantity = 5\nlimits.open_orders = 3\n");
    RunningServer server = start({"--only", "fix,udp"});
    FixClient stranger{"FIX.4.4", "STRANGER"};
    EXPECT_FALSE(stranger.connect(server.fix_port()));
    EXPECT_EQ(hello(RawClient{server.port()}, "four").status, 3U);
    const testing::RawUdp unknown{server.udp_port()};
    const testing::RawUdp known{server.udp_port(), "127.0.0.1", "127.0.0.3"};
    const testing::PublicOrder order{.sequence = 1, .id = 1, .price = 100, .quantity = 5};
    unknown.send(extended(order));
    known.send(extended(order));
    EXPECT_TRUE(known.receive().has_value());
    EXPECT_FALSE(unknown.receive(false).has_value());

    FixClient fix{"FIX.4.4", "THREE"};
    ASSERT_TRUE(fix.connect(server.fix_port()));
    const auto state_of_next = [&fix](int quantity) {
        fix.send(fix_order(quantity));
        auto report = fix.receive();
        return report ? (*report)[39] : "nothing";
    };
    EXPECT_EQ(state_of_next(6), "8") << "more than an order of participant 3 may have";
    EXPECT_EQ(state_of_next(5), "0");
    const RawClient binary{server.port()};
    const Login login = hello(binary, "three");
    EXPECT_EQ(place(binary, 2, login.client, {}).status, 1U) << "the third open order";
    EXPECT_EQ(place(binary, 3, login.client, {}).status, 2U) << "of all gateways together";
    EXPECT_EQ(state_of_next(4), "8");
}

TEST_P(Identity, AnonymousClientsGetInWhereThatIsAllowed) {
    write("[gateways]\nanonymous = true\n[[participants]]\nid = 1\napi_key = \"one\"\n");
    RunningServer server = start({"--only", "fix,udp"});
    FixClient stranger{"FIX.4.4", "STRANGER"};
    EXPECT_TRUE(stranger.connect(server.fix_port()));
    const RawClient known{server.port()};
    const RawClient unknown{server.port()};
    const Login login = hello(known, "one");
    const Login other = hello(unknown);
    const auto resting = place(known, 2, login.client, {.quantity = 4});
    EXPECT_EQ(place(unknown, 2, other.client, {.side = k_sell, .quantity = 4}).status, 1U);
    EXPECT_EQ(heard_trade(known), (Trade{login.client, resting.order, 4}))
        << "they are not the same participant";
    write("[[participants]]\nid = 1\napi_key = \"one\"\n");
    server.ask_to_reload();
    EXPECT_THAT(server.log_with("reloaded"), ::testing::HasSubstr("1 API key"));
    EXPECT_EQ(hello(RawClient{server.port()}).status, 3U);
    FixClient another{"FIX.4.4", "ANOTHER"};
    EXPECT_FALSE(another.connect(server.fix_port()));
}

TEST_P(Identity, WhatFillsUpIsReportedBeforeItIsFull) {
    write("[capacity]\nanonymous_share = 100\norders = 20\nparticipants = 10\n");
    RunningServer server = start();
    const RawClient client{server.port()};
    const Login login = hello(client);
    for (std::uint32_t i = 0; i < 20; ++i)
        EXPECT_EQ(place(client, 2 + i, login.client, {}).status, 1U);
    EXPECT_EQ(place(client, 22, login.client, {}).status, 2U);
    const std::string log = server.log_with("no more are accepted");
    EXPECT_THAT(log, ::testing::HasSubstr("capacity: orders: 20 of 20 in use, no more"));
    EXPECT_THAT(log, ::testing::Not(::testing::HasSubstr("capacity: participants")));
}

// Each comes, has an order, and goes for good.
void come_and_go(const RunningServer& server, int clients, bool cancels) {
    for (int i = 0; i < clients; ++i) {
        const RawClient client{server.port()};
        const Login login = hello(client);
        ASSERT_EQ(login.status, 1U) << i;
        const auto order = place(client, 2, login.client, {.price_e2 = 100});
        ASSERT_EQ(order.status, 1U) << i;
        if (!cancels) continue;
        testing::Bytes cancel = testing::from_hex("0c010010 00000003 00000000 00000000");
        testing::put(cancel, login.client, 8);
        testing::put(cancel, order.order, 8);
        client.send(cancel);
        ASSERT_EQ(client.receive(40).size(), 40U);
    }
}

TEST_P(Identity, ThoseWithoutANameComeAndGoForEver) {
    write("[capacity]\nparticipants = 20\naccounts = 40\n");
    {
        RunningServer server = start();
        come_and_go(server, 50, true);
        // Nobody can cancel these any more, but they trade.
        come_and_go(server, 3, false);
        server.kill();
    }
    RunningServer server = start();
    come_and_go(server, 50, true);
    const RawClient client{server.port()};
    const Login login = hello(client);
    EXPECT_EQ(place(client, 2, login.client, {.side = k_sell, .quantity = 3}).status, 1U);
    come_and_go(server, 50, true);
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(Identity, ThoseWithoutANameLeaveHalfToTheOthers) {
    write(
        "[gateways]\nanonymous = true\n[capacity]\norders = 40\n[default_limits]\nopen_orders = "
        "15\n"
        "[[participants]]\nid = 1\napi_key = \"one\"\n");
    {
        RunningServer server = start();
        int accepted = 0;
        for (int clients = 0; clients < 3; ++clients) {
            const RawClient client{server.port()};
            const Login login = hello(client);
            for (std::uint32_t i = 0; i < 16; ++i)
                accepted += place(client, 2 + i, login.client, {}).status == 1 ? 1 : 0;
            if (clients == 0) {
                EXPECT_EQ(accepted, 15) << "each has its limits";
            }
        }
        EXPECT_EQ(accepted, 21) << "all together half of the orders, and the one that found it";
        EXPECT_THAT(server.log_with("capacity: orders: 2"), ::testing::HasSubstr("refused"));
        server.kill();
    }
    RunningServer server = start();
    const RawClient named{server.port()};
    const Login login = hello(named, "one");
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_EQ(place(named, 2 + i, login.client, {}).status, 1U);
    const RawClient client{server.port()};
    EXPECT_EQ(place(client, 2, hello(client).client, {}).status, 2U);
}

INSTANTIATE_TEST_SUITE_P(Wirings, Identity, ::testing::Values("inline", "pipelined"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace damrak::identity_test
