// Fees, obligations and the index of `damrak serve` over a reload and a kill, in a market where
// nothing happens meanwhile.
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "raw_binary.hpp"
#include "support/eventually.hpp"
#include "support/running_server.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::serve_venue_ledger_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr std::string_view k_rules =
    "name = \"v\"\n[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n"
    "[fees]\ntaker = { per_share = 0.01 }\n"
    "[index]\nparts = [{ symbol = \"AAPL\" }]\n"
    "[[obligation]]\nname = \"quotes\"\nparticipants = [1]\nsymbols = [\"AAPL\"]\nspread = 0.5\n"
    "quantity = 5\nperiod = \"1s\"\n";

class ServeVenueLedger : public ServeRun, public ::testing::WithParamInterface<const char*> {
  protected:
    void write(const std::string& more = {}) const { std::ofstream{file_} << k_rules << more; }
    void start() {
        serve({"--venue", file_, "--wiring", GetParam(), "--only", "http", "--http-port", "0"});
    }
    void reload(const std::string& more = {}) const {
        write(more);
        server_->ask_to_reload();
        EXPECT_THAT(server_->log_with("reloaded"), HasSubstr("\nreloaded"));
    }
    [[nodiscard]] json ask(std::string_view path) const {
        std::ifstream file{data_ + "/operator-token"};
        std::string token;
        file >> token;
        const std::string answer = get(path, "Authorization: Bearer " + token + "\r\n");
        return json::parse(answer.substr(answer.find("\r\n\r\n") + 4), nullptr, false);
    }
    /// The answer as soon as it is so.
    [[nodiscard]] json venue_once(const std::function<bool(const json&)>& is_so) const {
        json found;
        EXPECT_TRUE(testing::eventually([&] {
            found = ask("/v1/private/venue");
            return found.is_object() && is_so(found);
        })) << found.dump(2);
        return found;
    }
    /// Participant 2 buys 60 of 1 at 100.00; then 1 quotes, 0.20 wide. They log in one by one.
    void trade_and_quote() const {
        const RawClient maker{server_->port()};
        const std::uint64_t id = hello(maker).client;
        ASSERT_EQ(place(maker, 2, id, {.side = 1, .quantity = 60, .price_e2 = 10'000}).status, 1U);
        {
            const RawClient taker{server_->port()};
            const std::uint64_t other = hello(taker).client;
            taker.send(new_order(2, other, {.side = 0, .quantity = 60, .price_e2 = 10'000}));
            ASSERT_EQ(taker.receive(128).size(), 128U);
        }
        ASSERT_EQ(maker.receive(64).size(), 64U);
        ASSERT_EQ(place(maker, 3, id, {.side = 0, .quantity = 5, .price_e2 = 9'990}).status, 1U);
        ASSERT_EQ(place(maker, 4, id, {.side = 1, .quantity = 5, .price_e2 = 10'010}).status, 1U);
    }

    std::string file_ = folder_ / "venue.toml";
};

bool has_quoted(const json& venue) {
    return venue.is_object() && !venue["obligations"].empty() &&
           venue["obligations"][0]["periods_met"] >= 1;
}

TEST_P(ServeVenueLedger, AReloadKeepsWhatTheVenueKeeps) {
    write();
    start();
    trade_and_quote();
    const json before = venue_once(has_quoted);
    ASSERT_TRUE(has_quoted(before));
    ASSERT_EQ(before["fees"].size(), 2U);
    EXPECT_EQ(before["fees"][1]["fees"], 0.6);
    EXPECT_EQ(before["index"]["value"], 100);
    reload(
        "[[obligation]]\nname = \"more\"\nparticipants = [1]\nsymbols = [\"AAPL\"]\nspread = 1\n"
        "quantity = 5\nperiod = \"1s\"\n");
    const json after =
        venue_once([](const json& venue) { return venue["obligations"].size() == 2; });
    ASSERT_EQ(after["obligations"].size(), 2U);
    EXPECT_EQ(after["fees"], before["fees"]);
    EXPECT_EQ(after["index"], before["index"]);
    EXPECT_EQ(after["day"], before["day"]);
    const json& quotes = after["obligations"][0];
    EXPECT_GE(quotes["present_seconds"], before["obligations"][0]["present_seconds"]);
    EXPECT_GE(quotes["periods_met"], before["obligations"][0]["periods_met"]);
    EXPECT_EQ(after["obligations"][1]["presence"], 1) << "with the quotes that rested";
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(ServeVenueLedger, AStartBeginsWithTheMarketAsItWas) {
    write();
    start();
    trade_and_quote();
    const json before = venue_once(has_quoted);
    ASSERT_TRUE(has_quoted(before));
    server_->kill();
    start();
    const json after = venue_once(has_quoted);
    ASSERT_TRUE(has_quoted(after));
    EXPECT_EQ(after["fees"], json::array()) << "since the start";
    EXPECT_EQ(after["index"], before["index"]);
    EXPECT_EQ(after["day"], before["day"]);
    EXPECT_EQ(after["obligations"][0]["presence"], 1) << "by the quotes that rest";
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(ServeVenueLedger, AMakerWhoNeverQuotesFailsInAMarketWithoutCommands) {
    write();
    start();
    server_->kill();  // a new exchange has commands that add its instruments
    start();
    const json found = venue_once([](const json& venue) {
        return !venue["obligations"].empty() && venue["obligations"][0]["periods"] >= 1;
    });
    ASSERT_EQ(found["obligations"].size(), 1U);
    EXPECT_EQ(found["obligations"][0]["periods_met"], 0);
    EXPECT_EQ(server_->terminate(), 0);
}

TEST_P(ServeVenueLedger, AReloadBringsRulesToAVenueWithout) {
    std::ofstream{file_} << "name = \"v\"\n[[session]]\nat = \"00:00\"\nphase = \"continuous\"\n";
    start();
    EXPECT_THAT(get("/v1/index"), HasSubstr("404"));
    trade_and_quote();
    reload();
    const json found = venue_once(has_quoted);
    ASSERT_TRUE(has_quoted(found));
    EXPECT_EQ(found["fees"], json::array()) << "none was due";
    EXPECT_EQ(found["index"]["value"], 100);
    EXPECT_EQ(server_->terminate(), 0);
}

INSTANTIATE_TEST_SUITE_P(Wirings, ServeVenueLedger, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::testing::serve_venue_ledger_test
