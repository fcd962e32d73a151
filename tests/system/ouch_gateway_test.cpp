// The OUCH gateway of the real program, by a client that was made from the specifications alone
// (tests/peers/ouch_peer.py): both versions, both wirings, kill -9 and what a client finds then.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"
#include "support/soup_subscriber.hpp"

namespace damrak::testing::ouch_gateway_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string ouch_hex(std::string_view text, std::size_t width) {
    std::string hex;
    for (const char c : text) hex += fmt::format("{:02x}", static_cast<unsigned>(c));
    for (std::size_t i = text.size(); i < width; ++i) hex += "20";
    return hex;
}

std::string enter_50(unsigned ref, char side, unsigned quantity, unsigned price_e4,
                     std::string_view symbol = "AAPL", char life = '0',
                     const std::string& options = "0000") {
    return "4f" + fmt::format("{:08x}{:02x}{:08x}", ref, static_cast<unsigned>(side), quantity) +
           ouch_hex(symbol, 8) + fmt::format("{:016x}", price_e4) +
           ouch_hex(std::string{life} + "YANN", 5) + ouch_hex(fmt::format("C{}", ref), 14) +
           options;
}

std::string enter_42(std::string_view token, char side, unsigned shares, unsigned price_e4) {
    return "4f" + ouch_hex(token, 14) +
           fmt::format("{:02x}{:08x}", static_cast<unsigned>(side), shares) + ouch_hex("AAPL", 8) +
           fmt::format("{:08x}{:08x}", price_e4, 99'999) + ouch_hex("", 4) + ouch_hex("YAN", 3) +
           "00000000" + ouch_hex("NR", 2);
}

class OuchGateway : public ::testing::TestWithParam<std::string> {
  protected:
    [[nodiscard]] std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
        std::vector<std::string> all{"--only", "ouch", "--ouch-port", "0", "--wiring", GetParam()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    static std::vector<std::string> talk(const RunningServer& server, const std::string& words) {
        const auto ready = nlohmann::json::parse(server.ready_line());
        const ProgramRun run =
            run_shell(fmt::format("python3 tests/peers/ouch_peer.py {} {}",
                                  ready.at("ports").at("ouch").get<int>(), words));
        EXPECT_EQ(run.exit_code, 0) << run.err;
        std::vector<std::string> lines;
        for (std::size_t at = 0; at < run.out.size();) {
            const std::size_t end = run.out.find('\n', at);
            lines.push_back(run.out.substr(at, end - at));
            at = end + 1;
        }
        return lines;
    }
    // Without number and time: type and the rest.
    static std::string told(const std::string& line) {
        const std::string hex = line.substr(line.find(' ') + 1);
        return hex.substr(0, 2) + hex.substr(18);
    }

    ScratchFolder folder_;
    std::string data_ = (folder_.path() / "data").string();
    std::string log_ = (folder_.path() / "log").string();
};

TEST_P(OuchGateway, tells_the_same_messages_under_the_same_numbers_after_a_kill) {
    std::vector<std::string> before;
    {
        RunningServer server{data_, log_, arguments()};
        before = talk(server, "A 1 4 " + enter_50(1, 'B', 100, 1'000'000) + " " +
                                  enter_50(2, 'S', 30, 1'000'000));
        ASSERT_EQ(before.size(), 5);
        EXPECT_EQ(before[0], "session 1 1");
        EXPECT_EQ(told(before[1]), "5353");
        EXPECT_THAT(told(before[2]), StartsWith("4100000001420000006441"));
        EXPECT_THAT(told(before[3]), StartsWith("41000000025300000"
                                                "01e41"));
        EXPECT_THAT(told(before[4]), StartsWith("45000000010000001e00000000000f424041"));
        server.kill();
    }
    RunningServer server{data_, log_, arguments()};
    // All of them again, and the one that the client did not wait for.
    auto after = talk(server, "A 1 5");
    ASSERT_EQ(after.size(), 6);
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i], before[i]);
    EXPECT_THAT(told(after[5]), StartsWith("45000000020000001e00000000000f424052"));
    // References that were used are ignored; the order is still there and can be cancelled.
    after = talk(server, "A 6 1 " + enter_50(1, 'B', 100, 1'000'000) + " 580000000100000000");
    ASSERT_EQ(after.size(), 2);
    EXPECT_EQ(after[0], "session 1 6");
    EXPECT_EQ(told(after[1]), "43000000010000004655");
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(OuchGateway, ends_a_user_that_fills_its_memory_and_serves_the_others) {
    const std::filesystem::path file = folder_.path() / "damrak.toml";
    std::ofstream{file} << "[ouch]\nmessages_mib = 16\n";
    RunningServer server{data_, log_, arguments({"--config", file.string()})};
    const auto port = nlohmann::json::parse(server.ready_line()).at("ports").at("ouch").get<int>();
    // A sixteenth of it is a MiB, some 20,000 refusals.
    const ProgramRun flood =
        run_shell(fmt::format("python3 tests/peers/ouch_flood.py {} EVIL 100000", port));
    ASSERT_EQ(flood.exit_code, 0) << flood.err;
    EXPECT_THAT(flood.out, ::testing::EndsWith(" ended\n"));
    const int refused = std::stoi(flood.out);
    EXPECT_GT(refused, 5'000);
    EXPECT_LT(refused, 50'000);
    // It is heard no more, but may read what it was sent.
    const auto evil = talk(server, "EVIL 1 3 " + enter_50(200'000, 'B', 100, 1'000'000));
    ASSERT_EQ(evil.size(), 4U);
    EXPECT_THAT(told(evil[2]), StartsWith("4a"));
    const auto other = talk(server, "A 1 2 " + enter_50(1, 'B', 100, 1'000'000));
    ASSERT_EQ(other.size(), 3U);
    EXPECT_THAT(told(other[2]), StartsWith("41")) << "accepted";
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(OuchGateway, lets_messages_above_the_limit_wait_also_after_another_login) {
    const std::filesystem::path file = folder_.path() / "damrak.toml";
    std::ofstream{file} << "[session]\nmessages_per_second = 10\nburst_messages = 2\n";
    RunningServer server{data_, log_, arguments({"--config", file.string()})};
    std::string words = "A 1 6";
    for (unsigned i = 1; i <= 5; ++i) words += " " + enter_50(i, 'B', 1, 1'000'000);
    auto lines = talk(server, words);
    const auto later = talk(server, "A 7 1 " + enter_50(6, 'B', 1, 1'000'000));
    lines.insert(lines.end(), later.begin() + 1, later.end());
    ASSERT_EQ(lines.size(), 8U);
    const auto time_of = [&](std::size_t line) {
        return std::stoll(lines[line].substr(lines[line].find(' ') + 3, 16), nullptr, 16);
    };
    // Lines 2 to 7 are the orders: two at once, then one each tenth of a second.
    for (std::size_t line = 2; line < 8; ++line) EXPECT_THAT(told(lines[line]), StartsWith("41"));
    EXPECT_GE(time_of(6) - time_of(2), 290'000'000);
    EXPECT_GE(time_of(7) - time_of(2), 390'000'000);
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(OuchGateway, replaces_reduces_and_refuses) {
    RunningServer server{data_, log_, arguments()};
    const std::string replace =
        "550000000100000002"
        "00000050"
        "00000000000f42a4" +
        ouch_hex("0YN", 3) + ouch_hex("C2", 14) + "0000";
    const std::string refused =
        "550000000200000003"
        "00000050"
        "00000000000f4241" +
        ouch_hex("0YN", 3) + ouch_hex("C3", 14) + "0000";
    const auto lines = talk(server, "A 1 9 " + enter_50(1, 'B', 100, 1'000'000) + " " + replace +
                                        " 580000000200000028 " + refused + " wait:5 " +
                                        enter_50(3, 'B', 5, 1'000'000, "NONE") + " " +
                                        enter_50(4, 'B', 5, 1'000'001) + " " +
                                        enter_50(5, 'B', 5, 1'000'000, "AAPL", '3') + " 51");
    ASSERT_EQ(lines.size(), 10);
    EXPECT_THAT(told(lines[2]), StartsWith("4100000001"));
    EXPECT_THAT(told(lines[3]), StartsWith("5500000001000000024200000050"));
    EXPECT_EQ(told(lines[4]), "43000000020000002855");
    EXPECT_EQ(told(lines[5]), "43000000020000002855");  // by the replace off its tick
    EXPECT_THAT(told(lines[6]), StartsWith("4a000000030017"));
    EXPECT_THAT(told(lines[7]), StartsWith("4a00000004001d"));
    EXPECT_THAT(told(lines[8]), StartsWith("4100000005"));
    EXPECT_EQ(told(lines[9]), "43000000050000000549");
}

TEST_P(OuchGateway, replaces_time_in_force_minimum_and_displayed_quantity) {
    RunningServer server{data_, log_, arguments()};
    const auto replace = [](unsigned before, unsigned after, unsigned quantity,
                            std::string_view life, const std::string& options) {
        return "55" + fmt::format("{:08x}{:08x}{:08x}{:016x}", before, after, quantity, 1'000'000) +
               ouch_hex(life, 3) + ouch_hex("C", 14) + options;
    };
    // A seller of 10 meets the buyer before its replaces: a displayed part of 20; then at least 50
    // at once, of which nothing is displayed; then what can trade at once.
    const auto lines =
        talk(server, "A 1 10 " + enter_50(1, 'B', 100, 1'000'000) + " " +
                         enter_50(2, 'S', 10, 1'000'000) + " wait:5 " +
                         replace(1, 3, 80, "0YN", "0006050500000014") + " " +
                         replace(3, 4, 80, "0NN", "0006050300000032") + " wait:7 " +
                         replace(4, 5, 60, "3YN", "0000") + " " + enter_50(6, 'S', 5, 1'000'000));
    ASSERT_EQ(lines.size(), 11);
    EXPECT_THAT(told(lines[6]), StartsWith("5500000001000000034200000046")) << "70 of 80 are left";
    EXPECT_THAT(lines[6], HasSubstr("050500000014"));
    EXPECT_THAT(told(lines[7]), StartsWith("5500000003000000044200000046"));
    EXPECT_THAT(lines[7], HasSubstr("050300000032"));
    EXPECT_THAT(told(lines[8]), StartsWith("5500000004000000054200000032"));
    EXPECT_EQ(told(lines[9]), "43000000050000003249") << "immediate: nobody sells";
    EXPECT_THAT(told(lines[10]), StartsWith("41000000065300000005"));
    EXPECT_EQ(server.terminate(), 0);
}

TEST_P(OuchGateway, names_on_the_feed_whoever_wants_it) {
    const std::filesystem::path file = folder_.path() / "damrak.toml";
    std::ofstream{file}
        << "[[participants]]\nid = 7\nouch_users = [\"A:word:5.0\"]\nmpid = \"DESK\"\n";
    RunningServer server{data_,
                         log_,
                         {"--config", file, "--only", "ouch,itch", "--ouch-port", "0",
                          "--itch-port", "0", "--wiring", GetParam()}};
    const auto display = [](std::string order, char letter) {
        constexpr std::size_t k_display_at = 27;
        order.replace(2 * k_display_at, 2, ouch_hex(std::string{letter}, 1));
        return order;
    };
    const auto itch =
        nlohmann::json::parse(server.ready_line())["ports"]["itch"].get<std::uint16_t>();
    EXPECT_EQ(
        talk(server, "A 1 3 --password=word " + display(enter_50(1, 'B', 100, 1'000'000), 'Y') +
                         " " + display(enter_50(2, 'B', 100, 1'000'000), 'A'))
            .size(),
        4);
    SoupSubscriber feed{itch, 1};
    std::string anonymous;
    std::string named;
    while (named.empty()) {
        const auto message = feed.messages(1);
        ASSERT_EQ(message.size(), 1);
        if (message[0].starts_with('A')) anonymous = message[0];
        if (message[0].starts_with('F')) named = message[0];
    }
    EXPECT_FALSE(anonymous.empty());
    EXPECT_TRUE(named.ends_with("DESK"));
}

TEST_P(OuchGateway, answers_an_account_query_and_mass_cancels) {
    RunningServer server{data_, log_, arguments()};
    const auto lines = talk(server, "A 1 8 " + enter_50(1, 'B', 100, 1'000'000) + " " +
                                        enter_50(2, 'B', 50, 990'000) + " 4300000003" +
                                        ouch_hex("", 12) + "0000 51 4400000004" + ouch_hex("", 4) +
                                        "0000 " + enter_50(5, 'B', 5, 1'000'000));
    ASSERT_EQ(lines.size(), 9);
    EXPECT_THAT(told(lines[4]), StartsWith("43"));
    EXPECT_THAT(told(lines[5]), StartsWith("43"));
    EXPECT_EQ(told(lines[6]), "5800000003" + ouch_hex("", 12) + "0000");
    EXPECT_EQ(told(lines[7]), "5100000004");
    EXPECT_EQ(told(lines[8]), "4700000004" + ouch_hex("", 4) + "0000");
    const auto disabled = talk(server, "A 9 1 ");
    ASSERT_EQ(disabled.size(), 2);
    EXPECT_THAT(told(disabled[1]), StartsWith("4a00000005000c"));
}

TEST_P(OuchGateway, speaks_4_2_and_ignores_a_token_that_comes_again) {
    const std::string config = (folder_.path() / "config.toml").string();
    ASSERT_EQ(run_shell("printf '[[participants]]\\nid = 7\\nouch_users = "
                        "[\"OLD:word:4.2\"]\\n' > " +
                        config)
                  .exit_code,
              0);
    std::vector<std::string> before;
    {
        RunningServer server{data_, log_, arguments({"--config", config})};
        EXPECT_EQ(talk(server, "OLD 1 0 --password=wrong"), std::vector<std::string>{"rejected A"});
        EXPECT_EQ(talk(server, "NEW 1 0"), std::vector<std::string>{"rejected A"});
        before = talk(server, "old 1 3 --password=word " + enter_42("T1", 'B', 100, 1'000'000) +
                                  " " + enter_42("T1", 'B', 100, 1'000'000) + " " +
                                  enter_42("T2", 'X', 5, 1'000'000));
        ASSERT_EQ(before.size(), 4);
        EXPECT_THAT(told(before[2]), StartsWith("41" + ouch_hex("T1", 14) + "4200000064"));
        EXPECT_EQ(told(before[3]), "4a" + ouch_hex("T2", 14) + "4f");
        server.kill();
    }
    RunningServer server{data_, log_, arguments({"--config", config})};
    const auto after =
        talk(server, "OLD 1 4 --password=WORD " + enter_42("T1", 'B', 100, 1'000'000) + " 58" +
                         ouch_hex("T1", 14) + "00000014");
    ASSERT_EQ(after.size(), 5);
    EXPECT_EQ(std::vector(after.begin(), after.end() - 1), before);
    EXPECT_EQ(told(after[4]), "43" + ouch_hex("T1", 14) + "0000005055");
}

TEST_P(OuchGateway, cancels_the_orders_of_a_lost_connection_where_it_is_asked_to) {
    RunningServer server{data_, log_, arguments({"--cancel-on-disconnect"})};
    EXPECT_EQ(talk(server, "A 1 2 " + enter_50(1, 'B', 100, 1'000'000)).size(), 3);
    const auto lines = talk(server, "A 3 1");
    ASSERT_EQ(lines.size(), 2);
    EXPECT_EQ(told(lines[1]), "43000000010000006455");
}

INSTANTIATE_TEST_SUITE_P(Wirings, OuchGateway, ::testing::Values("inline", "pipelined"));

}  // namespace
}  // namespace damrak::testing::ouch_gateway_test
