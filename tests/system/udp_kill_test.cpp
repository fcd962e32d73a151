// kill -9 at random moments while senders of datagrams trade: what was reported to a sender is in
// the journal; and who repeats all that it sent, with the same numbers, after the restart, has each
// order entered exactly once.
//
// DAMRAK_UDP_KILL_ROUNDS in the environment says how often, DAMRAK_UDP_KILL_SEED when.
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "raw_udp.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::udp_kill_test {
namespace {

using testing::Bytes;
using testing::get;
using testing::PublicOrder;
using testing::RawUdp;
using testing::RunningServer;

std::uint64_t setting(const char* name, std::uint64_t usual) {
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

/// Order and trade id of the exchange, quantity, price.
using Execution = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

/// Sends orders from one port until it is stopped, and records the replies.
class Customer {
  public:
    explicit Customer(std::uint64_t seed) : socket_(1), random_(seed) {}

    void aim_at(std::uint16_t server) { socket_.aim_at(server); }
    /// This many new ones; it listens between them. False: the server is gone.
    void send_new(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const auto number = static_cast<std::uint32_t>(orders_.size() + 1);
            orders_.push_back({.sequence = number,
                               .id = number,
                               .price = static_cast<std::uint32_t>(1'000 + random_.next() % 20),
                               .quantity = static_cast<std::uint32_t>(1 + random_.next() % 500),
                               .side = static_cast<std::uint8_t>(random_.next() % 2)});
            socket_.send(testing::extended(orders_.back()));
            ++sent_;
            if (i % 16 == 0) listen();
            if (i % 64 == 0) std::this_thread::yield();
        }
    }
    /// New orders so far. Any thread.
    [[nodiscard]] std::size_t sent() const { return sent_; }
    /// Everything of the last round again, until each of it is answered.
    void repeat(std::size_t last) {
        const std::size_t from = orders_.size() < last ? 0 : orders_.size() - last;
        std::set<std::uint32_t> open;
        for (std::size_t i = from; i < orders_.size(); ++i) open.insert(orders_[i].sequence);
        answered_.clear();
        EXPECT_TRUE(testing::eventually([&] {
            listen();
            for (const std::uint32_t number : std::exchange(answered_, {})) open.erase(number);
            std::size_t sent = 0;
            for (const std::uint32_t number : open) {
                socket_.send(testing::extended(orders_[number - 1]));
                if (++sent % 64 == 0) listen();
            }
            return open.empty();
        })) << open.size()
            << " orders have no answer";
    }
    void listen() {
        while (const auto datagram = socket_.receive(false)) {
            const std::uint64_t count = get(*datagram, 6, 2);
            for (std::size_t at = 16; at + 56 <= 16 + 56 * count; at += 56) note(*datagram, at);
        }
    }

    [[nodiscard]] std::uint64_t session() const {
        return gateway::udp::udp_session({127, 0, 0, 1}, socket_.port()).value;
    }
    [[nodiscard]] const std::vector<PublicOrder>& orders() const { return orders_; }
    [[nodiscard]] const std::set<std::uint32_t>& accepted() const { return accepted_; }
    [[nodiscard]] const std::set<Execution>& executions() const { return executions_; }
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }

  private:
    void note(const Bytes& datagram, std::size_t at) {
        constexpr std::uint64_t k_accepted = 1;
        constexpr std::uint64_t k_rejected = 2;
        constexpr std::uint64_t k_executed = 3;
        constexpr std::uint64_t k_duplicate = 200;
        const std::uint64_t kind = get(datagram, at, 1);
        const auto number = static_cast<std::uint32_t>(get(datagram, at + 4, 4));
        if (kind == k_accepted) accepted_.insert(number);
        if (kind == k_rejected && get(datagram, at + 2, 1) == k_duplicate) ++duplicates_;
        if (kind == k_accepted || kind == k_rejected) answered_.insert(number);
        if (kind == k_executed)
            executions_.emplace(get(datagram, at + 16, 8), get(datagram, at + 24, 8),
                                get(datagram, at + 36, 4), get(datagram, at + 32, 4));
    }

    RawUdp socket_;
    RandomStream random_;
    std::vector<PublicOrder> orders_;
    std::set<std::uint32_t> accepted_;
    std::set<std::uint32_t> answered_;
    std::atomic<std::size_t> sent_ = 0;
    std::set<Execution> executions_;
    std::uint64_t duplicates_ = 0;
};

/// Contents of a journal.
struct Recorded {
    std::set<Execution> executions;
    void on_event(const Event& event, const CommandStamp& /*stamp*/) {
        if (event.kind == EventKind::executed)
            executions.emplace(event.order_id.value, event.trade_id().value,
                               static_cast<std::uint64_t>(event.quantity.value),
                               static_cast<std::uint64_t>(event.price.value / 100));
    }
    void on_batch_end(bool /*caught_up*/) {}
};
using RecordedState = standard_exchange::ExchangeState<Recorded>;

class UdpKilled : public ::testing::Test {
  protected:
    /// A round's orders fit into the gateway's window of numbers.
    static constexpr std::size_t k_orders = 900;

    [[nodiscard]] std::vector<std::string> arguments(std::uint64_t round) const {
        std::string file = folder_ / "exchange.toml";
        std::ofstream{file} << "[journal]\nsegment_mib = 1\nsnapshot_every = 1500\n"
                               "[capacity]\nparticipants = 1000\naccounts = 4000\n"
                               "orders = 100000\n";
        return {"--only",        "udp",
                "--binary-port", "off",
                "--config",      file,
                "--durability",  round % 3 == 2 ? "group" : "async",
                "--wiring",      round % 2 == 0 ? "inline" : "pipelined"};
    }
    void round(std::uint64_t number) {
        RunningServer server{folder_ / "data", folder_ / "log", arguments(number)};
        ASSERT_NE(server.udp_port(), 0) << testing::content_of(folder_ / "log");
        for (Customer* const customer : {&alice_, &bob_}) {
            customer->aim_at(server.udp_port());
            customer->repeat(k_orders);
        }
        std::thread killer{[&, enough = alice_.sent() + random_.next() % k_orders] {
            EXPECT_TRUE(testing::eventually([&] { return alice_.sent() >= enough; }));
            server.kill();
        }};
        std::thread other{[&] { bob_.send_new(k_orders); }};
        alice_.send_new(k_orders);
        other.join();
        killer.join();
        for (Customer* const customer : {&alice_, &bob_}) customer->listen();
    }
    // Checks everything since the directory was created.
    void check(bool all_of_it) {
        const auto contents = journal::look_into(journal::real_files(), folder_ / "data");
        ASSERT_TRUE(contents) << contents.error();
        const auto state =
            std::make_unique<RecordedState>(contents->segments.front().header.identity.engine);
        std::map<std::pair<std::uint64_t, std::uint64_t>, Command> entered;
        const auto recovery = journal::recover(
            journal::real_files(), folder_ / "data", {.cut = false},
            [&](std::span<const journal::Record> records) {
                for (const journal::Record& record : records) {
                    if (record.command.kind != CommandKind::new_order) continue;
                    const bool once =
                        entered
                            .emplace(std::pair{record.head.session, record.head.inbound_sequence},
                                     record.command)
                            .second;
                    EXPECT_TRUE(once)
                        << "number " << record.head.inbound_sequence << " is entered twice";
                }
                state->apply(records);
            });
        ASSERT_TRUE(recovery) << recovery.error();
        for (const Customer* const customer : {&alice_, &bob_}) {
            for (const PublicOrder& order : customer->orders()) {
                const auto found = entered.find({customer->session(), order.sequence});
                if (found == entered.end()) {
                    ASSERT_FALSE(all_of_it) << "order " << order.sequence << " never came";
                    ASSERT_FALSE(customer->accepted().contains(order.sequence))
                        << "order " << order.sequence << " is lost";
                    continue;
                }
                ASSERT_EQ(found->second.quantity.value, order.quantity);
                ASSERT_EQ(found->second.price.value, 100 * std::int64_t{order.price});
            }
            for (const Execution& told : customer->executions())
                ASSERT_TRUE(state->observer().executions.contains(told))
                    << "a trade of order " << std::get<0>(told) << " is lost";
        }
    }

    testing::ScratchFolder folder_;
    RandomStream random_{setting("DAMRAK_UDP_KILL_SEED", 1)};
    Customer alice_{1};
    Customer bob_{2};
};

TEST_F(UdpKilled, WhatWasReportedIsThereAndWhatIsRepeatedIsEnteredOnce) {
    const std::uint64_t rounds = setting("DAMRAK_UDP_KILL_ROUNDS", 8);
    for (std::uint64_t i = 0; i < rounds && !HasFatalFailure(); ++i) {
        SCOPED_TRACE(fmt::format("round {}", i));
        ASSERT_NO_FATAL_FAILURE(round(i));
        ASSERT_NO_FATAL_FAILURE(check(false));
    }
    RunningServer last{folder_ / "data", folder_ / "log", arguments(0)};
    for (Customer* const customer : {&alice_, &bob_}) {
        customer->aim_at(last.udp_port());
        customer->repeat(k_orders);
    }
    EXPECT_EQ(last.terminate(), 0) << testing::content_of(folder_ / "log");
    ASSERT_NO_FATAL_FAILURE(check(true));
    EXPECT_GT(alice_.accepted().size() + bob_.accepted().size(), 0U);
    EXPECT_GT(alice_.executions().size(), 0U);
    EXPECT_GT(alice_.duplicates() + bob_.duplicates(), 0U) << "some was kept and not told";
}

}  // namespace
}  // namespace damrak::udp_kill_test
