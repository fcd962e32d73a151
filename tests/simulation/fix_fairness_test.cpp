// What a turn of the FIX gateway does for whom, counted on a simulated network: the policy of
// fairness_test.cpp, by the same code, with messages of another length and sessions with numbers.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <support/disk.hpp>
#include <support/simulation/network.hpp>

#include "support/commands.hpp"
#include "support/fix_text.hpp"
#include "support/simulation/fix_process.hpp"
#include "support/simulation/world_time.hpp"

namespace damrak::simulation::fix_fairness_test {
namespace {

constexpr std::size_t k_read_bytes = 2'048;  // of a client in one turn
constexpr std::int64_t k_step_ns = 100'000;  // longer than anything is in flight

/// A FIX client that waits for nothing.
class FixPeer {
  public:
    FixPeer(simulation::Network& network, std::string name)
        : name_(std::move(name)),
          socket_(network.connect({.window_bytes = 1U << 20U, .part_percent = 0})) {}

    void log_on() { send("A", "98=0|108=30|"); }
    /// A market order without a market: answered, and nothing rests.
    void order() {
        send("D", fmt::format("11=o{}|55=TEST|54=1|60=20231114-22:13:20|38=100|40=1|", number_));
    }
    void part_of_a_message() { send_bytes("8"); }
    void hear() {
        std::array<std::byte, 4'096> room{};
        for (auto got = socket_.receive(room); got.bytes > 0; got = socket_.receive(room))
            heard_.append(reinterpret_cast<const char*>(room.data()), got.bytes);
    }
    [[nodiscard]] std::size_t reports() const {
        const std::string readable = testing::with_bars(heard_);
        std::size_t count = 0;
        for (std::size_t at = 0; (at = readable.find("|35=8|", at)) != std::string::npos; ++at)
            ++count;
        return count;
    }
    [[nodiscard]] std::size_t unread() { return socket_.unread_by_host(); }

  private:
    void send(std::string_view type, std::string_view fields) {
        send_bytes(testing::fix_message(
            "FIX.4.4", fmt::format("35={}|49={}|56=DAMRAK|34={}|52=20231114-22:13:20.000|{}", type,
                                   name_, number_++, fields)));
    }
    void send_bytes(std::string_view bytes) {
        ASSERT_EQ(socket_.send(std::as_bytes(std::span{bytes})), bytes.size());
    }

    std::string name_;
    std::uint64_t number_ = 1;
    simulation::ClientSocket socket_;
    std::string heard_;
};

using Peers = std::vector<std::unique_ptr<FixPeer>>;

class FixFairness : public ::testing::Test {
  protected:
    FixFairness() {
        network_.backlog = network_.changes_a_wait = 1'000;
        setup_.journal = {.directory = "data", .segment_bytes = std::uint64_t{1} << 20U};
        setup_.beside = [] {};
        setup_.engine.maximum_participants = 100;
        setup_.opening = {instrument_command(1, test_stock("TEST"))};
        setup_.gateway.maximum_connections = 100;
        setup_.gateway.read_bytes = k_read_bytes;
        setup_.application.folder = "data/fix";
        setup_.application.maximum_sessions = 100;
        setup_.application.maximum_unknown_sessions = 100;
        setup_.store = {.file_bytes = 1U << 20U,
                        .retained_bytes = std::uint64_t{64} << 20U,
                        .prefault_bytes = 4'096};
    }
    void SetUp() override {
        process_ = make_fix_process(network_, disk_, clock_, setup_, [] {});
        const auto started = process_->start();
        ASSERT_TRUE(started.has_value()) << started.error();
    }

    [[nodiscard]] Peers log_on(std::string_view name, std::size_t count) {
        Peers peers;
        for (std::size_t i = 0; i < count; ++i)
            peers.push_back(std::make_unique<FixPeer>(network_, fmt::format("{}{}", name, i)));
        for (const auto& peer : peers) peer->log_on();
        run(3 * count, peers);
        EXPECT_EQ(read_of(peers), count);
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
            for (int step = 0; step < 8; ++step) process_->step_others(random_);
        }
        for (const auto& peer : peers) peer->hear();
    }
    [[nodiscard]] static std::size_t read_of(const Peers& peers) {
        return static_cast<std::size_t>(
            std::ranges::count_if(peers, [](const auto& peer) { return peer->unread() == 0; }));
    }
    [[nodiscard]] static std::size_t unread_of(const Peers& peers) {
        std::size_t bytes = 0;
        for (const auto& peer : peers) bytes += peer->unread();
        return bytes;
    }

    simulation::VirtualClock clock_{k_morning_ns};
    RandomStream random_{5};
    simulation::Network network_{clock_, random_};
    simulation::Disk disk_{random_};
    FixSetup setup_;
    std::unique_ptr<SimulatedProcess> process_;
};

TEST_F(FixFairness, AClientThatFloodsDelaysTheOthersByOneQuotaATurn) {
    const Peers floods = log_on("FLOOD", 8);
    const Peers polite = log_on("POLITE", 5);
    for (const auto& peer : floods)
        for (int i = 0; i < 400; ++i) peer->order();
    run(1, {});  // by which it is known who floods
    for (int turn = 1; turn <= 30; ++turn) {
        for (const auto& peer : polite) peer->order();
        arrive();
        const std::size_t before = unread_of(floods);
        ASSERT_GT(before, 8 * k_read_bytes) << "the flood ended";
        process_->turn();
        ASSERT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        ASSERT_LE(before - unread_of(floods), k_read_bytes) << "in turn " << turn;
        for (int step = 0; step < 8; ++step) process_->step_others(random_);
    }
    run(20, polite);
    for (const auto& peer : polite) EXPECT_GE(peer->reports(), 30U);
}

TEST_F(FixFairness, AllWhoFloodAreServedInTurn) {
    const Peers floods = log_on("FLOOD", 4);
    for (const auto& peer : floods)
        for (int i = 0; i < 200; ++i) peer->order();
    run(400, floods);
    for (const auto& peer : floods) EXPECT_GE(peer->reports(), 200U);
}

TEST_F(FixFairness, PartsOfMessagesWaitBehind) {
    const Peers parts = log_on("PART", 20);
    const Peers polite = log_on("POLITE", 5);
    for (const auto& peer : parts) peer->part_of_a_message();
    run(25, {});  // by which it is known who brings no message
    ASSERT_EQ(read_of(parts), parts.size());
    for (const auto& peer : parts) peer->part_of_a_message();
    constexpr std::size_t k_few = 4;
    for (std::size_t turn = 1; turn <= parts.size() / k_few; ++turn) {
        for (const auto& peer : polite) peer->order();
        arrive();
        process_->turn();
        EXPECT_EQ(read_of(polite), polite.size()) << "in turn " << turn;
        EXPECT_EQ(read_of(parts), turn * k_few) << "in turn " << turn;
        for (int step = 0; step < 8; ++step) process_->step_others(random_);
    }
}

}  // namespace
}  // namespace damrak::simulation::fix_fairness_test
