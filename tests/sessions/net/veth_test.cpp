// Datagrams between two network namespaces, over sockets and over AF_XDP in both modes.
#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <damrak/net/any_path.hpp>
#include <damrak/net/network_namespace.hpp>
#include <damrak/net/tcp.hpp>

#include "support/eventually.hpp"

namespace damrak::net::veth_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Way {
    PathChoice choice;
    XdpMode mode;
    bool prefer_busy_poll = false;
};

std::string name_of(const ::testing::TestParamInfo<Way>& info) {
    if (info.param.choice == PathChoice::socket) return "sockets";
    if (info.param.prefer_busy_poll) return "native_busy_polling";
    return info.param.mode == XdpMode::native ? "native" : "generic";
}

class OverVeth : public ::testing::TestWithParam<Way> {
  protected:
    void SetUp() override {
        auto made = VethPair::make(queues());
        if (!made) GTEST_SKIP() << made.error();
        pair_.emplace(std::move(*made));
        server_ = open(pair_->left, GetParam());
    }

    void TearDown() override {
        if (server_) pair_->left.run([this] { server_.reset(); });
    }

    /// Number of queues of the cards.
    [[nodiscard]] virtual unsigned queues() const { return 1; }

    static std::unique_ptr<AnyPath> open(const NetworkNamespace& where, const Way& way) {
        auto path = where.run([&way] {
            return AnyPath::open({.choice = way.choice,
                                  .interface = VethPair::k_interface,
                                  .mode = way.mode,
                                  .prefer_busy_poll = way.prefer_busy_poll});
        });
        EXPECT_TRUE(path) << path.error();
        return path ? std::make_unique<AnyPath>(std::move(*path)) : nullptr;
    }

    std::unique_ptr<AnyPath> open_client() {
        return open(pair_->right, {.choice = PathChoice::socket, .mode = {}});
    }

    [[nodiscard]] Endpoint server_end(const AnyPath& from) const {
        const auto end = pair_->right.run(
            [&] { return from.resolve(VethPair::k_left_address, server_->port()); });
        EXPECT_TRUE(end) << end.error();
        return end.value_or(Endpoint{});
    }

    std::optional<VethPair> pair_;
    std::unique_ptr<AnyPath> server_;
};

bool put(AnyPath& path, const Endpoint& to, std::string_view text) {
    const std::span<std::byte> memory = path.claim(to, text.size());
    if (memory.size() != text.size()) return false;
    std::ranges::copy(std::as_bytes(std::span{text}), memory.begin());
    path.commit(text.size());
    return true;
}

std::string text_of(const Datagram& datagram) {
    return {reinterpret_cast<const char*>(datagram.bytes.data()), datagram.bytes.size()};
}

// Answers the next datagram with its bytes reversed.
void answer_one(AnyPath& server) {
    server.receive(1, testing::patience_ms(), [&server](const Datagram& one) {
        const std::string text = text_of(one);
        EXPECT_TRUE(put(server, one.source, std::string{text.rbegin(), text.rend()}));
    });
    server.flush();
}

std::vector<std::string> take(AnyPath& path) {
    std::vector<std::string> texts;
    path.receive(1'000, testing::patience_ms(),
                 [&](const Datagram& one) { texts.push_back(text_of(one)); });
    return texts;
}

TEST_P(OverVeth, EveryLengthSurvivesARoundTrip) {
    const auto client = open_client();
    std::string text;
    for (std::size_t length = 0; length <= k_largest_claim_bytes; length += length < 64 ? 1 : 64) {
        text.clear();
        for (std::size_t i = 0; i < length; ++i) text += static_cast<char>(i * 7 + length);
        ASSERT_TRUE(put(*client, server_end(*client), text));
        client->flush();
        answer_one(*server_);
        EXPECT_THAT(take(*client), ElementsAre(std::string{text.rbegin(), text.rend()})) << length;
    }
    EXPECT_EQ(server_->counters().unusable, 0U);
    EXPECT_EQ(server_->counters().received, server_->counters().sent);
}

TEST_P(OverVeth, TheSourceIsTheClients) {
    const auto client = open_client();
    ASSERT_TRUE(put(*client, server_end(*client), "x"));
    client->flush();
    const Endpoint expected{.link = {}, .address = {10, 26, 4, 2}, .port = client->port()};
    EXPECT_EQ(server_->receive(1, testing::patience_ms(),
                               [&](const Datagram& one) { EXPECT_EQ(one.source, expected); }),
              1U);
}

TEST_P(OverVeth, ClientsOverXdpAreServedAlike) {
    const auto client = open(pair_->right, GetParam());
    for (int i = 0; i < 10; ++i) {
        ASSERT_TRUE(put(*client, server_end(*client), "abc"));
        client->flush();
        answer_one(*server_);
        EXPECT_THAT(take(*client), ElementsAre("cba"));
    }
    pair_->right.run([&] { const auto closed = AnyPath{std::move(*client)}; });
}

TEST_P(OverVeth, TcpPassesUntouched) {
    const auto listening = pair_->left.run([] { return listen_tcp(VethPair::k_left_address, 0); });
    ASSERT_TRUE(listening) << listening.error();
    auto client =
        pair_->right.run([&] { return connect_tcp(VethPair::k_left_address, listening->port); });
    ASSERT_TRUE(client) << client.error();
    ASSERT_TRUE(testing::is_readable(listening->socket.number()));
    const Descriptor accepted = accept_tcp(listening->socket);
    ASSERT_TRUE(accepted.open());
    std::string sent;
    for (std::size_t i = 0; i < 100'000; ++i) sent += static_cast<char>(i * i);
    std::string received;
    for (std::size_t gone = 0; received.size() < sent.size();) {
        gone += send(*client, std::as_bytes(std::span{sent}).subspan(gone)).bytes;
        ASSERT_TRUE(testing::is_readable(accepted.number()));
        std::array<std::byte, 4'096> memory{};
        const std::size_t got = receive(accepted, memory).bytes;
        received.append(reinterpret_cast<const char*>(memory.data()), got);
    }
    EXPECT_EQ(received, sent);
    EXPECT_EQ(server_->counters().received, 0U);
}

TEST_P(OverVeth, APingIsAnswered) {
    const Descriptor raw = pair_->right.run(
        [] { return Descriptor{::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP)}; });
    constexpr std::uint8_t k_echo_request = 8;
    // Type, code and a checksum, which is that of the type alone; number and sequence are zero.
    const std::array<std::uint8_t, 8> request{k_echo_request, 0, 0xf7, 0xff};
    const sockaddr_in to{.sin_family = AF_INET,
                         .sin_port = 0,
                         .sin_addr = {inet_addr(VethPair::k_left_address)},
                         .sin_zero = {}};
    ASSERT_EQ(::sendto(raw.number(), request.data(), request.size(), 0,
                       reinterpret_cast<const sockaddr*>(&to), sizeof to),
              8);
    ASSERT_TRUE(testing::is_readable(raw.number()));
    std::array<std::uint8_t, 100> answer{};
    EXPECT_EQ(::recv(raw.number(), answer.data(), answer.size(), 0), 28);
    EXPECT_EQ(answer[20], 0) << "type of an echo reply";
}

TEST_P(OverVeth, OtherPortsPassUntouched) {
    auto other_port = pair_->left.run([] {
        return AnyPath::open({.choice = PathChoice::socket, .interface = VethPair::k_interface});
    });
    ASSERT_TRUE(other_port) << other_port.error();
    const auto client = open_client();
    Endpoint other = server_end(*client);
    other.port = other_port->port();
    ASSERT_TRUE(put(*client, other, "not for the server"));
    client->flush();
    EXPECT_THAT(take(*other_port), ElementsAre("not for the server"));
    EXPECT_EQ(server_->counters().received, 0U);
}

TEST_P(OverVeth, FloodsAddUp) {
    const auto client = open_client();
    const Endpoint to = server_end(*client);
    constexpr std::size_t k_rounds = 200;
    constexpr std::size_t k_round = 64;
    // Until the kernel knows the other card, it drops what is sent there.
    ASSERT_TRUE(put(*client, to, "first"));
    client->flush();
    std::size_t got = take(*server_).size();
    ASSERT_EQ(got, 1U);
    for (std::size_t round = 0; round < k_rounds; ++round) {
        for (std::size_t i = 0; i < k_round; ++i) ASSERT_TRUE(put(*client, to, "an order"));
        client->flush();
        got += server_->receive(k_round, 0, [](const Datagram&) {});
    }
    // What was sent is there, or was dropped before it.
    ASSERT_TRUE(testing::turns_until(
        [&] { got += server_->receive(k_round, 1, [](const Datagram&) {}); },
        [&] { return got + server_->counters().kernel_drops >= k_rounds * k_round + 1; }));
    const PathCounters counters = server_->counters();
    EXPECT_EQ(counters.received, got);
    EXPECT_EQ(client->counters().sent, k_rounds * k_round + 1);
    EXPECT_EQ(counters.received + counters.kernel_drops, k_rounds * k_round + 1)
        << "with a sender that waits";
    EXPECT_EQ(counters.fill_empty, 0U);
}

TEST_P(OverVeth, DescribesItself) {
    const std::string text = server_->describe();
    if (GetParam().choice == PathChoice::socket) {
        EXPECT_THAT(text, HasSubstr("a socket at 10.26.4.1:"));
    } else {
        EXPECT_THAT(text, HasSubstr("AF_XDP on damrak0"));
        EXPECT_THAT(text,
                    HasSubstr(GetParam().mode == XdpMode::native ? "native mode" : "generic mode"));
    }
}

class OverFourQueues : public OverVeth {
  protected:
    [[nodiscard]] unsigned queues() const override { return 4; }
};

// The kernel spreads senders over the queues; a few wait in each before the first is taken.
TEST_P(OverFourQueues, AFullQueueDoesNotStarveTheOthers) {
    constexpr std::size_t k_clients = 64;
    constexpr std::size_t k_rounds = 20;
    std::vector<std::unique_ptr<AnyPath>> clients;
    for (std::size_t i = 0; i < k_clients; ++i) clients.push_back(open_client());
    const Endpoint to = server_end(*clients.front());
    for (std::size_t round = 0; round < k_rounds; ++round)
        for (const auto& client : clients) {
            ASSERT_TRUE(put(*client, to, "an order"));
            client->flush();
        }
    std::set<std::uint16_t> heard;
    std::size_t got = 0;
    const auto hear = [&heard](const Datagram& one) { heard.insert(one.source.port); };
    while (got < k_clients) got += server_->receive(k_clients - got, testing::patience_ms(), hear);
    // A strict queue order would serve only the first one: about a quarter of the clients.
    EXPECT_GT(heard.size(), k_clients / 2);
    while (got < k_clients * k_rounds) {
        const std::size_t more = server_->receive(k_clients, testing::patience_ms(), hear);
        ASSERT_GT(more, 0U);
        got += more;
    }
    EXPECT_EQ(heard.size(), k_clients);
}

INSTANTIATE_TEST_SUITE_P(Paths, OverFourQueues,
                         ::testing::Values(Way{PathChoice::xdp, XdpMode::generic},
                                           Way{PathChoice::xdp, XdpMode::native}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Paths, OverVeth,
                         ::testing::Values(Way{PathChoice::socket, XdpMode::automatic},
                                           Way{PathChoice::xdp, XdpMode::generic},
                                           Way{PathChoice::xdp, XdpMode::native},
                                           Way{PathChoice::xdp, XdpMode::native, true}),
                         name_of);

}  // namespace
}  // namespace damrak::net::veth_test
