// Charts as files: the form is that of the name, and what was there stays where it cannot be made.

#include <damrak/plot/picture_file.hpp>

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/plot/svg.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::plot::picture_file_test {
namespace {

using damrak::testing::content_of;
using damrak::testing::ScratchFolder;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string drawing() {
    return render_svg({.title = "A day", .subtitle = "", .end_ns = 1'000, .panels = {}});
}

TEST(PictureFile, WritesTheDrawingItself) {
    const ScratchFolder folder;
    ASSERT_TRUE(write_picture(folder / "day.svg", drawing()).has_value());
    EXPECT_EQ(content_of(folder / "day.svg"), drawing());
}

TEST(PictureFile, MakesAPng) {
    if (std::system("command -v rsvg-convert > /dev/null") != 0)
        GTEST_SKIP() << "rsvg-convert is not installed";
    const ScratchFolder folder;
    const auto written = write_picture(folder / "day.png", drawing());
    ASSERT_TRUE(written.has_value()) << written.error();
    EXPECT_THAT(content_of(folder / "day.png"), StartsWith("\x89PNG\r\n\x1a\n"));
}

TEST(PictureFile, SaysWhatAPngNeeds) {
    const ScratchFolder folder;
    const auto path = folder.write("day.png", "before");
    const std::string search = std::getenv("PATH");
    ::setenv("PATH", (folder / "nothing").c_str(), 1);
    const auto written = write_picture(path, drawing());
    ::setenv("PATH", search.c_str(), 1);
    ASSERT_FALSE(written.has_value());
    EXPECT_THAT(written.error(), HasSubstr("day.png: a PNG needs the program rsvg-convert"));
    EXPECT_EQ(content_of(path), "before");
}

TEST(PictureFile, RefusesOtherEndings) {
    for (const char* name : {"day.jpg", "day", "day.svg.gz", "day.PNG.txt"}) {
        const auto checked = check_picture_name(name);
        ASSERT_FALSE(checked.has_value()) << name;
        EXPECT_THAT(checked.error(), HasSubstr("ends in .svg or .png"));
    }
    EXPECT_TRUE(check_picture_name("day.png").has_value());
}

}  // namespace
}  // namespace damrak::plot::picture_file_test
