// What is finite in the OUCH gateway, and how much of it a user gets.
#include <damrak/gateway/ouch/detail/ouch_quotas.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/wire/ouch/encode.hpp>

namespace damrak::gateway::ouch::ouch_quotas_test {
namespace {

using session::ouch::RequestKind;
using session::ouch::Token;
using session::ouch::Version;
namespace v42 = wire::ouch::v42;

constexpr std::uint64_t k_mib = std::uint64_t{1} << 20U;

EngineConfig engine_with_many_tokens() {
    EngineConfig config;
    config.maximum_orders = 100;
    config.maximum_participants = 10;
    return config;
}

class OuchQuotasTest : public ::testing::Test {
  protected:
    void log_in(std::string_view name, ParticipantId participant = {3}) {
        Command opened{};
        opened.kind = CommandKind::session_opened;
        opened.participant = participant;
        orders_.note_record(
            opened, {.session = ouch_session(name), .tag = OuchTag{.version = Version::v42}.tag()});
    }
    /// A refused order: it takes a token and a message.
    void refuse(std::string_view name, std::uint32_t number) {
        const v42::EnterOrder message{.order_token = *Token::from(fmt::format("T{}", number)),
                                      .side = 'B',
                                      .shares = 1,
                                      .symbol = *session::ouch::Symbol::from("NOPE")};
        std::array<std::byte, wire::ouch::k_longest_message> memory{};
        const std::size_t length = wire::ouch::encode(message, memory);
        Event event{};
        event.kind = EventKind::rejected;
        ++sequence_;
        orders_.apply(event,
                      {.session = ouch_session(name),
                       .inbound_sequence = sequence_,
                       .tag = OuchTag{.kind = RequestKind::enter}.tag()},
                      {reinterpret_cast<const char*>(memory.data()), length},
                      {{sequence_}, {static_cast<std::int64_t>(sequence_)}});
    }
    [[nodiscard]] OuchAccess access(const OuchQuotas& quotas, std::string_view name) const {
        return quotas.access(orders_, participants_, orders_.find(ouch_session(name)));
    }

    Participants participants_{engine_with_many_tokens()};
    OuchOrders orders_{engine_with_many_tokens()};
    std::uint64_t sequence_ = 0;
};

TEST_F(OuchQuotasTest, OneUserUsesUpItsMemoryAndLeavesThatOfOthers) {
    OuchQuotas quotas{16 * k_mib};
    log_in("EVIL");
    log_in("GOOD");
    std::uint32_t number = 0;
    while (access(quotas, "EVIL") == OuchAccess::all) {
        refuse("EVIL", ++number);
        ASSERT_LT(number, 100'000U);
    }
    EXPECT_GE(orders_.messages(orders_.find(ouch_session("EVIL"))).bytes(), k_mib);
    EXPECT_EQ(access(quotas, "EVIL"), OuchAccess::no_orders);
    while (access(quotas, "EVIL") == OuchAccess::no_orders) refuse("EVIL", ++number);
    EXPECT_LT(orders_.messages(orders_.find(ouch_session("EVIL"))).bytes(), 2 * k_mib);
    quotas.look(orders_, participants_);
    EXPECT_EQ(access(quotas, "GOOD"), OuchAccess::all);
}

TEST_F(OuchQuotasTest, ThoseWithoutANameLeaveTheShareOfTheOthers) {
    OuchQuotas quotas{16 * k_mib};
    quotas.set_anonymous_share(10);
    std::uint32_t number = 0;
    for (int i = 0; i < 10; ++i) {
        const std::string name = fmt::format("EVIL{}", i);
        log_in(name);
        while (access(quotas, name) == OuchAccess::all) {
            refuse(name, ++number);
            if (number % 1'000 == 0) quotas.look(orders_, participants_);
        }
        quotas.look(orders_, participants_);
    }
    EXPECT_GT(quotas.message_bytes(), k_mib);
    EXPECT_LT(quotas.message_bytes(), 4 * k_mib) << "and not a MiB each";
    log_in("LATE");
    EXPECT_NE(access(quotas, "LATE"), OuchAccess::all);
    log_in("PAGE", {4});
    EXPECT_NE(access(quotas, "PAGE"), OuchAccess::all);
    participants_.note_own({4});
    EXPECT_EQ(access(quotas, "PAGE"), OuchAccess::all) << "of the exchange itself";
}

TEST(OwnClients, HavePlacesThatStrangersCannotTake) {
    Participants participants{engine_with_many_tokens()};
    participants.set_anonymous_share(50);
    while (participants.take(net::ClientAddress{7})) {
    }
    EXPECT_TRUE(participants.take({.identity = k_own_clients, .host = {}}));
    Identities table;
    table.add_ouch_user("Own", "secret", {.is_own = true});
    table.add_ouch_user("OWN", "other", {});
    EXPECT_EQ(table.of_ouch_user("own", "SECRET")->holder(), k_own_clients);
    EXPECT_FALSE(table.of_ouch_user("own", "other")) << "the first of a name stays";
    EXPECT_EQ(table.of_ouch_user("else", "")->holder(), ParticipantId{});
}

TEST_F(OuchQuotasTest, TheEndOfTheDayFreesTheTokens) {
    log_in("USER");
    for (std::uint32_t number = 1; number <= 1'000; ++number) refuse("USER", number);
    EXPECT_EQ(orders_.tokens(), 1'000U);
    Event event{};
    event.kind = EventKind::day_ended;
    orders_.apply(event, {}, {}, {{9'999}, {9'999}});
    EXPECT_EQ(orders_.tokens(), 0U);
    EXPECT_EQ(orders_.user(1).tokens, 0U);
}

}  // namespace
}  // namespace damrak::gateway::ouch::ouch_quotas_test
