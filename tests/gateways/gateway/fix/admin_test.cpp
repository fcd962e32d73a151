// Sessions administered from another thread while the gateway is open.
#include <damrak/gateway/fix/admin.hpp>

#include <chrono>
#include <future>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_exchange.hpp"

namespace damrak::testing::admin_test {

namespace {

using gateway::fix::FixAdmin;
using gateway::fix::FixAdminAction;
using gateway::fix::FixAdminAnswer;
using gateway::fix::FixNumbers;
using gateway::fix::FixSessionState;
using Connection = FixSessionState::Connection;
using Outcome = FixAdminAnswer::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;

class FixAdministration : public ::testing::Test {
  protected:
    /// Asks on another thread, while this one has its turns.
    template <class Ask>
    FixAdminAnswer meanwhile(Ask&& ask) {
        auto answer = std::async(std::launch::async, std::forward<Ask>(ask));
        while (answer.wait_for(0ms) != std::future_status::ready)
            exchange_.application().sessions().administer(exchange_.now);
        return answer.get();
    }
    FixAdminAnswer list() {
        return meanwhile([this] { return admin().list(1min); });
    }
    FixAdminAnswer change(FixAdminAction action, std::string session, FixNumbers numbers = {}) {
        return meanwhile([&] { return admin().ask(action, session, numbers, 1min); });
    }
    [[nodiscard]] FixAdmin& admin() { return exchange_.application().sessions().admin(); }

    static gateway::fix::FixApplicationConfig configured() {
        session::fix::SessionSettings known;
        known.name.sender_comp_id = "DAMRAK";
        known.name.target_comp_id = "KNOWN";
        session::fix::SessionSettings any = known;
        any.name.begin_string = fix_codec::BeginString::unknown;
        any.name.target_comp_id = session::fix::k_any_comp_id;
        gateway::fix::FixApplicationConfig config;
        config.sessions = {known, any};
        return config;
    }

    FixExchange exchange_{configured()};
    FixTrader alice_{exchange_, "FIX.4.4", "ALICE"};
};

TEST_F(FixAdministration, ListsEverySessionWithItsNumbers) {
    alice_.send("35=D|11=a|55=TEST|54=1|38=100|40=2|44=10.05");
    FixTrader bob{exchange_, "FIX.4.2", "BOB"};
    bob.disconnect();
    bob.connect();
    bob.disconnect();
    const FixAdminAnswer answer = list();
    EXPECT_EQ(answer.outcome, Outcome::done);
    ASSERT_EQ(answer.sessions.size(), 3U);
    EXPECT_EQ(text(*answer.sessions[0].name), "FIX.4.4:DAMRAK->ALICE");
    EXPECT_EQ(answer.sessions[0].connection, Connection::logged_on);
    EXPECT_EQ(answer.sessions[0].next_outgoing, 3U);
    EXPECT_EQ(answer.sessions[0].next_incoming, 3U);
    EXPECT_TRUE(answer.sessions[0].participant);
    EXPECT_EQ(text(*answer.sessions[1].name), "FIX.4.2:DAMRAK->BOB");
    EXPECT_EQ(answer.sessions[1].connection, Connection::none);
    EXPECT_EQ(answer.sessions[1].next_incoming, 3U);
    EXPECT_EQ(text(*answer.sessions[2].name), "FIX.4.4:DAMRAK->KNOWN");
    EXPECT_EQ(answer.sessions[2].connection, Connection::never);
    EXPECT_FALSE(answer.sessions[2].participant);
    bob.connect();
}

TEST_F(FixAdministration, DisconnectSaysLogout) {
    const FixAdminAnswer answer = change(FixAdminAction::disconnect, "ALICE");
    EXPECT_EQ(answer.outcome, Outcome::done) << answer.trouble;
    ASSERT_EQ(answer.sessions.size(), 1U);
    EXPECT_EQ(answer.sessions[0].connection, Connection::logging_out);
    EXPECT_THAT(alice_.told(), ElementsAre("5 \"Disconnected by an administrator\""));
    alice_.disconnect();
    EXPECT_THAT(change(FixAdminAction::disconnect, "ALICE").trouble,
                HasSubstr("FIX.4.4:DAMRAK->ALICE is not connected"));
    alice_.connect();
}

TEST_F(FixAdministration, NumbersAreSetWhileTheClientIsAway) {
    const FixNumbers numbers{.next_outgoing = 20, .next_incoming = alice_.next_sequence()};
    const FixAdminAnswer early = change(FixAdminAction::set_numbers, "ALICE", numbers);
    EXPECT_EQ(early.outcome, Outcome::impossible);
    EXPECT_THAT(early.trouble, HasSubstr("is connected, and its numbers are in use"));
    alice_.disconnect();
    const FixAdminAnswer answer = change(FixAdminAction::set_numbers, "ALICE", numbers);
    EXPECT_EQ(answer.outcome, Outcome::done) << answer.trouble;
    alice_.connect();
    EXPECT_THAT(alice_.told(), ElementsAre("A"));
    EXPECT_THAT(alice_.last(), HasSubstr("|34=20|"));
}

TEST_F(FixAdministration, AnUnusedSessionBeginsWithTheNumbersThatAreSet) {
    const FixAdminAnswer answer =
        change(FixAdminAction::set_numbers, "KNOWN", {.next_outgoing = 8, .next_incoming = 1});
    EXPECT_EQ(answer.outcome, Outcome::done) << answer.trouble;
    FixTrader known{exchange_, "FIX.4.4", "KNOWN"};
    EXPECT_THAT(known.last(), HasSubstr("|34=8|"));
    EXPECT_EQ(list().sessions.size(), 2U);
}

TEST_F(FixAdministration, AResetIsReportedToALoggedOnClient) {
    EXPECT_EQ(change(FixAdminAction::reset, "ALICE").outcome, Outcome::done);
    EXPECT_THAT(alice_.told(), ElementsAre("A"));
    EXPECT_THAT(alice_.last(), HasSubstr("|34=1|"));
    EXPECT_THAT(alice_.last(), HasSubstr("|141=Y|"));
    FixTrader old{exchange_, "FIX.4.0", "OLD"};
    const FixAdminAnswer refused = change(FixAdminAction::reset, "OLD");
    EXPECT_EQ(refused.outcome, Outcome::impossible);
    EXPECT_THAT(refused.trouble, HasSubstr("FIX.4.0 knows no reset within a session"));
    old.disconnect();
    const FixAdminAnswer answer = change(FixAdminAction::reset, "OLD");
    ASSERT_EQ(answer.sessions.size(), 1U) << answer.trouble;
    EXPECT_EQ(answer.sessions[0].next_outgoing, 1U);
    EXPECT_EQ(answer.sessions[0].next_incoming, 1U);
}

TEST_F(FixAdministration, AnUnknownSessionIsReported) {
    const FixTrader other{exchange_, "FIX.4.2", "ALICE"};
    const FixAdminAnswer both = change(FixAdminAction::disconnect, "ALICE");
    EXPECT_EQ(both.outcome, Outcome::unknown_session);
    EXPECT_THAT(both.trouble, HasSubstr("any of FIX.4.4:DAMRAK->ALICE, FIX.4.2:DAMRAK->ALICE"));
    EXPECT_EQ(change(FixAdminAction::disconnect, "FIX.4.4:DAMRAK->ALICE").outcome, Outcome::done);
    EXPECT_THAT(change(FixAdminAction::disconnect, "NOBODY").trouble,
                HasSubstr("no session NOBODY"));
}

TEST_F(FixAdministration, OnlyTheClientConnects) {
    alice_.disconnect();
    const FixAdminAnswer answer = change(FixAdminAction::connect, "ALICE");
    EXPECT_EQ(answer.outcome, Outcome::impossible);
    EXPECT_THAT(answer.trouble, HasSubstr("waits for connections and makes none"));
    alice_.connect();
}

TEST_F(FixAdministration, AnUnansweredRequestIsNotDoneLater) {
    const FixAdminAnswer answer = admin().list(1ms);
    EXPECT_EQ(answer.outcome, Outcome::unavailable);
    EXPECT_THAT(answer.trouble, HasSubstr("does not answer"));
    exchange_.application().sessions().administer(exchange_.now);
    admin().close();
    EXPECT_EQ(admin().list(1min).trouble, "the exchange is closing");
    EXPECT_THAT(alice_.told(), IsEmpty());
}

}  // namespace

}  // namespace damrak::testing::admin_test
