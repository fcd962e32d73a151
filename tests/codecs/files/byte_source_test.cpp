// The same content in three encodings, and every kind of damage to a stored file.
#include <damrak/files/byte_source.hpp>

#include <algorithm>
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/bytes.hpp"
#include "support/compress.hpp"

namespace damrak::files::byte_source_test {
namespace {

using damrak::testing::append;
using damrak::testing::Bytes;
using damrak::testing::bytes_of;
using damrak::testing::from_hex;
using damrak::testing::gzip;
using damrak::testing::zstd;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using Encoding = ByteSource::Encoding;

// Half of it compressible, and longer than any buffer on the way.
Bytes some_content(std::size_t size = 1'000'000) {
    Bytes bytes(size);
    std::uint32_t state = 1;
    for (auto& byte : bytes) {
        state = state * 1'664'525 + 1'013'904'223;
        byte = static_cast<std::byte>((state >> 24) & 0x8f);
    }
    return bytes;
}

struct Outcome {
    Bytes content;
    std::string error;
};

Outcome read_all(ByteSource source, std::size_t piece) {
    Outcome outcome;
    Bytes buffer(piece);
    for (;;) {
        const auto count = source.read(buffer);
        if (!count) {
            outcome.error = count.error();
            EXPECT_EQ(source.read(buffer).error(), outcome.error) << "an error is final";
            return outcome;
        }
        if (*count == 0) return outcome;
        append(outcome.content, std::span{buffer}.first(*count));
    }
}

Outcome read_bytes(std::span<const std::byte> stored, std::size_t piece = 65'536) {
    return read_all(ByteSource::over(stored, "a.bin"), piece);
}

std::filesystem::path write_file(const std::string& name, std::span<const std::byte> bytes) {
    const auto path = std::filesystem::path{::testing::TempDir()} / ("byte_source_" + name);
    std::ofstream file{path, std::ios::binary};
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return path;
}

TEST(ByteSource, gives_the_same_content_in_every_encoding_and_read_size) {
    const auto content = some_content();
    const std::array stored{content, gzip(content), zstd(content)};
    const std::array encodings{Encoding::raw, Encoding::gzip, Encoding::zstd};
    for (std::size_t i = 0; i < stored.size(); ++i) {
        EXPECT_EQ(ByteSource::over(stored[i], "a.bin").encoding(), encodings[i]);
        const auto path = write_file("any_name", stored[i]);
        for (const std::size_t piece : {997U, 65'536U, 3'000'000U}) {
            EXPECT_EQ(read_bytes(stored[i], piece).content, content) << i << " by " << piece;
            auto source = ByteSource::open(path);
            ASSERT_TRUE(source.has_value()) << source.error();
            EXPECT_EQ(read_all(std::move(*source), piece).content, content) << i << " by " << piece;
        }
        std::filesystem::remove(path);
    }
}

TEST(ByteSource, reads_files_too_short_for_a_format_as_raw) {
    EXPECT_EQ(read_bytes({}).content, Bytes{});
    for (const auto* bytes : {"00", "1f", "28b5", "41424344"}) {
        EXPECT_EQ(read_bytes(from_hex(bytes)).content, from_hex(bytes));
    }
}

TEST(ByteSource, reads_concatenated_gzip_members_and_zstd_frames) {
    const auto first = some_content(10'000);
    const auto second = some_content(300);
    Bytes both = first;
    append(both, second);
    for (const auto pack : {&gzip, &zstd}) {
        auto stored = pack(first);
        append(stored, pack(second));
        const auto outcome = read_bytes(stored);
        EXPECT_EQ(outcome.error, "");
        EXPECT_EQ(outcome.content, both);
    }
}

TEST(ByteSource, ignores_zeros_that_pad_a_gzip_file) {
    auto stored = gzip(bytes_of("content"));
    stored.resize(stored.size() + 512);
    const auto outcome = read_bytes(stored);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.content.size(), 7U);
}

TEST(ByteSource, skips_skippable_zstd_frames) {
    auto stored = from_hex("502a4d18 03000000 aabbcc");
    append(stored, zstd(bytes_of("content")));
    const auto outcome = read_bytes(stored);
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.content.size(), 7U);
}

TEST(ByteSource, reports_truncated_compressed_data_after_delivering_the_rest) {
    const auto content = some_content(2'000);
    const std::array stored{gzip(content), zstd(content)};
    for (const auto& whole : stored) {
        for (std::size_t size = 4; size < whole.size(); ++size) {
            const auto outcome = read_bytes(std::span{whole}.first(size));
            ASSERT_THAT(outcome.error,
                        HasSubstr("ends early at stored offset " + std::to_string(size) + " "));
            EXPECT_THAT(outcome.error, StartsWith("a.bin: "));
            EXPECT_TRUE(
                std::equal(outcome.content.begin(), outcome.content.end(), content.begin()));
        }
    }
}

TEST(ByteSource, reports_a_flipped_bit_anywhere_in_compressed_data) {
    const auto content = some_content(2'000);
    const std::array stored{gzip(content), zstd(content)};
    for (const auto& whole : stored) {
        // The gzip header of ten bytes contains a time and a system, which no checksum covers.
        for (std::size_t at = 10; at < whole.size(); ++at) {
            auto damaged = whole;
            damaged[at] ^= std::byte{0x10};
            const auto outcome = read_bytes(damaged);
            // A flip in the padding bits of the last deflate byte changes nothing.
            EXPECT_TRUE(!outcome.error.empty() || outcome.content == content)
                << "byte " << at << " of " << whole.size();
        }
    }
}

TEST(ByteSource, names_the_place_of_damage_after_the_intact_part) {
    const auto content = some_content();
    auto stored = gzip(content);
    const std::size_t middle = stored.size() / 2;
    std::fill_n(stored.begin() + static_cast<std::ptrdiff_t>(middle), 64, std::byte{0xff});
    const auto outcome = read_bytes(stored);
    EXPECT_THAT(outcome.error, HasSubstr("gzip data is damaged at or soon after stored offset"));
    const auto good = content.size() / 3;
    ASSERT_GT(outcome.content.size(), good);
    EXPECT_TRUE(std::equal(content.begin(), content.begin() + static_cast<std::ptrdiff_t>(good),
                           outcome.content.begin()));
}

TEST(ByteSource, rejects_other_data_after_gzip_data) {
    auto stored = gzip(bytes_of("content"));
    append(stored, bytes_of("junk"));
    const auto outcome = read_bytes(stored);
    EXPECT_EQ(outcome.content.size(), 7U);
    EXPECT_THAT(outcome.error, HasSubstr("other data follows it"));
}

TEST(ByteSource, counts_stored_bytes_for_a_progress_bar) {
    const auto stored = gzip(some_content());
    const auto path = write_file("progress", stored);
    auto source = ByteSource::open(path);
    ASSERT_TRUE(source.has_value());
    EXPECT_EQ(source->progress().total_bytes, stored.size());
    EXPECT_EQ(source->progress().consumed_bytes, 0U);
    Bytes buffer(10'000);
    std::uint64_t last = 0;
    for (;;) {
        const auto count = source->read(buffer);
        ASSERT_TRUE(count.has_value());
        EXPECT_GE(source->progress().consumed_bytes, last);
        last = source->progress().consumed_bytes;
        if (*count == 0) break;
    }
    EXPECT_EQ(last, stored.size());
    std::filesystem::remove(path);
}

TEST(ByteSource, looks_ahead_without_consuming_anything) {
    for (const std::size_t size : {0U, 1U, 255U, 256U, 257U, 300'000U}) {
        const auto content = some_content(size);
        for (const std::size_t piece : {1U, 100U, 256U, 70'000U}) {
            auto source = ByteSource::over(content, "day");
            for (int i = 0; i < 2; ++i) {
                const auto first = source.ahead();
                ASSERT_TRUE(first.has_value()) << first.error();
                EXPECT_TRUE(std::ranges::equal(
                    *first, std::span{content}.first(std::min<std::size_t>(size, 256))));
            }
            EXPECT_EQ(read_all(std::move(source), piece).content, content);
        }
    }
}

TEST(ByteSource, reads_from_a_pipe_without_knowing_its_length) {
    const auto path = std::filesystem::path{::testing::TempDir()} / "byte_source_pipe";
    std::filesystem::remove(path);
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    const auto content = some_content(300'000);
    std::jthread writer{[&] {
        std::ofstream pipe{path, std::ios::binary};
        pipe.write(reinterpret_cast<const char*>(content.data()),
                   static_cast<std::streamsize>(content.size()));
    }};
    auto source = ByteSource::open(path);
    ASSERT_TRUE(source.has_value()) << source.error();
    EXPECT_EQ(source->progress().total_bytes, 0U);
    EXPECT_EQ(read_all(std::move(*source), 1'000).content, content);
    std::filesystem::remove(path);
}

TEST(ByteSource, says_why_a_file_cannot_be_opened) {
    const auto missing = ByteSource::open("no/such/file");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error(), "no/such/file: cannot open: No such file or directory");
    const auto folder = ByteSource::open(::testing::TempDir());
    ASSERT_FALSE(folder.has_value());
    EXPECT_THAT(folder.error(), HasSubstr("is a directory; give a file"));
}

}  // namespace
}  // namespace damrak::files::byte_source_test
