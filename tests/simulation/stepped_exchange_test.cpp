// The smallest world: one client, one crash.
#include <support/simulation/stepped_exchange.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/client/binary_client.hpp>
#include <damrak/journal/verify.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "support/commands.hpp"

namespace damrak::simulation::stepped_exchange_test {
namespace {

using Version = wire::binary::Version;

/// Keeps what it hears as short lines.
struct Ear {
    std::vector<std::string> lines{};
    void on_hello(const auto&, const wire::binary::HelloAck& m) {
        lines.push_back(fmt::format("hello {}", m.client_id.value));
    }
    void on_order_ack(const auto&, const wire::binary::OrderAck& m) {
        lines.push_back(fmt::format("order {} #{}", m.status, m.order_id.value));
    }
    void on_cancel_ack(const auto&, const wire::binary::CancelAck& m) {
        lines.push_back(fmt::format("cancel {} #{}", m.status, m.order_id.value));
    }
    void on_logout(const auto&, const auto&) { lines.emplace_back("logout"); }
    void on_modify_ack(const auto&, const auto&) { lines.emplace_back("modify"); }
    void on_trade(const auto&, const auto&) { lines.emplace_back("trade"); }
    void on_error(const auto&, const auto&) { lines.emplace_back("error"); }
    void on_timeout(const auto&, const auto&) { lines.emplace_back("timeout"); }
};

class OneClient : public ::testing::TestWithParam<journal::Durability> {
  protected:
    OneClient() {
        setup_.gateway.maximum_connections = 8;
        setup_.identities.add_key({std::byte{1}}, ParticipantId{1});
        setup_.identities.admit_anonymous(false);
        setup_.engine = {.maximum_instruments = 4,
                         .maximum_participants = 16,
                         .maximum_orders = 1'000,
                         .maximum_extensions = 100,
                         .maximum_accounts = 100,
                         .maximum_levels = 1'000,
                         .maximum_ladder_nodes = 1'000};
        setup_.journal = {.directory = "data", .segment_bytes = 8'192, .durability = GetParam()};
        setup_.opening = {instrument_command(1)};
    }

    void start() {
        process_ = std::make_unique<ExchangeProcess>(network_, disk_, clock_, setup_);
        const auto started = process_->start();
        ASSERT_TRUE(started.has_value()) << started.error();
    }
    void connect() {
        socket_ = network_.connect({.part_percent = 0});
        client_ = client::BinaryClient{};
        heard_bytes_.clear();
    }
    void send(std::size_t length) {
        for (std::size_t at = 0; at < length; run(1))
            at += socket_.send(std::span{memory_}.subspan(at, length - at));
    }
    void run(int steps) {
        for (int i = 0; i < steps; ++i) {
            clock_.advance(20'000);
            network_.advance();
            process_->turn();
            process_->sync();
            std::array<std::byte, 256> room{};
            const Moved got = socket_.receive(room);
            heard_bytes_.insert(heard_bytes_.end(), room.begin(),
                                room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
            const auto heard = client_.receive(heard_bytes_, ear_);
            heard_bytes_.erase(
                heard_bytes_.begin(),
                heard_bytes_.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes));
        }
    }
    std::vector<std::string> heard() { return std::exchange(ear_.lines, {}); }
    void hello() {
        send(client_.hello(memory_, wire::binary::ApiKey{std::byte{1}}));
        run(50);
    }
    void buy() {
        send(client_.new_order(
            memory_, {.instrument = InstrumentId{1}, .quantity = 10, .price_e2 = 10'000}));
    }

    VirtualClock clock_{1'700'000'000'000'000'000};
    RandomStream random_{11};
    Network network_{clock_, random_};
    Disk disk_{random_};
    ExchangeSetup setup_;
    std::unique_ptr<ExchangeProcess> process_;
    ClientSocket socket_;
    client::BinaryClient client_;
    std::array<std::byte, client::BinaryClient::k_largest_request_bytes> memory_{};
    std::vector<std::byte> heard_bytes_;
    Ear ear_;
};

TEST_P(OneClient, FindsItsOrderAfterTheCrash) {
    start();
    connect();
    hello();
    buy();
    run(50);
    EXPECT_EQ(heard(), (std::vector<std::string>{"hello 1", "order 1 #1"}));

    const bool power = GetParam() != journal::Durability::async;
    if (power) network_.lose_power();
    process_.reset();
    if (power) disk_.lose_power();
    start();
    const auto replayed = journal::verify<standard_exchange::ExchangeState<>>(disk_, "data");
    ASSERT_TRUE(replayed.has_value()) << replayed.error();
    EXPECT_EQ(replayed->state_hash, *process_->exchange().state_hash());

    connect();
    hello();
    send(client_.cancel(memory_, {.order_id = OrderId{1}}));
    run(50);
    EXPECT_EQ(heard(), (std::vector<std::string>{"hello 2", "cancel 1 #1"}));
}

TEST_P(OneClient, GetsARefusalThatHasNoEvent) {
    start();
    connect();
    hello();
    send(client_.new_order(memory_, {.instrument = InstrumentId{1}, .price_e2 = 10'000}));
    run(50);
    EXPECT_EQ(heard(), (std::vector<std::string>{"hello 1", "order 2 #0"}));
}

TEST_P(OneClient, IsNotKeptWhenItsEndComesWithItsLastWord) {
    start();
    connect();
    hello();
    EXPECT_EQ(process_->gateway().connections(), 1U);
    static_cast<void>(socket_.send(std::span{memory_}.first(client_.heartbeat(memory_))));
    socket_.close();
    clock_.advance(1'000'000);
    network_.advance();
    for (int i = 0; i < 5; ++i) process_->turn();
    EXPECT_EQ(process_->gateway().connections(), 0U);
}

TEST_P(OneClient, GetsEverythingWhenTheExchangeCloses) {
    start();
    connect();
    hello();
    buy();
    network_.advance();
    process_->turn();
    process_->close();
    EXPECT_EQ(network_.host_sockets(), 0U);
    EXPECT_EQ(process_->writer().synced_position(), process_->writer().appended_position());
}

std::string name_of(const ::testing::TestParamInfo<journal::Durability>& each) {
    constexpr std::array names{"async", "group", "sync"};
    return names.at(static_cast<std::size_t>(each.param));
}

INSTANTIATE_TEST_SUITE_P(All, OneClient,
                         ::testing::Values(journal::Durability::async, journal::Durability::group,
                                           journal::Durability::sync),
                         name_of);

}  // namespace
}  // namespace damrak::simulation::stepped_exchange_test
