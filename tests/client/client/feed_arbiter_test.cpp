// A receiver of two lines: each message once and in order, whatever the network does to packets.
#include <damrak/client/itch/feed_arbiter.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/feed/mold_sender.hpp>
#include <damrak/feed/retransmission.hpp>

#include "support/bytes.hpp"
#include "support/message_list.hpp"

namespace damrak::client::feed_arbiter_test {
namespace {

using testing::Bytes;
using testing::MessageList;
using testing::MessageReader;
using wire::moldudp::SessionName;

constexpr SessionName name_of_session(char number) {
    return {'2', '0', '2', '6', '1', '1', '2', '3', '0', number};
}
constexpr SessionName k_first = name_of_session('0');
constexpr SessionName k_second = name_of_session('1');

struct Heard {
    std::vector<SessionName> sessions;
    std::vector<std::string> messages;
    std::uint64_t next = 1;
    int ends = 0;
    bool in_order = true;

    void on_session(const SessionName& session) {
        sessions.push_back(session);
        next = 1;
    }
    void on_message(std::uint64_t number, std::span<const std::byte> message) {
        in_order &= number == next;
        next = number + 1;
        messages.push_back(testing::text_of(message));
    }
    void on_end_of_session() { ++ends; }
};

/// A packet with the messages from this number on: each is its number as text.
Bytes packet(std::uint64_t first, std::uint16_t count, const SessionName& session = k_first) {
    MessageList list;
    for (std::uint64_t i = 1; i < first + count; ++i) list.messages.push_back(std::to_string(i));
    wire::moldudp::PacketBuilder builder{session};
    builder.begin(first);
    MessageReader reader{list, first};
    builder.add(reader.read(builder.room()));
    EXPECT_EQ(builder.messages(), count);
    const auto bytes = builder.packet();
    return {bytes.begin(), bytes.end()};
}
Bytes end_of_session(std::uint64_t next, const SessionName& session = k_first) {
    wire::moldudp::PacketBuilder builder{session};
    builder.end_session(next);
    const auto bytes = builder.packet();
    return {bytes.begin(), bytes.end()};
}

struct FeedArbiterTest : ::testing::Test {
    Heard heard;
    ArbiterSettings settings{
        .packets = 4, .patience_ns = 10, .retry_ns = 100, .attempts = 3, .waits_for_join = false};
    FeedArbiter<Heard> arbiter{heard, settings};

    void hear(const Bytes& datagram, std::int64_t now = 0) { arbiter.on_datagram(datagram, {now}); }
    /// First message and count of the request that is due; zeros: none.
    std::pair<std::uint64_t, int> request(std::int64_t now) {
        const auto found = arbiter.next_request({now});
        if (!found) return {0, 0};
        return {found->sequence, found->count};
    }
    using Asked = std::pair<std::uint64_t, int>;
};

TEST_F(FeedArbiterTest, TakesEachMessageFromTheLineThatIsFirst) {
    hear(packet(1, 2));
    hear(packet(1, 2));
    hear(packet(2, 3));  // two is here already
    hear(packet(3, 2));
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"1", "2", "3", "4"}));
    EXPECT_TRUE(heard.in_order);
    EXPECT_EQ(heard.sessions, std::vector<SessionName>{k_first});
    EXPECT_EQ(arbiter.counters().duplicates, 2U);
    EXPECT_EQ(arbiter.deadline(), std::nullopt);
}

TEST_F(FeedArbiterTest, PutsPacketsInOrderWithoutAsking) {
    hear(packet(4, 1), 1);
    hear(packet(2, 2), 2);
    EXPECT_TRUE(heard.messages.empty());
    EXPECT_EQ(arbiter.deadline(), Timestamp{11});
    EXPECT_EQ(arbiter.missing(), 1U);
    hear(packet(1, 1), 3);
    EXPECT_EQ(heard.messages.size(), 4U);
    EXPECT_TRUE(heard.in_order);
    EXPECT_EQ(request(100), (Asked{0, 0}));
    EXPECT_EQ(arbiter.counters().gaps, 1U);
}

TEST_F(FeedArbiterTest, AsksForWhatIsMissingUntilItComes) {
    hear(packet(1, 1), 0);
    hear(packet(7, 1), 0);
    EXPECT_EQ(request(9), (Asked{0, 0}));
    EXPECT_EQ(request(10), (Asked{2, 5}));
    EXPECT_EQ(request(109), (Asked{0, 0}));
    EXPECT_EQ(request(110), (Asked{2, 5}));
    hear(packet(2, 3), 111);  // part of it: the rest is asked for at once
    EXPECT_EQ(request(111), (Asked{5, 2}));
    hear(packet(5, 2), 112);
    EXPECT_EQ(heard.messages.size(), 7U);
    EXPECT_FALSE(arbiter.needs_snapshot());
}

TEST_F(FeedArbiterTest, AHeartbeatShowsThatTheLastMessagesAreMissing) {
    hear(packet(1, 1));
    hear(packet(3, 0));
    EXPECT_EQ(request(10), (Asked{2, 1}));
    hear(packet(2, 1));
    EXPECT_EQ(arbiter.missing(), 0U);
}

TEST_F(FeedArbiterTest, NeedsASnapshotWhenNoRequestIsAnswered) {
    hear(packet(1, 1));
    hear(packet(5, 2));
    for (int attempt = 0; attempt < 3; ++attempt)
        EXPECT_EQ(request(10 + attempt * 100), (Asked{2, 3}));
    EXPECT_FALSE(arbiter.needs_snapshot());
    EXPECT_EQ(request(310), (Asked{0, 0}));
    EXPECT_TRUE(arbiter.needs_snapshot());
    EXPECT_EQ(arbiter.deadline(), std::nullopt);
    hear(packet(7, 1), 320);
    arbiter.join(k_first, 6, {330});
    EXPECT_FALSE(arbiter.needs_snapshot());
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"1", "6", "7"}));
    EXPECT_EQ(heard.sessions.size(), 1U);
}

TEST_F(FeedArbiterTest, AGapThatClosesLateNeedsNoSnapshotAnyMore) {
    hear(packet(2, 1));
    for (int attempt = 0; attempt < 4; ++attempt) (void)request(10 + attempt * 100);
    EXPECT_TRUE(arbiter.needs_snapshot());
    hear(packet(1, 1));
    EXPECT_FALSE(arbiter.needs_snapshot());
    EXPECT_EQ(heard.messages.size(), 2U);
}

TEST_F(FeedArbiterTest, JoinsAfterASnapshot) {
    settings.waits_for_join = true;
    FeedArbiter<Heard> joining{heard, settings};
    for (const std::uint64_t first : {3U, 4U, 5U}) joining.on_datagram(packet(first, 1), {0});
    EXPECT_TRUE(joining.needs_snapshot());
    EXPECT_EQ(joining.next_request({1'000}), std::nullopt);
    EXPECT_TRUE(heard.sessions.empty());
    joining.join(k_first, 4, {0});
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"4", "5"}));
    EXPECT_EQ(heard.sessions.size(), 1U);
}

TEST_F(FeedArbiterTest, KeepsThePacketsThatAreWantedFirst) {
    for (const std::uint64_t first : {9U, 8U, 7U, 6U, 5U, 4U, 3U, 10U, 2U}) hear(packet(first, 1));
    hear(packet(1, 1));
    EXPECT_EQ(heard.messages.size(), 5U);
    EXPECT_EQ(arbiter.missing(), 5U);
    EXPECT_EQ(arbiter.counters().dropped, 1U);
    EXPECT_EQ(request(10), (Asked{6, 5}));
}

TEST_F(FeedArbiterTest, TheEndOfASessionIsReportedBehindItsLastMessage) {
    hear(packet(1, 1));
    hear(end_of_session(3));
    EXPECT_EQ(heard.ends, 0);
    EXPECT_EQ(request(10), (Asked{2, 1}));
    hear(packet(2, 1));
    hear(end_of_session(3));
    hear(packet(3, 1));
    EXPECT_EQ(heard.ends, 1);
    EXPECT_TRUE(arbiter.ended());
    EXPECT_EQ(heard.messages.size(), 2U);
}

TEST_F(FeedArbiterTest, ALaterSessionBeginsAtItsFirstMessage) {
    hear(packet(1, 2));
    hear(packet(1, 1, k_second));
    hear(packet(3, 1));  // of the earlier one
    EXPECT_EQ(heard.sessions, (std::vector<SessionName>{k_first, k_second}));
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"1", "2", "1"}));
    EXPECT_EQ(arbiter.counters().other_session, 1U);
    EXPECT_EQ(arbiter.next(), 2U);
}

TEST_F(FeedArbiterTest, ALaterSessionWaitsForWhatIsMissingOfThisOne) {
    hear(packet(2, 1));
    hear(packet(1, 1, k_second));
    EXPECT_EQ(heard.sessions.size(), 1U);
    hear(packet(1, 1));
    hear(packet(2, 1, k_second), 20);
    EXPECT_EQ(heard.sessions.size(), 2U);
    EXPECT_EQ(request(30), (Asked{1, 1}));
}

TEST_F(FeedArbiterTest, BytesThatAreNoPacketChangeNothing) {
    Bytes bytes = packet(1, 2);
    bytes.pop_back();
    hear(bytes);
    EXPECT_EQ(arbiter.counters().faults, 1U);
    EXPECT_EQ(arbiter.session(), std::nullopt);
}

// Datagrams that the network loses, repeats and delays by some steps.
class LossyLine {
  public:
    LossyLine(RandomStream& random, std::uint32_t loss_percent)
        : random_{&random}, loss_percent_{loss_percent} {}

    void send(std::span<const std::byte> datagram) {
        const std::uint32_t copies = random_->below(100) < 5 ? 2 : 1;
        for (std::uint32_t i = 0; i < copies; ++i) {
            if (random_->below(100) < loss_percent_) continue;
            const std::uint32_t delay = random_->below(100) < 20 ? random_->below(8) : 0;
            in_flight_.push_back({step_ + delay, Bytes(datagram.begin(), datagram.end())});
        }
    }
    template <class F>
    void step(F&& arrived) {
        ++step_;
        std::deque<std::pair<std::uint64_t, Bytes>> later;
        for (auto& [due, datagram] : std::exchange(in_flight_, {})) {
            if (due < step_)
                arrived(datagram);
            else
                later.emplace_back(due, std::move(datagram));
        }
        for (auto& one : later) in_flight_.push_back(std::move(one));
    }

  private:
    RandomStream* random_;
    std::uint32_t loss_percent_;
    std::uint64_t step_ = 0;
    std::deque<std::pair<std::uint64_t, Bytes>> in_flight_;
};

void follow_a_day(std::uint64_t seed) {
    RandomStream random{seed};
    MessageList list;
    Heard heard;
    FeedArbiter<Heard> arbiter{
        heard, {.packets = 1 + random.below(40), .retry_ns = 5'000'000, .attempts = 1'000}};
    feed::MoldSender<MessageReader> sender{
        {.delay_ns = 200'000}, k_first, MessageReader{list, 1}, {}};
    feed::RetransmissionServer server{{}};
    const std::uint32_t loss = random.below(50);
    LossyLine a{random, loss};
    LossyLine b{random, loss};
    LossyLine requests{random, loss};
    LossyLine answers{random, loss};
    std::size_t most = 2'000;
    for (Timestamp now{}; !arbiter.ended(); now.value += 100'000) {
        ASSERT_LT(now.value, 600'000'000'000) << "seed " << seed;
        for (std::uint32_t i = random.below(30); i > 0 && list.messages.size() < most; --i)
            list.messages.push_back(std::to_string(list.messages.size() + 1) +
                                    std::string(random.below(200), '.'));
        list.complete = list.messages.size() == most;
        for (auto due = sender.poll(now); !due.empty(); due = sender.poll(now)) {
            a.send(due);
            b.send(due);
        }
        const auto hear = [&](const Bytes& datagram) { arbiter.on_datagram(datagram, now); };
        a.step(hear);
        b.step(hear);
        answers.step(hear);
        while (const auto request = arbiter.next_request(now)) {
            Bytes bytes(wire::moldudp::HeaderLayout::k_length);
            encode(*request, bytes);
            requests.send(bytes);
        }
        requests.step([&](const Bytes& datagram) {
            const auto open = [&](const SessionName&, std::uint64_t sequence) {
                return sequence > list.messages.size()
                           ? std::nullopt
                           : std::optional{MessageReader{list, sequence}};
            };
            const auto answer = server.answer(datagram, {}, now, open);
            if (!answer.empty()) answers.send(answer);
        });
    }
    EXPECT_EQ(heard.messages, list.messages) << "seed " << seed;
    EXPECT_TRUE(heard.in_order) << "seed " << seed;
    EXPECT_EQ(heard.ends, 1) << "seed " << seed;
}

TEST(FeedArbiterWorld, AReceiverGetsEveryMessageOnceAndInOrder) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) follow_a_day(seed);
}

}  // namespace
}  // namespace damrak::client::feed_arbiter_test
