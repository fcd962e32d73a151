// Addresses by name and as text, and sockets of TCP at them.
#include <damrak/net/address.hpp>

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <damrak/net/tcp.hpp>

namespace damrak::net::address_test {
namespace {

using ::testing::HasSubstr;

std::string text_of(const std::string& host, std::uint16_t port) {
    const auto found = resolve(host, port);
    return found ? found->text() : found.error();
}

TEST(Address, IsReadAndWritten) {
    EXPECT_EQ(text_of("127.0.0.1", 80), "127.0.0.1:80");
    EXPECT_EQ(text_of("::1", 80), "[::1]:80");
    EXPECT_EQ(text_of("[::1]", 80), "[::1]:80");
    EXPECT_EQ(text_of("0:0:0:0:0:0:0:1", 7), "[::1]:7");
    EXPECT_EQ(host_and_port("example.org", 1), "example.org:1");
    EXPECT_EQ(host_and_port("[::1]", 1), "[::1]:1");
}

TEST(Address, OfANameIsIpv4IfThereIsOne) {
    const auto found = resolve("localhost", 9);
    ASSERT_TRUE(found) << found.error();
    EXPECT_TRUE(found->is_ipv4());
    EXPECT_TRUE(found->is_loopback());
    EXPECT_EQ(found->port(), 9);
}

TEST(Address, InvalidAddressesAreNamedInTheError) {
    for (const std::string host : {"300.1.1.1", "no.such.host.invalid", ":::", "127.0.0.1:80"})
        EXPECT_THAT(text_of(host, 1),
                    HasSubstr("'" + host + "' is neither an address nor a known host name"))
            << host;
    EXPECT_THAT(text_of("", 1), HasSubstr("expected an address or a name"));
}

TEST(Address, LoopbackIsRecognised) {
    EXPECT_TRUE(resolve("127.5.0.1", 0)->is_loopback());
    EXPECT_TRUE(resolve("::1", 0)->is_loopback());
    EXPECT_FALSE(resolve("192.0.2.1", 0)->is_loopback());
    EXPECT_FALSE(resolve("2001:db8::1", 0)->is_loopback());
}

TEST(Address, AListenerAcceptsIpv4AndIpv6) {
    for (const std::string address : {"localhost", "::1"}) {
        SCOPED_TRACE(address);
        if (address == "::1" && !can_listen(address, 0)) continue;
        const auto listening = listen_tcp(address, 0);
        ASSERT_TRUE(listening) << listening.error();
        const auto taken = can_listen(address, listening->port);
        ASSERT_FALSE(taken);
        EXPECT_THAT(taken.error(), HasSubstr("in use"));
        const auto client = connect_tcp(address, listening->port);
        ASSERT_TRUE(client) << client.error();
        const Descriptor accepted = accept_tcp(listening->socket);
        ASSERT_TRUE(accepted.open());
        EXPECT_EQ(peer_of(accepted).address[0], address == "::1" ? 0 : 127);
        EXPECT_NE(peer_of(accepted).port, 0);
    }
}

TEST(Address, AForeignAddressCannotListen) {
    const auto elsewhere = can_listen("192.0.2.1", 0);
    ASSERT_FALSE(elsewhere);
    EXPECT_THAT(elsewhere.error(), HasSubstr("192.0.2.1 is not an address of this machine"));
}

}  // namespace
}  // namespace damrak::net::address_test
