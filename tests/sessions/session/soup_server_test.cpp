// The server's side of SoupBinTCP: admission, sending, and the end of connections.
#include <damrak/session/soupbin/soup_server.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::session::soup_server_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using wire::soupbin::PacketType;
using wire::soupbin::RejectReason;

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}
std::string packet(char type, std::string_view payload = {}) {
    return std::string{'\0', static_cast<char>(payload.size() + 1), type} + std::string{payload};
}
std::string login(std::string_view sequence, std::string_view session = "") {
    std::string payload = "user  password  ";
    payload += std::string(10 - session.size(), ' ') + std::string{session};
    payload += std::string(20 - sequence.size(), ' ') + std::string{sequence};
    return packet('L', payload);
}
std::string framed(std::string_view text) {
    return std::string{'\0', static_cast<char>(text.size())} + std::string{text};
}

struct SoupServing : public ::testing::Test {
    std::optional<LoginAnswer> on_login(const wire::soupbin::LoginRequest& request) {
        if (waits) return std::nullopt;
        logins.push_back(std::string{request.user_text()} + " " + std::to_string(request.sequence));
        return answer;
    }
    bool on_message(std::span<const std::byte> payload) {
        if (waits) return false;
        messages.emplace_back(reinterpret_cast<const char*>(payload.data()), payload.size());
        return true;
    }

    Received hear(std::string_view text) { return server.on_bytes(bytes_of(text), now, *this); }
    std::string sent() {
        const auto bytes = out.readable();
        std::string text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
        out.consume(bytes.size());
        return text;
    }
    void pass(std::int64_t milliseconds) {
        now.value += milliseconds * 1'000'000;
        server.on_time(now);
    }
    void log_in() {
        hear(login("5"));
        sent();
    }

    LoginAnswer answer =
        SoupLogin{.session = {'2', '0', '2', '6', '1', '1', '2', '3', '0', '0'}, .next = 5};
    std::vector<std::string> logins;
    std::vector<std::string> messages;
    bool waits = false;  ///< logins and messages must wait
    Timestamp now{1'000'000'000'000};
    std::array<std::byte, 200> memory{};
    OutputBuffer out{memory};
    SoupServerConfig config{};
    SoupServer server{config, out, now};
};

}  // namespace

TEST_F(SoupServing, AdmitsAClientAtItsNumber) {
    EXPECT_EQ(hear(login("5")).messages, 1U);
    EXPECT_THAT(logins, ElementsAre("user 5"));
    EXPECT_TRUE(server.is_logged_in());
    EXPECT_EQ(sent(), packet('A', "2026112300                   5"));
    EXPECT_EQ(server.next(), 5U);
}

TEST_F(SoupServing, LetsALoginWaitUntilItComesAgain) {
    waits = true;
    const Received done = hear(login("5"));
    EXPECT_TRUE(done.blocked);
    EXPECT_EQ(done.consumed_bytes, 0U);
    EXPECT_EQ(sent(), "");
    EXPECT_FALSE(server.is_logged_in());
    waits = false;
    hear(login("5"));
    EXPECT_EQ(sent(), packet('A', "2026112300                   5"));
    EXPECT_TRUE(server.is_logged_in());
}

TEST_F(SoupServing, RejectsALoginThatItCannotRead) {
    struct Damage {
        std::string_view field;
        std::size_t at;
        std::string_view text;
        char reason;
    };
    constexpr std::size_t k_user = 0;
    constexpr std::size_t k_password = 6;
    constexpr std::size_t k_session = 16;
    constexpr std::size_t k_sequence = 26;
    for (const Damage& damage : std::initializer_list<Damage>{
             {"user", k_user, "\x01", 'A'},
             {"user", k_user, "us\xE9r", 'A'},
             {"password", k_password, "\x7F", 'A'},
             {"session", k_session, "\t", 'S'},
             {"session", k_session, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 'S'},
             {"sequence", k_sequence, "                    ", 'S'},
             {"sequence", k_sequence, "                  -1", 'S'},
             {"sequence", k_sequence, "                 1 2", 'S'},
             {"sequence", k_sequence, "                0x10", 'S'},
             {"sequence", k_sequence, "99999999999999999999", 'S'},
             {"sequence", k_sequence, "\x02", 'S'}}) {
        std::string request = login("1").substr(3);
        request.replace(damage.at, damage.text.size(), damage.text);
        SoupServer one{config, out, now};
        one.on_bytes(bytes_of(packet('L', request)), now, *this);
        EXPECT_EQ(sent(), packet('J', {&damage.reason, 1})) << damage.field << damage.text;
        EXPECT_EQ(one.end_cause(), EndCause::login_rejected);
    }
    for (const std::size_t length : {0U, 45U, 47U}) {
        SoupServer one{config, out, now};
        one.on_bytes(bytes_of(packet('L', std::string(length, ' '))), now, *this);
        EXPECT_EQ(sent(), packet('J', "A")) << length << " bytes are no login";
    }
    EXPECT_THAT(logins, IsEmpty());
}

TEST_F(SoupServing, RejectsALoginAndEndsTheConnection) {
    answer = std::unexpected{RejectReason::not_authorized};
    hear(login("1"));
    EXPECT_EQ(sent(), packet('J', "A"));
    EXPECT_EQ(server.end_reason(), "its login was rejected: wrong user or password");
    EXPECT_EQ(server.end_cause(), EndCause::login_rejected);
    EXPECT_FALSE(server.is_logged_in());
}

TEST_F(SoupServing, TakesPacketsInPieces) {
    const std::string bytes = login("5");
    EXPECT_EQ(hear(bytes.substr(0, 20)).consumed_bytes, 0U);
    EXPECT_EQ(hear(bytes + packet('R').substr(0, 2)).consumed_bytes, bytes.size());
}

TEST_F(SoupServing, EndsAClientThatLogsInTwiceOrNotAtAll) {
    log_in();
    hear(login("5"));
    EXPECT_EQ(server.end_reason(), "it logged in twice");
    SoupServer other{config, out, now};
    other.on_bytes(bytes_of(packet('U', "x")), now, *this);
    EXPECT_EQ(other.end_reason(), "it sent data before its login");
    SoupServer third{config, out, now};
    third.on_time({now.value + 31 * k_second_ns});
    EXPECT_EQ(third.end_reason(), "it did not log in");
}

TEST_F(SoupServing, AClientThatSendsOtherPacketsMustStillLogIn) {
    for (int second = 0; second < 30; ++second) {
        hear(packet('+', "debug"));
        pass(1'000);
        EXPECT_FALSE(server.end_reason());
    }
    hear(packet('+', "debug"));
    pass(1);
    EXPECT_EQ(server.end_reason(), "it did not log in");
    SoupServer other{config, out, now};
    other.on_bytes(bytes_of(packet('R')), now, *this);
    EXPECT_EQ(other.end_reason(), "it sent a heartbeat before its login");
}

TEST_F(SoupServing, EndsAClientThatSendsATooLongMessageInAnyPieces) {
    config.longest_message = 60;
    log_in();
    hear(packet('U', std::string(60, 'x')));
    EXPECT_FALSE(server.end_reason());
    hear(packet('U', std::string(61, 'x')));
    EXPECT_EQ(server.end_reason(), "it sent a packet that is too long");
    EXPECT_EQ(messages.size(), 1U);
}

TEST_F(SoupServing, EndsAClientThatSendsPacketsOfTheServer) {
    log_in();
    hear(packet('S', "x"));
    EXPECT_EQ(server.end_reason(), "it sent a packet of a type that clients do not send");
    SoupServer other{config, out, now};
    other.on_bytes(bytes_of("\xFF\xFF"), now, *this);
    EXPECT_EQ(other.end_reason(), "it sent a packet that is too long");
    SoupServer third{config, out, now};
    third.on_bytes(bytes_of(std::string_view{"\0\0", 2}), now, *this);
    EXPECT_TRUE(third.end_reason());
}

TEST_F(SoupServing, PassesTheDataOfAClientOn) {
    log_in();
    hear(packet('U', "one") + packet('+', "debug") + packet('R') + packet('U', "two"));
    EXPECT_THAT(messages, ElementsAre("one", "two"));
    hear(packet('O') + packet('U', "three"));
    EXPECT_EQ(server.end_reason(), "it logged out");
    EXPECT_EQ(messages.size(), 2U) << "nothing after the logout";
}

TEST_F(SoupServing, SendsNumberedMessagesWhileThereIsRoom) {
    log_in();
    const std::string frames = framed("abc") + framed("de");
    EXPECT_EQ(server.send_frames(bytes_of(frames), now), frames.size());
    EXPECT_EQ(sent(), packet('S', "abc") + packet('S', "de"));
    EXPECT_EQ(server.next(), 7U);
    const std::string large = framed(std::string(100, 'x'));
    EXPECT_EQ(server.send_frames(bytes_of(large + large), now), large.size());
    EXPECT_EQ(server.next(), 8U);
}

TEST_F(SoupServing, BreaksASilenceAndEndsASilentClient) {
    log_in();
    pass(999);
    EXPECT_EQ(sent(), "");
    pass(1);
    EXPECT_EQ(sent(), packet('H'));
    server.send_frames(bytes_of(framed("x")), now);
    sent();
    pass(999);
    EXPECT_EQ(sent(), "");
    pass(13'001);
    EXPECT_FALSE(server.end_reason());
    hear(packet('R'));
    pass(14'000);
    EXPECT_FALSE(server.end_reason());
    pass(1'001);
    EXPECT_EQ(server.end_reason(), "it was silent for too long");
}

TEST_F(SoupServing, ReportsTheEndOfTheSession) {
    log_in();
    server.end_session();
    EXPECT_EQ(sent(), packet('Z'));
    EXPECT_EQ(server.end_reason(), "the session is over");
}

TEST_F(SoupServing, AMessageThatMustWaitIsPassedAgainWithLaterOnes) {
    log_in();
    const std::string both = packet('U', "one") + packet('U', "two");
    waits = true;
    const Received none = hear(both);
    EXPECT_TRUE(none.blocked);
    EXPECT_EQ(none.consumed_bytes, 0U);
    EXPECT_TRUE(messages.empty());
    waits = false;
    const Received all = hear(both);
    EXPECT_FALSE(all.blocked);
    EXPECT_EQ(all.consumed_bytes, both.size());
    EXPECT_EQ(messages, (std::vector<std::string>{"one", "two"}));
}

TEST_F(SoupServing, RecognisesAClientThatLoggedOut) {
    log_in();
    EXPECT_FALSE(server.logged_out());
    hear(packet('O'));
    EXPECT_TRUE(server.logged_out());
}

}  // namespace damrak::session::soup_server_test
