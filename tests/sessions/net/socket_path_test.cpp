// Datagrams over ordinary sockets on the loopback interface.
#include <damrak/net/socket_path.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "support/eventually.hpp"

namespace damrak::net::socket_path_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

SocketPath open_path(const SocketPathOptions& options = {}) {
    auto path = SocketPath::open(options);
    EXPECT_TRUE(path) << path.error();
    return std::move(*path);
}

Endpoint end_of(const SocketPath& path) {
    return {.link = {}, .address = {127, 0, 0, 1}, .port = path.port()};
}

bool put(SocketPath& path, const Endpoint& to, std::string_view text) {
    const std::span<std::byte> memory = path.claim(to, text.size());
    if (memory.size() != text.size()) return false;
    std::ranges::copy(std::as_bytes(std::span{text}), memory.begin());
    path.commit(text.size());
    return true;
}

std::string text_of(const Datagram& datagram) {
    return {reinterpret_cast<const char*>(datagram.bytes.data()), datagram.bytes.size()};
}

std::vector<std::string> take(SocketPath& path, std::size_t quota = 1'000) {
    std::vector<std::string> texts;
    path.receive(quota, testing::patience_ms(),
                 [&](const Datagram& one) { texts.push_back(text_of(one)); });
    return texts;
}

TEST(SocketPath, OneOfIpv6AnswersBothKinds) {
    auto opened = SocketPath::open({.address = "::"});
    if (!opened) GTEST_SKIP() << "no IPv6 here: " << opened.error();
    SocketPath& server = *opened;
    EXPECT_THAT(server.describe(), HasSubstr("[::]:"));
    SocketPath four = open_path();
    SocketPath six = open_path({.address = "::1"});
    Endpoint loopback6{.link = {}, .port = server.port(), .address6 = {}};
    loopback6.address6.back() = 1;
    ASSERT_TRUE(put(four, end_of(server), "of four"));
    four.flush();
    ASSERT_TRUE(put(six, loopback6, "of six"));
    six.flush();
    for (int i = 0; i < 2; ++i)
        server.receive(1, testing::patience_ms(), [&](const Datagram& one) {
            const bool of_six = text_of(one) == "of six";
            EXPECT_EQ(one.source.is_ipv6(), of_six);
            EXPECT_EQ(one.source.port, of_six ? six.port() : four.port());
            EXPECT_TRUE(put(server, one.source, "answer"));
        });
    server.flush();
    EXPECT_THAT(take(four, 1), ElementsAre("answer"));
    EXPECT_THAT(take(six, 1), ElementsAre("answer"));
}

TEST(SocketPath, AnswersGoToTheSender) {
    SocketPath server = open_path();
    SocketPath client = open_path();
    ASSERT_TRUE(put(client, end_of(server), "question"));
    client.flush();
    const std::size_t got = server.receive(10, testing::patience_ms(), [&](const Datagram& one) {
        EXPECT_EQ(text_of(one), "question");
        EXPECT_EQ(one.source, end_of(client));
        EXPECT_TRUE(put(server, one.source, "answer to " + text_of(one)));
    });
    EXPECT_EQ(got, 1U);
    server.flush();
    EXPECT_THAT(take(client), ElementsAre("answer to question"));
    EXPECT_EQ(server.counters().received, 1U);
    EXPECT_EQ(server.counters().sent, 1U);
}

TEST(SocketPath, NothingIsSentBeforeTheFlushAndEverythingByIt) {
    SocketPath server = open_path();
    SocketPath client = open_path({.batch = 8});
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(put(client, end_of(server), std::to_string(i)));
    EXPECT_EQ(server.receive(100, 0, [](const Datagram&) {}), 0U);
    client.flush();
    const auto texts = take(server);
    ASSERT_EQ(texts.size(), 20U);
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i], std::to_string(i));
}

TEST(SocketPath, TheQuotaLeavesTheRestForTheNextTurn) {
    SocketPath server = open_path({.batch = 4});
    SocketPath client = open_path();
    for (const char* text : {"a", "b", "c", "d", "e", "f", "g"})
        ASSERT_TRUE(put(client, end_of(server), text));
    client.flush();
    EXPECT_THAT(take(server, 5), ElementsAre("a", "b", "c", "d", "e"));
    EXPECT_THAT(take(server, 5), ElementsAre("f", "g"));
}

TEST(SocketPath, AnUncommittedClaimHasNoEffect) {
    SocketPath server = open_path();
    SocketPath client = open_path();
    EXPECT_EQ(client.claim(end_of(server), 100).size(), 100U);
    ASSERT_TRUE(put(client, end_of(server), "second thought"));
    client.flush();
    EXPECT_THAT(take(server), ElementsAre("second thought"));
}

TEST(SocketPath, AnUnreachableDestinationDelaysNoOther) {
    SocketPath server = open_path();
    SocketPath client = open_path();
    const Endpoint nowhere{.link = {}, .address = {127, 0, 0, 1}, .port = 0};
    ASSERT_TRUE(put(client, nowhere, "lost"));
    ASSERT_TRUE(put(client, end_of(server), "found"));
    client.flush();
    EXPECT_THAT(take(server), ElementsAre("found"));
    EXPECT_EQ(client.counters().send_failed, 1U);
    EXPECT_EQ(client.counters().sent, 1U);
}

TEST(SocketPath, EmptyDatagramsArriveAndOversizedOnesAreCounted) {
    SocketPath server = open_path();
    SocketPath client = open_path();
    ASSERT_TRUE(put(client, end_of(server), ""));
    client.flush();
    EXPECT_THAT(take(server), ElementsAre(""));

    const sockaddr_in to{.sin_family = AF_INET,
                         .sin_port = htons(server.port()),
                         .sin_addr = {htonl(INADDR_LOOPBACK)},
                         .sin_zero = {}};
    const auto send_plainly = [&](const std::string& text) {
        EXPECT_EQ(::sendto(client.descriptor(), text.data(), text.size(), 0,
                           reinterpret_cast<const sockaddr*>(&to), sizeof to),
                  static_cast<ssize_t>(text.size()));
    };
    const std::string largest(SocketPath::k_largest_datagram, 'y');
    send_plainly(largest + 'x');
    send_plainly(largest);
    EXPECT_THAT(take(server), ElementsAre(largest));
    EXPECT_EQ(server.counters().unusable, 1U);
    EXPECT_EQ(server.counters().received, 2U);
}

TEST(SocketPath, CountsDatagramsDroppedByTheKernel) {
    SocketPath server = open_path({.buffer_bytes = 4'096});
    SocketPath client = open_path();
    constexpr std::size_t k_many = 1'000;
    for (std::size_t i = 0; i < k_many; ++i) ASSERT_TRUE(put(client, end_of(server), "flood"));
    client.flush();
    std::size_t got = 0;
    while (const std::size_t more = server.receive(100, 0, [](const Datagram&) {})) got += more;
    EXPECT_GT(server.counters().kernel_drops, 0U);
    EXPECT_EQ(got + server.counters().kernel_drops, k_many);
}

TEST(SocketPath, ItsDescriptorIsReadableWhenDatagramsWait) {
    SocketPath server = open_path();
    SocketPath client = open_path();
    pollfd waiting{.fd = server.descriptor(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&waiting, 1, 0), 0);
    ASSERT_TRUE(put(client, end_of(server), "x"));
    client.flush();
    EXPECT_TRUE(testing::is_readable(server.descriptor()));
}

TEST(SocketPath, ReportsAUsedPortAndAnInvalidAddress) {
    const SocketPath first = open_path();
    const auto second = SocketPath::open({.port = first.port()});
    ASSERT_FALSE(second);
    EXPECT_THAT(second.error(), HasSubstr("cannot receive datagrams at 127.0.0.1:"));
    const auto nowhere = SocketPath::open({.address = "somewhere"});
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error(), HasSubstr("'somewhere'"));
}

TEST(SocketPath, DescribesItself) {
    const SocketPath path = open_path();
    EXPECT_EQ(path.describe(),
              "a socket at 127.0.0.1:" + std::to_string(path.port()) + ", 64 datagrams a call");
}

}  // namespace
}  // namespace damrak::net::socket_path_test
