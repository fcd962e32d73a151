// The order-by-order feed of a whole exchange, heard over real sockets: live, from the begin, by
// GLIMPSE, and over restarts and kills, in both wirings.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/net/socket_path.hpp>
#include <damrak/net/udp.hpp>

#include "support/commands.hpp"
#include "support/day_blocks.hpp"
#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"
#include "support/small_exchange.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::exchange::itch_gateways_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;
using Messages = std::vector<std::string>;

/// Of an empty market: three system events, and directory and state of four instruments.
constexpr std::size_t k_first_messages = 11;

class FeedOfAnExchange : public ::testing::TestWithParam<Wiring> {
  protected:
    [[nodiscard]] Settings settings() const {
        Settings settings = testing::small_exchange(folder_.path(), GetParam());
        // Orders of a participant without a name end with the day.
        settings.participants.emplace_back().id = {1};
        settings.ports["itch"] = settings.ports["glimpse"] = 0;
        return settings;
    }
    void start(const Settings& wanted) {
        auto started = Exchange::start(wanted);
        ASSERT_TRUE(started) << started.error();
        exchange_ = *std::move(started);
    }
    void start() { start(settings()); }
    void kill() { exchange_.reset(); }
    void stop() {
        exchange_->stop();
        exchange_.reset();
    }
    void buy(std::int64_t price, std::int64_t quantity, std::uint32_t participant = 1) {
        order(Side::buy, price, quantity, participant);
    }
    void order(Side side, std::int64_t price, std::int64_t quantity, std::uint32_t participant) {
        Command command = order_command(4, participant, side, price * 100, quantity);
        command.time_in_force = TimeInForce::gtc;
        ASSERT_TRUE(exchange_->trading().submit(command));
        exchange_->step();
        exchange_->follower().wake();
    }
    [[nodiscard]] testing::SoupSubscriber subscribe(const char* gateway, std::uint64_t sequence,
                                                    std::string_view session = "") const {
        return {exchange_->ports().at(gateway), sequence, session};
    }
    /// Once the exchange has opened this session.
    [[nodiscard]] Messages first_of(std::string_view number, std::size_t count) const {
        Messages found;
        EXPECT_TRUE(testing::eventually([&] {
            auto subscriber = subscribe("itch", 1);
            if (subscriber.next().substr(9, 2) != number) return false;
            found = subscriber.messages(count);
            return true;
        }));
        return found;
    }
    [[nodiscard]] Messages messages(std::size_t count, std::uint64_t from = 1) const {
        auto subscriber = subscribe("itch", from);
        return subscriber.messages(count);
    }

    static bool has_message(std::span<const std::byte> packet, char type) {
        constexpr std::size_t k_header = 20;
        const auto byte = [&](std::size_t i) { return std::to_integer<std::size_t>(packet[i]); };
        for (std::size_t at = k_header; at + 2 < packet.size();
             at += 2 + byte(at) * 256 + byte(at + 1))
            if (std::to_integer<char>(packet[at + 2]) == type) return true;
        return false;
    }
    /// The first packet with a message of this type.
    [[nodiscard]] static std::string heard_on(const net::MulticastReceiver& line, char type) {
        std::array<std::byte, 2'000> memory{};
        std::span<const std::byte> packet;
        if (!testing::eventually([&] {
                do packet = line.receive(memory);
                while (!packet.empty() && !has_message(packet, type));
                return !packet.empty();
            }))
            return {};
        return {reinterpret_cast<const char*>(packet.data()), packet.size()};
    }
    /// The datagram that comes back.
    [[nodiscard]] static std::string ask(std::uint16_t port, const std::string& request) {
        auto path = net::SocketPath::open({.address = "127.0.0.1"});
        EXPECT_TRUE(path);
        const net::Endpoint to{.link = {}, .address = {127, 0, 0, 1}, .port = port, .address6 = {}};
        const auto room = path->claim(to, request.size());
        std::ranges::copy(std::as_bytes(std::span{request}), room.begin());
        path->commit(request.size());
        path->flush();
        std::string answer;
        path->receive(1, testing::patience_ms(), [&](const net::Datagram& datagram) {
            answer.assign(reinterpret_cast<const char*>(datagram.bytes.data()),
                          datagram.bytes.size());
        });
        return answer;
    }

    testing::ScratchFolder folder_;
    std::unique_ptr<Exchange> exchange_;
};

}  // namespace

TEST_P(FeedOfAnExchange, ComesFromAnyMessageOnAndThenLive) {
    start();
    buy(1'000, 10);
    auto subscriber = subscribe("itch", 1);
    EXPECT_THAT(subscriber.next(), StartsWith("A"));
    const Messages first = subscriber.messages(k_first_messages + 1);
    ASSERT_THAT(first, SizeIs(k_first_messages + 1));
    EXPECT_EQ(first.front().substr(0, 1) + first.front().substr(11), "SO");
    EXPECT_THAT(first.back(), StartsWith("A"));
    order(Side::sell, 1'000, 4, 2);
    EXPECT_THAT(subscriber.messages(1), ElementsAre(StartsWith("E")));
    EXPECT_THAT(messages(1, k_first_messages + 2), ElementsAre(StartsWith("E")));
    stop();
}

TEST_P(FeedOfAnExchange, HasTheSameBytesAfterARestartAndAKill) {
    start();
    for (int i = 0; i < 50; ++i) buy(1'000 + i, 10);
    const Messages first = messages(k_first_messages + 50);
    ASSERT_THAT(first, SizeIs(k_first_messages + 50));
    kill();
    start();
    EXPECT_EQ(messages(first.size()), first);
    order(Side::sell, 1'049, 3, 2);
    const Messages second = messages(first.size() + 1);
    ASSERT_THAT(second, SizeIs(first.size() + 1));
    EXPECT_THAT(second.back(), StartsWith("E"));
    stop();
    start();
    EXPECT_EQ(messages(second.size()), second);
    buy(900, 1);
    EXPECT_THAT(messages(1, second.size() + 1), ElementsAre(StartsWith("A")));
    stop();
}

TEST_P(FeedOfAnExchange, GlimpseGivesTheStateAndWhereToJoin) {
    start();
    buy(1'000, 10);
    buy(1'001, 11);
    order(Side::sell, 1'001, 4, 2);
    ASSERT_THAT(messages(k_first_messages + 3), SizeIs(k_first_messages + 3));
    auto subscriber = subscribe("glimpse", 1);
    const Messages state = subscriber.messages(1'000);
    ASSERT_THAT(state, SizeIs(1 + 8 + 2 + 1));
    EXPECT_THAT(state[9], StartsWith("A"));
    EXPECT_EQ(state[9].substr(20, 4), (std::string{"\0\0\0\7", 4})) << "the best bid comes first";
    EXPECT_EQ(state.back(), "G00000000000000000015");
    stop();
}

TEST_P(FeedOfAnExchange, RefusesSessionsAndNumbersThatThereAreNot) {
    start();
    ASSERT_THAT(messages(k_first_messages), SizeIs(k_first_messages));
    EXPECT_EQ(subscribe("itch", 1, "1999010100").next(), "JS");
    EXPECT_EQ(subscribe("itch", k_first_messages + 2).next(), "JS");
    EXPECT_THAT(subscribe("itch", k_first_messages + 1).next(), StartsWith("A"));
    EXPECT_THAT(subscribe("itch", 0).next(), StartsWith("A"));
    EXPECT_EQ(subscribe("glimpse", 1, "1999010100").next(), "JS");
    stop();
}

TEST_P(FeedOfAnExchange, ASessionEndsWithItsDayAndTheNextBeginsWithWhatIsOpen) {
    start();
    buy(1'000, 10);
    auto subscriber = subscribe("itch", k_first_messages + 2);
    stop();
    Settings over = settings();
    const std::int64_t hour = system_time().value % k_day_ns / k_hour_ns;
    over.day.begin_ns = (hour + 11) % 24 * k_hour_ns;
    over.day.end_ns = over.day.begin_ns + k_hour_ns;
    start(over);
    const Messages last = messages(1'000, k_first_messages + 2);
    ASSERT_THAT(last, SizeIs(3)) << "the end of market, system and messages";
    EXPECT_EQ(last.back().substr(11), "C");
    const std::string ended = subscribe("itch", 1).next().substr(1, 10);
    stop();
    start();
    const Messages next = first_of("01", k_first_messages + 1);
    auto again = subscribe("itch", k_first_messages + 2, ended);
    EXPECT_THAT(again.next(), StartsWith("A" + ended)) << "the earlier session can be read again";
    EXPECT_EQ(again.messages(1'000), last);
    EXPECT_EQ(subscribe("itch", k_first_messages + 6, ended).next(), "JS");
    EXPECT_EQ(subscribe("glimpse", 1, ended).next(), "JS");
    ASSERT_THAT(next, SizeIs(k_first_messages + 1));
    EXPECT_THAT(next[k_first_messages - 1], StartsWith("A")) << "an order without an end is open";
    stop();
}

TEST_P(FeedOfAnExchange, BeginsAnewWhereItsFileIsGone) {
    start();
    buy(1'000, 10);
    ASSERT_THAT(messages(k_first_messages + 1), SizeIs(k_first_messages + 1));
    stop();
    std::filesystem::remove_all(settings().data / "feed");
    start();
    EXPECT_THAT(first_of("01", k_first_messages + 1), SizeIs(k_first_messages + 1));
    stop();
}

TEST_P(FeedOfAnExchange, ANewSessionWithinADayBeginsWithAllThatIsOpen) {
    start();
    buy(1'000, 10);
    stop();
    Settings renewed = settings();
    renewed.of<gateway::feeds::FeedSettings>().new_session = true;
    start(renewed);
    const Messages begun = first_of("01", k_first_messages + 1);
    ASSERT_THAT(begun, SizeIs(k_first_messages + 1));
    EXPECT_THAT(begun[1], StartsWith("R"));
    EXPECT_THAT(begun[k_first_messages - 1], StartsWith("A"));
    kill();
    start();
    EXPECT_EQ(first_of("01", k_first_messages + 1), begun);
    buy(900, 1);
    EXPECT_THAT(messages(1, k_first_messages + 2), ElementsAre(StartsWith("A")));
    stop();
}

TEST_P(FeedOfAnExchange, HasAllInstrumentsBeforeSystemHoursBegin) {
    start();
    const Messages first = messages(k_first_messages);
    std::string kinds;
    for (const std::string& message : first)
        kinds += message.front() == 'S' ? message.back() : message.front();
    EXPECT_EQ(kinds, "ORRRRHHHHSQ");
    stop();
}

TEST_P(FeedOfAnExchange, ComesByMulticastOnBothLinesAndAgainWhenAskedFor) {
    Settings wanted = settings();
    wanted.ports["mold"] = 0;
    wanted.ports["retransmit"] = 0;
    wanted.of<gateway::feeds::FeedSettings>().faults = "line=A,loss=1";
    start(wanted);
    const std::uint16_t port = exchange_->ports().at("mold");
    const auto a = net::MulticastReceiver::join({.address = "239.192.0.1", .port = port});
    const auto b = net::MulticastReceiver::join({.address = "239.192.0.2", .port = port});
    ASSERT_TRUE(a && b);
    buy(1'000, 10);
    const std::string packet = heard_on(*b, 'A');
    ASSERT_FALSE(packet.empty());
    EXPECT_THAT(packet.substr(8, 2), "00") << "the number of the session";
    std::array<std::byte, 2'000> memory{};
    EXPECT_TRUE(a->receive(memory).empty()) << "this line loses all";

    // The first three messages again, as somebody who missed them asks.
    const std::string request = packet.substr(0, 10) + std::string{"\0\0\0\0\0\0\0\1\0\3", 10};
    const std::string answer = ask(exchange_->ports().at("retransmit"), request);
    EXPECT_EQ(answer.substr(0, 20), request) << "the same session, number and count";
    EXPECT_EQ(answer.size(), 20U + (2 + 12) + 2 * (2 + 39));
    EXPECT_EQ(answer.substr(22, 12), messages(1).front());
    stop();
}

TEST_P(FeedOfAnExchange, ComesByUnicastWithTheFaultsOfItsLine) {
    const auto free_port = [] {
        return net::MulticastSender::open({.address = "239.0.0.1"})->port();
    };
    const std::uint16_t port_a = free_port();
    const auto a = net::MulticastReceiver::join({.address = "127.0.0.1", .port = port_a});
    const std::uint16_t port_b = free_port();
    const auto b = net::MulticastReceiver::join({.address = "127.0.0.1", .port = port_b});
    ASSERT_TRUE(a && b);
    Settings wanted = settings();
    wanted.ports["mold"] = 0;
    wanted.of<gateway::feeds::FeedSettings>().mold_unicast_a = fmt::format("127.0.0.1:{}", port_a);
    wanted.of<gateway::feeds::FeedSettings>().mold_unicast_b =
        fmt::format("127.0.0.1:1,localhost:{}", port_b);  // one is not there
    wanted.of<gateway::feeds::FeedSettings>().faults = "line=A,loss=1";
    start(wanted);
    const auto group = net::MulticastReceiver::join(
        {.address = "239.192.0.2", .port = exchange_->ports().at("mold")});
    ASSERT_TRUE(group);
    buy(1'000, 10);
    const std::string packet = heard_on(*b, 'A');
    ASSERT_FALSE(packet.empty());
    EXPECT_EQ(heard_on(*group, 'A'), packet);
    std::array<std::byte, 2'000> memory{};
    EXPECT_TRUE(a->receive(memory).empty()) << "line A loses all";
    stop();
    for (const char* wrong : {"127.0.0.1", "nowhere:", ":80", "::1:80", "a:70000", "a:1,"}) {
        wanted.of<gateway::feeds::FeedSettings>().mold_unicast_b = wrong;
        const auto refused = Exchange::start(wanted);
        ASSERT_FALSE(refused) << wrong;
        EXPECT_THAT(refused.error(), HasSubstr("feed.mold_unicast_b")) << wrong;
    }
}

TEST_P(FeedOfAnExchange, IsArchivedOverKillsAndRestarts) {
    start();
    for (int i = 0; i < 50; ++i) buy(1'000 + i, 10);
    ASSERT_THAT(messages(k_first_messages + 50), SizeIs(k_first_messages + 50));
    kill();
    start();
    order(Side::sell, 1'049, 3, 2);
    const Messages all = messages(k_first_messages + 51);
    ASSERT_THAT(all, SizeIs(k_first_messages + 51));
    const std::string session = exchange_->feed_session()->id().text();
    stop();
    std::string expected;
    for (const std::string& message : all)
        expected += std::string{'\0', static_cast<char>(message.size())} + message;
    const auto day = archive::Day::open(settings().archive_folder() / (session + ".dar"));
    ASSERT_TRUE(day) << day.error();
    std::string archived;
    for (const std::byte byte : damrak::testing::frames_of(*day))
        archived += std::to_integer<char>(byte);
    EXPECT_TRUE(archived == expected);
    const auto book = day->book_after(4, all.size());
    ASSERT_TRUE(book) << book.error();
    EXPECT_THAT(book->bids, SizeIs(50));
    EXPECT_EQ(book->bids.front().shares, 7U);
}

TEST_P(FeedOfAnExchange, IsNotArchivedWhereArchivingIsOff) {
    Settings wanted = settings();
    wanted.of<gateway::feeds::ArchiveSettings>().enabled = false;
    start(wanted);
    EXPECT_EQ(exchange_->order_feed().archiver, nullptr);
    stop();
    EXPECT_FALSE(std::filesystem::exists(wanted.archive_folder()));
}

// Each reader of a snapshot may be slow: they share what has been made.
TEST_P(FeedOfAnExchange, GlimpseServesManySlowReadersFromFewSnapshots) {
    start();
    buy(1'000, 10);
    ASSERT_THAT(messages(k_first_messages + 1), SizeIs(k_first_messages + 1));
    std::vector<std::unique_ptr<testing::SoupSubscriber>> readers;
    for (int i = 0; i < 20; ++i)
        readers.push_back(
            std::make_unique<testing::SoupSubscriber>(exchange_->ports().at("glimpse"), 1));
    for (const auto& reader : readers) {
        const Messages state = reader->messages(1'000);
        ASSERT_THAT(state, SizeIs(1 + 8 + 1 + 1));
        EXPECT_EQ(state.back(), "G00000000000000000013");
    }
    stop();
}

INSTANTIATE_TEST_SUITE_P(Wirings, FeedOfAnExchange,
                         ::testing::Values(Wiring::one_thread, Wiring::pipelined),
                         testing::wiring_name);

}  // namespace damrak::exchange::itch_gateways_test
