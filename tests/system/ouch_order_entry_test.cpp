// A trader's side of the OUCH gateway against the gateway of the real program, over TCP.
#include <damrak/client/ouch_order_entry.hpp>

#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/net/tcp.hpp>

#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::ouch_order_entry_test {
namespace {

using client::News;
using client::OuchOrderEntry;
using client::OwnOrder;
using client::Symbols;
using ::testing::IsEmpty;

/// A trader and its connection.
class OuchTrader {
  public:
    explicit OuchTrader(const std::string& user, const std::string& password = "")
        : entry{user, password, Symbols{{"AAPL", "MSFT"}}} {}

    void connect(std::uint16_t port) {
        auto socket = net::connect_tcp("127.0.0.1", port);
        ASSERT_TRUE(socket) << socket.error();
        socket_ = *std::move(socket);
        entry.login();
        wait_until([this] { return entry.logged_in() || !entry.refusal().empty(); });
    }
    void cut() {
        socket_.reset();
        entry.lose();
    }
    /// Moves bytes until it is so.
    void wait_until(const std::function<bool()>& is_so) {
        ASSERT_TRUE(testing::eventually([&] {
            while (turn()) continue;
            return is_so();
        })) << "nothing came";
    }
    void settle() {
        wait_until([this] { return entry.settled(); });
    }
    [[nodiscard]] std::optional<News> heard(News::Kind kind) {
        for (const News& news : entry.take_news())
            if (news.kind == kind) return news;
        return std::nullopt;
    }
    [[nodiscard]] const OwnOrder& order(std::uint32_t number) const {
        return entry.orders().at(number);
    }

    OuchOrderEntry entry;

  private:
    /// Whether something came.
    bool turn() {
        if (const auto there = net::connected(socket_); !there || !*there) return false;
        entry.mark_sent(net::send(socket_, entry.unsent()).bytes);
        std::array<std::byte, 4'096> memory{};
        const net::Moved got = net::receive(socket_, memory);
        EXPECT_TRUE(entry.receive(std::span{memory}.first(got.bytes)));
        return got.bytes > 0;
    }

    net::Descriptor socket_;
};

class OuchOrderEntryAtTheGateway : public ::testing::Test {
  protected:
    void start(std::vector<std::string> more = {}) {
        more.insert(more.begin(), {"--only", "ouch", "--ouch-port", "0"});
        server_.emplace((folder_.path() / "data").string(), (folder_.path() / "log").string(),
                        std::move(more));
        port_ = nlohmann::json::parse(server_->ready_line()).at("ports").at("ouch").get<int>();
    }
    [[nodiscard]] std::uint16_t port() const { return static_cast<std::uint16_t>(port_); }

    testing::ScratchFolder folder_;
    std::optional<testing::RunningServer> server_;
    int port_ = 0;
    OuchTrader ann_{"ANN"};
    OuchTrader bob_{"BOB"};
};

TEST_F(OuchOrderEntryAtTheGateway, OrdersRestAreChangedAndFilled) {
    start();
    ann_.connect(port());
    bob_.connect(port());
    const std::uint32_t number = ann_.entry.enter({2}, Side::buy, 100, 24'000, {});
    ann_.settle();
    EXPECT_EQ(ann_.order(number).state, OwnOrder::State::open);
    ASSERT_TRUE(ann_.entry.modify(number, 80, 0, 0));
    ann_.settle();
    EXPECT_EQ(ann_.order(number).open, 80U);
    ASSERT_TRUE(ann_.entry.modify(number, 70, 24'010, 0));
    ann_.settle();
    EXPECT_EQ(ann_.order(number).open, 70U);
    EXPECT_EQ(ann_.order(number).price_e2, 24'010);

    const std::uint32_t taker =
        bob_.entry.enter({2}, Side::sell, 30, 24'010, {.in_force = TimeInForce::ioc});
    bob_.wait_until([&] { return !bob_.entry.orders().contains(taker); });
    EXPECT_EQ(bob_.heard(News::Kind::filled)->price_e2, 24'010);
    ann_.wait_until([&] { return ann_.order(number).open == 40; });
    EXPECT_EQ(ann_.order(number).filled, 30U);

    // Its quantity counts what traded: of the new size of 50, 20 are left over the 30 filled.
    ASSERT_TRUE(ann_.entry.modify(number, 20, 24'020, 0));
    ann_.settle();
    EXPECT_EQ(ann_.order(number).open, 20U);
    ASSERT_TRUE(ann_.entry.modify(number, 60, 24'020, 0));
    ASSERT_TRUE(ann_.entry.cancel(number)) << "before the answer to the replace";
    ann_.settle();
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_F(OuchOrderEntryAtTheGateway, WhatDoesNotTradeAtOnceIsCancelled) {
    start();
    ann_.connect(port());
    static_cast<void>(ann_.entry.enter({1}, Side::buy, 10, 10'000, {.in_force = TimeInForce::ioc}));
    ann_.wait_until([&] { return ann_.entry.orders().empty(); });
    EXPECT_TRUE(ann_.heard(News::Kind::unfilled));
    static_cast<void>(ann_.entry.enter({1}, Side::buy, 10, 0, {}));
    ann_.wait_until([&] { return ann_.entry.orders().empty(); });
    EXPECT_FALSE(ann_.heard(News::Kind::filled));
    static_cast<void>(ann_.entry.enter({1}, Side::buy, 0, 10'000, {}));
    ann_.wait_until([&] { return ann_.entry.orders().empty(); });
    EXPECT_TRUE(ann_.heard(News::Kind::refused));
}

TEST_F(OuchOrderEntryAtTheGateway, TermsOfAnOrderSurviveAReplace) {
    start();
    ann_.connect(port());
    bob_.connect(port());
    const std::uint32_t number =
        ann_.entry.enter({1}, Side::sell, 300, 15'000, {.shown = 100, .post = true});
    ann_.settle();
    ASSERT_TRUE(ann_.entry.modify(number, 300, 15'010, 0));
    ann_.settle();
    ASSERT_TRUE(ann_.entry.orders().contains(number)) << "a replace of other terms ends the order";
    EXPECT_EQ(ann_.order(number).price_e2, 15'010);
    // A post-only order that would trade rests a tick behind.
    const std::uint32_t poster = bob_.entry.enter({1}, Side::buy, 10, 15'010, {.post = true});
    bob_.settle();
    EXPECT_EQ(bob_.order(poster).price_e2, 15'009);
}

TEST_F(OuchOrderEntryAtTheGateway, ALostConnectionLosesNoFill) {
    start();
    ann_.connect(port());
    bob_.connect(port());
    const std::uint32_t number = ann_.entry.enter({1}, Side::buy, 100, 10'000, {});
    ann_.settle();
    static_cast<void>(ann_.entry.take_news());
    ann_.cut();
    const std::uint32_t taker = bob_.entry.enter({1}, Side::sell, 60, 10'000, {});
    bob_.wait_until([&] { return !bob_.entry.orders().contains(taker); });
    ann_.connect(port());
    EXPECT_EQ(ann_.heard(News::Kind::filled)->quantity, 60U);
    EXPECT_EQ(ann_.order(number).open, 40U);
    EXPECT_EQ(ann_.order(number).state, OwnOrder::State::open);
    ASSERT_TRUE(ann_.entry.cancel(number));
    ann_.settle();
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
    const std::uint32_t next = ann_.entry.enter({1}, Side::buy, 1, 10'000, {});
    ann_.settle();
    EXPECT_EQ(ann_.order(next).state, OwnOrder::State::open) << "its reference was free";
}

TEST_F(OuchOrderEntryAtTheGateway, OnlyTheRightPasswordGetsIn) {
    const std::string file = folder_ / "damrak.toml";
    std::ofstream{file} << "[[participants]]\nid = 7\nouch_users = [\"ANN:secret:5.0\"]\n";
    start({"--config", file});
    ann_.connect(port());
    EXPECT_FALSE(ann_.entry.logged_in());
    EXPECT_EQ(ann_.entry.refusal(), "the exchange does not let the user ANN in");
    OuchTrader right{"ANN", "secret"};
    right.connect(port());
    EXPECT_TRUE(right.entry.logged_in());
}

}  // namespace
}  // namespace damrak::ouch_order_entry_test
