// Written content can be read back in each encoding; errors name the file.

#include <damrak/files/byte_sink.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "support/scratch_folder.hpp"

namespace damrak::files::byte_sink_test {
namespace {

using ::testing::StartsWith;

std::filesystem::path scratch(const std::string& name) {
    return std::filesystem::path{::testing::TempDir()} / ("byte_sink_" + name);
}

std::string content(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// Compressible, and longer than any buffer on the way.
std::string text_of(int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += std::to_string(i * 7919 % 10'007) + ",100,A\n";
    return text;
}

void write_in_pieces(const std::filesystem::path& path, const std::string& text) {
    auto sink = ByteSink::create(path);
    ASSERT_TRUE(sink.has_value()) << sink.error();
    constexpr std::size_t k_piece = 70'001;
    for (std::size_t at = 0; at < text.size(); at += k_piece) {
        sink->write(std::string_view{text}.substr(at, k_piece));
    }
    const auto closed = sink->close();
    ASSERT_TRUE(closed.has_value()) << closed.error();
}

std::string gunzip(const std::filesystem::path& path, std::size_t size) {
    std::string text(size + 1, '\0');
    gzFile file = gzopen(path.c_str(), "rb");
    const int count = gzread(file, text.data(), static_cast<unsigned>(text.size()));
    EXPECT_EQ(gzclose(file), Z_OK);
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text;
}

std::string unzstd(const std::string& packed, std::size_t size) {
    std::vector<char> room(ZSTD_DStreamOutSize());
    ZSTD_DCtx* context = ZSTD_createDCtx();
    std::string text(size + 1, '\0');
    ZSTD_outBuffer output{text.data(), text.size(), 0};
    ZSTD_inBuffer input{packed.data(), packed.size(), 0};
    std::size_t left = 1;
    while (input.pos < input.size && ZSTD_isError(left) == 0) {
        left = ZSTD_decompressStream(context, &output, &input);
    }
    EXPECT_EQ(left, 0U) << "the frame does not end with the file";
    ZSTD_freeDCtx(context);
    text.resize(output.pos);
    return text;
}

TEST(ByteSink, WritesRawBytesUnderAnyOtherName) {
    const auto path = scratch("plain.itch");
    write_in_pieces(path, text_of(100'000));
    EXPECT_EQ(content(path), text_of(100'000));
}

TEST(ByteSink, WritesGzip) {
    const auto path = scratch("day.itch.gz");
    const std::string text = text_of(100'000);
    write_in_pieces(path, text);
    EXPECT_LT(content(path).size(), text.size() / 2);
    EXPECT_EQ(gunzip(path, text.size()), text);
}

TEST(ByteSink, WritesZstd) {
    const auto path = scratch("day.itch.zst");
    const std::string text = text_of(100'000);
    write_in_pieces(path, text);
    EXPECT_LT(content(path).size(), text.size() / 2);
    EXPECT_EQ(unzstd(content(path), text.size()), text);
}

TEST(ByteSink, WritesAValidFileWithoutContent) {
    write_in_pieces(scratch("empty.gz"), "");
    write_in_pieces(scratch("empty.zst"), "");
    EXPECT_EQ(gunzip(scratch("empty.gz"), 0), "");
    EXPECT_EQ(unzstd(content(scratch("empty.zst")), 0), "");
}

TEST(ByteSink, GivesTheSameFileForTheSameBytes) {
    for (const std::string extension : {"gz", "zst"}) {
        write_in_pieces(scratch("a." + extension), text_of(1000));
        write_in_pieces(scratch("b." + extension), text_of(1000));
        EXPECT_EQ(content(scratch("a." + extension)), content(scratch("b." + extension)));
    }
}

TEST(ByteSink, SaysWhichFileCannotBeCreated) {
    const auto sink = ByteSink::create("/nowhere/day.itch");
    ASSERT_FALSE(sink.has_value());
    EXPECT_EQ(sink.error(), "/nowhere/day.itch: cannot create: No such file or directory");
}

TEST(ByteSink, ReportsAFullDiskOnceInClose) {
    auto sink = ByteSink::create("/dev/full");
    ASSERT_TRUE(sink.has_value()) << sink.error();
    sink->write("lost");
    EXPECT_TRUE(sink->failed());
    sink->write("thrown away");
    const auto closed = sink->close();
    ASSERT_FALSE(closed.has_value());
    EXPECT_THAT(closed.error(), StartsWith("/dev/full: cannot write: No space left"));
}

std::size_t entries_of(const std::filesystem::path& folder) {
    const std::filesystem::directory_iterator all{folder};
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(ByteSink, KeepsTheOldFileUntilItIsClosed) {
    const damrak::testing::ScratchFolder folder;
    for (const std::string name : {"day.itch", "day.itch.gz", "day.itch.zst"}) {
        const auto path = folder.write(name, "before");
        {
            auto sink = ByteSink::create(path);
            ASSERT_TRUE(sink.has_value()) << sink.error();
            sink->write(text_of(100'000));
            EXPECT_EQ(content(path), "before");
            EXPECT_TRUE(sink->finish().has_value());
            EXPECT_EQ(content(path), "before");
        }
        EXPECT_EQ(content(path), "before") << "given up";
        auto sink = ByteSink::create(path);
        ASSERT_TRUE(sink.has_value()) << sink.error();
        sink->write("after");
        ASSERT_TRUE(sink->close().has_value());
        EXPECT_NE(content(path), "before");
    }
    EXPECT_EQ(entries_of(folder / "."), 3U) << "something was left over";
}

TEST(ByteSink, ReplacesTheFileBehindALinkAndKeepsItsMode) {
    const damrak::testing::ScratchFolder folder;
    const auto path = folder.write("real.itch", "before");
    std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                           std::filesystem::perms::owner_write |
                                           std::filesystem::perms::group_write);
    const auto mode = std::filesystem::status(path).permissions();
    std::filesystem::create_symlink("real.itch", folder / "link.itch");
    write_in_pieces(folder / "link.itch", "after");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.itch"));
    EXPECT_EQ(content(path), "after");
    EXPECT_EQ(std::filesystem::status(path).permissions(), mode);
}

}  // namespace
}  // namespace damrak::files::byte_sink_test
