// The client's side of SoupBinTCP: it counts messages, detects losses, and continues after them.
#include <damrak/session/soupbin/soup_client.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/session/soupbin/soup_server.hpp>

#include "support/bytes.hpp"
#include "support/message_list.hpp"

namespace damrak::session::soup_client_test {
namespace {

using testing::bytes_of;
using testing::text_of;

std::string packet(char type, std::string_view payload = {}) {
    return std::string{'\0', static_cast<char>(payload.size() + 1), type} + std::string{payload};
}
std::string padded(std::string_view text, std::size_t width) {
    return std::string(width - text.size(), ' ') + std::string{text};
}
std::string accepted(std::string_view next) {
    return packet('A', padded("2026112300", 10) + padded(next, 20));
}
std::string login(std::string_view session, std::string_view next) {
    return packet('L', "alice secret    " + padded(session, 10) + padded(next, 20));
}
constexpr Timestamp after_ms(std::int64_t count) { return {count * 1'000'000}; }

struct Heard {
    std::vector<std::string> messages;  ///< by number, from 1
    std::vector<std::string> unsequenced;
    std::vector<std::string> logins;
    bool in_order = true;

    void on_accepted(std::string_view session, std::uint64_t next) {
        logins.push_back(std::string{session} + " " + std::to_string(next));
    }
    void on_message(std::uint64_t number, std::span<const std::byte> payload) {
        in_order &= number == messages.size() + 1;
        messages.push_back(text_of(payload));
    }
    void on_unsequenced(std::span<const std::byte> payload) {
        unsequenced.push_back(text_of(payload));
    }
};

constexpr SoupCredentials k_alice{.user = {'a', 'l', 'i', 'c', 'e'},
                                  .password = {'s', 'e', 'c', 'r', 'e', 't'}};

struct SoupClientTest : ::testing::Test {
    Heard heard;
    std::vector<std::byte> memory = std::vector<std::byte>(256);
    OutputBuffer out{memory};
    SoupClient<Heard> client{heard, out, {}, k_alice};

    std::string sent() {
        std::string text = text_of(out.readable());
        out.consume(text.size());
        return text;
    }
    void hear(const std::string& bytes, Timestamp now = {}) {
        EXPECT_EQ(client.on_bytes(bytes_of(bytes), now).consumed_bytes, bytes.size());
    }
    void log_in() {
        client.connect({});
        EXPECT_EQ(sent(), login("", "1"));
        hear(accepted("1"));
        EXPECT_EQ(client.state(), SoupState::logged_in);
    }
};

TEST_F(SoupClientTest, CountsTheMessages) {
    log_in();
    hear(packet('S', "one") + packet('H') + packet('+', "x") + packet('S', "two"));
    hear(packet('U', "aside"));
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"one", "two"}));
    EXPECT_EQ(heard.unsequenced, std::vector<std::string>{"aside"});
    EXPECT_EQ(heard.logins, std::vector<std::string>{"2026112300 1"});
    EXPECT_TRUE(heard.in_order);
    EXPECT_EQ(client.next(), 3U);
}

TEST_F(SoupClientTest, LogsInAgainAtTheNextMessage) {
    log_in();
    hear(packet('S', "one"));
    EXPECT_TRUE(client.send(bytes_of("not sent any more"), {}));
    client.disconnected();
    EXPECT_EQ(client.state(), SoupState::lost);
    client.connect(after_ms(5'000));
    EXPECT_EQ(sent(), login("2026112300", "2"));
    hear(accepted("2") + packet('S', "two"), after_ms(5'000));
    EXPECT_EQ(heard.messages, (std::vector<std::string>{"one", "two"}));
    EXPECT_TRUE(heard.in_order);
}

TEST_F(SoupClientTest, AServerThatBeginsElsewhereIsRejected) {
    client.connect({});
    hear(accepted("2"));
    EXPECT_EQ(client.state(), SoupState::lost);
    EXPECT_FALSE(client.fault().empty());
    EXPECT_TRUE(heard.logins.empty());
}

TEST_F(SoupClientTest, ZeroAcceptsTheServersNumber) {
    SoupCredentials newest = k_alice;
    newest.next = 0;
    SoupClient<Heard> other{heard, out, {}, newest};
    other.connect({});
    (void)other.on_bytes(bytes_of(accepted("17")), {});
    EXPECT_EQ(other.state(), SoupState::logged_in);
    EXPECT_EQ(other.next(), 17U);
}

TEST_F(SoupClientTest, ARejectionIsFinal) {
    client.connect({});
    hear(packet('J', "S"));
    EXPECT_EQ(client.state(), SoupState::rejected);
    EXPECT_EQ(client.reject_reason(), wire::soupbin::RejectReason::session_not_available);
    client.disconnected();
    EXPECT_TRUE(client.over());
}

TEST_F(SoupClientTest, TheEndOfTheSessionIsFinal) {
    log_in();
    hear(packet('S', "one") + packet('Z'));
    EXPECT_EQ(client.state(), SoupState::ended);
    EXPECT_EQ(heard.messages.size(), 1U);
    EXPECT_FALSE(client.send({}, {}));
}

TEST_F(SoupClientTest, UnexpectedPacketsEndTheConnection) {
    for (const std::string& early : {packet('S', "one"), packet('U', "x"), packet('Z')}) {
        client.connect({});
        hear(early);
        EXPECT_EQ(client.state(), SoupState::lost) << early;
        EXPECT_FALSE(client.fault().empty());
    }
    out.consume(out.readable().size());
    log_in();
    hear(accepted("1"));
    EXPECT_EQ(client.state(), SoupState::lost);
    EXPECT_TRUE(heard.messages.empty());
    client.connect({});
    EXPECT_EQ(client.on_bytes(bytes_of(std::string_view{"\0\0", 2}), {}).messages, 0U);
    EXPECT_EQ(client.state(), SoupState::lost);
}

TEST_F(SoupClientTest, SendsHeartbeatsAndDetectsSilence) {
    log_in();
    client.on_time(after_ms(999));
    EXPECT_EQ(sent(), "");
    EXPECT_EQ(client.deadline(), after_ms(1'000));
    client.on_time(after_ms(1'000));
    EXPECT_EQ(sent(), packet('R'));
    EXPECT_TRUE(client.send(bytes_of("order"), after_ms(1'500)));
    EXPECT_EQ(sent(), packet('U', "order"));
    client.on_time(after_ms(2'499));
    EXPECT_EQ(sent(), "");
    hear(packet('H'), after_ms(2'499));
    client.on_time(after_ms(17'499));
    EXPECT_EQ(client.state(), SoupState::logged_in);
    client.on_time({after_ms(17'499).value + 1});
    EXPECT_EQ(client.state(), SoupState::lost);
    EXPECT_TRUE(client.fault().empty());
}

TEST_F(SoupClientTest, RequestsALogout) {
    EXPECT_FALSE(client.log_out({}));
    log_in();
    EXPECT_TRUE(client.log_out({}));
    EXPECT_EQ(sent(), packet('O'));
}

TEST_F(SoupClientTest, ReportsWhenThereIsNoRoom) {
    log_in();
    EXPECT_FALSE(client.send(std::vector<std::byte>(255), {}));
    EXPECT_EQ(out.size(), 0U);
}

/// A server over a list of messages, as a gateway has one for each connection.
struct Serving {
    const testing::MessageList& list;
    SoupServer& server;

    [[nodiscard]] LoginAnswer on_login(const wire::soupbin::LoginRequest& request) const {
        if (request.sequence > list.messages.size() + 1)
            return std::unexpected{wire::soupbin::RejectReason::session_not_available};
        return SoupLogin{.session = {'2', '0', '2', '6', '1', '1', '2', '3', '0', '0'},
                         .next = request.sequence};
    }
    static bool on_message(std::span<const std::byte> /*payload*/) { return true; }
    void serve(Timestamp now) {
        if (!server.is_logged_in()) return;
        std::vector<std::byte> memory(100);
        testing::MessageReader reader{list, server.next()};
        (void)server.send_frames(reader.read(memory), now);
    }
};

// Bytes in pieces, and connections lost anywhere: each message arrives once and in order.
void lose_connections(std::uint64_t seed) {
    RandomStream random{seed};
    testing::MessageList list;
    Heard heard;
    std::vector<std::byte> client_memory(256);
    OutputBuffer client_out{client_memory};
    SoupClient<Heard> client{heard, client_out, {}, k_alice};
    Timestamp now{};
    for (int connection = 0; heard.messages.size() < 300; ++connection) {
        ASSERT_LT(connection, 5'000);
        std::vector<std::byte> server_memory(256 + random.below(300));
        OutputBuffer server_out{server_memory};
        const SoupServerConfig config;
        SoupServer server{config, server_out, now};
        Serving serving{list, server};
        std::string to_client;
        client.connect(now);
        for (std::uint32_t turns = random.below(20); turns > 0; --turns) {
            now.value += 1'000'000;
            list.messages.push_back(std::string(random.below(60), 'x') +
                                    std::to_string(list.messages.size()));
            const auto received = server.on_bytes(client_out.readable(), now, serving);
            client_out.consume(received.consumed_bytes);
            serving.serve(now);
            const auto readable = server_out.readable();
            const auto written =
                readable.first(std::min<std::size_t>(readable.size(), random.below(200)));
            to_client += text_of(written);
            server_out.consume(written.size());
            const std::string piece = to_client.substr(0, random.below(300));
            to_client.erase(0, client.on_bytes(bytes_of(piece), now).consumed_bytes);
        }
        ASSERT_FALSE(client.over());
        client.disconnected();
    }
    list.messages.resize(heard.messages.size());
    EXPECT_EQ(heard.messages, list.messages) << seed;
    EXPECT_TRUE(heard.in_order) << seed;
}

TEST(SoupPair, AClientThatReconnectsGetsEveryMessageOnceAndInOrder) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) lose_connections(seed);
}

}  // namespace
}  // namespace damrak::session::soup_client_test
