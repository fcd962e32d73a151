// Multicast on the loopback interface, over real sockets.
#include <damrak/net/udp.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/net/datagram_batch.hpp>

#include "support/eventually.hpp"

namespace damrak::net::udp_test {
namespace {

using ::testing::HasSubstr;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

std::string next_datagram(const MulticastReceiver& receiver) {
    if (!testing::is_readable(receiver.socket().number())) return "nothing came";
    std::array<std::byte, 2'000> memory{};
    const auto datagram = receiver.receive(memory);
    return {reinterpret_cast<const char*>(datagram.data()), datagram.size()};
}

TEST(Multicast, EveryListenerReceivesEveryDatagram) {
    const auto sender = MulticastSender::open({.address = "239.0.0.1"});
    ASSERT_TRUE(sender) << sender.error();
    ASSERT_NE(sender->port(), 0);
    const MulticastGroup group{.address = "239.0.0.1", .port = sender->port()};
    const auto first = MulticastReceiver::join(group);
    const auto second = MulticastReceiver::join(group);
    ASSERT_TRUE(first) << first.error();
    ASSERT_TRUE(second) << second.error();
    EXPECT_TRUE(sender->send(bytes_of("one")));
    EXPECT_TRUE(sender->send(bytes_of("two")));
    for (const auto* receiver : {&*first, &*second}) {
        EXPECT_EQ(next_datagram(*receiver), "one");
        EXPECT_EQ(next_datagram(*receiver), "two");
        std::array<std::byte, 10> memory{};
        EXPECT_TRUE(receiver->receive(memory).empty()) << "receive() does not wait";
    }
}

TEST(Multicast, WithoutListenersNothingFails) {
    const auto sender = MulticastSender::open({.address = "239.0.0.1"});
    ASSERT_TRUE(sender) << sender.error();
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(sender->send(bytes_of("nobody")));
}

// Every length of a run of equal sizes around what one call takes, and sizes that change.
TEST(DatagramBatch, KeepsBytesAndOrder) {
    auto sender = MulticastSender::open({.address = "239.0.0.1"});
    ASSERT_TRUE(sender) << sender.error();
    const auto receiver = MulticastReceiver::join({.address = "239.0.0.1", .port = sender->port()});
    ASSERT_TRUE(receiver) << receiver.error();
    DatagramBatch batch{*std::move(sender)};
    for (const int run : {1, 2, 63, 64, 65, 130}) {
        for (const int size : {1, 25, 24, 1'900}) {
            std::vector<std::string> sent;
            for (int i = 0; i < run; ++i)
                sent.emplace_back(static_cast<std::size_t>(size), static_cast<char>('!' + i % 90));
            for (const std::string& one : sent) batch.add(bytes_of(one));
            batch.flush();
            for (const std::string& one : sent) ASSERT_EQ(next_datagram(*receiver), one);
        }
        for (const std::string_view one : {"changes", "of", "size", "come", "too"})
            batch.add(bytes_of(one));
        batch.flush();
        batch.flush();
        for (const char* const one : {"changes", "of", "size", "come", "too"})
            ASSERT_EQ(next_datagram(*receiver), one);
    }
    std::array<std::byte, 10> memory{};
    EXPECT_TRUE(receiver->receive(memory).empty()) << "nothing came twice";
}

TEST(DatagramBatch, TakesFewCallsForManyEqualOnes) {
    auto sender = MulticastSender::open({.address = "239.0.0.1"});
    ASSERT_TRUE(sender) << sender.error();
    DatagramBatch batch{*std::move(sender)};
    for (int i = 0; i < 6'400; ++i) batch.add(bytes_of("as long as the others"));
    batch.flush();
    EXPECT_EQ(batch.calls(), 100U);
}

TEST(Multicast, AReceiverOnAnAddressOfThisMachineGetsUnicast) {
    const auto port = MulticastSender::open({.address = "239.0.0.1"})->port();  // a free one
    const auto receiver = MulticastReceiver::join({.address = "127.0.0.1", .port = port});
    ASSERT_TRUE(receiver) << receiver.error();
    EXPECT_FALSE(MulticastReceiver::join({.address = "127.0.0.1", .port = port}))
        << "two would share the datagrams";
    const auto sender = UdpPeer::open("127.0.0.1", port);
    ASSERT_TRUE(sender) << sender.error();
    EXPECT_TRUE(sender->send(bytes_of("to you")));
    std::array<std::byte, 100> memory{};
    EXPECT_EQ(receiver->receive(memory).size(), 6U);
}

TEST(Multicast, ReportsAnInvalidGroup) {
    const auto sender = MulticastSender::open({.address = "10.0.0.1", .port = 9'001});
    ASSERT_FALSE(sender);
    EXPECT_THAT(sender.error(), HasSubstr("not a multicast group"));
    const auto receiver = MulticastReceiver::join({.address = "nowhere", .port = 9'001});
    ASSERT_FALSE(receiver);
    EXPECT_THAT(receiver.error(), HasSubstr("not an IPv4 address"));
    const auto elsewhere =
        MulticastReceiver::join({.address = "239.0.0.1", .port = 9'001, .interface = "192.0.2.1"});
    ASSERT_FALSE(elsewhere);
    EXPECT_THAT(elsewhere.error(), HasSubstr("cannot listen to 239.0.0.1:9001"));
}

}  // namespace
}  // namespace damrak::net::udp_test
