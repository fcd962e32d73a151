// The growing table, compared with one of the standard library.
#include <damrak/views/growing_map.hpp>

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/base/serialize.hpp>

namespace damrak::views::detail::growing_map_test {
namespace {

class GrowingMapTest : public ::testing::Test {
  protected:
    void insert(std::uint32_t tag) {
        const auto index = static_cast<std::uint32_t>(tags_.size());
        tags_.push_back(tag);
        map_.insert(tag, index);
        there_[index] = tag;
    }
    void erase(std::uint32_t index) {
        map_.erase(index);
        there_.erase(index);
    }
    /// The map has all expected entries and no others.
    void check(const GrowingMap& map) const {
        for (std::uint32_t index = 1; index < tags_.size(); ++index) {
            const std::uint32_t found =
                map.find(tags_[index], [index](std::uint32_t i) { return i == index; });
            ASSERT_EQ(found, there_.contains(index) ? index : 0) << index;
        }
    }

    static constexpr std::uint32_t k_capacity = 200'000;
    GrowingMap map_{k_capacity};
    std::vector<std::uint32_t> tags_{0};  ///< by index
    std::map<std::uint32_t, std::uint32_t> there_;
    RandomStream random_{11};
};

TEST_F(GrowingMapTest, KeepsItsEntriesWhileItGrowsToItsCapacity) {
    const std::size_t small = map_.bytes();
    for (std::uint32_t i = 1; i <= k_capacity; ++i) {
        insert(static_cast<std::uint32_t>(random_.next()));
        if ((i & (i - 1)) == 0 || i % 4'099 == 0) check(map_);
        if (HasFatalFailure()) return;
    }
    EXPECT_GE(map_.bytes(), 16 * small);
    check(map_);
}

TEST_F(GrowingMapTest, StaysSmallWithFewEntriesAfterManyInsertions) {
    const std::size_t small = map_.bytes();
    for (std::uint32_t i = 1; i <= 100'000; ++i) {
        insert(i * 1'664'525U);
        if (i > 2'000) erase(i - 2'000);
    }
    check(map_);
    EXPECT_EQ(map_.bytes(), small);
}

TEST_F(GrowingMapTest, ErasesEntriesInAnyOrderWhileOthersMove) {
    for (std::uint32_t i = 1; i <= 60'000; ++i) {
        // Adjacent tags, and one tag that many entries share.
        insert(i % 16 == 0 ? 77 : (i / 32) * 2'654'435'761U ^ (i % 32));
        if (random_.below(3) == 0) {
            auto gone = there_.lower_bound(1 + random_.below(i));
            if (gone != there_.end()) erase(gone->first);
        }
        if (i % 20'011 == 0) check(map_);
        if (HasFatalFailure()) return;
    }
    while (!there_.empty()) erase(there_.begin()->first);
    check(map_);
}

TEST_F(GrowingMapTest, AStateSavedDuringAMoveContinues) {
    // The first size has 2,048 buckets, two entries for each; the move takes half as many steps.
    for (std::uint32_t i = 1; i <= 4'096 + 500; ++i)
        insert(static_cast<std::uint32_t>(random_.next()));
    const auto bytes =
        saved_bytes([&](auto& archive) { GrowingMap::transfer(std::as_const(map_), archive); });
    GrowingMap other{k_capacity};
    LoadArchive archive{bytes};
    GrowingMap::transfer(other, archive);
    ASSERT_TRUE(archive.complete());
    check(other);
    std::swap(map_, other);
    for (std::uint32_t i = 0; i < 3'000; ++i) insert(static_cast<std::uint32_t>(random_.next()));
    check(map_);
}

}  // namespace
}  // namespace damrak::views::detail::growing_map_test
