// Which session a connection belongs to.
#include <damrak/session/fix/directory.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fix_scenario.hpp"

namespace damrak::session::fix::directory_test {
namespace {

using fix_codec::BeginString;
using testing::framed;
using ::testing::HasSubstr;

SessionSettings session_of(BeginString version, std::string_view client,
                           std::string_view client_sub = {}, std::string_view our_sub = {}) {
    SessionSettings settings;
    settings.name = {.begin_string = version,
                     .sender_comp_id = "DAMRAK",
                     .target_comp_id = std::string{client},
                     .sender_sub_id = std::string{our_sub},
                     .target_sub_id = std::string{client_sub}};
    return settings;
}

class FixDirectory : public ::testing::Test {
  protected:
    void make(const std::vector<SessionSettings>& configured, std::size_t maximum = 10) {
        directory_ = SessionDirectory::make(configured, maximum).value();
    }
    Admission admit(std::string_view client, std::string_view more = {},
                    std::string_view version = "FIX.4.4", std::string_view type = "A") {
        const auto versions = testing::fix_versions();
        const auto* const found =
            std::ranges::find(versions, version, &testing::FixVersion::name).base();
        const std::string bytes =
            framed(*found, "35=" + std::string{type} + "|34=1|49=" + std::string{client} + "|" +
                               std::string{more} + "52=20260105-10:00:00|56=DAMRAK|98=0|108=30|");
        return directory_.admit(std::as_bytes(std::span{bytes}), decoder_);
    }
    static std::string_view why(const Admission& admission) {
        EXPECT_EQ(admission.status, Admission::Status::refused);
        return text(admission.why);
    }

    SessionDirectory directory_;
    fix_codec::Decoder decoder_;
};

TEST_F(FixDirectory, FindsTheSessionByVersionAndCompIds) {
    make({session_of(BeginString::fix42, "A"), session_of(BeginString::fix44, "A"),
          session_of(BeginString::fix44, "B")});
    EXPECT_EQ(admit("B").session, 2U);
    EXPECT_EQ(admit("A").session, 1U);
    EXPECT_EQ(admit("A", "", "FIX.4.2").session, 0U);
    EXPECT_EQ(why(admit("B", "", "FIX.4.2")), "no session has these comp ids in this version");
}

TEST_F(FixDirectory, AdmitsNoClientTwice) {
    make({session_of(BeginString::fix44, "A")});
    EXPECT_EQ(admit("A").status, Admission::Status::admitted);
    EXPECT_TRUE(directory_.is_live(0));
    EXPECT_EQ(why(admit("A")), "the session is already logged on");
    directory_.leave(0);
    EXPECT_EQ(admit("A").status, Admission::Status::admitted);
}

TEST_F(FixDirectory, AConfiguredSubIdDistinguishesSessions) {
    make({session_of(BeginString::fix44, "A"), session_of(BeginString::fix44, "A", "DESK1"),
          session_of(BeginString::fix44, "A", "DESK1", "FLOOR")});
    EXPECT_EQ(admit("A", "50=DESK1|").session, 1U);
    EXPECT_EQ(admit("A", "50=DESK1|57=FLOOR|").session, 2U);
    EXPECT_EQ(admit("A", "50=DESK9|").session, 0U);
}

TEST_F(FixDirectory, CreatesSessionsFromATemplateForOtherClients) {
    SessionSettings any = session_of(BeginString::unknown, k_any_comp_id);
    any.reset_on_logon = true;
    make({session_of(BeginString::fix44, "A"), any}, 3);
    EXPECT_EQ(directory_.size(), 1U);
    EXPECT_EQ(admit("A").session, 0U);
    EXPECT_EQ(admit("NEW").session, 1U);
    EXPECT_EQ(admit("A", "", "FIX.4.0").session, 2U);
    EXPECT_EQ(text(directory_.settings(1).name), "FIX.4.4:DAMRAK->NEW");
    EXPECT_EQ(directory_.settings(2).time_precision, fix_codec::TimePrecision::seconds);
    EXPECT_TRUE(directory_.settings(1).reset_on_logon);
    EXPECT_EQ(why(admit("LATE")), "there are as many sessions as maximum_sessions allows");
    // It is the same session the next time.
    EXPECT_EQ(why(admit("NEW")), "the session is already logged on");
    directory_.leave(1);
    EXPECT_EQ(admit("NEW").session, 1U);
}

TEST_F(FixDirectory, TheIndexOfAForgottenSessionIsReused) {
    make({session_of(BeginString::fix44, "A"), session_of(BeginString::unknown, k_any_comp_id)}, 2);
    const std::size_t place = admit("NEW").session;
    EXPECT_TRUE(directory_.is_by_template(place));
    EXPECT_FALSE(directory_.is_by_template(0));
    EXPECT_TRUE(directory_.is_full());
    const auto kept = directory_.shared_settings(place);
    directory_.leave(place);
    directory_.forget(place);
    EXPECT_FALSE(directory_.is_known(place));
    EXPECT_EQ(admit("LATE").session, place);
    EXPECT_EQ(text(directory_.settings(place).name), "FIX.4.4:DAMRAK->LATE");
    EXPECT_EQ(text(kept->name), "FIX.4.4:DAMRAK->NEW");
    // An administrator's request makes the session permanent.
    EXPECT_EQ(directory_.add(directory_.settings(place), false), place);
    EXPECT_FALSE(directory_.is_by_template(place));
}

TEST(FixSessionName, SurvivesARoundTrip) {
    for (const std::string_view name :
         {"FIX.4.4:DAMRAK->CLIENT1", "FIXT.1.1:DAMRAK/DESK->CLIENT1/FLOOR", "FIX.4.0:A->B"}) {
        const auto parsed = parse_session_name(name);
        ASSERT_TRUE(parsed) << parsed.error();
        EXPECT_EQ(text(*parsed), name);
    }
    for (const std::string_view name : {"CLIENT1", "FIX.4.4:DAMRAK", "FIX.9:A->B", "A->FIX.4.4:B"})
        EXPECT_FALSE(parse_session_name(name)) << name;
}

TEST_F(FixDirectory, TheClosestTemplateIsUsed) {
    SessionSettings any = session_of(BeginString::unknown, k_any_comp_id);
    SessionSettings modern = session_of(BeginString::fixt11, k_any_comp_id);
    modern.heartbeat_s = 7;
    make({any, modern});
    EXPECT_EQ(directory_.settings(admit("X", "", "FIX.5.0SP2").session).heartbeat_s, 7U);
    EXPECT_EQ(directory_.settings(admit("X", "", "FIX.4.4").session).heartbeat_s, 30U);
}

TEST_F(FixDirectory, OnlyALogonBeginsASession) {
    make({session_of(BeginString::unknown, k_any_comp_id)});
    EXPECT_EQ(why(admit("A", "", "FIX.4.4", "0")), "the first message is not a Logon");
    const std::string garbage = "GET / HTTP/1.1\r\n\r\n";
    EXPECT_EQ(why(directory_.admit(std::as_bytes(std::span{garbage}), decoder_)),
              "the first message is not a Logon");
    const std::string part =
        "8=FIX.4.4\x01"
        "9=";
    EXPECT_EQ(directory_.admit(std::as_bytes(std::span{part}), decoder_).status,
              Admission::Status::need_more);
    EXPECT_EQ(directory_.size(), 0U);
}

TEST_F(FixDirectory, AConfigurationThatCannotWorkIsReported) {
    const auto complaint = [](const SessionSettings& settings) {
        const auto made = SessionDirectory::make({settings, settings});
        return made ? std::string{} : made.error();
    };
    EXPECT_THAT(complaint(session_of(BeginString::fix44, "A")), HasSubstr("configured twice"));
    EXPECT_THAT(complaint(session_of(BeginString::fix44, "")), HasSubstr("need a comp id"));
    EXPECT_THAT(complaint(session_of(BeginString::fix44,
                                     "A\x01"
                                     "B")),
                HasSubstr("characters"));
    SessionSettings settings = session_of(BeginString::fix42, "A");
    settings.user_name = "me";
    EXPECT_THAT(complaint(settings), HasSubstr("need FIX.4.3 or later"));
    settings.name.begin_string = BeginString::fix43;
    settings.next_expected = true;
    EXPECT_THAT(complaint(settings), HasSubstr("needs FIX.4.4 or later"));
    settings.user_name.clear();
    settings.password = "secret";
    EXPECT_THAT(complaint(settings), HasSubstr("needs a user_name"));
    settings = session_of(BeginString::fix44, "A");
    settings.maximum_message_bytes = 100;
    EXPECT_THAT(complaint(settings), HasSubstr("at least 512"));
    settings.maximum_message_bytes = 1'000;
    settings.resend_batch_messages = 0;
    EXPECT_THAT(complaint(settings), HasSubstr("at least 1"));
}

TEST(FixFolderName, IsSafeAndUniqueForEachSession) {
    SessionName name = session_of(BeginString::fix44, "../../etc").name;
    EXPECT_EQ(folder_name(name), "FIX.4.4+DAMRAK++..%2F..%2Fetc+");
    name.target_comp_id = "A+B";
    SessionName other = name;
    other.target_comp_id = "A";
    other.target_sub_id = "B";
    EXPECT_NE(folder_name(name), folder_name(other));
}

}  // namespace
}  // namespace damrak::session::fix::directory_test
