// MoldUDP64 packets of a feed: full or after the delay, heartbeats, the end of a session; and the
// answers to those who missed some.
#include <damrak/feed/mold_sender.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/feed/retransmission.hpp>
#include <damrak/wire/moldudp/decode.hpp>

#include "support/bytes.hpp"
#include "support/message_list.hpp"

namespace damrak::feed::mold_sender_test {
namespace {

using testing::Bytes;
using testing::MessageList;
using testing::MessageReader;
using wire::moldudp::Header;
using wire::moldudp::SessionName;

constexpr SessionName k_mold_session{'2', '0', '2', '6', '1', '1', '2', '3', '0', '0'};

constexpr Timestamp at_ms(std::int64_t count) { return {count * 1'000'000}; }

struct MoldSenderTest : ::testing::Test {
    MessageList list;
    MoldConfig config{.delay_ns = 5'000'000};
    MoldSender<MessageReader> sender{config, k_mold_session, MessageReader{list, 1}, at_ms(0)};

    /// The header of the packet that is due; nothing if there is none.
    std::optional<Header> poll(Timestamp now) {
        const auto packet = sender.poll(now);
        if (packet.empty()) return std::nullopt;
        const auto found = wire::moldudp::scan(packet);
        EXPECT_EQ(found.fault, wire::moldudp::Fault::none);
        for_each_message(found, [&](std::uint64_t number, std::span<const std::byte> message) {
            EXPECT_EQ(testing::text_of(message), list.messages.at(number - 1));
        });
        return found.header;
    }
    static Header header(std::uint64_t sequence, std::uint16_t count) {
        return {.session = k_mold_session, .sequence = sequence, .count = count};
    }
};

TEST_F(MoldSenderTest, AMessageWaitsForOthersUpToTheDelay) {
    EXPECT_EQ(poll(at_ms(0)), header(1, 0));
    list.messages.emplace_back("one");
    EXPECT_EQ(poll(at_ms(10)), std::nullopt);
    EXPECT_EQ(sender.next(), 1U);
    EXPECT_EQ(sender.deadline(), at_ms(15));
    list.messages.emplace_back("two");
    EXPECT_EQ(poll(at_ms(14)), std::nullopt);
    EXPECT_EQ(poll(at_ms(15)), header(1, 2));
    EXPECT_EQ(poll(at_ms(15)), std::nullopt);
    EXPECT_EQ(sender.next(), 3U);
    EXPECT_EQ(sender.deadline(), at_ms(1'015));
}

TEST_F(MoldSenderTest, AFullPacketLeavesAtOnce) {
    for (int i = 0; i < 100; ++i) list.messages.emplace_back(34, 'm');
    EXPECT_EQ(poll(at_ms(0)), header(1, 38));
    EXPECT_EQ(poll(at_ms(0)), header(39, 38));
    EXPECT_EQ(poll(at_ms(0)), std::nullopt);
    EXPECT_EQ(poll(at_ms(5)), header(77, 24));
}

TEST_F(MoldSenderTest, AHeartbeatASecondNamesTheNextMessage) {
    EXPECT_EQ(poll(at_ms(0)), header(1, 0));
    EXPECT_EQ(poll(at_ms(999)), std::nullopt);
    EXPECT_EQ(poll(at_ms(1'000)), header(1, 0));
    list.messages.emplace_back("one");
    EXPECT_EQ(poll(at_ms(1'500)), std::nullopt);
    EXPECT_EQ(poll(at_ms(1'505)), header(1, 1));
    EXPECT_EQ(poll(at_ms(2'504)), std::nullopt);
    EXPECT_EQ(poll(at_ms(2'505)), header(2, 0));
}

TEST_F(MoldSenderTest, TheEndFollowsTheLastMessageAndIsRepeatedForHalfAMinute) {
    list.messages.emplace_back("one");
    list.complete = true;
    EXPECT_EQ(poll(at_ms(0)), header(1, 1));
    int ends = 0;
    for (std::int64_t ms = 0; ms < 60'000; ms += 100) {
        if (const auto sent = poll(at_ms(ms))) {
            EXPECT_EQ(sent, header(2, wire::moldudp::k_end_of_session));
            ++ends;
        }
        EXPECT_EQ(sender.finished(), ms > 30'000);
    }
    EXPECT_EQ(ends, 31);
}

TEST_F(MoldSenderTest, GoesOnAtAnyMessage) {
    list.messages = {"one", "two", "three"};
    MoldSender<MessageReader> later{{}, k_mold_session, MessageReader{list, 3}, at_ms(0)};
    EXPECT_EQ(wire::moldudp::scan(later.poll(at_ms(0))).header, header(3, 1));
    EXPECT_TRUE(later.poll(at_ms(0)).empty());
}

struct RetransmissionTest : ::testing::Test {
    MessageList list{.messages = std::vector<std::string>(100, std::string(34, 'm'))};
    RetransmissionConfig config{.packets_per_second = 10,
                                .burst_packets = 2,
                                .all_packets_per_second = 1'000,
                                .all_burst_packets = 4,
                                .addresses = 16};
    RetransmissionServer server{config};

    static RetransmissionAddress address(int number) {
        return {static_cast<std::byte>(number), std::byte{1}};
    }
    std::optional<MessageReader> open(const SessionName& session, std::uint64_t sequence) const {
        if (session != k_mold_session || sequence > list.messages.size()) return std::nullopt;
        return MessageReader{list, sequence};
    }
    /// First message and count of the answer; 0 messages if there is none.
    std::pair<std::uint64_t, int> ask(std::uint64_t sequence, std::uint16_t count, int from = 1,
                                      Timestamp now = at_ms(1'000),
                                      const SessionName& session = k_mold_session) {
        Bytes request(wire::moldudp::HeaderLayout::k_length);
        encode(wire::moldudp::Request{session, sequence, count}, request);
        const auto answer = server.answer(
            request, address(from), now,
            [this](const SessionName& name, std::uint64_t number) { return open(name, number); });
        if (answer.empty()) return {0, 0};
        const auto found = wire::moldudp::scan(answer);
        EXPECT_EQ(found.fault, wire::moldudp::Fault::none);
        EXPECT_EQ(found.header.session, session);
        return {found.header.sequence, found.header.count};
    }
    using Answer = std::pair<std::uint64_t, int>;
};

TEST_F(RetransmissionTest, AnswersWithAsManyAsAskedForOrAsFit) {
    EXPECT_EQ(ask(7, 3), (Answer{7, 3}));
    EXPECT_EQ(ask(7, 100), (Answer{7, 38}));
    EXPECT_EQ(ask(99, 100, 2), (Answer{99, 2}));
    EXPECT_EQ(server.counters().answered, 3U);
    EXPECT_EQ(server.counters().messages, 43U);
}

TEST_F(RetransmissionTest, SaysNothingToWhatItCannotAnswer) {
    SessionName other = k_mold_session;
    other.back() = '1';
    EXPECT_EQ(ask(1, 1, 1, at_ms(1'000), other), (Answer{0, 0}));
    EXPECT_EQ(ask(101, 1), (Answer{0, 0}));
    EXPECT_EQ(server.counters().unavailable, 2U);
    EXPECT_EQ(ask(1, 0), (Answer{0, 0}));
    EXPECT_EQ(server.counters().malformed, 1U);
}

TEST_F(RetransmissionTest, EachAddressHasItsRate) {
    EXPECT_EQ(ask(1, 1, 1), (Answer{1, 1}));
    EXPECT_EQ(ask(1, 1, 1), (Answer{1, 1}));
    EXPECT_EQ(ask(1, 1, 1), (Answer{0, 0}));
    EXPECT_EQ(ask(1, 1, 2), (Answer{1, 1}));
    EXPECT_EQ(ask(1, 1, 1, at_ms(1'100)), (Answer{1, 1}));
    EXPECT_EQ(ask(1, 1, 1, at_ms(1'100)), (Answer{0, 0}));
    EXPECT_EQ(server.counters().limited, 2U);
}

TEST_F(RetransmissionTest, AllTogetherHaveOne) {
    for (int from = 1; from <= 4; ++from) EXPECT_EQ(ask(1, 1, from), (Answer{1, 1}));
    EXPECT_EQ(ask(1, 1, 5), (Answer{0, 0}));
    EXPECT_EQ(ask(1, 1, 5, at_ms(1'001)), (Answer{1, 1}));
}

TEST_F(RetransmissionTest, ManyAddressesReplaceThoseThatWereSilentLongest) {
    RetransmissionServer small{{.packets_per_second = 1, .burst_packets = 1, .addresses = 8}};
    const auto asked = [&](int from) {
        Bytes request(wire::moldudp::HeaderLayout::k_length);
        encode(wire::moldudp::Request{k_mold_session, 1, 1}, request);
        const auto opened = [this](const SessionName& name, std::uint64_t number) {
            return open(name, number);
        };
        return !small.answer(request, address(from), at_ms(1'000), opened).empty();
    };
    for (int from = 1; from <= 8; ++from) EXPECT_TRUE(asked(from));
    for (int from = 1; from <= 8; ++from) EXPECT_FALSE(asked(from));
    EXPECT_TRUE(asked(9));  // takes the place of 1
    EXPECT_TRUE(asked(1));  // of 2
    EXPECT_FALSE(asked(3));
}

}  // namespace
}  // namespace damrak::feed::mold_sender_test
