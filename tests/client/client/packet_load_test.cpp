// What the load of the UDP gateway sends.
#include <damrak/client/packet_load.hpp>

#include <cstddef>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/net/socket_path.hpp>
#include <damrak/wire/packet/decode.hpp>

#include "support/eventually.hpp"

namespace damrak::client {
namespace {

using wire::packet::Format;
using wire::packet::Kind;

/// The datagrams of this many requests, as they arrive.
std::vector<std::vector<std::byte>> sent(const PacketLoadSettings& settings, int requests) {
    auto from = *net::SocketPath::open({.address = "127.0.0.1"});
    auto to = *net::SocketPath::open({.address = "127.0.0.1"});
    PacketLoad load{settings};
    for (int i = 0; i < requests; ++i)
        EXPECT_TRUE(load.ask(from, {.link = {}, .address = {127, 0, 0, 1}, .port = to.port()}));
    from.flush();
    std::vector<std::vector<std::byte>> datagrams;
    const std::size_t wanted =
        static_cast<std::size_t>(requests) * (settings.format == Format::extended ? 1 : 2) +
        (settings.format == Format::extended && !settings.echo ? 1 : 0);
    while (datagrams.size() < wanted)
        to.receive(wanted, testing::patience_ms(), [&](const net::Datagram& one) {
            datagrams.emplace_back(one.bytes.begin(), one.bytes.end());
        });
    return datagrams;
}

wire::packet::Header header_of(const std::vector<std::byte>& datagram) {
    return wire::packet::scan(datagram).header;
}

// A port comes back after some runs, and the exchange remembers the numbers of its last user.
TEST(PacketLoad, BeginsItsNumbersWhateverThePortHadBefore) {
    const auto datagrams = sent({.before = 3'000'000'000}, 2);
    EXPECT_EQ(header_of(datagrams[0]).kind, Kind::begin);
    EXPECT_EQ(header_of(datagrams[0]).count, 0);
    EXPECT_EQ(header_of(datagrams[0]).sequence, 3'000'000'000);
    EXPECT_EQ(header_of(datagrams[1]).kind, Kind::orders);
    EXPECT_EQ(header_of(datagrams[1]).sequence, 3'000'000'001);
    EXPECT_EQ(header_of(datagrams[2]).kind, Kind::orders);
}

TEST(PacketLoad, SendsOrdersAloneWhereTheFormatHasNothingElse) {
    EXPECT_EQ(sent({.format = Format::packed}, 3).size(), 6U);
    EXPECT_EQ(header_of(sent({.echo = true}, 1)[0]).kind, Kind::orders);
}

}  // namespace
}  // namespace damrak::client
