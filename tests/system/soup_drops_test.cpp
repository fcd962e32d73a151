// Clients of OUCH and of the feed with a damaged login are rejected. If the exchange ends a
// connection, the client (by a debug packet) and the operator (by a line and a metric) learn why.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::testing::soup_drops_test {
namespace {

using ::testing::HasSubstr;

std::string login(std::string_view user, std::string_view session, std::string_view sequence) {
    return std::string{"\0\x2FL", 3} +
           fmt::format("{:6}{:10}{:>10}{:>20}", user, "", session, sequence);
}

class SoupDrops : public ::testing::TestWithParam<const char*> {
  protected:
    [[nodiscard]] std::uint16_t port(std::string_view gateway) const {
        return nlohmann::json::parse(server_.ready_line())["ports"][gateway].get<std::uint16_t>();
    }
    [[nodiscard]] static std::string answer(const RawClient& client, std::string_view packet,
                                            std::size_t bytes) {
        client.send(std::as_bytes(std::span{packet}));
        const auto told = client.receive(bytes);
        return {reinterpret_cast<const char*>(told.data()), told.size()};
    }
    /// What is sent to a client before its connection ends.
    [[nodiscard]] static std::string rest(const RawClient& client) {
        constexpr std::size_t k_more_than_all = 1'000;
        const auto told = client.receive(k_more_than_all);
        return {reinterpret_cast<const char*>(told.data()), told.size()};
    }
    [[nodiscard]] std::string metrics() const {
        const auto told = http::ask({.port = port("http"), .path = "/metrics"});
        return told ? told->body : told.error();
    }

    ScratchFolder folder_;
    RunningServer server_{
        (folder_ / "data").string(),
        (folder_ / "log").string(),
        {"--wiring", GetParam(), "--only", "ouch,itch,glimpse,http", "--ouch-port", "0",
         "--itch-port", "0", "--glimpse-port", "0", "--http-port", "0"}};
};

TEST_P(SoupDrops, ADamagedLoginIsRejected) {
    struct Damage {
        std::string_view user, session, sequence;
        char reason;
    };
    for (const std::string_view gateway : {"ouch", "itch", "glimpse"})
        for (const Damage& damage : {Damage{"al\x01", "", "1", 'A'}, Damage{"al", "\x01", "1", 'S'},
                                     Damage{"al", "other", "1", 'S'}, Damage{"al", "", "", 'S'},
                                     Damage{"al", "", "one", 'S'}}) {
            const RawClient client{port(gateway)};
            EXPECT_EQ(answer(client, login(damage.user, damage.session, damage.sequence), 4),
                      (std::string{'\0', '\2', 'J', damage.reason}))
                << gateway << ": " << damage.user << '/' << damage.session << '/'
                << damage.sequence;
            EXPECT_TRUE(client.is_closed());
        }
    const std::string told = metrics();
    EXPECT_THAT(told, HasSubstr("damrak_ouch_ended_total{reason=\"login_rejected\"} 5\n"));
    EXPECT_THAT(told, HasSubstr("damrak_feed_ended_total{reason=\"login_rejected\"} 10\n"));
}

TEST_P(SoupDrops, TheClientAndTheOperatorLearnWhyItWasEnded) {
    constexpr std::size_t k_accepted_bytes = 33;
    const RawClient first{port("ouch")};
    EXPECT_THAT(answer(first, login("al", "", "0"), k_accepted_bytes), HasSubstr("A"));
    const RawClient second{port("ouch")};
    EXPECT_THAT(answer(second, login("al", "", "0"), k_accepted_bytes), HasSubstr("A"));
    EXPECT_EQ(rest(first), (std::string{"\0\x19+", 3} + "its user logged in again"));
    EXPECT_TRUE(first.is_closed());
    const RawClient subscriber{port("itch")};
    subscriber.send(std::as_bytes(std::span{std::string_view{"\0\1X", 3}}));
    EXPECT_THAT(rest(subscriber),
                HasSubstr("+it sent a packet of a type that clients do not send"));
    EXPECT_TRUE(subscriber.is_closed());
    for (const std::string line : {"ended: its user logged in again",
                                   "ended: it sent a packet of a type that clients do not send"})
        EXPECT_THAT(server_.log_with(line), HasSubstr(line));
    EXPECT_THAT(server_.log_with("ended:"), HasSubstr("OUCH client  al from 127.0.0.1:"));
    EXPECT_THAT(metrics(), HasSubstr("damrak_ouch_ended_total{reason=\"replaced\"} 1\n"));
    EXPECT_THAT(metrics(), HasSubstr("damrak_feed_ended_total{reason=\"protocol\"} 1\n"));
}

INSTANTIATE_TEST_SUITE_P(Wirings, SoupDrops, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::testing::soup_drops_test
