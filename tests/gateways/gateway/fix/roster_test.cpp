// The list of sessions on the disk: numbers stay when sessions go.
#include <damrak/gateway/fix/detail/roster.hpp>

#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/scratch_folder.hpp"

namespace damrak::gateway::fix::roster_test {

namespace {

using fix_codec::BeginString;
using ::testing::HasSubstr;

session::fix::SessionName name_of(const std::string& client) {
    return {.begin_string = BeginString::fix44,
            .sender_comp_id = "DAMRAK",
            .target_comp_id = client,
            .sender_sub_id = {},
            .target_sub_id = {}};
}

class Roster : public ::testing::Test {
  protected:
    [[nodiscard]] FixRoster open() const {
        auto roster = FixRoster::open(journal::real_files(), folder_ / "fix");
        EXPECT_TRUE(roster) << roster.error();
        return *std::move(roster);
    }
    void write(const std::string& text) const {
        std::filesystem::create_directories(folder_ / "fix");
        std::ofstream{folder_ / "fix/sessions.txt"} << text;
    }

    const damrak::testing::ScratchFolder folder_;
};

TEST_F(Roster, NumbersOutliveThoseWhoHadThem) {
    FixRoster roster = open();
    for (const char* const client : {"A", "B", "C", "D"})
        roster.enter({.participant = {7}, .name = name_of(client)});
    roster.forget(2);
    roster.forget(3);
    ASSERT_TRUE(roster.write());
    FixRoster again = open();
    ASSERT_EQ(again.entries().size(), 4U);
    EXPECT_EQ(again.entries()[3].name.target_comp_id, "D");
    EXPECT_FALSE(again.entries()[1].participant);
    EXPECT_EQ(again.enter({.participant = {9}, .name = name_of("E")}), 5U);
    again.forget(5);
    ASSERT_TRUE(again.write());
    EXPECT_EQ(open().entries().size(), 5U);
}

TEST_F(Roster, KeepsWhatAnAdministratorDecided) {
    FixRoster roster = open();
    roster.add(name_of("NEW"));
    roster.add(name_of("NEW"));
    roster.remove(name_of("OLD"));
    ASSERT_TRUE(roster.write());
    FixRoster again = open();
    EXPECT_EQ(again.added(), FixRoster::Names{name_of("NEW")});
    EXPECT_EQ(again.removed(), FixRoster::Names{name_of("OLD")});
    again.remove(name_of("NEW"));
    again.add(name_of("OLD"));
    ASSERT_TRUE(again.write());
    EXPECT_EQ(open().added(), FixRoster::Names{name_of("OLD")});
    EXPECT_EQ(open().removed(), FixRoster::Names{name_of("NEW")});
}

TEST_F(Roster, ReadsEarlierFormatsAndReportsTheBadLine) {
    write("3 FIX.4.4+DAMRAK++A+\n");
    EXPECT_EQ(open().entries()[0].participant.value, 3U);
    for (const char* const wrong : {"x FIX.4.4+DAMRAK++A+", "3", "gone x", "added nobody"}) {
        write("3 FIX.4.4+DAMRAK++A+\n" + std::string{wrong} + "\n");
        const auto roster = FixRoster::open(journal::real_files(), folder_ / "fix");
        ASSERT_FALSE(roster) << wrong;
        EXPECT_THAT(roster.error(), HasSubstr("sessions.txt:2: "));
    }
}

}  // namespace
}  // namespace damrak::gateway::fix::roster_test
