// Whatever may come over a cable, to the UDP gateway of a running exchange, over sockets and both
// modes of AF_XDP: frames that are cut, too long, in fragments, tagged, to somebody else, or wrong
// in any field; what a network does to datagrams; and a flood. Each frame has the fate that the
// path gives it, which the counters show, and a well-behaved sender is served meanwhile.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/net/tcp.hpp>

#include "raw_frame.hpp"
#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "udp_frame_cases.hpp"
#include "udp_veth.hpp"

namespace damrak::testing::udp_frames_test {
namespace {

using net::VethPair;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

constexpr std::uint8_t k_sell = 0;
/// Where nobody else trades: an order of a frame sells here, or higher, so that it stays.
constexpr std::uint32_t k_high_price = 50'000;

class UdpFrames : public UdpVethTest {
  protected:
    void SetUp() override {
        UdpVethTest::SetUp();
        if (IsSkipped()) return;
        to_link_ = pair_->left.run([] { return RawCard{VethPair::k_interface}.link(); });
        card_ = pair_->right.run([] { return std::make_unique<RawCard>(VethPair::k_interface); });
    }
    void open(const std::string& settings = {}) {
        server_ = start(settings);
        ASSERT_NE(server_->udp_port(), 0) << log();
        ASSERT_NE(http_, 0);
        alice_ = sender(server_->udp_port());
        bob_ = sender(server_->udp_port());
    }

    /// From bob's port, unless it is changed; the payload is left to do.
    [[nodiscard]] RawFrame frame() const {
        return {.to_link = to_link_,
                .from_link = card_->link(),
                .from = {10, 26, 4, 2},
                .to = {10, 26, 4, 1},
                .from_port = bob_->port(),
                .to_port = server_->udp_port()};
    }
    [[nodiscard]] static Bytes order(std::uint32_t number) {
        return packed({.sequence = number,
                       .id = number,
                       .price = k_high_price + number,
                       .quantity = 1,
                       .side = k_sell});
    }
    [[nodiscard]] RawFrame frame_with_order(std::uint32_t number) const {
        RawFrame made = frame();
        made.payload = order(number);
        return made;
    }
    void send(const Bytes& one) const { EXPECT_TRUE(card_->send(one)) << one.size() << " bytes"; }

    /// Alice trades with herself, and hears of it.
    void expect_service() {
        const std::uint32_t first = 2 * ++trades_ - 1;
        alice_->send(packed(
            {.sequence = first, .id = first, .price = 10'000, .quantity = 1, .side = k_sell}));
        alice_->send(
            packed({.sequence = first + 1, .id = first + 1, .price = 10'000, .quantity = 1}));
        EXPECT_THAT(alice_->receive_all(1), ElementsAre(public_trade(first + 1, first, 10'000, 1)));
    }
    /// Those of the orders in frames that are in the book: alice buys them all, the cheapest first.
    /// Her last order meets what is left of that one.
    [[nodiscard]] std::vector<std::uint32_t> entered() {
        constexpr std::uint32_t k_most = 2 * k_high_price;
        const std::uint32_t all = 2 * ++trades_ - 1;
        alice_->send(packed({.sequence = all, .id = all, .price = k_most, .quantity = 1'000}));
        alice_->send(packed(
            {.sequence = all + 1, .id = all + 1, .price = k_most, .quantity = 1, .side = k_sell}));
        std::vector<std::uint32_t> numbers;
        while (const auto trade = alice_->receive()) {
            if (*trade == public_trade(all, all + 1, k_most, 1)) return numbers;
            numbers.push_back(static_cast<std::uint32_t>(get(*trade, 8, 4)) - k_high_price);
        }
        ADD_FAILURE() << "the last order is not told";
        return numbers;
    }
    /// Counted so far, by fate; alice's own orders are `entered`.
    [[nodiscard]] static Counters counted(const std::map<Fate, std::uint64_t>& fates) {
        const auto of = [&fates](Fate fate) {
            return fates.contains(fate) ? fates.at(fate) : std::uint64_t{0};
        };
        return {{"datagrams_total", of(Fate::entered) + of(Fate::malformed)},
                {"malformed_total", of(Fate::malformed)},
                {"unusable_total", of(Fate::unusable)},
                {"kernel_drops_total", of(Fate::dropped)},
                {"duplicates_total", 0},
                {"refused_total", 0},
                {"rejected_total", 0},
                {"fill_empty_total", 0}};
    }

    Link to_link_{};
    std::unique_ptr<RawCard> card_;
    std::unique_ptr<RunningServer> server_;
    std::unique_ptr<RawUdp> alice_;
    std::unique_ptr<RawUdp> bob_;
    std::uint32_t trades_ = 0;
};

TEST_P(UdpFrames, EachHasItsFateAndTheCountersAddUp) {
    ASSERT_NO_FATAL_FAILURE(open());
    std::map<Fate, std::uint64_t> fates;
    std::vector<std::uint32_t> expected;
    std::uint32_t number = 0;
    for (const FrameCase& one : frame_cases()) {
        SCOPED_TRACE(one.what);
        RawFrame made = frame_with_order(++number);
        one.change(made);
        send(made.build());
        expect_service();
        const Fate fate = by_xdp() ? one.by_xdp : one.by_socket;
        ++fates[fate];
        if (fate == Fate::entered) expected.push_back(number);
        fates[Fate::entered] += 2;  // alice's
        const Counters so_far = counted(fates);
        ASSERT_EQ(counters_like(so_far), so_far);
    }
    EXPECT_THAT(entered(), ElementsAreArray(expected));
    if (by_xdp()) {
        const auto by_reason = [](const char* reason) {
            return std::string{"unusable_by_reason_total{reason=\""} + reason + "\"}";
        };
        const Counters reasons{{by_reason("fragment"), 1}, {by_reason("options"), 2},
                               {by_reason("vlan"), 2},     {by_reason("link"), 1},
                               {by_reason("length"), 5},   {by_reason("checksum"), 2},
                               {by_reason("source"), 5},   {by_reason("elsewhere"), 0}};
        EXPECT_EQ(counters_like(reasons), reasons);
    }
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_EQ(programs(), 0);
    if (by_xdp()) {
        EXPECT_THAT(log(), HasSubstr("1 in fragments, 2 with IP options, 2 with a VLAN tag, 1 to a "
                                     "broadcast address, 5 with inconsistent lengths, 2 with "
                                     "a wrong checksum, 5 from an address that no other host"));
    }
}

TEST_P(UdpFrames, ADatagramInFragmentsIsPutTogetherByTheKernelAlone) {
    ASSERT_NO_FATAL_FAILURE(open());
    RawFrame made = frame_with_order(1);
    made.identification = 7;
    for (const Bytes& fragment : made.build_fragments(16)) send(fragment);
    // Halves of others that never become whole.
    made.identification = 8;
    send(made.build_fragments(16)[0]);
    made.identification = 9;
    send(made.build_fragments(16)[1]);
    expect_service();
    const Counters expected =
        counted({{Fate::entered, by_xdp() ? 2 : 3}, {Fate::unusable, by_xdp() ? 2 : 0}});
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(UdpFrames, ACardThatVerifiesChecksumsIsBelieved) {
    if (!by_xdp()) GTEST_SKIP() << "sockets leave it to the kernel";
    ASSERT_NO_FATAL_FAILURE(open("verify_checksum = false\n"));
    RawFrame made = frame_with_order(1);
    made.udp_checksum_wrong_by = 1;
    send(made.build());
    expect_service();
    const Counters expected = counted({{Fate::entered, 3}});
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(UdpFrames, CutAnywhereTheyAreIgnored) {
    ASSERT_NO_FATAL_FAILURE(open());
    const Bytes whole = frame_with_order(1).build();
    for (std::size_t length = 14; length < whole.size(); ++length)
        send({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)});
    expect_service();
    // With all headers there, it is to us, and says that it is longer.
    const std::uint64_t to_us = by_xdp() ? whole.size() - (14 + 20 + 8) : 0;
    const Counters expected = counted({{Fate::entered, 2}, {Fate::unusable, to_us}});
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(UdpFrames, GarbageOfEveryLengthIsCountedBetweenAnswers) {
    ASSERT_NO_FATAL_FAILURE(open());
    RawFrame garbage = frame();
    std::uint64_t sent = 0;
    const auto send_garbage = [&](std::size_t length, std::uint8_t fill) {
        // Each from a port of its own, so that numbers in what looks like an order are new.
        garbage.from_port = static_cast<std::uint16_t>(20'000 + sent++);
        garbage.payload = Bytes(length, std::byte{fill});
        send(garbage.build());
    };
    for (std::size_t length = 0; length <= 64; ++length) {
        for (const std::uint8_t fill : {std::uint8_t{0x00}, std::uint8_t{0x55}, std::uint8_t{0xff}})
            send_garbage(length, fill);
        expect_service();
    }
    for (const std::size_t length : {65U, 500U, 1'024U, 1'471U, 1'472U}) send_garbage(length, 'D');
    expect_service();
    const Counters expected =
        counted({{Fate::entered, 2 * std::uint64_t{trades_}}, {Fate::malformed, sent}});
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server_->terminate(), 0);
}

// The cable's other end may send longer frames than ours takes; then ours takes them too, and they
// are longer than what the path has room for.
TEST_P(UdpFrames, LongerThanTheNetworkAllowsTheyAreLostOrReported) {
    ASSERT_NO_FATAL_FAILURE(open());
    const auto allow = [](const net::NetworkNamespace& side) {
        return side.run([] {
            return net::run_quietly(fmt::format("ip link set {} mtu 3000", VethPair::k_interface));
        });
    };
    RawFrame made = frame();
    const auto send_long = [&](std::size_t length) {
        made.payload = Bytes(length, std::byte{0x55});
        card_->send(made.build());
    };
    ASSERT_TRUE(allow(pair_->right));
    // A card takes four bytes more, for a VLAN; what is longer is lost in it.
    for (const std::size_t length : {1'473U, 1'476U, 1'477U, 2'000U, 2'950U}) send_long(length);
    expect_service();
    ASSERT_TRUE(allow(pair_->left));
    for (const std::size_t length : {1'500U, 1'750U, 1'751U, 2'048U, 2'049U, 2'950U})
        send_long(length);
    expect_service();
    // Sockets have room for 2,048 bytes; AF_XDP for frames of 1,792, headers included.
    const Counters expected =
        by_xdp() ? counted({{Fate::entered, 4}, {Fate::malformed, 2 + 2}, {Fate::dropped, 4}})
                 : counted({{Fate::entered, 4}, {Fate::malformed, 2 + 4}, {Fate::unusable, 2}});
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(UdpFrames, WhatANetworkDoesToNumbersIsCounted) {
    ASSERT_NO_FATAL_FAILURE(open());
    for (const std::uint32_t number :
         {1U, 1U, 2U, 5U, 5U, 4U, 3U, 3U, 9U, 7U, 2'000U, 976U, 977U, 977U})
        send(frame_with_order(number).build());
    expect_service();
    const Counters expected{
        {"datagrams_total", 16},  {"orders_total", 16}, {"duplicates_total", 4}, {"gaps_total", 3},
        {"missing_total", 1'995}, {"late_total", 4},    {"too_old_total", 1}};
    EXPECT_EQ(counters_like(expected), expected);
    EXPECT_THAT(entered(), ElementsAre(1, 2, 3, 4, 5, 7, 9, 977, 2'000));
    EXPECT_EQ(server_->terminate(), 0);
}

// Over a connection to the exchange's kernel.
bool tcp_passes(const VethPair& pair) {
    const auto listening =
        pair.left.run([] { return net::listen_tcp(VethPair::k_left_address, 0); });
    if (!listening) return false;
    auto client =
        pair.right.run([&] { return net::connect_tcp(VethPair::k_left_address, listening->port); });
    const auto wait_for = [](const net::Descriptor& socket) {
        return testing::is_readable(socket.number());
    };
    if (!client || !wait_for(listening->socket)) return false;
    const net::Descriptor accepted = net::accept_tcp(listening->socket);
    const Bytes sent(50'000, std::byte{0x5a});
    Bytes received;
    std::array<std::byte, 4'096> memory{};
    for (std::size_t gone = 0; received.size() < sent.size();) {
        gone += net::send(*client, std::span{sent}.subspan(gone)).bytes;
        if (!wait_for(accepted)) return false;
        const std::size_t got = net::receive(accepted, memory).bytes;
        append(received, std::span{memory}.first(got));
    }
    return received == sent;
}

TEST_P(UdpFrames, AFloodCostsNeitherOthersNorOtherTrafficAnything) {
    ASSERT_NO_FATAL_FAILURE(open());
    std::atomic<bool> over{false};
    std::uint64_t sent = 0;
    // From many ports, as fast as one can: orders, garbage, and frames that are none.
    std::thread flood{[&] {
        constexpr std::size_t k_senders = 50;
        RawFrame made = frame();
        std::uint32_t number = 0;
        while (!over) {
            ++number;
            for (std::size_t i = 0; i < k_senders && !over; ++i) {
                made.from_port = static_cast<std::uint16_t>(20'000 + i);
                made.payload = i % 3 == 2 ? Bytes(i, std::byte{0x55}) : order(number);
                Bytes bytes = made.build();
                if (i % 5 == 4) bytes.resize(bytes.size() - 3);
                if (card_->send(bytes)) ++sent;
            }
        }
    }};
    // Once it is running: two in three of its senders send orders.
    EXPECT_TRUE(testing::eventually([this] {
        Counters counts = counters();
        return counts["sources"] >= 27 && counts["malformed_total"] > 0;
    }));
    // Meanwhile a datagram may be lost: who repeats it, with its number, hears of each trade once.
    std::size_t heard = 0;
    std::uint64_t asked = 0;
    for (std::uint32_t first = 1; first <= 99; first += 2) {
        const auto trade = alice_->receive_asking([&] {
            alice_->send(packed(
                {.sequence = first, .id = first, .price = 10'000, .quantity = 1, .side = k_sell}));
            alice_->send(
                packed({.sequence = first + 1, .id = first + 1, .price = 10'000, .quantity = 1}));
            asked += 2;
        });
        EXPECT_EQ(trade, public_trade(first + 1, first, 10'000, 1));
        heard += trade ? 1U : 0U;
    }
    EXPECT_EQ(heard, 50U);
    EXPECT_TRUE(other_traffic_passes());
    EXPECT_TRUE(tcp_passes(*pair_));
    over = true;
    flood.join();
    trades_ = 50;
    expect_service();
    EXPECT_TRUE(other_traffic_passes());
    Counters counts = counters();
    EXPECT_EQ(counts["datagrams_total"], counts["orders_total"] + counts["malformed_total"]);
    EXPECT_GT(counts["malformed_total"], 0U);
    EXPECT_LE(counts["datagrams_total"] + counts["unusable_total"] + counts["kernel_drops_total"],
              sent + asked + 2);
    const Counters known{{"sources", 27 + 1}};
    EXPECT_EQ(counters_like(known), known) << "the others sent nothing but garbage";
    EXPECT_EQ(server_->terminate(), 0);
    EXPECT_EQ(programs(), 0);
}

INSTANTIATE_TEST_SUITE_P(Paths, UdpFrames, all_udp_paths(),
                         [](const auto& path) { return path.param; });

}  // namespace
}  // namespace damrak::testing::udp_frames_test
