// kill -9 at random moments under load, over and over: every order and trade that was reported to a
// client is there after the restart, nothing that was never sent is, and a restart from a snapshot
// has the state of a fresh replay of everything.
//
// DAMRAK_KILL_ROUNDS in the environment says how often, DAMRAK_KILL_SEED when.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::serve_kill_test {
namespace {

using testing::Bytes;
using testing::get;
using testing::RawClient;
using testing::RunningServer;

std::uint64_t setting(const char* name, std::uint64_t usual) {
    const char* const text = std::getenv(name);
    return text == nullptr ? usual : std::strtoull(text, nullptr, 10);
}

struct Order {
    std::uint64_t price_e2 = 0;
    std::uint64_t quantity = 0;
    friend bool operator==(const Order&, const Order&) = default;
};
/// Order, quantity, price of one side of a trade; how often.
using Trades = std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, int>;

/// A client that sends until the server dies, and records the answers.
class Customer {
  public:
    static constexpr std::uint32_t k_most = 4'000;

    Customer(std::uint16_t port, std::uint64_t seed)
        : socket_(port), random_(seed), id_(testing::hello(socket_).client) {
        listener_ = std::thread{[this] { listen(); }};
        sender_ = std::thread{[this] { send(); }};
    }
    Customer(const Customer&) = delete;
    Customer& operator=(const Customer&) = delete;
    ~Customer() { join(); }

    void join() {
        if (sender_.joinable()) sender_.join();
        if (listener_.joinable()) listener_.join();
    }

    /// Messages so far. Any thread.
    [[nodiscard]] std::size_t heard() const { return heard_; }

    // Once joined:

    /// The session that the journal names is the client id.
    [[nodiscard]] std::uint64_t session() const { return id_; }
    [[nodiscard]] const std::map<std::uint64_t, Order>& acknowledged() const { return orders_; }
    [[nodiscard]] const Trades& trades() const { return trades_; }
    /// The order in this message of its session; quantity zero if there is none.
    [[nodiscard]] Order sent(std::uint64_t sequence) const {
        return sequence >= 2 && sequence - 2 < sent_.size() ? sent_[sequence - 2] : Order{};
    }

  private:
    void send() {
        for (std::uint32_t sequence = 2; sequence < k_most; ++sequence) {
            const testing::PlainOrder order{.side = static_cast<std::uint8_t>(random_.next() % 2),
                                            .quantity = 1 + random_.next() % 500,
                                            .price_e2 = 1'000 + random_.next() % 20};
            sent_.push_back({.price_e2 = order.price_e2, .quantity = order.quantity});
            socket_.send(testing::new_order(sequence, id_, order));
            if (sequence % 64 == 0) std::this_thread::yield();
        }
    }
    void listen() {
        constexpr std::uint64_t k_order_ack = 11;
        constexpr std::uint64_t k_trade = 20;
        for (;;) {
            const Bytes message = socket_.receive(64);
            if (message.size() < 64) return;
            ++heard_;
            const std::uint64_t type = get(message, 0, 1);
            if (type == k_order_ack && get(message, 60, 1) == 1)
                orders_[get(message, 24, 8)] = {.price_e2 = get(message, 32, 8),
                                                .quantity = get(message, 40, 8)};
            if (type == k_trade)
                ++trades_[{get(message, 24, 8), get(message, 40, 8), get(message, 48, 8)}];
        }
    }

    RawClient socket_;
    RandomStream random_;
    std::uint64_t id_;
    std::vector<Order> sent_;
    std::map<std::uint64_t, Order> orders_;
    Trades trades_;
    std::atomic<std::size_t> heard_ = 0;
    std::thread sender_;
    std::thread listener_;
};

/// Contents of a journal.
struct Recorded {
    std::map<std::uint64_t, Order> accepted;
    Trades trades;

    void on_event(const Event& event, const CommandStamp& /*stamp*/) {
        const auto price_e2 = static_cast<std::uint64_t>(event.price.value / 100);
        const auto quantity = static_cast<std::uint64_t>(event.quantity.value);
        if (event.kind == EventKind::accepted)
            accepted[event.order_id.value] = {.price_e2 = price_e2, .quantity = quantity};
        if (event.kind == EventKind::executed) ++trades[{event.order_id.value, quantity, price_e2}];
    }
    void on_batch_end(bool /*caught_up*/) {}
};
using RecordedState = standard_exchange::ExchangeState<Recorded>;

class ServeKilled : public ::testing::Test {
  protected:
    void begin_anew() {
        folder_ = std::make_unique<testing::ScratchFolder>();
        customers_.clear();
        hash_.clear();
    }
    [[nodiscard]] std::string data() const { return *folder_ / "data"; }
    [[nodiscard]] std::string log() const { return *folder_ / "log"; }
    [[nodiscard]] std::string config(std::uint64_t round) const {
        const char* const durability = round % 3 == 0 ? "group" : "async";
        std::string file = *folder_ / "exchange.toml";
        std::ofstream{file} << fmt::format(
            "[journal]\nsegment_mib = 1\nsnapshot_every = 3000\ndurability = \"{}\"\n"
            "[capacity]\nparticipants = 1000\naccounts = 4000\norders = 200000\n",
            durability);
        return file;
    }

    void trade_until_killed(std::uint64_t round) {
        RunningServer server{data(), log(), {"--config", config(round)}};
        ASSERT_NE(server.port(), 0) << testing::content_of(log());
        if (!hash_.empty()) {
            EXPECT_THAT(testing::content_of(log()), ::testing::HasSubstr("state hash " + hash_))
                << "a restart has the state of a fresh replay";
        }
        const std::size_t first = customers_.size();
        for (int i = 0; i < 3; ++i)
            customers_.push_back(std::make_unique<Customer>(server.port(), random_.next()));
        const std::size_t enough = random_.next() % (2 * Customer::k_most);
        EXPECT_TRUE(testing::eventually([&] {
            std::size_t heard = 0;
            for (std::size_t i = first; i < customers_.size(); ++i) heard += customers_[i]->heard();
            return heard >= enough;
        }));
        server.kill();
        for (std::size_t i = first; i < customers_.size(); ++i) customers_[i]->join();
    }

    // Checks everything since the directory was created.
    void check() {
        const auto contents = journal::look_into(journal::real_files(), data());
        ASSERT_TRUE(contents) << contents.error();
        const auto state =
            std::make_unique<RecordedState>(contents->segments.front().header.identity.engine);
        const auto recovery = journal::recover(journal::real_files(), data(), {.cut = false},
                                               [&](std::span<const journal::Record> records) {
                                                   for (const journal::Record& record : records)
                                                       check_was_sent(record);
                                                   state->apply(records);
                                               });
        ASSERT_TRUE(recovery) << recovery.error();
        hash_ = fmt::format("{:016x}", state->state_hash());
        const Recorded& recorded = state->observer();
        Trades told;
        for (const auto& customer : customers_) {
            for (const auto& [id, order] : customer->acknowledged()) {
                const auto found = recorded.accepted.find(id);
                ASSERT_NE(found, recorded.accepted.end()) << "order " << id << " is lost";
                ASSERT_EQ(found->second, order) << "order " << id;
            }
            for (const auto& [trade, times] : customer->trades()) told[trade] += times;
            acknowledged_ += customer->acknowledged().size();
        }
        for (const auto& [trade, times] : told) {
            const auto found = recorded.trades.find(trade);
            ASSERT_TRUE(found != recorded.trades.end() && found->second >= times)
                << "a trade of order " << std::get<0>(trade) << " is lost";
            trades_ += static_cast<std::uint64_t>(times);
        }
    }
    void check_was_sent(const journal::Record& record) const {
        if (record.command.kind != CommandKind::new_order) return;
        const auto customer = std::ranges::find(customers_, record.head.session,
                                                [](const auto& one) { return one->session(); });
        ASSERT_NE(customer, customers_.end()) << "nobody is session " << record.head.session;
        const Order sent = (*customer)->sent(record.head.inbound_sequence);
        ASSERT_EQ(static_cast<std::uint64_t>(record.command.quantity.value), sent.quantity);
        ASSERT_EQ(static_cast<std::uint64_t>(record.command.price.value), 100 * sent.price_e2);
    }

    RandomStream random_{setting("DAMRAK_KILL_SEED", 1)};
    std::unique_ptr<testing::ScratchFolder> folder_;
    std::vector<std::unique_ptr<Customer>> customers_;
    std::string hash_;  ///< after the last kill
    std::uint64_t acknowledged_ = 0;
    std::uint64_t trades_ = 0;
};

TEST_F(ServeKilled, EverythingThatWasReportedIsThereAndNothingElse) {
    const std::uint64_t rounds = setting("DAMRAK_KILL_ROUNDS", 30);
    constexpr std::uint64_t k_rounds_a_directory = 10;
    for (std::uint64_t round = 0; round < rounds && !HasFatalFailure(); ++round) {
        SCOPED_TRACE(fmt::format("round {}", round));
        if (round % k_rounds_a_directory == 0) begin_anew();
        ASSERT_NO_FATAL_FAILURE(trade_until_killed(round));
        ASSERT_NO_FATAL_FAILURE(check());
        if (round % k_rounds_a_directory == k_rounds_a_directory - 1) {
            RunningServer last{data(), log(), {"--config", config(round)}};
            EXPECT_EQ(last.terminate(), 0) << testing::content_of(log());
            EXPECT_THAT(testing::content_of(log()), ::testing::HasSubstr("state hash " + hash_));
        }
    }
    EXPECT_GT(acknowledged_, 0U);
    EXPECT_GT(trades_, 0U);
    std::size_t snapshots = 0;
    for (const auto& entry : std::filesystem::directory_iterator{data()})
        snapshots += entry.path().extension() == ".snap" ? 1U : 0U;
    EXPECT_GT(snapshots, 0U) << "restarts began with them";
    RecordProperty("acknowledged", std::to_string(acknowledged_));
    RecordProperty("trades", std::to_string(trades_));
}

}  // namespace
}  // namespace damrak::serve_kill_test
