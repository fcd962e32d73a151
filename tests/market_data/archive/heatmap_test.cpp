// The heatmap of a day against a slow obvious model, and its file against the messages.
#include <damrak/archive/heatmap.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/archive/detail/day_format.hpp>
#include <damrak/archive/heatmap_file.hpp>

#include "heatmap_model.hpp"
#include "support/day_blocks.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive::heatmap_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

class HeatmapOfDay : public ::testing::Test {
  protected:
    [[nodiscard]] Heatmap read(const HeatmapView& view) const {
        const auto day = Day::open(path_);
        EXPECT_TRUE(day);
        return heatmap(*day, 1, view);
    }
    /// Changes a byte in the middle of a block of messages.
    void damage_block(std::size_t block) {
        std::size_t seen = 0;
        for (const auto& one : damrak::testing::blocks_of(path_)) {
            if (one.header.kind != BlockKind::messages || seen++ != block) continue;
            std::fstream file{path_, std::ios::binary | std::ios::in | std::ios::out};
            file.seekp(static_cast<std::streamoff>(one.payload() + 100));
            file.write("damaged", 7);
            return;
        }
        FAIL() << "the day has no block of messages " << block;
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "day.dar";
};

}  // namespace

TEST_F(HeatmapOfDay, HasWhatTheModelHas) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const RandomDay day{path_, seed, 4'000};
        const HeatmapView views[]{
            {.columns = 50, .rows = 100},
            {.columns = 1, .rows = 1},
            {.columns = 3, .rows = 7, .low_e4 = 999'000, .high_e4 = 1'001'050},
            {.from_ns = k_open_ns + 7'123'456'789,
             .until_ns = k_open_ns + 9'000'000'001,
             .columns = 40,
             .rows = 60},
            {.from_ns = k_open_ns + 20'000'000'000,
             .until_ns = k_open_ns + 20'003'000'000,
             .columns = 30,
             .rows = 500},
        };
        for (const HeatmapView& view : views) {
            const Heatmap map = read(view);
            ASSERT_GT(map.grid.columns, 0U);
            EXPECT_THAT(map.damage, IsEmpty());
            EXPECT_EQ(difference(map, modelled(day, map.grid)), -1) << seed;
        }
    }
}

TEST_F(HeatmapOfDay, BeginsInTheMiddleOfManyBlocks) {
    const RandomDay day{path_, 4, 60'000};
    const std::int64_t last = Day::open(path_)->last_time_ns();
    const Heatmap map =
        read({.from_ns = last - 3'000'000'000, .until_ns = last, .columns = 20, .rows = 30});
    EXPECT_EQ(difference(map, modelled(day, map.grid)), -1);
}

TEST_F(HeatmapOfDay, GoesOnAfterADamagedBlockAtTheNextCheckpoint) {
    const RandomDay random{path_, 5, 70'000};
    std::int64_t lost_from = 0;
    std::int64_t lost_until = 0;
    {
        const auto day = Day::open(path_);
        const auto blocks = damrak::testing::message_blocks_of(*day);
        ASSERT_GE(blocks.size(), 4U);
        lost_from = blocks[0].last_time_ns;
        lost_until = blocks[2].first_time_ns;
    }
    damage_block(1);
    const Heatmap map = read({.columns = 200, .rows = 60});
    ASSERT_THAT(map.damage, SizeIs(1));
    EXPECT_THAT(map.damage.front(), ::testing::HasSubstr("day.dar: at offset "));
    const HeatmapGrid& grid = map.grid;
    const auto column = [&](std::int64_t time_ns) {
        return static_cast<std::size_t>((time_ns - grid.begin_ns) / grid.column_ns);
    };
    const Heatmap whole = modelled(random, grid);
    EXPECT_EQ(difference(map, whole, 0, column(lost_from)), -1);
    EXPECT_EQ(difference(map, whole, column(lost_until) + 1), -1);
    ASSERT_GT(column(lost_until), column(lost_from) + 2) << "something is lost";
    for (std::size_t c = column(lost_from) + 1; c < column(lost_until); ++c) {
        EXPECT_EQ(map.columns[c].bid_e4, 0U);
        EXPECT_EQ(
            std::ranges::count(map.bids.begin() + static_cast<std::ptrdiff_t>(c * grid.rows),
                               map.bids.begin() + static_cast<std::ptrdiff_t>((c + 1) * grid.rows),
                               Uint128{0}),
            grid.rows);
    }
    // A window behind the damage knows nothing of it.
    const Heatmap later = read({.from_ns = lost_until + 5'000'000'000, .columns = 20, .rows = 60});
    EXPECT_THAT(later.damage, IsEmpty());
    EXPECT_EQ(difference(later, modelled(random, later.grid)), -1);
}

TEST_F(HeatmapOfDay, IsEmptyWhereNothingIs) {
    const RandomDay day{path_, 6, 100};
    EXPECT_EQ(read({.from_ns = k_open_ns * 2}).grid.columns, 0U);
    EXPECT_EQ(read({.from_ns = 5, .until_ns = 9}).grid.columns, 5U);
    const auto opened = Day::open(path_);
    const Heatmap other = heatmap(*opened, 3, {.columns = 10, .rows = 10});
    EXPECT_EQ(other.columns.size(), other.grid.columns);
    EXPECT_TRUE(std::ranges::all_of(other.bids, [](Uint128 cell) { return cell == 0; }));
}

/// Views that columns of a second and more serve.
std::vector<HeatmapView> coarse_views(std::int64_t last_ns) {
    return {{.columns = 2'000, .rows = 60},
            {.columns = 40, .rows = 100},
            {.columns = 10, .rows = 60},
            {.columns = 3, .rows = 7, .low_e4 = 999'000, .high_e4 = 1'001'050},
            {.columns = 1, .rows = 60},
            {.from_ns = last_ns - 20'500'000'000, .columns = 7, .rows = 60},
            {.from_ns = k_open_ns + 7'123'456'789,
             .until_ns = k_open_ns + 30'000'000'001,
             .columns = 4,
             .rows = 60}};
}

TEST_F(HeatmapOfDay, FromItsFileIsTheSameAsFromItsMessages) {
    for (const std::uint64_t seed : {7U, 8U}) {
        const RandomDay random{path_, seed, seed == 7 ? 5'000 : 40'000};
        const auto day = Day::open(path_);
        const std::filesystem::path path = HeatmapFile::path_of(path_);
        ASSERT_TRUE(HeatmapFile::write(*day, path));
        EXPECT_LE(std::filesystem::file_size(path), day->bytes() / 8);
        ASSERT_TRUE(HeatmapFile::write(*day, path, {}, UINT64_MAX));
        EXPECT_FALSE(std::filesystem::exists(path.string() + ".new"));
        const auto file = HeatmapFile::open(path, *day);
        ASSERT_TRUE(file) << file.error();
        std::size_t drawn = 0;
        for (const std::uint16_t locate : {std::uint16_t{1}, std::uint16_t{2}})
            for (const HeatmapView& view : coarse_views(day->last_time_ns())) {
                const Heatmap map = heatmap(*day, locate, view);
                if (!file->has(locate, map.grid)) continue;
                ++drawn;
                const auto same = file->draw(locate, map.grid, view);
                ASSERT_TRUE(same) << same.error();
                EXPECT_EQ(same->grid.low_e4, map.grid.low_e4);
                EXPECT_EQ(same->grid.step_e4, map.grid.step_e4);
                ASSERT_EQ(same->bids.size(), map.bids.size());
                EXPECT_EQ(difference(*same, map), -1) << map.grid.column_ns;
            }
        EXPECT_GE(drawn, 8U) << "the file serves some of the views";
    }
}

TEST_F(HeatmapOfDay, FileThatIsDamagedIsToldOrGivesTheSame) {
    const RandomDay random{path_, 9, 20'000};
    const auto day = Day::open(path_);
    const std::filesystem::path path = HeatmapFile::path_of(path_);
    ASSERT_TRUE(HeatmapFile::write(*day, path, {}, UINT64_MAX));
    std::ifstream stream{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{stream}, {}};
    const HeatmapView view{.columns = 3, .rows = 20};
    const Heatmap whole = heatmap(*day, 1, view);
    const auto read_again = [&](const std::string& changed) {
        std::ofstream{path, std::ios::binary} << changed;
        const auto file = HeatmapFile::open(path, *day);
        if (!file) {
            EXPECT_THAT(file.error(), ::testing::HasSubstr("day.heatmap: at offset "));
            return false;
        }
        const auto map = file->draw(1, whole.grid, view);
        if (!map) {
            EXPECT_THAT(map.error(), ::testing::HasSubstr("day.heatmap: at offset "));
            return false;
        }
        EXPECT_EQ(difference(*map, whole), -1);
        return true;
    };
    ASSERT_TRUE(read_again(bytes));
    std::size_t told = 0;
    std::size_t tries = 0;
    for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 300, ++tries) {
        EXPECT_FALSE(at < sizeof(HeatmapFileHeader) && read_again(bytes.substr(0, at)));
        std::string flipped = bytes;
        flipped[at] = static_cast<char>(flipped[at] ^ 1);
        if (!read_again(flipped)) ++told;
    }
    EXPECT_GT(told, 3U) << "of " << tries;
    const RandomDay other{path_, 10, 20'000};
    std::ofstream{path, std::ios::binary} << bytes;
    const auto stale = HeatmapFile::open(path, *Day::open(path_));
    ASSERT_FALSE(stale);
    EXPECT_THAT(stale.error(), ::testing::HasSubstr("made from another state of the day"));
}

TEST_F(HeatmapOfDay, FileIsNotThereIfItsWritingIsInterrupted) {
    const RandomDay random{path_, 12, 40'000};
    const auto day = Day::open(path_);
    const std::filesystem::path path = HeatmapFile::path_of(path_);
    int blocks = 0;
    EXPECT_FALSE(HeatmapFile::write(*day, path, [&] { return ++blocks < 2; }));
    EXPECT_EQ(blocks, 2);
    EXPECT_FALSE(std::filesystem::exists(path));
    // What a kill left behind is overwritten.
    std::ofstream{path.string() + ".new"} << "half a file";
    ASSERT_TRUE(HeatmapFile::write(*day, path));
    EXPECT_TRUE(HeatmapFile::open(path, *day));
}

TEST_F(HeatmapOfDay, FileIsNotMadeFromADamagedDay) {
    const RandomDay random{path_, 11, 40'000};
    damage_block(1);
    const auto day = Day::open(path_);
    const std::filesystem::path path = HeatmapFile::path_of(path_);
    EXPECT_FALSE(HeatmapFile::write(*day, path));
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(HeatmapGridOf, IsAsFineAsItsColumnsAndRowsAllow) {
    constexpr std::int64_t k_second = 1'000'000'000;
    for (const std::int64_t from : {std::int64_t{0}, k_open_ns + 123'456'789})
        for (const std::int64_t span :
             {1L, 999L, 5 * k_second, 3'600 * k_second, 23'400 * k_second})
            for (const std::uint32_t columns : {1U, 7U, 400U, 2'000U}) {
                const HeatmapView view{
                    .from_ns = from, .until_ns = from + span - 1, .columns = columns};
                const HeatmapGrid grid = heatmap_columns(view, 0, k_open_ns * 2);
                EXPECT_LE(grid.columns, columns);
                EXPECT_LE(grid.begin_ns, from);
                EXPECT_GE(grid.end_ns(), from + span);
                EXPECT_GT(grid.begin_ns + grid.column_ns, from) << "the first column has something";
                EXPECT_LT(grid.end_ns() - grid.column_ns, from + span) << "and so has the last";
                if (grid.column_ns >= k_second) {
                    EXPECT_EQ(grid.begin_ns % k_second, 0);
                }
            }
    HeatmapGrid grid;
    for (const std::uint32_t low : {0U, 99U, 10'049U, 1'000'000U})
        for (const std::uint32_t height : {1U, 99U, 5'001U, 4'000'000'000U})
            for (const std::uint32_t rows : {1U, 3U, 200U, 1'000U}) {
                const HeatmapView view{.rows = rows, .low_e4 = low, .high_e4 = low + height};
                add_heatmap_rows(grid, view, 0, 0);
                EXPECT_LE(grid.rows, rows);
                EXPECT_LE(grid.low_e4, low);
                EXPECT_GE(grid.high_e4(), low + height);
                EXPECT_EQ(grid.low_e4 % grid.step_e4, 0U);
            }
}

}  // namespace damrak::archive::heatmap_test
