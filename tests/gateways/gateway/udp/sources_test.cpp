// Senders that the UDP gateway accepts, and its places for them.
#include <array>
#include <cstddef>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/udp_exchange.hpp"

namespace damrak::testing::sources_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::packet::Action;
using wire::packet::Format;
using Order = wire::packet::Order;

Order buy(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::buy};
}
Order sell(std::uint64_t name, std::uint32_t quantity, std::uint32_t price_e2) {
    return {.name = {name}, .price_e2 = price_e2, .quantity = quantity, .side = Side::sell};
}
Order changed(Order order, Action action) {
    order.action = action;
    return order;
}

TEST(UdpKeys, OnlySendersWithAKeyGetInWhereThereAreKeys) {
    wire::packet::Key key{};
    key[0] = std::byte{'k'};
    UdpExchange exchange;
    gateway::Identities identities;
    identities.add_key(key, ParticipantId{7});
    identities.admit_anonymous(false);
    exchange.participants().set_identities(identities);
    UdpSender& stranger = exchange.sender(6'666);
    stranger.send(buy(1, 1, 100));
    stranger.send(buy(1, 1, 100), Format::extended);
    exchange.run();
    EXPECT_EQ(exchange.commands(CommandKind::new_order), 0U);
    EXPECT_EQ(exchange.gateway().counters().refused, 2U);
    EXPECT_THAT(stranger.heard(), IsEmpty());
    UdpSender& alice = exchange.sender(4'001);
    alice.key = key;
    alice.send(sell(1, 1, 100), Format::extended);
    exchange.run();
    EXPECT_EQ(exchange.journal().back().command.participant, ParticipantId{7});
    EXPECT_THAT(alice.heard(), ElementsAre("1 accepted 1 1@100 left 1"));
    // Another address, the same participant: its names are one space.
    UdpSender& also = exchange.sender(4'002);
    also.key = key;
    also.send(changed(sell(1, 0, 0), Action::cancel), Format::extended);
    exchange.run();
    EXPECT_EQ(exchange.gateway().clients().orders(), 0U);
}

TEST(UdpSources, AreForgottenWhenSilentUnlessTheyHaveOpenOrders) {
    UdpExchange exchange{{.gateway = {.maximum_sources = 2, .source_timeout_ns = 1'000'000'000}}};
    UdpSender& alice = exchange.sender(4'001);
    UdpSender& bob = exchange.sender(4'002);
    UdpSender& carol = exchange.sender(4'003);
    alice.send(sell(1, 5, 10'000));
    bob.send(changed(buy(1, 0, 0), Action::cancel));
    exchange.run();
    carol.send(buy(1, 5, 9'000));
    exchange.run();
    EXPECT_EQ(exchange.gateway().counters().no_room, 1U);
    exchange.clock.ns += 2'000'000'000;
    exchange.run();
    EXPECT_EQ(exchange.gateway().clients().sources(), 1U) << "the one with an order stays";
    EXPECT_EQ(exchange.gateway().counters().forgotten, 1U);
    carol.send(buy(1, 5, 10'000));
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("trade 0 1 5@10000"));
    EXPECT_THAT(carol.heard(), ElementsAre("trade 1 0 5@10000"));
}

// Where answers come later, that of the command that forgets one comes when nobody is there.
TEST(UdpSources, StartWithoutPendingOrdersInAReusedPlace) {
    UdpExchange exchange{{.gateway = {.source_timeout_ns = 1'000'000'000}, .deferred = true}};
    for (std::uint16_t port = 4'001; port <= 4'003; ++port) {
        exchange.sender(port).send(changed(buy(1, 0, 0), Action::cancel));
        exchange.run();
        exchange.clock.ns += 2'000'000'000;
        exchange.run();
        EXPECT_EQ(exchange.gateway().clients().sources(), 0U) << port;
    }
    EXPECT_EQ(exchange.gateway().counters().forgotten, 3U);
}

// Addresses can be made up: who only passes by does not keep a place that another could have.
TEST(UdpSources, AnIdleOneLeavesItsPlaceWhenAllAreTaken) {
    UdpExchange exchange{{.gateway = {.maximum_sources = 3}}};
    exchange.sender(4'001).send(sell(1, 5, 10'000));  // has an order
    exchange.sender(4'002).send(changed(buy(1, 0, 0), Action::cancel));
    exchange.run();
    exchange.clock.ns += 900'000'000;
    exchange.sender(4'003).send(changed(buy(1, 0, 0), Action::cancel));
    exchange.run();
    exchange.sender(4'004).send(buy(1, 5, 9'000));
    exchange.run();
    const gateway::udp::UdpCounters& counters = exchange.gateway().counters();
    EXPECT_EQ(counters.no_room, 1U) << "all of them were active just now";
    exchange.clock.ns += 900'000'000;
    exchange.sender(4'004).send(buy(1, 5, 9'000));
    exchange.run();
    EXPECT_EQ(counters.replaced, 1U);
    EXPECT_EQ(counters.no_room, 1U);
    const auto& clients = exchange.gateway().clients();
    EXPECT_NE(clients.find(exchange.sender(4'001).session()), 0U) << "it has an open order";
    EXPECT_EQ(clients.find(exchange.sender(4'002).session()), 0U) << "it was silent the longest";
    EXPECT_NE(clients.find(exchange.sender(4'003).session()), 0U);
    EXPECT_NE(clients.find(exchange.sender(4'004).session()), 0U);
    EXPECT_EQ(exchange.commands(CommandKind::session_closed), 1U) << "a restart knows it";
}

class NamedSenders : public ::testing::Test {
  protected:
    NamedSenders() {
        gateway::Identities identities;
        key_[0] = std::byte{'k'};
        identities.add_key(key_, ParticipantId{7});
        exchange_.participants().set_identities(identities);
    }
    UdpSender& named(std::uint16_t port) {
        UdpSender& sender = exchange_.sender(port);
        sender.key = key_;
        return sender;
    }
    /// From this many made-up addresses, with an order each.
    void flood(std::uint16_t from, std::uint16_t senders) {
        for (std::uint16_t i = 0; i < senders; ++i)
            exchange_.sender(from + i).send(buy(1, 1, 9'000), Format::extended);
        exchange_.run();
    }
    [[nodiscard]] const gateway::udp::UdpCounters& counters() {
        return exchange_.gateway().counters();
    }

    wire::packet::Key key_{};
    UdpExchange exchange_{{.gateway = {.maximum_sources = 10, .maximum_anonymous = 4}}};
};

TEST_F(NamedSenders, HavePlacesThatNoMadeUpAddressCanFill) {
    flood(1'000, 50);
    EXPECT_EQ(exchange_.gateway().clients().sources(), 4U);
    EXPECT_EQ(counters().no_room, 46U);
    for (std::uint16_t port = 4'001; port <= 4'006; ++port)
        named(port).send(sell(port, 1, 10'000), Format::extended);
    exchange_.run();
    EXPECT_EQ(exchange_.gateway().clients().sources(), 10U);
    EXPECT_EQ(counters().no_room, 46U) << "all that are named got in";
}

TEST_F(NamedSenders, DoNotGiveTheirPlacesToAnonymousSenders) {
    for (std::uint16_t port = 4'001; port <= 4'010; ++port)
        named(port).send(changed(buy(1, 0, 0), Action::cancel), Format::extended);
    exchange_.run();
    exchange_.clock.ns += 2'000'000'000;
    flood(1'000, 5);
    EXPECT_EQ(counters().no_room, 5U) << "those that are named are idle, and stay";
    EXPECT_EQ(counters().replaced, 0U);
    named(4'011).send(sell(1, 1, 10'000), Format::extended);
    exchange_.run();
    EXPECT_EQ(counters().replaced, 1U) << "among themselves the idle one makes room";
}

TEST_F(NamedSenders, TakeThePlacesOfIdleAnonymousSendersFirst) {
    flood(1'000, 4);
    for (std::uint16_t port = 1'000; port < 1'004; ++port)
        exchange_.sender(port).send(changed(buy(1, 0, 0), Action::cancel), Format::extended);
    exchange_.run();
    exchange_.clock.ns += 2'000'000'000;
    for (std::uint16_t port = 4'001; port <= 4'008; ++port)
        named(port).send(sell(port, 1, 10'000), Format::extended);
    exchange_.run();
    EXPECT_EQ(exchange_.gateway().clients().sources(), 10U);
    EXPECT_EQ(counters().replaced, 2U);
    EXPECT_EQ(counters().no_room, 0U);
}

TEST_F(NamedSenders, OfOneParticipantLeaveOthersTheirs) {
    UdpExchange exchange{{.gateway = {.maximum_sources = 80}}};
    wire::packet::Key other{};
    other[0] = std::byte{'o'};
    gateway::Identities identities;
    identities.add_key(key_, ParticipantId{7});
    identities.add_key(other, ParticipantId{8});
    exchange.participants().set_identities(identities);
    const auto come = [&](std::uint16_t port, const wire::packet::Key& key) {
        UdpSender& sender = exchange.sender(port);
        sender.key = key;
        sender.send(sell(port, 1, 10'000), Format::extended);
        exchange.run();
        return !sender.heard().empty();
    };
    for (std::uint16_t port = 4'001; port <= 4'020; ++port) EXPECT_TRUE(come(port, key_)) << port;
    EXPECT_FALSE(come(4'021, key_)) << "a quarter";
    EXPECT_TRUE(come(4'022, other));
}

// Its part is its own: the place of an idle sender of its own is what a host gets, nobody else's.
TEST(UdpSources, OfAHostThatHasAllItMayHaveMakeRoomForEachOther) {
    constexpr std::array<std::uint8_t, 4> k_crowd{10, 0, 0, 7};
    constexpr std::array<std::uint8_t, 4> k_other{10, 0, 0, 8};
    UdpExchange exchange{{.gateway = {.maximum_sources = 64}}};
    const auto come = [&](std::uint16_t port, const std::array<std::uint8_t, 4>& host) {
        UdpSender& sender = exchange.sender(port).at(host);
        sender.send(changed(buy(1, 0, 0), Action::cancel), Format::extended);
        exchange.run();
        return !sender.heard().empty();
    };
    EXPECT_TRUE(come(3'999, k_other));
    for (std::uint16_t port = 4'001; port <= 4'016; ++port)
        EXPECT_TRUE(come(port, k_crowd)) << port;
    EXPECT_FALSE(come(4'017, k_crowd)) << "all of its own were active just now";
    exchange.clock.ns += 1'100'000'000;
    EXPECT_TRUE(come(4'017, k_crowd));
    EXPECT_EQ(exchange.gateway().counters().replaced, 1U);
    const auto& clients = exchange.gateway().clients();
    EXPECT_NE(clients.find(exchange.sender(3'999).session()), 0U) << "silent for longer";
    EXPECT_EQ(clients.find(exchange.sender(4'001).session()), 0U);
}

TEST(UdpSources, ManyShortLivedSendersLeaveRoomForALaterOne) {
    for (const bool deferred : {false, true}) {
        UdpExchange exchange{{.gateway = {.maximum_sources = 50}, .deferred = deferred}};
        for (std::uint16_t port = 1; port <= 500; ++port)
            exchange.sender(port).send(changed(buy(1, 0, 0), Action::cancel));
        exchange.run();
        exchange.clock.ns += 1'100'000'000;
        exchange.sender(4'001).send({sell(1, 5, 10'000), buy(2, 5, 10'000)});
        exchange.run();
        EXPECT_EQ(exchange.sender(4'001).heard().size(), 4U);
    }
}

TEST(UdpSources, SilenceCancelsTheirOrdersWhereItIsMeantTo) {
    UdpExchange exchange{
        {.gateway = {.source_timeout_ns = 1'000'000'000, .cancel_on_silence = true}}};
    UdpSender& alice = exchange.sender(4'001);
    alice.send(sell(1, 5, 10'000), Format::extended);
    exchange.run();
    static_cast<void>(alice.heard());
    exchange.clock.ns += 2'000'000'000;
    exchange.run();
    EXPECT_THAT(alice.heard(), ElementsAre("1 cancelled 1 5@10000 left 0 reason 69"));
    EXPECT_EQ(exchange.gateway().clients().orders(), 0U);
}

}  // namespace
}  // namespace damrak::testing::sources_test
