// What a day says about itself: its source in full, its depth, and which day it is.
#include <cstdint>
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/wire/itch/messages.hpp>

#include "support/day_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::day_info_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InfoOfADay : public ::testing::Test {
  protected:
    void write(const DayInfo& info, const DayDepth* late = nullptr) {
        auto writer = DayWriter::create(path_, info);
        ASSERT_TRUE(writer) << writer.error();
        writer->add(wire::itch::SystemEvent{.timestamp_ns = 5, .event_code = 'O'});
        if (late != nullptr) writer->set_depth(*late);
        ASSERT_TRUE(writer->close());
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(InfoOfADay, HasTheWholeNameOfItsSource) {
    const std::string longest(4'096, 'n');
    for (const std::string& source : {std::string{}, std::string{"short"}, longest}) {
        write({.date = 20261123, .source = source});
        const auto day = Day::open(path_);
        ASSERT_TRUE(day) << day.error();
        EXPECT_EQ(day->source(), source);
        EXPECT_THAT(day->verify([] {}).missing, IsEmpty());
    }
    EXPECT_THAT(DayWriter::create(path_, {.source = longest + "n"}).error(),
                HasSubstr("has 4097 bytes: give one of at most 4096"));
}

TEST_F(InfoOfADay, KnowsEverythingUnlessItIsToldOtherwise) {
    write({});
    EXPECT_EQ(Day::open(path_)->depth(), DayDepth{});
}

TEST_F(InfoOfADay, HasTheDepthThatWasSetLast) {
    const DayDepth early{.depth = 10, .book_flags = DayDepth::k_instants_only};
    DayDepth late = early;
    late.book_until_ns = 5;
    write({.depth = early}, &late);
    EXPECT_EQ(Day::open(path_)->depth(), late);
    EXPECT_TRUE(late.has(DayDepth::k_instants_only));
    EXPECT_FALSE(late.has(DayDepth::k_no_book));
    // Without its end the day has what was known at its start.
    std::filesystem::resize_file(path_, damrak::testing::blocks_of(path_).back().offset);
    EXPECT_EQ(Day::open(path_)->depth(), early);
    auto writer = DayWriter::resume(path_);
    ASSERT_TRUE(writer) << writer.error();
    ASSERT_TRUE(writer->close());
    EXPECT_EQ(Day::open(path_)->depth(), early);
    EXPECT_THAT(Day::open(path_)->verify([] {}).missing, IsEmpty());
}

TEST_F(InfoOfADay, TellsDaysApartByDateAndSource) {
    write({.date = 20261123, .source = "a"});
    const std::uint64_t first = Day::open(path_)->id();
    write({.date = 20261123, .source = "a"});
    EXPECT_EQ(Day::open(path_)->id(), first);
    write({.date = 20261124, .source = "a"});
    EXPECT_NE(Day::open(path_)->id(), first);
    write({.date = 20261123, .source = "b"});
    EXPECT_NE(Day::open(path_)->id(), first);
}

}  // namespace damrak::archive::day_info_test
