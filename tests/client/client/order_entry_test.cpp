// The client's view of its orders, against real sessions and the real engine.
#include <damrak/client/order_entry.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::client::order_entry_test {
namespace {

using damrak::testing::BinaryExchange;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using wire::binary::Version;

constexpr InstrumentId k_first{1};

std::string text(const News& news) {
    constexpr std::array<std::string_view, 13> k_names{
        "logged in",      "login refused", "logged out", "accepted",       "refused",
        "filled",         "unfilled",      "cancelled",  "cancel refused", "modified",
        "modify refused", "error",         "timed out"};
    std::string line{k_names.at(static_cast<std::size_t>(news.kind))};
    if (news.order.number != 0) line += fmt::format(" {}", news.order.number);
    if (news.quantity != 0) line += fmt::format(" {}@{}", news.quantity, news.price_e2);
    return line;
}

// A trader, and the wire to the exchange.
struct Trader {
    Trader(BinaryExchange& exchange, Version version)
        : entry(version), far(&exchange.connect(version)) {}

    std::vector<std::string> exchange_bytes() {
        far->send_bytes(entry.unsent());
        entry.mark_sent(entry.unsent().size());
        EXPECT_EQ(entry.receive(far->heard_bytes()), wire::binary::Fault::none);
        std::vector<std::string> lines;
        for (const News& news : entry.take_news()) lines.push_back(text(news));
        return lines;
    }
    std::uint32_t buy(std::uint64_t quantity, std::int64_t price_e2) {
        return entry.enter(k_first, Side::buy, quantity, price_e2);
    }
    std::uint32_t sell(std::uint64_t quantity, std::int64_t price_e2) {
        return entry.enter(k_first, Side::sell, quantity, price_e2);
    }

    OrderEntry entry;
    damrak::testing::BinaryClient* far;
};

class Entry : public ::testing::TestWithParam<Version> {
  protected:
    void SetUp() override {
        for (Trader* trader : {&ann_, &bob_}) {
            trader->entry.login();
            ASSERT_THAT(trader->exchange_bytes(), ElementsAre("logged in"));
        }
    }

    BinaryExchange exchange_;
    Trader ann_{exchange_, GetParam()};
    Trader bob_{exchange_, Version::v1};
};

INSTANTIATE_TEST_SUITE_P(Versions, Entry, ::testing::Values(Version::v1, Version::v2),
                         [](const auto& each) { return each.param == Version::v1 ? "V1" : "V2"; });

TEST_P(Entry, AnOrderRestsAndIsFilledInParts) {
    EXPECT_EQ(ann_.buy(100, 10'123), 1U);
    EXPECT_FALSE(ann_.entry.settled());
    EXPECT_EQ(ann_.entry.orders().at(1).state, OwnOrder::State::sent);
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("accepted 1"));
    EXPECT_TRUE(ann_.entry.settled());
    EXPECT_EQ(ann_.entry.orders().at(1).id, OrderId{1});
    bob_.sell(30, 10'100);
    EXPECT_THAT(bob_.exchange_bytes(), ElementsAre("accepted 1", "filled 1 30@10123"));
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("filled 1 30@10123"));
    EXPECT_EQ(ann_.entry.orders().at(1).open, 70U);
    EXPECT_EQ(ann_.entry.orders().at(1).filled, 30U);
    EXPECT_THAT(bob_.entry.orders(), IsEmpty());
    bob_.sell(70, 10'123);
    bob_.exchange_bytes();
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("filled 1 70@10123"));
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, AModifyThatLosesItsPlaceKeepsOurNumber) {
    ann_.buy(100, 10'000);
    ann_.exchange_bytes();
    ASSERT_TRUE(ann_.entry.modify(1, 50, 10'010));
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("modified 1"));
    EXPECT_EQ(ann_.entry.orders().at(1).id, OrderId{2});
    EXPECT_EQ(ann_.entry.orders().at(1).open, 50U);
    bob_.sell(50, 10'010);
    bob_.exchange_bytes();
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("filled 1 50@10010"));
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, ACancelMayComeTooLate) {
    ann_.buy(100, 10'000);
    ann_.exchange_bytes();
    bob_.sell(100, 10'000);
    bob_.exchange_bytes();
    ASSERT_TRUE(ann_.entry.cancel(1)) << "the fill has not been heard of";
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("filled 1 100@10000", "cancel refused"));
    EXPECT_FALSE(ann_.entry.cancel(1));
    EXPECT_FALSE(ann_.entry.cancel(77));
    ann_.buy(5, 9'000);
    ann_.exchange_bytes();
    ASSERT_TRUE(ann_.entry.cancel(2));
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("cancelled 2"));
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, AMarketOrderTakesWhatItFinds) {
    bob_.sell(30, 10'000);
    bob_.sell(20, 10'010);
    bob_.exchange_bytes();
    ann_.buy(80, 0);
    auto lines = ann_.exchange_bytes();
    ann_.entry.nothing_more_came();
    for (const News& news : ann_.entry.take_news()) lines.push_back(text(news));
    EXPECT_THAT(lines,
                ElementsAre("accepted 1", "filled 1 30@10000", "filled 1 20@10010", "unfilled 1"));
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, AMarketOrderThatFindsNothingIsReportedWithTheNextAnswer) {
    ann_.buy(80, 0);
    auto lines = ann_.exchange_bytes();
    ann_.buy(1, 9'000);
    for (const std::string& line : ann_.exchange_bytes()) lines.push_back(line);
    EXPECT_THAT(lines, ElementsAre("accepted 1", "unfilled 1", "accepted 2"));
}

TEST_P(Entry, AMarketOrderThatWaitsInACallCanBeCancelledInVersionTwo) {
    Command phase{};
    phase.kind = CommandKind::set_phase;
    phase.instrument = k_first;
    phase.phase.phase = Phase::call;
    exchange_.apply(phase);
    ann_.buy(80, 0);
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("accepted 1"));
    if (GetParam() == Version::v1) return;
    ASSERT_TRUE(ann_.entry.cancel(1));
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("cancelled 1"));
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, RefusalsAreReportedWithAReason) {
    ann_.buy(0, 10'000);
    ann_.entry.enter(InstrumentId{99}, Side::buy, 1, 1);
    ann_.far->send_bytes(ann_.entry.unsent());
    ann_.entry.mark_sent(ann_.entry.unsent().size());
    ASSERT_EQ(ann_.entry.receive(ann_.far->heard_bytes()), wire::binary::Fault::none);
    const auto news = ann_.entry.take_news();
    ASSERT_THAT(news, SizeIs(2));
    EXPECT_EQ(text(news[0]), "refused 1");
    EXPECT_EQ(reason_of(news[0], GetParam()), "invalid, or against a limit");
    EXPECT_EQ(text(news[1]), "refused 2");
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
    ann_.buy(1, 10'000);
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("accepted 3"));
    ASSERT_TRUE(ann_.entry.modify(3, 5, 10'000'000'000'000));
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("modify refused 3"));
    EXPECT_THAT(ann_.entry.orders(), SizeIs(1)) << "it rests as it was";
}

TEST_P(Entry, AfterALostConnectionOrdersAreUnsure) {
    ann_.buy(10, 10'000);
    ann_.buy(10, 0);
    ann_.exchange_bytes();
    ann_.buy(10, 10'001);
    ann_.entry.lose();
    EXPECT_FALSE(ann_.entry.logged_in());
    EXPECT_TRUE(ann_.entry.settled());
    ASSERT_THAT(ann_.entry.orders(), SizeIs(2)) << "market orders do not rest";
    EXPECT_EQ(ann_.entry.orders().at(1).state, OwnOrder::State::unsure);
    EXPECT_FALSE(ann_.entry.cancel(1));
    Trader again{exchange_, GetParam()};
    again.entry.login();
    EXPECT_THAT(again.exchange_bytes(), ElementsAre("logged in"));
    ann_.entry.forget_unsure();
    EXPECT_THAT(ann_.entry.orders(), IsEmpty());
}

TEST_P(Entry, BytesMayComeOneByOne) {
    ann_.buy(10, 10'000);
    ann_.far->send_bytes(ann_.entry.unsent());
    for (const std::byte one : ann_.far->heard_bytes())
        ASSERT_EQ(ann_.entry.receive({&one, 1}), wire::binary::Fault::none);
    const auto news = ann_.entry.take_news();
    ASSERT_THAT(news, SizeIs(1));
    EXPECT_EQ(text(news[0]), "accepted 1");
    const std::vector<std::byte> noise(16, std::byte{0xFF});
    EXPECT_NE(ann_.entry.receive(noise), wire::binary::Fault::none);
}

TEST_P(Entry, LogoutIsReported) {
    ann_.entry.logout();
    EXPECT_THAT(ann_.exchange_bytes(), ElementsAre("logged out"));
    EXPECT_FALSE(ann_.entry.logged_in());
}

TEST(EntryUnderAThrottle, VersionTwoFallsOutOfStepAndVersionOneDoesNot) {
    for (const Version version : {Version::v1, Version::v2}) {
        BinaryExchange exchange{{.rules = {.messages_per_second = 1, .burst_messages = 2}}};
        Trader ann{exchange, version};
        ann.entry.login();
        ann.exchange_bytes();
        ann.buy(1, 10'000);
        ann.buy(2, 10'000);
        EXPECT_THAT(ann.exchange_bytes(), ElementsAre("accepted 1", "error 2"));
        EXPECT_EQ(ann.entry.out_of_step(), version == Version::v2);
        EXPECT_EQ(ann.entry.orders().size(), 1U);
    }
}

TEST(EntryWithKeys, OrdersOfALostConnectionAreInReachOfTheNext) {
    wire::binary::ApiKey key{};
    key[0] = std::byte{'k'};
    BinaryExchange exchange{{.api_keys = {{key, ParticipantId{7}}}}};
    Trader ann{exchange, Version::v1};
    ann.entry.login(key);
    ann.exchange_bytes();
    ann.buy(10, 10'000);
    ann.buy(10, 9'990);
    ann.exchange_bytes();
    exchange.disconnect(*ann.far);
    ann.entry.lose();
    ann.far = &exchange.connect(Version::v1);
    ann.entry.login(key);
    EXPECT_THAT(ann.exchange_bytes(), ElementsAre("logged in"));
    ASSERT_TRUE(ann.entry.cancel(1));
    ASSERT_TRUE(ann.entry.modify(2, 5, 9'990));
    EXPECT_THAT(ann.exchange_bytes(), ElementsAre("cancelled 1", "modified 2"));
    EXPECT_EQ(ann.entry.orders().at(2).state, OwnOrder::State::open);
}

TEST(EntryWithKeys, ReportsWhyItIsNotLetIn) {
    wire::binary::ApiKey key{};
    key[0] = std::byte{'k'};
    for (const Version version : {Version::v1, Version::v2}) {
        BinaryExchange exchange{{.api_keys = {{key, ParticipantId{7}}}}};
        Trader ann{exchange, version};
        ann.entry.login();
        ann.far->send_bytes(ann.entry.unsent());
        ASSERT_EQ(ann.entry.receive(ann.far->heard_bytes()), wire::binary::Fault::none);
        const auto news = ann.entry.take_news();
        ASSERT_THAT(news, SizeIs(1));
        EXPECT_EQ(text(news[0]), "login refused");
        EXPECT_EQ(reason_of(news[0], version),
                  version == Version::v1 ? "unknown API key" : "the exchange asks for an API key");
        if (version == Version::v2) continue;
        Trader bob{exchange, version};
        bob.entry.login(key);
        EXPECT_THAT(bob.exchange_bytes(), ElementsAre("logged in"));
    }
}

}  // namespace
}  // namespace damrak::client::order_entry_test
