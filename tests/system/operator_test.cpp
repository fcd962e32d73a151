// The operator's token of a running exchange, and what it opens.
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/eventually.hpp"
#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::operator_test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Operator : public ServeRun, public ::testing::WithParamInterface<const char*> {
  protected:
    void start(const std::string& only = "http,itch") {
        serve({"--only", only, "--http-port", "0", "--itch-port", "0", "--wiring", GetParam()});
        static_cast<void>(get_until("/v1/instruments", "AAPL"));
        token_ = content_of(data_ + "/operator-token");
        ASSERT_EQ(token_.size(), 65U);
        token_.pop_back();
    }
    [[nodiscard]] std::string ask(std::string_view target, const std::string& token) const {
        return get(target, "Authorization: Bearer " + token + "\r\n");
    }
    /// The events of AAPL as soon as they have this text.
    [[nodiscard]] std::string events_with(std::string_view text) const {
        std::string events;
        static_cast<void>(testing::eventually([&] {
            events = ask("/v1/private/events?symbol=AAPL", token_);
            return events.contains(text);
        }));
        return events;
    }
    [[nodiscard]] std::string post(const std::string& target, const std::string& headers) const {
        return send("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
                    "Content-Length: 0\r\n" + headers + "\r\n");
    }
    [[nodiscard]] std::string bearer() const { return "Authorization: Bearer " + token_ + "\r\n"; }
    [[nodiscard]] std::string post(const std::string& target) const {
        return post(target, bearer());
    }
    std::string token_;
};

TEST_P(Operator, SeesOwnersAlsoAfterAKill) {
    start();
    trade_a_little();
    // The thread that follows the journal hears of them a little later.
    std::string events;
    static_cast<void>(testing::eventually([&] {
        events = ask("/v1/private/events?order=1", token_);
        return events.contains("\"cancelled\"");
    }));
    EXPECT_THAT(events, StartsWith("HTTP/1.1 200"));
    EXPECT_THAT(events, ContainsRegex("\"event\": \"accepted\".*\"participant\": [1-9]"));
    EXPECT_THAT(events, HasSubstr("\"event\": \"executed\""));
    EXPECT_THAT(events, HasSubstr("\"event\": \"cancelled\""));
    const std::string before = token_;
    server_->kill();
    start();
    EXPECT_EQ(token_, before);
    EXPECT_THAT(ask("/v1/private/events?order=1", token_), HasSubstr("\"event\": \"cancelled\""));
    EXPECT_THAT(ask("/v1/private/days", token_), HasSubstr("\"damage\": []"));
    EXPECT_THAT(ask("/v1/private/subscribers", token_), HasSubstr("\r\n\r\n{\"slow\":[]}"));
}

TEST_P(Operator, IsNobodyElse) {
    start();
    std::string wrong = token_;
    wrong.back() = wrong.back() == '0' ? '1' : '0';
    for (const std::string& shown : {wrong, token_.substr(0, 63), token_ + "0", std::string{},
                                     std::string(6'000, 'a'), std::string{"\xff\x01"}}) {
        const std::string refused = ask("/v1/private/events", shown);
        EXPECT_TRUE(refused.starts_with("HTTP/1.1 401") || refused.starts_with("HTTP/1.1 400"))
            << refused;
        EXPECT_THAT(refused, Not(HasSubstr("\"participant\"")));
    }
    EXPECT_THAT(get("/v1/private/subscribers"), StartsWith("HTTP/1.1 401"));
    const std::string none = get("/v1/private/events");
    EXPECT_THAT(none, StartsWith("HTTP/1.1 401"));
    EXPECT_THAT(none, HasSubstr("WWW-Authenticate: Bearer realm=\"damrak operator\"\r\n"));
    EXPECT_THAT(get("/v1/private/events?access_token=" + token_), StartsWith("HTTP/1.1 401"));
    const std::string metrics = get("/metrics");
    EXPECT_THAT(metrics, ContainsRegex("\ndamrak_http_wrong_tokens_total [1-9]"));
    EXPECT_THAT(metrics, HasSubstr("\ndamrak_feed_slow_subscribers 0\n"));
    EXPECT_EQ(server_->terminate(), 0);
    const std::string log = content_of(log_);
    EXPECT_THAT(log, HasSubstr("operator-token"));
    EXPECT_THAT(log, Not(HasSubstr(token_)));
}

TEST_P(Operator, BustsATradeOnce) {
    start();
    trade_a_little();
    static_cast<void>(events_with("\"executed\""));
    const std::string bust = "/v1/private/busts?symbol=AAPL&trade=1";
    EXPECT_THAT(post(bust, ""), StartsWith("HTTP/1.1 401"));
    EXPECT_THAT(post(bust, bearer() + "Origin: http://elsewhere.example\r\n"),
                StartsWith("HTTP/1.1 401"));
    EXPECT_THAT(ask(bust, token_), StartsWith("HTTP/1.1 405"));
    EXPECT_THAT(post("/v1/private/busts?symbol=AAPL&trade=99"), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(post("/v1/private/busts?symbol=NONE&trade=1"), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(post("/v1/private/busts?symbol=AAPL"), StartsWith("HTTP/1.1 400"));
    const std::string done = post(bust);
    EXPECT_THAT(done, StartsWith("HTTP/1.1 202"));
    EXPECT_THAT(done, HasSubstr("\"trade\": 1, \"price\": 101.23, \"quantity\": 25, "));
    EXPECT_THAT(events_with("\"trade_busted\""), HasSubstr("\"trade_busted\""));
    EXPECT_THAT(post(bust), StartsWith("HTTP/1.1 409"));
    server_->kill();
    start();
    EXPECT_THAT(post(bust), StartsWith("HTTP/1.1 409"));
}

TEST_P(Operator, CorrectsATradeAndBustsItThen) {
    start();
    trade_a_little();
    static_cast<void>(events_with("\"executed\""));
    const std::string corrections = "/v1/private/corrections?symbol=AAPL&trade=1";
    for (const std::string_view wrong :
         {"", "&quantity=25", "&price=101.23", "&quantity=26", "&quantity=-1", "&price=0",
          "&price=x", "&price=101.235", "&price=101.23456"})
        EXPECT_THAT(post(corrections + std::string{wrong}), StartsWith("HTTP/1.1 400")) << wrong;
    EXPECT_THAT(post("/v1/private/corrections?symbol=AAPL&trade=9&quantity=1"),
                StartsWith("HTTP/1.1 404"));
    const std::string done = post(corrections + "&quantity=20&price=101.5");
    EXPECT_THAT(done, StartsWith("HTTP/1.1 202"));
    EXPECT_THAT(done, HasSubstr("\"price\": 101.23, \"quantity\": 25, \"new_price\": 101.5, "
                                "\"new_quantity\": 20, "));
    EXPECT_THAT(events_with("\"trade_corrected\""), HasSubstr("\"trade_corrected\""));
    server_->kill();
    start();
    EXPECT_THAT(post(corrections + "&quantity=20"), StartsWith("HTTP/1.1 400")) << "as it is";
    EXPECT_THAT(post("/v1/private/busts?symbol=AAPL&trade=1"),
                HasSubstr("\"price\": 101.5, \"quantity\": 20, "));
    EXPECT_THAT(events_with("\"trade_busted\""), HasSubstr("\"trade_busted\""));
    EXPECT_THAT(post(corrections + "&quantity=1"), StartsWith("HTTP/1.1 409"));
}

TEST_P(Operator, SetsTheProtectionOfQuotes) {
    start();
    trade_a_little();
    static_cast<void>(events_with("\"executed\""));
    const std::string path = "/v1/private/quote-protections?";
    const std::string good = path + "symbol=AAPL&participant=1&maximum=500&window=1.5s";
    EXPECT_THAT(post(good, ""), StartsWith("HTTP/1.1 401"));
    EXPECT_THAT(ask(good, token_), StartsWith("HTTP/1.1 405"));
    for (const std::string_view wrong :
         {"symbol=AAPL&participant=1&maximum=500", "symbol=AAPL&participant=1&window=1s",
          "symbol=AAPL&maximum=500&window=1s", "participant=1&maximum=500&window=1s",
          "symbol=AAPL&participant=0&maximum=500&window=1s",
          "symbol=AAPL&participant=1&maximum=-1&window=1s",
          "symbol=AAPL&participant=1&maximum=500&window=0s",
          "symbol=AAPL&participant=1&maximum=500&window=long",
          "symbol=AAPL&participant=1&maximum=0&window=1s"})
        EXPECT_THAT(post(path + std::string{wrong}), StartsWith("HTTP/1.1 400")) << wrong;
    EXPECT_THAT(post(path + "symbol=NONE&participant=1&maximum=500&window=1s"),
                StartsWith("HTTP/1.1 404"));
    const std::string done = post(good);
    EXPECT_THAT(done, StartsWith("HTTP/1.1 202"));
    EXPECT_THAT(done, HasSubstr(R"({"symbol": "AAPL", "participant": 1, "maximum": 500, )"
                                R"("window_ns": 1500000000})"));
    EXPECT_THAT(events_with("\"quote_protection_set\""), HasSubstr("\"quote_protection_set\""));
    EXPECT_THAT(post(path + "symbol=AAPL&participant=1&maximum=0"), StartsWith("HTTP/1.1 202"));
}

TEST_P(Operator, TellsFixClientsOfCorrections) {
    start("http,itch,fix");
    FixClient alice{"FIX.4.4", "ALICE"};
    FixClient bob{"FIX.4.2", "BOB"};
    for (FixClient* client : {&alice, &bob}) ASSERT_TRUE(client->connect(server_->fix_port()));
    const std::string terms = "|55=AAPL|60=20260302-09:00:00|40=2|44=100.00";
    alice.send("35=D|11=a|54=1|38=100" + terms);
    bob.send("35=D|21=1|11=b|54=2|38=30" + terms);
    ASSERT_TRUE(alice.receive());
    ASSERT_TRUE(bob.receive());
    auto bought = alice.receive();
    auto sold = bob.receive();
    ASSERT_TRUE(bought && sold);
    // Of an order that has another id by now.
    alice.send("35=G|41=a|11=a2|54=1|38=120" + terms);
    ASSERT_TRUE(alice.receive());
    bob.close();
    static_cast<void>(events_with("\"replaced\""));
    EXPECT_THAT(post("/v1/private/corrections?symbol=AAPL&trade=1&quantity=20"),
                StartsWith("HTTP/1.1 202"));
    auto told = alice.receive();
    ASSERT_TRUE(told);
    EXPECT_EQ((*told)[150] + " " + (*told)[11] + " " + (*told)[14], "G a2 20");
    EXPECT_EQ((*told)[19], (*bought)[17]);
    server_->kill();
    start("http,itch,fix");
    ASSERT_TRUE(bob.connect(server_->fix_port()));
    told = bob.receive();
    ASSERT_TRUE(told);
    EXPECT_EQ((*told)[20] + " " + (*told)[32] + " " + (*told)[151], "2 20 0");
    EXPECT_EQ((*told)[19], (*sold)[17]);
    EXPECT_EQ(bob.repeated(), 0);
    // What was taken back is known after the kill, too.
    ASSERT_TRUE(alice.connect(server_->fix_port()));
    alice.send("35=G|41=a2|11=a3|54=1|38=110" + terms);
    told = alice.receive();
    ASSERT_TRUE(told);
    EXPECT_EQ((*told)[11] + " " + (*told)[38] + " " + (*told)[14] + " " + (*told)[151],
              "a3 110 20 90");
}

// Wrong tokens are refused before the worker, where requests wait for each other.
TEST_P(Operator, IsAnsweredWhileOthersTryTokens) {
    start();
    constexpr std::size_t k_clients = 40;
    constexpr int k_requests = 200;
    std::vector<std::unique_ptr<RawClient>> guessing;
    std::string flood;
    for (int i = 0; i < k_requests; ++i)
        flood += "GET /v1/private/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " +
                 std::string(60, 'b') + std::to_string(1'000 + i) + "\r\n\r\n";
    for (std::size_t i = 0; i < k_clients; ++i) {
        guessing.push_back(std::make_unique<RawClient>(http_));
        guessing.back()->send(std::as_bytes(std::span{flood}));
    }
    for (int i = 0; i < 20; ++i) {
        EXPECT_THAT(ask("/v1/private/days", token_), StartsWith("HTTP/1.1 200"));
        EXPECT_THAT(get("/v1/instruments"), StartsWith("HTTP/1.1 200"));
    }
    trade_a_little();
    EXPECT_THAT(ask("/v1/private/events", token_), StartsWith("HTTP/1.1 200"));
    guessing.clear();
    EXPECT_THAT(get("/health"), HasSubstr("\"ok\""));
}

TEST_P(Operator, NeedsATokenThatOthersCannotRead) {
    start();
    EXPECT_EQ(server_->terminate(), 0);
    std::filesystem::permissions(data_ + "/operator-token", std::filesystem::perms::others_read,
                                 std::filesystem::perm_options::add);
    const ProgramRun run = run_program({"serve", "--data", data_, "--only", "http", "binary",
                                        "--http-port", "0", "--binary-port", "0"});
    EXPECT_NE(run.exit_code, 0);
    EXPECT_THAT(run.err, HasSubstr("chmod 600"));
    EXPECT_THAT(run.err, Not(HasSubstr(token_)));
}

INSTANTIATE_TEST_SUITE_P(Wirings, Operator, ::testing::Values("inline", "pipelined"),
                         [](const auto& wiring) { return std::string{wiring.param}; });

}  // namespace
}  // namespace damrak::testing::operator_test
