// The simulated network of datagrams does to them what networks do, and no more.
#include <support/simulation/datagram_network.hpp>

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::simulation::datagram_network_test {
namespace {

constexpr net::Endpoint k_one{.link = {}, .address = {10, 0, 0, 1}, .port = 1};
constexpr net::Endpoint k_other{.link = {}, .address = {10, 0, 0, 1}, .port = 2};

class Datagrams : public ::testing::Test {
  protected:
    void send(const net::Endpoint& from, std::byte text) { network_.send(from, {&text, 1}); }
    void pass_ms(int ms) { clock_.advance(ms * std::int64_t{1'000'000}); }
    static std::vector<std::byte> taken_by(HostPath& host, std::size_t quota = 1'000) {
        std::vector<std::byte> all;
        host.receive(quota, 0, [&](const net::Datagram& one) { all.push_back(one.bytes[0]); });
        return all;
    }

    VirtualClock clock_{0};
    RandomStream random_{1};
    DatagramNetwork network_{clock_, random_};
};

TEST_F(Datagrams, AllComeOnceWithoutTroubleThoughNotInOrder) {
    HostPath host{network_};
    network_.rules.most_delay_ns = 1'000'000;
    for (int i = 0; i < 100; ++i) send(k_one, static_cast<std::byte>(i));
    EXPECT_LT(taken_by(host).size(), 100U) << "each takes its time";
    pass_ms(2);
    auto rest = taken_by(host);
    EXPECT_FALSE(std::ranges::is_sorted(rest));
    EXPECT_GT(network_.overtaking(), 0U);
    EXPECT_EQ(network_.lost() + network_.repeated(), 0U);
    const std::set<std::byte> different{rest.begin(), rest.end()};
    EXPECT_EQ(different.size(), rest.size());
}

TEST_F(Datagrams, SomeAreLostAndSomeComeTwiceAsTheCountsSay) {
    HostPath host{network_};
    network_.rules = {.lost_percent = 30, .repeated_percent = 30};
    for (int i = 0; i < 500; ++i) send(k_one, std::byte{1});
    pass_ms(2);
    EXPECT_GT(network_.lost(), 50U);
    EXPECT_GT(network_.repeated(), 50U);
    EXPECT_EQ(taken_by(host).size(), 500 - network_.lost() + network_.repeated());
}

TEST_F(Datagrams, AnswersGoToTheirEnds) {
    HostPath host{network_};
    const auto answer = [&](const net::Endpoint& to, std::byte text) {
        const auto room = host.claim(to, 4);
        ASSERT_EQ(room.size(), 4U);
        room[0] = text;
        host.commit(1);
    };
    answer(k_one, std::byte{1});
    answer(k_other, std::byte{2});
    pass_ms(2);
    EXPECT_FALSE(network_.receive(k_one)) << "not before the flush";
    host.flush();
    EXPECT_EQ(host.counters().sent, 2U);
    pass_ms(2);
    EXPECT_EQ(network_.receive(k_other), std::vector{std::byte{2}});
    EXPECT_FALSE(network_.receive(k_other));
    EXPECT_EQ(network_.receive(k_one), std::vector{std::byte{1}});
}

TEST_F(Datagrams, WhileTheKernelTakesNothingThereIsRoomForSome) {
    HostPath host{network_};
    network_.rules.stuck_percent = 100;
    std::size_t committed = 0;
    for (; !host.claim(k_one, 1).empty(); ++committed) host.commit(1);
    host.flush();
    EXPECT_EQ(committed, 64U);
    EXPECT_EQ(host.counters().sent, 0U);
    EXPECT_EQ(host.counters().no_room, 1U);
    network_.rules.stuck_percent = 0;
    host.flush();
    EXPECT_EQ(host.counters().sent, committed);
}

TEST_F(Datagrams, WhatComesWhileThereIsNoHostIsLost) {
    network_.rules.most_delay_ns = 0;
    {
        HostPath host{network_};
        for (int i = 0; i < 3; ++i) send(k_one, std::byte{1});
        EXPECT_EQ(taken_by(host, 1).size(), 1U);
    }
    EXPECT_EQ(network_.lost(), 2U);
    send(k_one, std::byte{2});
    HostPath host{network_};
    EXPECT_EQ(network_.lost(), 3U);
    send(k_one, std::byte{3});
    EXPECT_EQ(taken_by(host), std::vector{std::byte{3}});
}

TEST_F(Datagrams, NoMoreWaitForTheHostThanThereIsRoomFor) {
    HostPath host{network_};
    network_.rules.host_room = 10;
    for (int i = 0; i < 15; ++i) send(k_one, std::byte{1});
    pass_ms(2);
    EXPECT_EQ(taken_by(host).size(), 10U);
    EXPECT_EQ(network_.lost(), 5U);
}

}  // namespace
}  // namespace damrak::simulation::datagram_network_test
