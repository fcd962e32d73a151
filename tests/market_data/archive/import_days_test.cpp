// What an import makes of a file: the date that its name tells, a day for each session, and our own
// days.
#include <cstdint>
#include <filesystem>
#include <string>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_date.hpp>
#include <damrak/archive/import.hpp>

#include "support/scratch_folder.hpp"
#include "support/small_day.hpp"

namespace damrak::archive::import_days_test {
namespace {

using damrak::testing::SmallDay;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(DateInAName, IsFoundByTheCustomsOfPublishers) {
    for (const auto& [name, date] :
         {std::pair{"AAPL_2012-06-21_34200000_57600000_message_10.csv", 20'120'621},
          std::pair{"12302019.NASDAQ_ITCH50", 20'191'230},
          std::pair{"01302020.NASDAQ_ITCH50.gz", 20'200'130},
          std::pair{"S112825-v50.txt.gz", 20'251'128}, std::pair{"S112825-v50", 20'251'128},
          std::pair{"2026112300.itch", 20'261'123}, std::pair{"xnas-itch-20250717.mbo", 20'250'717},
          std::pair{"day.itch", 0}, std::pair{"12302019.itch", 0}, std::pair{"20261301", 0},
          std::pair{"120261123.itch", 0}, std::pair{"S999925-v50.txt", 0}})
        EXPECT_EQ(date_in_name(name), date) << name;
    EXPECT_EQ(date_text(20'120'621), "2012-06-21");
    EXPECT_EQ(date_of_text("2012-06-21"), 20'120'621);
    EXPECT_EQ(date_of_text("2012-06-31"), 0);
    EXPECT_EQ(date_of_text("2012-06-210"), 0);
}

class ImportedDays : public ::testing::Test {
  protected:
    [[nodiscard]] static std::string text_of(const SmallDay& day) {
        const auto& bytes = day.bytes();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    [[nodiscard]] auto import(const std::filesystem::path& from, bool only_one = false) const {
        return import_day({.from = from, .to = folder_ / "out.dar", .only_one = only_one},
                          [](std::uint64_t, std::uint64_t) {});
    }
    /// An order of this many shares between the start and the end of messages.
    static SmallDay& session(SmallDay& day, std::uint32_t shares) {
        return day.event(0, 'O').listed(1, "AAPL").add(5, 1, Side::buy, 100, shares).event(9, 'C');
    }

    damrak::testing::ScratchFolder folder_;
};

TEST_F(ImportedDays, EachSessionOfAnItchFileIsADay) {
    SmallDay two;
    session(session(two, 100), 200);
    for (const auto& [name, first, second] :
         {std::tuple{"12302019.NASDAQ_ITCH50", "out.2019-12-30.dar", "out.2.dar"},
          std::tuple{"day.itch", "out.1.dar", "out.2.dar"}}) {
        const auto imported = import(folder_.write(name, text_of(two)));
        ASSERT_TRUE(imported) << imported.error();
        ASSERT_EQ(imported->days.size(), 2U);
        EXPECT_EQ(imported->days[0].file.filename(), first);
        EXPECT_EQ(imported->days[1].file.filename(), second);
        for (const std::size_t day : {0U, 1U})
            EXPECT_EQ(
                Day::open(imported->days[day].file)->book_at(1, INT64_MAX)->bids.front().shares,
                (day + 1) * 100);
    }
    EXPECT_FALSE(std::filesystem::exists(folder_ / "out.dar"));
    EXPECT_THAT(import(folder_ / "day.itch", true).error(), HasSubstr("more than one day"));
}

TEST_F(ImportedDays, ADayThatLacksItsEndIsOneBeforeTheNextStart) {
    SmallDay two;
    two.event(0, 'O').listed(1, "AAPL").add(5, 1, Side::buy, 100, 100);
    session(two, 200);
    const auto imported = import(folder_.write("day.itch", text_of(two)));
    ASSERT_TRUE(imported) << imported.error();
    EXPECT_EQ(imported->days.size(), 2U);
}

TEST_F(ImportedDays, TimesThatGoBackWithinASessionAreRefused) {
    SmallDay day;
    day.event(0, 'O').listed(1, "AAPL").add(5, 1, Side::buy, 100, 1).add(4, 2, Side::buy, 100, 1);
    EXPECT_THAT(import(folder_.write("day.itch", text_of(day))).error(), HasSubstr("sort"));
}

// What is missing cannot be seen in the day afterwards, so the day says it itself.
TEST_F(ImportedDays, ARecordingThatWasCutGivesADayThatIsNotWhole) {
    SmallDay day;
    session(day, 100);
    const std::string whole = text_of(day);
    for (const std::string& text : {whole.substr(0, whole.size() - 5), whole + "garbage"}) {
        const auto imported = import(folder_.write("day.itch", text));
        ASSERT_TRUE(imported) << imported.error();
        EXPECT_THAT(imported->cut, HasSubstr("day.itch: offset"));
        const auto cut = Day::open(folder_ / "out.dar");
        ASSERT_TRUE(cut) << cut.error();
        EXPECT_THAT(cut->completeness().missing, ElementsAre(HasSubstr("was cut short here")));
        const auto late = cut->book_known_at(1, INT64_MAX);
        EXPECT_FALSE(late.completeness.is_complete());
        EXPECT_EQ(late.value.bids.front().shares, 100U) << "the last one that is known";
        EXPECT_FALSE(cut->verify([] {}).is_complete());
    }
    ASSERT_TRUE(import(folder_.write("day.itch", whole)));
    EXPECT_TRUE(Day::open(folder_ / "out.dar")->completeness().is_complete());
}

TEST_F(ImportedDays, AnArchivedDayIsVerifiedAndCopied) {
    SmallDay day;
    session(day, 100);
    ASSERT_TRUE(import(folder_.write("2026112300.itch", text_of(day))));
    std::filesystem::rename(folder_ / "out.dar", folder_ / "theirs");
    const auto copied = import(folder_ / "theirs");
    ASSERT_TRUE(copied) << copied.error();
    EXPECT_EQ(copied->days.front().date, 20'261'123);
    EXPECT_THAT(copied->notes, ElementsAre(HasSubstr("an archived day already")));
    const std::string content = damrak::testing::content_of(folder_ / "theirs");
    EXPECT_EQ(damrak::testing::content_of(folder_ / "out.dar"), content);
    EXPECT_THAT(import(folder_ / "out.dar").error(), HasSubstr("in this archive already"));
    EXPECT_THAT(import(folder_.write("cut", content.substr(0, content.size() - 9))).error(),
                HasSubstr("not taken into the archive"));
}

}  // namespace
}  // namespace damrak::archive::import_days_test
