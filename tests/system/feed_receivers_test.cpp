// The receivers of the order-by-order feed at the real program: on lines with faults, over kill -9,
// and five hundred of them beside one that never reads. They end with the market that the exchange
// has, byte by byte of the feed and order by order of the book.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/feed_receiver.hpp>
#include <damrak/client/itch/soup_receiver.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/message_list.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::testing::feed_receivers_test {
namespace {

using client::FeedBooks;
using client::FeedReceiver;
using client::SoupReceiver;

/// Keeps what it hears, beside the books.
struct FeedWitness {
    FeedBooks books;
    std::vector<std::string> messages;

    void on_session(const FeedBooks::SessionName& session) {
        messages.clear();
        books.on_session(session);
    }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        if (number > 0) messages.push_back(text_of(message));
        books.on_message(number, message);
    }
    void on_end_of_session() { books.on_end_of_session(); }
    void on_joined(std::uint64_t next) { books.on_joined(next); }
};

using Shown = std::vector<std::tuple<std::string, Side, std::int64_t, std::int64_t, std::uint64_t>>;

/// Every order of every instrument, in priority.
Shown shown(const FeedBooks& books) {
    Shown lines;
    for (const auto& stock : books.instruments())
        for (const Side side : {Side::buy, Side::sell})
            for (const auto& order : books.orders(stock, side))
                lines.emplace_back(stock.symbol, side, order.price.value, order.quantity.value,
                                   order.reference);
    return lines;
}

class FeedReceivers : public ::testing::TestWithParam<std::string> {
  protected:
    void start(const std::string& faults = "") {
        std::vector<std::string> arguments{"--wiring", GetParam(), "--only"};
        for (const auto& [gateway, port] : ports_) arguments.push_back(gateway);
        for (const auto& [gateway, port] : ports_) {
            arguments.push_back("--" + gateway + "-port");
            arguments.push_back(std::to_string(port));
        }
        if (!faults.empty()) arguments.insert(arguments.end(), {"--feed-faults", faults});
        server_ = std::make_unique<RunningServer>(data_, log_, arguments);
        const auto ready = nlohmann::json::parse(server_->ready_line());
        for (auto& [gateway, port] : ports_)
            port = ready.at("ports").at(gateway).get<std::uint16_t>();
    }
    /// Trades from another process until the feed has a thousand messages more; the caller turns
    /// receivers meanwhile.
    void trade(const std::function<void()>& turn, const char* seconds = "1",
               const char* rate = "3000") {
        std::atomic<bool> over = false;
        std::jthread trading{[&] {
            for (const std::uint64_t enough = newest() + 1'500; newest() < enough;)
                static_cast<void>(
                    run_program({"load", "--port", std::to_string(server_->port()), "--clients",
                                 "4", "--warm-up", "0", "--seconds", seconds, "--rate", rate}));
            over = true;
        }};
        while (!over) turn();
    }
    /// Orders that stay.
    void leave_orders() const {
        std::string orders;
        for (int i = 0; i < 10; ++i)
            orders += fmt::format("buy {} #2 {}.5\nsell {} #2 {}.5\n", 10 + i, 380 + i % 4, 20 + i,
                                  420 + i % 4);
        const ProgramRun run = run_program({"term", "--port", std::to_string(server_->port()),
                                            "--l2-port", "off", "--http-port", "off"},
                                           orders + "quit\n");
        EXPECT_EQ(run.exit_code, 0) << run.out << run.err;
    }
    [[nodiscard]] std::uint16_t port(std::string_view gateway) const {
        return std::ranges::find(ports_, gateway, &std::pair<std::string, std::uint16_t>::first)
            ->second;
    }
    [[nodiscard]] client::FeedReceiverConfig multicast(bool has_snapshots) const {
        client::FeedReceiverConfig config;
        for (auto& line : config.lines) line.port = port("mold");
        config.retransmissions->port = port("retransmit");
        config.snapshots->port = port("glimpse");
        if (!has_snapshots) config.snapshots.reset();
        return config;
    }
    [[nodiscard]] client::SoupReceiverConfig subscription(bool has_snapshot) const {
        return {.feed = {.port = port("itch")},
                .snapshots = {.port = port("glimpse")},
                .settings = {.login = {}, .begins_with_snapshot = has_snapshot}};
    }
    /// The number of the last message: that of an order which enters after everything else.
    [[nodiscard]] std::uint64_t last() {
        constexpr std::size_t k_price_at = 32;
        const std::uint64_t price_e2 = ++lowest_price_e2_;
        const RawClient client{server_->port()};
        EXPECT_EQ(place(client, 2, hello(client).client, {.price_e2 = price_e2}).status, 1U);
        std::uint64_t number = 0;
        EXPECT_TRUE(eventually([&] {
            number = newest() - 1;
            const auto found = SoupSubscriber{port("itch"), number}.messages(1);
            if (found.size() != 1 || !found[0].starts_with('A')) return false;
            const auto bytes = bytes_of(found[0]);
            return get({bytes.begin(), bytes.end()}, k_price_at, 4) == price_e2 * 100;
        }));
        return number;
    }
    [[nodiscard]] std::uint64_t newest() const {
        const std::string accepted = SoupSubscriber{port("itch"), 0}.next();
        return accepted.size() == 31 ? std::stoull(accepted.substr(11)) : 0;
    }
    /// By those who share no code with the receivers.
    [[nodiscard]] std::vector<std::string> messages(std::uint64_t count) const {
        return SoupSubscriber{port("itch"), 1}.messages(count);
    }

    ScratchFolder folder_;
    std::string data_ = (folder_.path() / "data").string();
    std::string log_ = (folder_.path() / "log").string();
    std::vector<std::pair<std::string, std::uint16_t>> ports_{
        {"itch", 0}, {"glimpse", 0}, {"mold", 0}, {"retransmit", 0}};
    std::unique_ptr<RunningServer> server_;
    std::uint64_t lowest_price_e2_ = 100;  ///< nobody else trades there
};

TEST_P(FeedReceivers, EndWithTheMarketOfTheExchangeOverFaultsOfTheLinesAndAKill) {
    const std::string faults = "loss=0.2,duplicate=0.1,reorder=0.1,gap=0.002,delay=1,seed=7";
    start(faults);
    FeedWitness all;
    FeedWitness joined;
    FeedWitness subscribed;
    FeedWitness late;
    const auto by_number = FeedReceiver<FeedWitness>::open(multicast(false), all);
    const auto by_snapshot = FeedReceiver<FeedWitness>::open(multicast(true), joined);
    ASSERT_TRUE(by_number) << by_number.error();
    ASSERT_TRUE(by_snapshot) << by_snapshot.error();
    SoupReceiver<FeedWitness> by_tcp{subscription(false), subscribed};
    const auto turn = [&] {
        (*by_number)->poll(1);
        (*by_snapshot)->poll(0);
        by_tcp.poll(0);
    };
    trade(turn);
    leave_orders();
    const std::uint64_t before = last();
    server_->kill();
    for (int i = 0; i < 100; ++i) turn();
    start(faults);
    SoupReceiver<FeedWitness> later{subscription(true), late};
    const auto turn_all = [&] {
        turn();
        later.poll(0);
    };
    trade(turn_all);

    const std::uint64_t last = this->last();
    ASSERT_GT(before, 1'000U);
    ASSERT_GT(last, before + 1'000);
    const auto caught_up = [&] {
        return std::ranges::all_of(
            std::array{&all, &joined, &subscribed, &late},
            [&](const FeedWitness* each) { return each->books.sequence() == last; });
    };
    ASSERT_TRUE(turns_until(turn_all, caught_up))
        << all.books.sequence() << " " << joined.books.sequence() << " "
        << subscribed.books.sequence() << " " << late.books.sequence() << " of " << last;
    const auto expected_messages = messages(last);
    EXPECT_TRUE(all.messages == expected_messages);
    EXPECT_TRUE(subscribed.messages == expected_messages);
    EXPECT_GT((*by_number)->follower().arbiter().counters().requests, 10U);
    EXPECT_GE((*by_snapshot)->follower().snapshots(), 1U);
    EXPECT_GE(by_tcp.follower().logins(), 2U);

    FeedWitness fresh;
    SoupReceiver<FeedWitness> of_now{subscription(true), fresh};
    ASSERT_TRUE(turns_until([&] { of_now.poll(10); }, [&] { return of_now.is_live(); }));
    const Shown expected = shown(fresh.books);
    EXPECT_GE(expected.size(), 20U);
    for (const FeedWitness* each : {&all, &joined, &subscribed, &late}) {
        EXPECT_EQ(shown(each->books), expected);
        EXPECT_EQ(each->books.anomalies().total(), 0U);
    }
    EXPECT_EQ(server_->terminate(), 0);
}

/// How many messages came, and what they were.
struct FeedDigest {
    std::uint64_t count = 0;
    std::uint64_t digest = 0;

    void on_session(const FeedBooks::SessionName& /*session*/) { *this = {}; }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        count = number;
        for (const std::byte byte : message)
            digest = (digest ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
    }
    static void on_end_of_session() {}
};

std::uint64_t resident_bytes(pid_t process) {
    std::ifstream file{"/proc/" + std::to_string(process) + "/statm"};
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    file >> size >> resident;
    return resident * 4'096;
}

TEST_P(FeedReceivers, OfFiveHundredEachGetsEveryByteBesideOneThatNeverReads) {
    constexpr std::size_t k_subscribers = 500;
    start();
    const SoupSubscriber never_reads{port("itch"), 1};
    std::vector<FeedDigest> digests(k_subscribers);
    std::vector<std::unique_ptr<SoupReceiver<FeedDigest>>> receivers;
    for (FeedDigest& digest : digests)
        receivers.push_back(
            std::make_unique<SoupReceiver<FeedDigest>>(subscription(false), digest));
    const auto turn = [&] {
        for (const auto& receiver : receivers) receiver->poll(0);
    };
    const auto have_all = [&] {  // the last orders of a trader may still be cancelled meanwhile
        const std::uint64_t last = newest() - 1;
        return std::ranges::all_of(digests,
                                   [last](const auto& each) { return each.count == last; });
    };
    const auto trade_for = [&](const char* seconds) {
        trade(turn, seconds, "10000");
        return turns_until(
            [&] {
                for (int i = 0; i < 20; ++i) turn();
            },
            have_all);
    };
    ASSERT_TRUE(trade_for("1"));  // takes what memory engine and journal need
    const std::uint64_t first = digests.front().count;
    const std::uint64_t before = resident_bytes(server_->process());
    ASSERT_TRUE(trade_for("2"));
    const std::uint64_t last = digests.front().count;
    ASSERT_GT(last, first + 1'000);
    const std::uint64_t after = resident_bytes(server_->process());
    const std::uint64_t grown = after > before ? after - before : 0;

    FeedDigest expected;
    for (const std::string& message : messages(last))
        expected.on_message(expected.count + 1, std::as_bytes(std::span{message}));
    for (const FeedDigest& each : digests) EXPECT_EQ(each.digest, expected.digest);
    // On a busy machine all fall behind, and each may fill its buffer, but never more than that.
    constexpr std::uint64_t k_buffers = k_subscribers * (std::uint64_t{256} << 10U);
    EXPECT_LT(grown, k_buffers + 64'000'000U) << last << " messages";
    EXPECT_EQ(server_->terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, FeedReceivers, ::testing::Values("inline", "pipelined"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace damrak::testing::feed_receivers_test
