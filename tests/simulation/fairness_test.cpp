// What a turn of the binary gateway does for whom, counted on a simulated network: clients that
// behave are all served in each turn, and those that burden the others wait behind them, a few at a
// time.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <support/simulation/stepped_exchange.hpp>

#include <damrak/client/binary_client.hpp>

#include "support/commands.hpp"

namespace damrak::simulation::fairness_test {
namespace {

using ::testing::Each;
using wire::binary::Version;

constexpr std::size_t k_few =
    4;  // that a turn accepts, or serves behind the others: one if it orders
constexpr std::size_t k_quota_orders = 37;   // the last of which a read may cut
constexpr std::int64_t k_step_ns = 100'000;  // longer than anything is in flight

/// Counts what it hears.
struct Counts {
    std::uint64_t orders = 0;
    std::uint64_t timeouts = 0;
    static void on_hello(const auto&, const wire::binary::HelloAck&) {}
    static void on_logout(const auto&, const wire::binary::LogoutAck&) {}
    void on_order_ack(const auto&, const wire::binary::OrderAck&) { ++orders; }
    static void on_cancel_ack(const auto&, const wire::binary::CancelAck&) {}
    static void on_modify_ack(const auto&, const wire::binary::ModifyAck&) {}
    static void on_trade(const auto&, const wire::binary::Trade&) {}
    static void on_error(const auto&, const wire::binary::Error&) {}
    void on_timeout(const auto&, const wire::binary::SessionTimeout&) { ++timeouts; }
};

/// A client that waits for nothing.
class Peer {
  public:
    Peer(Network& network, const LinkRules& rules, Version version)
        : socket_(network.connect(rules)), wire_(version) {}

    void hello() { send_all(wire_.hello(memory_)); }
    /// Market orders without a market: answered, and nothing rests. As many as go in.
    std::size_t order(std::size_t most) {
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t length = wire_.new_order(
                memory_, {.instrument = InstrumentId{1}, .order_type = 1, .quantity = 1});
            if (socket_.send(std::span{memory_}.first(length)) < length) return i;
        }
        return most;
    }
    void send_byte() { std::ignore = socket_.send(std::array{std::byte{1}}); }
    void hear() {
        std::array<std::byte, 4'096> room{};
        for (Moved got = socket_.receive(room); got.bytes > 0 || got.closed;
             got = socket_.receive(room)) {
            ended_ = got.closed;
            if (ended_) break;
            unread_.insert(unread_.end(), room.begin(),
                           room.begin() + static_cast<std::ptrdiff_t>(got.bytes));
        }
        const auto heard = wire_.receive(unread_, counts_);
        unread_.erase(unread_.begin(),
                      unread_.begin() + static_cast<std::ptrdiff_t>(heard.consumed_bytes));
    }
    [[nodiscard]] ClientSocket& socket() { return socket_; }
    [[nodiscard]] bool is_in() const { return bool{wire_.client_id()}; }
    [[nodiscard]] bool was_read() const { return socket_.unread_by_host() == 0; }
    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] const Counts& counts() const { return counts_; }

  private:
    void send_all(std::size_t length) {
        ASSERT_EQ(socket_.send(std::span{memory_}.first(length)), length);
    }

    ClientSocket socket_;
    client::BinaryClient wire_;
    std::array<std::byte, client::BinaryClient::k_largest_request_bytes> memory_{};
    std::vector<std::byte> unread_;
    Counts counts_;
    bool ended_ = false;
};

using Peers = std::vector<std::unique_ptr<Peer>>;

class Fairness : public ::testing::Test {
  protected:
    Fairness() {
        network_.backlog = network_.changes_a_wait = 1'000;
        setup_.gateway.maximum_connections = 1'000;
        setup_.gateway.output_bytes = 65'536;
        setup_.engine = {.maximum_instruments = 4,
                         .maximum_participants = 2'000,
                         .maximum_orders = 1'000,
                         .maximum_extensions = 100,
                         .maximum_accounts = 2'000,
                         .maximum_levels = 1'000,
                         .maximum_ladder_nodes = 1'000};
        setup_.journal = {.directory = "data", .segment_bytes = std::uint64_t{1} << 20U};
        setup_.opening = {instrument_command(1)};
    }
    void SetUp() override {
        process_ = std::make_unique<ExchangeProcess>(network_, disk_, clock_, setup_);
        const auto started = process_->start();
        ASSERT_TRUE(started.has_value()) << started.error();
    }

    [[nodiscard]] std::unique_ptr<Peer> connect(Version version = Version::v1) {
        return std::make_unique<Peer>(
            network_, LinkRules{.window_bytes = 1U << 20U, .part_percent = 0}, version);
    }
    [[nodiscard]] Peers connect(std::size_t count) {
        Peers peers;
        for (std::size_t i = 0; i < count; ++i) peers.push_back(connect());
        return peers;
    }
    /// Connects, and waits until all are in and have been answered an order.
    [[nodiscard]] Peers log_in(std::size_t count) {
        Peers peers = connect(count);
        for (const auto& peer : peers) peer->hello();
        run(2 * count, peers);
        for (const auto& peer : peers) EXPECT_TRUE(peer->is_in());
        return peers;
    }
    /// Delivers what was sent.
    void arrive() {
        clock_.advance(k_step_ns);
        network_.advance();
    }
    void run(std::size_t turns, const Peers& peers) {
        for (std::size_t i = 0; i < turns; ++i) {
            arrive();
            process_->turn();
            process_->sync();
            for (const auto& peer : peers) peer->hear();
        }
    }
    [[nodiscard]] std::uint64_t commands() const { return process_->exchange().commands(); }
    [[nodiscard]] static std::size_t read_of(const Peers& peers) {
        return static_cast<std::size_t>(
            std::ranges::count_if(peers, [](const auto& peer) { return peer->was_read(); }));
    }

    VirtualClock clock_{1'700'000'000'000'000'000};
    RandomStream random_{5};
    Network network_{clock_, random_};
    Disk disk_{random_};
    ExchangeSetup setup_;
    std::unique_ptr<ExchangeProcess> process_;
};

TEST_F(Fairness, EveryClientThatBringsItsMessageIsServedInTheTurnInWhichItComes) {
    const Peers polite = log_in(100);
    for (const auto& peer : polite) peer->order(1);
    arrive();
    process_->turn();
    EXPECT_EQ(read_of(polite), 100U);
    run(1, polite);
    for (const auto& peer : polite) EXPECT_EQ(peer->counts().orders, 1U);
}

TEST_F(Fairness, ThoseWhoFloodWaitBehindAFewAtATime) {
    const Peers floods = log_in(20);
    const Peers polite = log_in(10);
    constexpr std::size_t k_many = 2'000;
    for (const auto& peer : floods) ASSERT_EQ(peer->order(k_many), k_many);
    run(1, {});  // by which it is known who floods
    for (int turn = 1; turn <= 50; ++turn) {
        for (const auto& peer : polite) peer->order(1);
        arrive();
        const std::uint64_t before = commands();
        process_->turn();
        ASSERT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        ASSERT_LE(commands() - before, polite.size() + k_quota_orders) << "in turn " << turn;
    }
    run(1, polite);
    for (const auto& peer : polite) EXPECT_EQ(peer->counts().orders, 50U);
}

TEST_F(Fairness, ThoseWhoFloodAreAllServedInTurn) {
    const Peers floods = log_in(20);
    constexpr std::size_t k_orders = 20 * k_quota_orders;
    for (const auto& peer : floods) peer->order(k_orders);
    run(1, floods);
    const std::size_t rounds = floods.size();
    run(10 * rounds, floods);
    std::vector<std::uint64_t> answered;
    for (const auto& peer : floods) answered.push_back(peer->counts().orders);
    EXPECT_THAT(answered, Each(::testing::AllOf(::testing::Ge(9 * (k_quota_orders - 1)),
                                                ::testing::Le(12 * k_quota_orders))));
    run(20 * rounds, floods);
    for (const auto& peer : floods) EXPECT_EQ(peer->counts().orders, k_orders);
}

TEST_F(Fairness, PartsOfMessagesWaitBehindAndAreReadInTheOrderInWhichTheyCame) {
    const Peers bytes = log_in(40);
    const Peers polite = log_in(10);
    for (const auto& peer : bytes) peer->send_byte();
    run(11, {});  // by which it is known who brings no message
    ASSERT_EQ(read_of(bytes), bytes.size());
    for (const auto& peer : bytes) peer->send_byte();
    for (std::size_t turn = 1; turn <= bytes.size() / k_few; ++turn) {
        for (const auto& peer : polite) peer->order(1);
        arrive();
        process_->turn();
        EXPECT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        EXPECT_EQ(read_of(bytes), turn * k_few) << "in turn " << turn;
    }
}

TEST_F(Fairness, AWholeMessageMakesAClientOneOfTheOthersAgain) {
    const Peers peers = log_in(20);
    for (const auto& peer : peers) peer->send_byte();
    run(6, {});
    for (const auto& peer : peers) {
        // The rest of what is then one message of another type, which is answered with an error.
        std::array<std::byte, 15> rest{};
        rest[0] = std::byte{1};
        rest[1] = std::byte{0};
        EXPECT_EQ(peer->socket().send(rest), rest.size());
    }
    run(peers.size() + 1, {});
    ASSERT_EQ(read_of(peers), peers.size());
    for (const auto& peer : peers) peer->order(1);
    arrive();
    process_->turn();
    EXPECT_EQ(read_of(peers), peers.size()) << "all of them in one turn";
}

TEST_F(Fairness, NewConnectionsAreAcceptedAndEndedOnesClosedAFewAtATime) {
    const Peers polite = log_in(10);
    const std::uint64_t before = network_.accepted();
    Peers coming = connect(40);
    for (std::size_t turn = 1; turn <= 10; ++turn) {
        for (const auto& peer : polite) peer->order(1);
        arrive();
        process_->turn();
        EXPECT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        EXPECT_EQ(network_.accepted() - before, turn * k_few);
    }
    run(20, {});
    EXPECT_EQ(process_->gateway().connections(), 50U);
    for (const auto& peer : coming) peer->socket().close();
    for (std::size_t turn = 1; turn <= 10; ++turn) {
        for (const auto& peer : polite) peer->order(1);
        arrive();
        process_->turn();
        EXPECT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        EXPECT_EQ(process_->gateway().connections(), 50U - turn * k_few);
    }
}

class HalfClosed : public Fairness, public ::testing::WithParamInterface<Version> {
  protected:
    static constexpr std::size_t k_turns = 800;  // in which all of it could be read

    /// Fills its link with orders, then sends its end, and reads nothing. The answers are longer
    /// than the orders: neither the link nor the buffer of the gateway takes them all.
    [[nodiscard]] std::unique_ptr<Peer> ask_and_finish() {
        auto peer = connect(GetParam());
        peer->hello();
        for (int i = 0; i < 5; ++i) {
            run(1, {});
            peer->hear();
        }
        EXPECT_TRUE(peer->is_in());
        orders_ = peer->order(SIZE_MAX);
        EXPECT_GT(orders_, 10'000U);
        peer->socket().finish();
        return peer;
    }

    std::size_t orders_ = 0;
};

TEST_P(HalfClosed, AClientHearsEveryAnswerThatItIsOwed) {
    const auto peer = ask_and_finish();
    run(k_turns, {});
    EXPECT_EQ(process_->gateway().connections(), 1U) << "it is still owed answers";
    EXPECT_FALSE(peer->was_read()) << "more would not find room";
    for (std::size_t i = 0; i < k_turns && !peer->ended(); ++i) {
        run(1, {});
        peer->hear();
    }
    EXPECT_EQ(peer->counts().orders, orders_);
    EXPECT_TRUE(peer->ended());
    EXPECT_EQ(process_->gateway().connections(), 0U);
}

TEST_P(HalfClosed, AClientThatNeverReadsIsEndedWhenItHasBeenSilentForTooLong) {
    const auto peer = ask_and_finish();
    run(k_turns, {});
    EXPECT_EQ(process_->gateway().connections(), 1U);
    clock_.advance(setup_.gateway.session_timeout_ns + 1);
    run(1, {});
    EXPECT_EQ(process_->gateway().connections(), 0U);
}

TEST_P(HalfClosed, AClientThatIsGoneAfterwardsIsEndedAtOnce) {
    const auto peer = ask_and_finish();
    run(k_turns, {});
    EXPECT_EQ(process_->gateway().connections(), 1U);
    peer->socket().reset();
    run(3, {});
    EXPECT_EQ(process_->gateway().connections(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Versions, HalfClosed, ::testing::Values(Version::v1, Version::v2),
                         [](const auto& each) { return each.param == Version::v1 ? "v1" : "v2"; });

}  // namespace
}  // namespace damrak::simulation::fairness_test
