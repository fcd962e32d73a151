// Sessions that nobody configured: how many there may be, how long they last, and what is left.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"

namespace damrak::testing::arrivals_test {

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::int64_t k_second_ns = 1'000'000'000;

gateway::fix::FixApplicationConfig with_two_places() {
    gateway::fix::FixApplicationConfig config;
    config.maximum_unknown_sessions = 2;
    config.unknown_lifetime_ns = 60 * k_second_ns;
    return config;
}

class FixArrivals : public ::testing::Test {
  protected:
    void pass(std::int64_t seconds) {
        exchange_.now.value += seconds * k_second_ns;
        exchange_.application().take_touched([](gateway::ConnectionNumber) {});
        for (int i = 0; i < 4; ++i) exchange_.application().sessions().on_time(exchange_.now);
    }
    /// Zero: it is not known.
    [[nodiscard]] ParticipantId participant_of(std::string_view comp_id) {
        for (const auto* const one : exchange_.application().sessions().known())
            if (one->settings.name.target_comp_id == comp_id) return one->participant;
        return {};
    }
    [[nodiscard]] std::string refusal(std::string_view comp_id) {
        return FixTrader::refusal(exchange_, comp_id, reported_);
    }

    FixExchange exchange_{with_two_places()};
    std::string reported_;
};

TEST_F(FixArrivals, AreBoundedAndOneTooManyIsReported) {
    FixTrader alice{exchange_, "FIX.4.4", "ALICE"};
    FixTrader bob{exchange_, "FIX.4.2", "BOB"};
    EXPECT_THAT(refusal("CAROL"), HasSubstr("no room for another session"));
    EXPECT_THAT(reported_, HasSubstr("2 are known (maximum_unknown_sessions)"));
    EXPECT_EQ(exchange_.application().sessions().known().size(), 2U);
    // Who was here before still comes.
    alice.disconnect();
    alice.connect();
    EXPECT_THAT(alice.told(), ElementsAre("A"));
}

TEST_F(FixArrivals, AClientThatLeftNothingKeepsNoOtherOut) {
    FixTrader trader{exchange_, "FIX.4.4", "TRADER"};
    trader.send("35=D|11=a|55=TEST|54=1|38=100|40=1");
    trader.disconnect();
    exchange_.participants().note_traded(participant_of("TRADER"));
    for (const std::string passer : {"ONE", "TWO", "THREE"}) {
        pass(1);
        FixTrader one{exchange_, "FIX.4.4", passer};
        EXPECT_EQ(exchange_.application().sessions().known().size(), 2U) << passer;
        EXPECT_THAT(refusal("NEXT"), HasSubstr("no room")) << "all are connected or have traded";
    }
    trader.connect();
    EXPECT_THAT(trader.told(), ElementsAre("A")) << "its numbers are kept";
}

TEST_F(FixArrivals, OneThatOrderedAndDidNotTradeMakesRoomAfterThoseThatDidNothing) {
    FixTrader trader{exchange_, "FIX.4.4", "TRADER"};
    trader.send("35=D|11=a|55=TEST|54=1|38=100|40=1");
    trader.disconnect();
    pass(1);
    {
        FixTrader passer{exchange_, "FIX.4.4", "PASSER"};
        passer.disconnect();
    }
    pass(1);
    FixTrader first{exchange_, "FIX.4.4", "FIRST"};
    EXPECT_NE(participant_of("TRADER"), ParticipantId{});
    EXPECT_EQ(participant_of("PASSER"), ParticipantId{});
    FixTrader second{exchange_, "FIX.4.4", "SECOND"};
    EXPECT_EQ(participant_of("TRADER"), ParticipantId{});
}

TEST_F(FixArrivals, ThePlaceOfOneThatStaysAwayIsGivenToAnother) {
    FixTrader alice{exchange_, "FIX.4.4", "ALICE"};
    FixTrader bob{exchange_, "FIX.4.2", "BOB"};
    bob.disconnect();
    pass(59);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 2U);
    pass(1);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 1U);
    FixTrader carol{exchange_, "FIX.4.4", "CAROL"};
    carol.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_EQ(carol.told().size(), 1U);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 2U);
}

TEST_F(FixArrivals, OneWithOpenOrdersIsKept) {
    FixTrader alice{exchange_, "FIX.4.4", "ALICE"};
    alice.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    alice.disconnect();
    pass(1'000);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 1U);
    alice.connect();
    static_cast<void>(alice.told());
    alice.send("35=F|11=b|41=a|55=TEST|54=1|38=100");
    alice.disconnect();
    pass(60);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 0U);
}

TEST_F(FixArrivals, ParticipantsOfThoseWhoNeverOrderedComeBack) {
    // There are 64 of them.
    for (int i = 0; i < 200; ++i) {
        FixTrader one{exchange_, "FIX.4.4", "PASSER" + std::to_string(i)};
        one.disconnect();
        pass(60);
    }
    EXPECT_EQ(exchange_.application().sessions().known().size(), 0U);
    FixTrader last{exchange_, "FIX.4.4", "LAST"};
    last.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_EQ(last.told().size(), 1U);
}

TEST_F(FixArrivals, TheyBeginAnewAfterThat) {
    {
        FixTrader alice{exchange_, "FIX.4.4", "ALICE"};
        alice.send("35=D|11=a|55=TEST|54=1|38=100|40=1");
    }
    pass(60);
    EXPECT_EQ(exchange_.application().sessions().known().size(), 0U);
    FixTrader alice{exchange_, "FIX.4.4", "ALICE"};
    alice.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    EXPECT_THAT(alice.told(), ElementsAre(HasSubstr("150=0 39=0")));
}

TEST(FixArrivalsAside, OnlyTheLogonWaitsForTheOtherThread) {
    gateway::fix::FixApplicationConfig config;
    config.has_helper = true;
    FixExchange exchange{config};
    auto& application = exchange.application();
    std::string told;
    EXPECT_EQ(application.sessions().known().size(), 0U);
    const auto admitted = FixTrader::begin_logon(exchange, "ALICE", gateway::ConnectionNumber{7});
    EXPECT_TRUE(admitted.awaited);
    EXPECT_TRUE(application.sessions().awaits_disk());
    // A second connection of the same session is one too many all the same.
    EXPECT_EQ(FixTrader::refusal(exchange, "ALICE", told), "the session is already logged on");
    const auto gone = FixTrader::begin_logon(exchange, "BOB", gateway::ConnectionNumber{8});
    EXPECT_TRUE(gone.awaited);
    application.sessions().give_up(gone.place);
    int arrived = 0;
    const auto take = [&] {
        application.sessions().take_arrived([&](gateway::ConnectionNumber connection,
                                                FixTestApplication::Client* client,
                                                std::string_view why) {
            ++arrived;
            EXPECT_EQ(connection.value, 7U);
            EXPECT_NE(client, nullptr) << why;
        });
    };
    take();
    EXPECT_EQ(arrived, 0);
    EXPECT_EQ(application.sessions().work_aside(), 2U);
    take();
    EXPECT_EQ(arrived, 1);
    EXPECT_FALSE(application.sessions().awaits_disk());
    EXPECT_EQ(application.sessions().known().size(), 2U);
}

}  // namespace
}  // namespace damrak::testing::arrivals_test
