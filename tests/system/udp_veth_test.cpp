// `damrak serve` with its UDP door on one end of a virtual cable, over sockets and over AF_XDP, and
// an independent sender on the other end. Networks of their own, made and removed here; skipped
// where that may not be done.
#include <array>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/net/network_namespace.hpp>

#include "raw_udp.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing {
namespace {

using net::VethPair;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::uint8_t k_sell = 0;

class UdpVeth : public ::testing::TestWithParam<std::string> {
  protected:
    void SetUp() override {
        auto made = VethPair::make();
        if (!made) GTEST_SKIP() << "no networks of our own: " << made.error();
        pair_.emplace(std::move(*made));
    }
    [[nodiscard]] std::unique_ptr<RunningServer> start() const {
        return pair_->left.run([this] {
            return std::make_unique<RunningServer>(
                folder_ / "data", folder_ / "log",
                std::vector<std::string>{"--only", "udp", "--binary-port", "off", "--udp-interface",
                                         VethPair::k_interface, "--udp-path", GetParam()});
        });
    }
    [[nodiscard]] std::unique_ptr<RawUdp> sender(std::uint16_t server) const {
        return pair_->right.run([&] {
            return std::make_unique<RawUdp>(server, VethPair::k_left_address,
                                            VethPair::k_right_address);
        });
    }
    /// On the card of the exchange.
    [[nodiscard]] int programs() const {
        return pair_->left.run([] {
            const std::string command =
                std::string{"ip -details link show "} + VethPair::k_interface;
            FILE* const output = ::popen(command.c_str(), "r");
            std::string text;
            std::array<char, 256> line{};
            while (std::fgets(line.data(), line.size(), output) != nullptr) text += line.data();
            ::pclose(output);
            int count = 0;
            constexpr std::string_view k_mark = "prog/xdp";
            for (auto at = text.find(k_mark); at != std::string::npos;
                 at = text.find(k_mark, at + 1))
                ++count;
            return count;
        });
    }
    /// A datagram to a port where nobody listens is answered by the kernel of the exchange.
    [[nodiscard]] bool other_traffic_passes() const {
        return pair_->right.run([] {
            const int other = ::socket(AF_INET, SOCK_DGRAM, 0);
            const timeval limit{.tv_sec = 5, .tv_usec = 0};
            ::setsockopt(other, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
            sockaddr_in to{};
            to.sin_family = AF_INET;
            ::inet_pton(AF_INET, VethPair::k_left_address, &to.sin_addr);
            to.sin_port = htons(9);
            std::array<char, 16> memory{};
            const bool refused =
                ::connect(other, reinterpret_cast<const sockaddr*>(&to), sizeof to) == 0 &&
                ::send(other, memory.data(), memory.size(), 0) > 0 &&
                ::recv(other, memory.data(), memory.size(), 0) < 0 && errno == ECONNREFUSED;
            ::close(other);
            return refused;
        });
    }
    [[nodiscard]] bool by_xdp() const { return GetParam() == "xdp"; }
    [[nodiscard]] std::string log() const { return content_of(folder_ / "log"); }

    ScratchFolder folder_;
    std::optional<VethPair> pair_;
};

TEST_P(UdpVeth, TradesByteForByteAndOtherTrafficPasses) {
    const auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_THAT(log(), HasSubstr(by_xdp() ? "AF_XDP on damrak0" : "a socket at 10.26.4.1"));
    const auto alice = sender(server->udp_port());
    const auto bob = sender(server->udp_port());
    EXPECT_TRUE(other_traffic_passes());
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(words({.sequence = 2, .id = 2, .price = 10'001, .quantity = 2}));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 2)));
    for (const std::size_t length : {1U, 17U, 25U, 600U, 1'472U, 4'000U})
        bob->send(Bytes(length, std::byte{0x77}));
    bob->send(packed({.sequence = 8, .id = 9, .price = 10'000, .quantity = 9}));
    EXPECT_THAT(bob->receive_all(1), ElementsAre(public_trade(9, 0, 10'000, 3)));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(0, 1, 10'000, 3)));
    EXPECT_TRUE(other_traffic_passes());
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_EQ(programs(), 0);
    EXPECT_THAT(log(), HasSubstr("1 duplicate"));
}

TEST_P(UdpVeth, AfterAKillThereIsOneProgramAndTheSendersAreKnown) {
    auto server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    const auto alice = sender(server->udp_port());
    alice->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 5, .side = k_sell}));
    alice->send(packed({.sequence = 2, .id = 2, .price = 10'000, .quantity = 1}));
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(2, 1, 10'000, 1)));
    EXPECT_EQ(programs(), by_xdp() ? 1 : 0);
    server->kill();
    server = start();
    ASSERT_NE(server->udp_port(), 0) << log();
    EXPECT_EQ(programs(), by_xdp() ? 1 : 0);
    const auto bob = sender(server->udp_port());
    bob->send(packed({.sequence = 1, .id = 1, .price = 10'000, .quantity = 1}));
    EXPECT_THAT(bob->receive_all(1), ElementsAre(public_trade(1, 0, 10'000, 1)));
    // Before it has sent anything to this run: where it is, its card included, is in the journal.
    EXPECT_THAT(alice->receive_all(1), ElementsAre(public_trade(0, 1, 10'000, 1)));
    EXPECT_EQ(server->terminate(), 0);
    EXPECT_EQ(programs(), 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, UdpVeth, ::testing::Values("socket", "xdp"),
                         [](const auto& path) { return path.param; });

}  // namespace
}  // namespace damrak::testing
