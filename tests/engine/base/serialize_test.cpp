// Loading restores what was saved, and no input loads more than the bound.
#include <damrak/base/serialize.hpp>

#include <vector>

#include <gtest/gtest.h>

namespace damrak::serialize_test {
namespace {

struct Shelf {
    std::uint32_t count = 0;
    ReservedArray<std::uint64_t> items{8};
    ReservedArray<std::uint64_t> holes{1'000};

    template <class Self, class Archive>
    static void transfer(Self& self, Archive& archive) {
        archive.count(self.count, self.items.size());
        archive.values(self.items.data(), self.count);
        archive.sparse(self.holes);
    }
};

std::vector<std::byte> saved(const Shelf& shelf) {
    std::vector<std::byte> bytes;
    const auto sink = [&](std::span<const std::byte> piece) {
        for (const std::byte byte : piece) bytes.push_back(byte);
    };
    SaveArchive archive{sink};
    Shelf::transfer(shelf, archive);
    return bytes;
}

Shelf some_shelf() {
    Shelf shelf;
    shelf.count = 3;
    for (std::size_t i = 0; i < 3; ++i) shelf.items[i] = 100 + i;
    shelf.holes[0] = 7;
    shelf.holes[999] = 8;
    return shelf;
}

TEST(Archive, LoadsWhatWasSaved) {
    const auto bytes = saved(some_shelf());
    Shelf shelf;
    LoadArchive archive{bytes};
    Shelf::transfer(shelf, archive);
    EXPECT_TRUE(archive.complete());
    EXPECT_EQ(shelf.count, 3U);
    EXPECT_EQ(shelf.items[2], 102U);
    EXPECT_EQ(shelf.holes[0], 7U);
    EXPECT_EQ(shelf.holes[1], 0U);
    EXPECT_EQ(shelf.holes[999], 8U);
}

TEST(Archive, LeavesTheEmptyPartOfASparseArrayOut) {
    EXPECT_EQ(saved(some_shelf()).size(), 4 + 3 * 8 + 2 * 16 + 8U);
}

TEST(Archive, IsIncompleteWhenBytesAreMissingOrLeft) {
    auto bytes = saved(some_shelf());
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        Shelf shelf;
        LoadArchive archive{std::span{bytes}.first(length)};
        Shelf::transfer(shelf, archive);
        EXPECT_FALSE(archive.complete()) << length;
    }
    bytes.push_back(std::byte{0});
    Shelf shelf;
    LoadArchive archive{bytes};
    Shelf::transfer(shelf, archive);
    EXPECT_FALSE(archive.complete());
}

TEST(Archive, RefusesACountBeyondItsBound) {
    auto bytes = saved(some_shelf());
    bytes[0] = std::byte{9};
    Shelf shelf;
    LoadArchive archive{bytes};
    Shelf::transfer(shelf, archive);
    EXPECT_FALSE(archive.complete());
    EXPECT_EQ(shelf.count, 0U);
}

TEST(Archive, RefusesAPlaceBeyondASparseArray) {
    auto bytes = saved(some_shelf());
    bytes[4 + 3 * 8 + 3] = std::byte{1};  // of the first index
    Shelf shelf;
    LoadArchive archive{bytes};
    Shelf::transfer(shelf, archive);
    EXPECT_FALSE(archive.complete());
}

}  // namespace
}  // namespace damrak::serialize_test
