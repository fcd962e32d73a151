// The clients that keep their connection up, each against the real program: they enter, change and
// cancel orders, come back after the exchange was killed, and say why they do not.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/client/binary_order_client.hpp>
#include <damrak/client/fix_order_client.hpp>
#include <damrak/client/ouch_order_client.hpp>

#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::order_clients_test {
namespace {

using client::News;
using client::OrderClient;
using Made = std::unique_ptr<OrderClient>;

Made binary(std::uint16_t port) {
    return std::make_unique<client::BinaryOrderClient>(
        client::BinaryOrderClientSettings{.port = port});
}
Made ouch(std::uint16_t port) {
    return std::make_unique<client::OuchOrderClient>(
        client::OuchOrderClientSettings{.port = port, .user = "ME"},
        client::Symbols{std::vector<std::string>{"AAPL", "MSFT"}});
}
Made fix(std::uint16_t port) {
    auto made = client::FixOrderClient::make("127.0.0.1", port, {.comp_id = "ME"});
    EXPECT_TRUE(made) << made.error();
    return made ? *std::move(made) : nullptr;
}

struct Protocol {
    std::string_view name;
    Made (*make)(std::uint16_t port);
};

class OrderClients : public ::testing::TestWithParam<Protocol> {
  protected:
    void start() {
        std::vector<std::string> arguments{"--only", "fix,ouch"};
        for (const char* const name : {"binary", "fix", "ouch"}) {
            arguments.push_back(fmt::format("--{}-port", name));
            arguments.push_back(std::to_string(ports_.value(name, 0)));
        }
        server_.emplace(folder_ / "data", folder_ / "log", std::move(arguments));
        ports_ = nlohmann::json::parse(server_->ready_line())["ports"];
        port_ = ports_[GetParam().name].get<std::uint16_t>();
    }
    /// The next news of that kind; others before it are of no interest.
    static std::optional<News> next(OrderClient& client, News::Kind kind) {
        while (auto news = client.next(patience_ms()))
            if (news->kind == kind) return news;
        ADD_FAILURE() << client.trouble();
        return {};
    }
    static bool up(OrderClient& client) {
        return client.poll_until([&] { return client.is_up(); }, patience_ms());
    }

    ScratchFolder folder_;
    std::optional<RunningServer> server_;
    std::uint16_t port_ = 0;

  private:
    nlohmann::json ports_ = nlohmann::json::object();  ///< the same after a restart
};

TEST_P(OrderClients, EnterChangeAndCancelAnOrder) {
    start();
    const Made client = GetParam().make(port_);
    ASSERT_TRUE(up(*client)) << client->trouble();
    auto& gateway = client->gateway();
    const std::uint32_t number = gateway.enter(InstrumentId{1}, Side::buy, 100, 95'00, {});
    const auto accepted = next(*client, News::Kind::accepted);
    ASSERT_TRUE(accepted);
    EXPECT_EQ(accepted->order.number, number);
    EXPECT_EQ(accepted->order.open, 100U);
    ASSERT_TRUE(gateway.modify(number, 60, 95'01, 0));
    const auto modified = next(*client, News::Kind::modified);
    ASSERT_TRUE(modified);
    EXPECT_EQ(modified->order.open, 60U);
    EXPECT_EQ(modified->order.price_e2, 95'01);
    ASSERT_TRUE(gateway.cancel(number));
    ASSERT_TRUE(next(*client, News::Kind::cancelled));
    EXPECT_TRUE(gateway.orders().empty());
}

TEST_P(OrderClients, TradeWithEachOther) {
    start();
    const Made client = GetParam().make(port_);
    ASSERT_TRUE(up(*client)) << client->trouble();
    client->gateway().enter(InstrumentId{1}, Side::sell, 100, 95'00, {});
    ASSERT_TRUE(next(*client, News::Kind::accepted));
    const Made other = binary(server_->port());
    ASSERT_TRUE(up(*other));
    other->gateway().enter(InstrumentId{1}, Side::buy, 40, 95'10, {});
    ASSERT_TRUE(next(*other, News::Kind::filled));
    const auto filled = next(*client, News::Kind::filled);
    ASSERT_TRUE(filled);
    EXPECT_EQ(filled->quantity, 40U);
    EXPECT_EQ(filled->price_e2, 95'00);
    EXPECT_EQ(filled->order.open, 60U);
}

TEST_P(OrderClients, ComeBackAfterTheExchangeWasKilled) {
    start();
    const Made client = GetParam().make(port_);
    ASSERT_TRUE(up(*client)) << client->trouble();
    server_->kill();
    ASSERT_TRUE(client->poll_until([&] { return !client->is_up(); }, patience_ms()));
    EXPECT_NE(client->trouble(), "");
    server_.reset();
    start();
    ASSERT_TRUE(up(*client)) << client->trouble();
    EXPECT_EQ(client->losses(), 1U);
    EXPECT_EQ(client->trouble(), "");
    client->gateway().enter(InstrumentId{1}, Side::buy, 1, 95'00, {});
    EXPECT_TRUE(next(*client, News::Kind::accepted));
}

TEST_P(OrderClients, EndAfterTheyHaveLoggedOut) {
    start();
    const Made client = GetParam().make(port_);
    ASSERT_TRUE(up(*client)) << client->trouble();
    client->log_out();
    ASSERT_TRUE(client->poll_until([&] { return client->state() == OrderClient::State::ended; },
                                   patience_ms()));
    EXPECT_FALSE(client->poll_until([] { return false; }, patience_ms())) << "at once";
}

TEST_P(OrderClients, SayThatNobodyListens) {
    start();
    const std::uint16_t port = port_;
    server_.reset();
    const Made client = GetParam().make(port);
    ASSERT_TRUE(client->poll_until([&] { return !client->trouble().empty(); }, patience_ms()));
    EXPECT_TRUE(client->trouble().contains(fmt::format("127.0.0.1:{}", port))) << client->trouble();
    EXPECT_EQ(client->state(), OrderClient::State::waiting);
}

INSTANTIATE_TEST_SUITE_P(Protocols, OrderClients,
                         ::testing::Values(Protocol{"binary", &binary}, Protocol{"ouch", &ouch},
                                           Protocol{"fix", &fix}),
                         [](const auto& each) { return std::string{each.param.name}; });

}  // namespace
}  // namespace damrak::testing::order_clients_test
