// A trader's side of the OUCH gateway, whose bytes are read and answered by the test. Against the
// real gateway: tests/system/ouch_order_entry_test.cpp.
#include <damrak/client/ouch_order_entry.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::client::ouch_order_entry_test {
namespace {

namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using soupbin::PacketType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class OuchEntry : public ::testing::Test {
  protected:
    OuchEntry() {
        static_cast<void>(log_in("1", 1, 1));
        static_cast<void>(heard());
    }
    /// Returns what it asked for at its login.
    soupbin::LoginRequest log_in(std::string_view session, std::uint64_t next,
                                 std::uint32_t reference,
                                 const std::vector<v50::Outbound>& missed = {}) {
        entry_.login();
        const auto packets = sent();
        EXPECT_EQ(packets.size(), 2U);
        EXPECT_FALSE(entry_.logged_in());
        std::array<std::byte, 64> bytes{};
        EXPECT_TRUE(entry_.receive(
            std::span{bytes}.first(soupbin::encode_login_accepted(session, next, bytes))));
        for (const v50::Outbound& one : missed)
            std::visit([this](const auto& message) { answer(message); }, one);
        answer(v50::AccountAnswer{.next_user_ref = reference});
        EXPECT_TRUE(entry_.logged_in());
        return login_;
    }
    /// The packets that it wrote, without a login and heartbeats.
    std::vector<std::vector<std::byte>> sent() {
        std::vector<std::vector<std::byte>> packets;
        while (!entry_.unsent().empty()) {
            const auto packet = soupbin::decode(entry_.unsent());
            if (packet->type == PacketType::login_request)
                login_ = *soupbin::decode_login_request(packet->payload);
            packets.emplace_back(packet->payload.begin(), packet->payload.end());
            entry_.mark_sent(packet->bytes);
        }
        return packets;
    }
    template <class M>
    M asked() {
        const auto packets = sent();
        EXPECT_EQ(packets.size(), 1U);
        const auto message = wire::ouch::decode<v50::Inbound>(packets.at(0));
        return std::get<M>(*message);
    }
    template <class M>
    void answer(const M& message) {
        std::array<std::byte, 256> bytes{};
        std::array<std::byte, 300> packet{};
        const auto length = wire::ouch::encode(message, bytes);
        // In two parts: bytes come as they like.
        const auto all = std::span{packet}.first(
            soupbin::encode(PacketType::sequenced_data, std::span{bytes}.first(length), packet));
        EXPECT_TRUE(entry_.receive(all.first(2)));
        EXPECT_TRUE(entry_.receive(all.subspan(2)));
    }
    void accept(std::uint32_t reference, std::uint64_t price_e4 = 1'000'000) {
        answer(v50::Accepted{.user_ref = reference,
                             .price_e4 = price_e4,
                             .order_reference = 100 + reference,
                             .order_state = 'L'});
    }
    std::uint32_t buy(std::uint64_t quantity, std::int64_t price_e2, OrderExtras extras = {}) {
        return entry_.enter({2}, Side::buy, quantity, price_e2, extras);
    }
    std::vector<std::string> heard() {
        std::vector<std::string> lines;
        for (const News& news : entry_.take_news()) {
            constexpr std::array<std::string_view, 13> k_names{
                "logged in",      "login refused", "logged out", "accepted",       "refused",
                "filled",         "unfilled",      "cancelled",  "cancel refused", "modified",
                "modify refused", "error",         "timed out"};
            std::string line{k_names.at(static_cast<std::size_t>(news.kind))};
            if (news.order.number != 0)
                line += fmt::format(" {}: {} open", news.order.number, news.order.open);
            lines.push_back(line);
        }
        return lines;
    }

    soupbin::LoginRequest login_;
    OuchOrderEntry entry_{"SIM1", "secret", Symbols{{"AAPL", "MSFT"}}};
};

TEST_F(OuchEntry, SaysAllTermsOfAnOrder) {
    EXPECT_EQ(login_.user_text(), "SIM1");
    EXPECT_EQ(login_.password_text(), "secret");
    EXPECT_EQ(login_.sequence, 0U);
    buy(300, 10'050, {.shown = 100, .least = 50, .post = true});
    const auto order = asked<v50::EnterOrder>();
    EXPECT_EQ(order.user_ref, 1U);
    EXPECT_EQ(order.side, 'B');
    EXPECT_EQ(order.quantity, 300U);
    EXPECT_EQ(order.symbol.text(), "MSFT");
    EXPECT_EQ(order.price_e4, 1'005'000U);
    EXPECT_EQ(order.time_in_force, '0');
    EXPECT_EQ(order.display, 'Y');
    EXPECT_EQ(order.appendage.get<std::uint32_t>(wire::ouch::Option::displayed_quantity), 100U);
    EXPECT_EQ(order.appendage.get<std::uint32_t>(wire::ouch::Option::minimum_quantity), 50U);
    EXPECT_EQ(order.appendage.get<char>(wire::ouch::Option::post_only), 'P');
    buy(1, 10'000, {.in_force = TimeInForce::ioc, .shown = 0});
    const auto hidden = asked<v50::EnterOrder>();
    EXPECT_EQ(hidden.time_in_force, '3');
    EXPECT_EQ(hidden.display, 'N');
    EXPECT_TRUE(hidden.appendage.empty());
    entry_.enter({1}, Side::sell, 7, 0, {});
    const auto market = asked<v50::EnterOrder>();
    EXPECT_EQ(market.price_e4, 0x7FFF'FFFFU);
    EXPECT_EQ(market.side, 'S');
    EXPECT_EQ(market.user_ref, 3U);
    EXPECT_EQ(entry_.pending(), 3U);
}

TEST_F(OuchEntry, NamesWhatTheGatewayHasNot) {
    EXPECT_THAT(entry_.why_not({.stop_e2 = 1}), HasSubstr("stop orders"));
    EXPECT_THAT(entry_.why_not({.in_force = TimeInForce::fok}), HasSubstr("time in force"));
    EXPECT_THAT(entry_.why_not({.in_force = TimeInForce::gtc}), HasSubstr("time in force"));
    EXPECT_THAT(entry_.why_not({.in_force = TimeInForce::day, .shown = 0, .post = true}),
                IsEmpty());
    EXPECT_THAT(entry_.why_not({.in_force = TimeInForce::ioc}), IsEmpty());
}

TEST_F(OuchEntry, ASmallerQuantityKeepsThePlaceAndAnotherPriceIsAReplace) {
    buy(100, 10'000);
    static_cast<void>(sent());
    EXPECT_FALSE(entry_.cancel(1)) << "not acknowledged yet";
    accept(1);
    answer(v50::Executed{.user_ref = 1, .quantity = 10, .price_e4 = 1'000'000});
    ASSERT_TRUE(entry_.modify(1, 50, 0, 0));
    const auto smaller = asked<v50::CancelOrder>();
    EXPECT_EQ(smaller.user_ref, 1U);
    EXPECT_EQ(smaller.quantity, 60U) << "what has traded counts";
    answer(v50::Canceled{.user_ref = 1, .quantity = 40, .reason = 'U'});
    ASSERT_TRUE(entry_.modify(1, 50, 10'010, 0));
    const auto replace = asked<v50::ReplaceOrder>();
    EXPECT_EQ(replace.orig_user_ref, 1U);
    EXPECT_EQ(replace.user_ref, 2U);
    EXPECT_EQ(replace.quantity, 60U);
    // The next request names the replaced order before it is acknowledged.
    ASSERT_TRUE(entry_.cancel(1));
    EXPECT_EQ(asked<v50::CancelOrder>().user_ref, 2U);
    answer(v50::Replaced{.orig_user_ref = 1, .user_ref = 2, .quantity = 50, .price_e4 = 1'001'000});
    EXPECT_EQ(entry_.orders().at(1).price_e2, 10'010);
    answer(v50::Canceled{.user_ref = 2, .quantity = 50, .reason = 'U'});
    EXPECT_THAT(heard(),
                ElementsAre("accepted 1: 100 open", "filled 1: 90 open", "modified 1: 50 open",
                            "modified 1: 50 open", "cancelled 1: 0 open"));
    EXPECT_THAT(entry_.orders(), IsEmpty());
    EXPECT_EQ(entry_.pending(), 0U);
    // Answers about an order that is gone.
    answer(v50::Executed{.user_ref = 2, .quantity = 1, .price_e4 = 1});
    answer(v50::CancelReject{.user_ref = 1});
    EXPECT_THAT(heard(), IsEmpty());
}

TEST_F(OuchEntry, AnEndedOrderAnswersAllRequestsAboutIt) {
    buy(100, 10'000);
    accept(1);
    static_cast<void>(entry_.modify(1, 100, 10'010, 0));
    static_cast<void>(entry_.cancel(1));
    EXPECT_EQ(entry_.pending(), 1U);
    answer(v50::Executed{.user_ref = 1, .quantity = 100, .price_e4 = 1'000'000});
    EXPECT_EQ(entry_.pending(), 0U);
    EXPECT_THAT(entry_.orders(), IsEmpty());
    EXPECT_FALSE(entry_.cancel(1));
    EXPECT_FALSE(entry_.modify(1, 1, 1, 0));
}

TEST_F(OuchEntry, TellsRefusals) {
    buy(100, 10'000);
    answer(v50::Rejected{.user_ref = 1, .reason = 0x1D});
    buy(100, 10'000);
    accept(2);
    static_cast<void>(entry_.modify(2, 100, 10'010, 0));
    answer(v50::Rejected{.user_ref = 3, .reason = 0x1D});
    EXPECT_EQ(entry_.pending(), 0U);
    static_cast<void>(sent());
    static_cast<void>(entry_.cancel(2));
    EXPECT_EQ(asked<v50::CancelOrder>().user_ref, 2U) << "the replace did not happen";
    answer(v50::CancelReject{.user_ref = 2});
    EXPECT_THAT(heard(), ElementsAre("refused 1: 100 open", "accepted 2: 100 open",
                                     "modify refused 2: 100 open", "cancel refused 2: 100 open"));
    buy(1, 0);
    accept(4);
    answer(v50::Canceled{.user_ref = 4, .quantity = 1, .reason = 'I'});
    EXPECT_THAT(heard(), ElementsAre("accepted 3: 1 open", "unfilled 3: 0 open"));
}

TEST_F(OuchEntry, HearsAfterALossWhatItMissed) {
    buy(100, 10'000);
    buy(200, 10'000);
    accept(1);
    accept(2);
    static_cast<void>(entry_.modify(2, 200, 10'020, 0));
    buy(300, 10'000);
    buy(400, 10'000);
    static_cast<void>(sent());
    static_cast<void>(heard());
    entry_.lose();
    EXPECT_FALSE(entry_.logged_in());
    EXPECT_EQ(entry_.orders().at(1).state, OwnOrder::State::unsure);
    EXPECT_FALSE(entry_.cancel(1));
    // The third order arrived, as the fifth reference was not used; the replace of the second and
    // the fourth did not.
    const auto login =
        log_in("1", 4, 5,
               {v50::Executed{.user_ref = 1, .quantity = 100, .price_e4 = 1'000'000},
                v50::Accepted{.user_ref = 4, .price_e4 = 1'000'000, .order_state = 'L'}});
    EXPECT_EQ(login.session_text(), "1");
    EXPECT_EQ(login.sequence, 4U) << "after the answer to its query and two accepted orders";
    EXPECT_THAT(heard(), ElementsAre("filled 1: 0 open", "accepted 3: 300 open", "logged in",
                                     "cancel refused 2: 200 open", "refused 4: 400 open"));
    EXPECT_EQ(entry_.pending(), 0U);
    static_cast<void>(entry_.cancel(2));
    EXPECT_EQ(asked<v50::CancelOrder>().user_ref, 2U);
    buy(1, 10'000);
    EXPECT_EQ(asked<v50::EnterOrder>().user_ref, 6U) << "no reference twice";
    // One that arrived late after all: nobody waits for it.
    accept(5);
    EXPECT_EQ(asked<v50::CancelOrder>().user_ref, 5U);
}

TEST_F(OuchEntry, BeginsAnewWhenItsSessionIsOver) {
    buy(100, 10'000);
    accept(1);
    static_cast<void>(sent());
    entry_.lose();
    entry_.login();
    static_cast<void>(sent());
    std::array<std::byte, 64> bytes{};
    EXPECT_TRUE(entry_.receive(std::span{bytes}.first(
        soupbin::encode_login_rejected(soupbin::RejectReason::session_not_available, bytes))));
    EXPECT_THAT(entry_.refusal(), IsEmpty());
    EXPECT_THAT(entry_.orders(), IsEmpty());
    entry_.lose();
    const auto login = log_in("2", 1, 1);
    EXPECT_EQ(login.session_text(), "");
    EXPECT_EQ(login.sequence, 0U);
}

TEST_F(OuchEntry, SaysWhenItIsNotLetInAndWhenTheBytesAreOfAnotherProtocol) {
    entry_.lose();
    entry_.login();
    std::array<std::byte, 64> bytes{};
    EXPECT_TRUE(entry_.receive(std::span{bytes}.first(
        soupbin::encode_login_rejected(soupbin::RejectReason::not_authorized, bytes))));
    EXPECT_THAT(entry_.refusal(), HasSubstr("SIM1"));
    EXPECT_THAT(heard(), ElementsAre("login refused"));
    OuchOrderEntry stranger{"A", "", Symbols{}};
    const std::array<std::byte, 8> http{std::byte{0}, std::byte{5}, std::byte{'Q'}};
    EXPECT_FALSE(stranger.receive(http));
    OuchOrderEntry other{"A", "", Symbols{}};
    const std::array<std::byte, 4> unknown{std::byte{0}, std::byte{2}, std::byte{'S'},
                                           std::byte{'?'}};
    EXPECT_FALSE(other.receive(unknown));
}

}  // namespace
}  // namespace damrak::client::ouch_order_entry_test
