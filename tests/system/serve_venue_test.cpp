// `damrak serve --venue nasdaq-like` over real sockets on the morning of a Monday: orders for the
// opening cross by each gateway that takes them, and kill -9 in the middle of the call. The clock
// is that of a library that is loaded before the system's.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/base/local_days.hpp>
#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/wire/binary/encode.hpp>

#include "raw_binary.hpp"
#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::serve_venue_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::int64_t k_minute_ns = 60 * k_second_ns;

class ServeVenue : public ::testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::filesystem::path program = std::getenv("DAMRAK_PROGRAM");
        library_ = program.parent_path() / "tests" / "moved_clock.so";
        if (!std::filesystem::exists(library_)) GTEST_SKIP() << "the sanitizers do not allow it";
    }
    /// The clock says so now, on the Monday of this test.
    void set_clock(int hour, int minute, int second) const {
        const LocalDays days = LocalDays::make("America/New_York").value();
        constexpr std::int64_t k_monday = 4;  // the first one was the fifth day of 1970
        const std::int64_t wanted =
            days.at(first_day_ + (k_monday + 7 - first_day_ % 7) % 7,
                    (std::int64_t{hour} * 60 + minute) * k_minute_ns + second * k_second_ns);
        std::ofstream{moved_ + ".new"} << (wanted - system_time_ns()) / k_second_ns;
        std::filesystem::rename(moved_ + ".new", moved_);
    }
    void serve(const std::string& only) {
        server_ = std::make_unique<RunningServer>(
            data_, log_,
            std::vector<std::string>{"--venue", "nasdaq-like", "--wiring", GetParam(), "--only",
                                     only, "--http-port", "0", "--itch-port", "0", "--ouch-port",
                                     "0"},
            std::vector<std::string>{"LD_PRELOAD=" + library_, "DAMRAK_CLOCK_MOVED_BY=" + moved_});
    }
    [[nodiscard]] std::uint16_t port(const char* gateway) const {
        return nlohmann::json::parse(server_->ready_line())["ports"][gateway].get<std::uint16_t>();
    }
    /// The answer as soon as it has this text.
    [[nodiscard]] std::string get_until(std::string_view path, std::string_view text) const {
        const std::string request =
            fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
        std::string answer;
        static_cast<void>(testing::eventually([&] {
            const RawClient client{port("http")};
            client.send(std::as_bytes(std::span{request}));
            answer.clear();
            for (const std::byte b : client.receive(1'000'000))
                answer += static_cast<char>(std::to_integer<unsigned char>(b));
            return answer.contains(text);
        }));
        return answer;
    }
    [[nodiscard]] std::string talk_ouch(const std::string& words) const {
        return run_shell(fmt::format("python3 tests/peers/ouch_peer.py {} {}", port("ouch"), words))
            .out;
    }

    std::int64_t first_day_ = system_time_ns() / k_day_ns + 1;
    ScratchFolder folder_;
    std::string library_;
    std::string data_ = folder_ / "data";
    std::string log_ = folder_ / "log";
    std::string moved_ = folder_ / "moved";
    std::unique_ptr<RunningServer> server_;
};

TEST_P(ServeVenue, ACallGoesOnAfterAKill) {
    set_clock(9, 28, 5);
    serve("http,itch");
    {
        const RawClient client{server_->port()};
        const std::uint64_t id = hello(client).client;
        ASSERT_EQ(place(client, 2, id, {.side = 0, .quantity = 70, .price_e2 = 1'005}).status, 1U);
        ASSERT_EQ(place(client, 3, id, {.side = 1, .quantity = 50, .price_e2 = 1'000}).status, 1U);
        server_->kill();
    }
    set_clock(9, 28, 40);
    serve("http,itch");
    const std::string book = get_until("/v1/book?symbol=AAPL", "10.05");
    EXPECT_THAT(book, HasSubstr("10.05")) << "crossed, as orders are collected";
    EXPECT_THAT(get_until("/v1/trades?symbol=AAPL", "\"trades\""), HasSubstr("\"trades\": []"));
    const RawClient late{server_->port()};
    ASSERT_EQ(
        place(late, 2, hello(late).client, {.side = 1, .quantity = 20, .price_e2 = 1'005}).status,
        1U)
        << "it collects more of them";
    set_clock(9, 30, 1);
    const std::string trades = get_until("/v1/trades?symbol=AAPL", "\"quantity\": 70");
    EXPECT_THAT(trades, HasSubstr("\"quantity\": 70")) << "one auction of all";
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(ServeVenue, OrdersForTheOpeningComeByEachGateway) {
    set_clock(9, 28, 5);
    serve("http,itch,ouch,udp");
    // OUCH 5.0: sell 60 of AAPL at 10.00, cross type O.
    const std::string sell =
        "4f0000000153"
        "0000003c"
        "4141504c20202020"
        "00000000000186a0"
        "3059414e4f"
        "4331202020202020202020202020"
        "0000";
    EXPECT_THAT(talk_ouch("A 1 2 " + sell), HasSubstr(" 41"));
    // Binary, version 2: buy 20.
    const wire::binary::NewOrder buy{.client_order_id = {5},
                                     .instrument = {1},
                                     .side = 0,
                                     .time_in_force = 4,
                                     .quantity = 20,
                                     .price_e2 = 1'000,
                                     .good_till_us = UINT64_MAX};
    const RawClient binary{server_->port()};
    const auto send = [&](std::uint32_t sequence, const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        Bytes bytes(wire::binary::frame_length<M>(wire::binary::Version::v2));
        encode(wire::binary::Version::v2, {.client = sequence, .server = 0}, message, bytes);
        binary.send(bytes);
    };
    constexpr std::size_t k_header = 16;
    constexpr std::size_t k_ack = k_header + 56;
    send(1, wire::binary::Hello{});
    const Bytes welcome = binary.receive(k_header + 16);
    auto mine = buy;
    mine.client_id = {get(welcome, k_header, 8)};
    send(2, mine);
    const Bytes acknowledged = binary.receive(k_ack);
    EXPECT_EQ(get(acknowledged, k_header + 52, 1), 1U) << "new";
    // UDP: buy 20.
    const RawUdp udp{server_->udp_port()};
    Bytes datagram = extended({.sequence = 1, .id = 9, .price = 1'000, .quantity = 20, .side = 1});
    datagram.back() = std::byte{5};
    udp.send(datagram);
    const auto accepted = udp.receive();
    ASSERT_TRUE(accepted);
    EXPECT_EQ(get(*accepted, 16, 1), 1U);
    EXPECT_THAT(get_until("/v1/book?symbol=AAPL", "\"bids\""), HasSubstr("\"bids\": []"))
        << "they wait outside the book";

    set_clock(9, 30, 1);
    const auto executed = udp.receive();
    ASSERT_TRUE(executed);
    EXPECT_EQ(get(*executed, 16, 1), 3U) << "executed";
    EXPECT_EQ(get(*executed, 52, 4), 20U);
    const Bytes trade = binary.receive(k_header + 56);
    EXPECT_EQ(get(trade, k_header + 16, 8), 5U);
    EXPECT_EQ(get(trade, k_header + 32, 8), 20U);
    const std::string told = talk_ouch("A 3 3");
    EXPECT_THAT(told, ::testing::ContainsRegex(" 45[0-9a-f]+\n.* 45[0-9a-f]+\n.* 43[0-9a-f]+"));
    EXPECT_THAT(told, HasSubstr("000000010000001443")) << "20 are cancelled: C, with the auction";
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(ServeVenue, WhatImbalanceOnlyOrdersTradeIsInTradesAndCandles) {
    set_clock(9, 28, 5);
    serve("http,itch,ouch");
    const RawClient client{server_->port()};
    const std::uint64_t id = hello(client).client;
    ASSERT_EQ(place(client, 2, id, {.side = 0, .quantity = 70, .price_e2 = 1'000}).status, 1U);
    ASSERT_EQ(place(client, 3, id, {.side = 1, .quantity = 50, .price_e2 = 1'000}).status, 1U);
    // OUCH 5.0: sell 60 of AAPL at 10.00, cross type O, imbalance-only: 20 of it trade.
    const std::string sell =
        "4f0000000153"
        "0000003c"
        "4141504c20202020"
        "00000000000186a0"
        "3059414e4f"
        "4331202020202020202020202020"
        "0003021149";
    EXPECT_THAT(talk_ouch("A 1 2 " + sell), HasSubstr(" 41"));
    set_clock(9, 30, 1);
    EXPECT_THAT(get_until("/v1/trades?symbol=AAPL", "\"quantity\": 70"),
                HasSubstr("\"quantity\": 70"));
    EXPECT_THAT(get_until("/v1/candles?symbol=AAPL&interval=60", "\"volume\": 70"),
                HasSubstr("\"volume\": 70"));
    EXPECT_EQ(server_->terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeVenue, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::testing::serve_venue_test
