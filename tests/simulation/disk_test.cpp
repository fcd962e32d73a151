#include <support/disk.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace damrak::simulation::disk_test {
namespace {

constexpr std::uint64_t k_bytes = 8'192;

class DiskTest : public ::testing::Test {
  protected:
    std::unique_ptr<journal::MappedFile> create(const char* path) {
        auto file = disk_.create_mapped(path, k_bytes);
        EXPECT_TRUE(file.has_value());
        return std::move(*file);
    }
    std::string content(const char* path) {
        const auto file = disk_.open_mapped(path, journal::FileSystem::Access::read);
        if (!file) return "(none)";
        return {reinterpret_cast<const char*>((*file)->data())};
    }
    static void write(journal::MappedFile& file, const char* text) {
        std::strcpy(reinterpret_cast<char*>(file.data()), text);
    }
    bool lists(const char* name) {
        const auto entries = *disk_.list("d");
        return std::ranges::count(entries, name, &journal::FileSystem::Entry::name) == 1;
    }

    RandomStream random_{3};
    Disk disk_{random_};
};

TEST_F(DiskTest, TheEndOfAProcessLosesNothing) {
    write(*create("d/a"), "written");
    EXPECT_EQ(content("d/a"), "written");
}

TEST_F(DiskTest, APowerLossKeepsWhatWasSynced) {
    for (int i = 0; i < 50; ++i) {
        {
            const auto file = create("d/a.new");
            write(*file, "synced");
            EXPECT_TRUE(file->sync(0, 10).has_value());
            EXPECT_TRUE(disk_.rename("d/a.new", "d/a").has_value());
        }
        disk_.lose_power();
        EXPECT_EQ(content("d/a"), "synced");
    }
}

TEST_F(DiskTest, APowerLossKeepsAnyPartOfTheRest) {
    std::set<std::string> outcomes;
    for (int i = 0; i < 200; ++i) {
        Disk disk{random_};
        auto file = disk.create_mapped("d/a.new", k_bytes);
        ASSERT_TRUE(disk.rename("d/a.new", "d/a").has_value());
        auto* bytes = (*file)->data();
        bytes[0] = bytes[4'000] = bytes[8'000] = std::byte{1};
        file->reset();
        disk.lose_power();
        file = disk.open_mapped("d/a", journal::FileSystem::Access::read);
        bytes = (*file)->data();
        std::string kept;
        for (const std::size_t at : {0U, 4'000U, 8'000U})
            kept += bytes[at] == std::byte{1} ? '1' : '0';
        outcomes.insert(kept);
    }
    EXPECT_EQ(outcomes, (std::set<std::string>{"000", "100", "110", "001", "101", "111"}))
        << "within a page the beginning, pages independently";
}

TEST_F(DiskTest, ANameThatWasNotSyncedIsThereOrNot) {
    int created = 0;
    int removed = 0;
    for (int i = 0; i < 100; ++i) {
        Disk disk{random_};
        disk.removals_linger = true;
        ASSERT_TRUE(disk.create_mapped("d/x", k_bytes).has_value());
        ASSERT_TRUE(disk.rename("d/x", "d/old").has_value());
        ASSERT_TRUE(disk.create_mapped("d/new", k_bytes).has_value());
        ASSERT_TRUE(disk.remove("d/old").has_value());
        disk.lose_power();
        const auto entries = *disk.list("d");
        for (const auto& entry : entries) (entry.name == "new" ? created : removed) += 1;
    }
    EXPECT_GT(created, 20);
    EXPECT_LT(created, 80);
    EXPECT_GT(removed, 20) << "comes back";
    EXPECT_LT(removed, 80);
}

TEST_F(DiskTest, ARemovedNameStaysGoneUnlessTheDiskFailed) {
    int returned = 0;
    for (int i = 0; i < 40; ++i) {
        Disk disk{random_};
        ASSERT_TRUE(disk.create_mapped("d/x", k_bytes).has_value());
        ASSERT_TRUE(disk.rename("d/x", "d/a").has_value());
        disk.sync_fails = i % 2 == 1;
        EXPECT_EQ(disk.remove("d/a").has_value(), !disk.sync_fails);
        EXPECT_TRUE(disk.list("d")->empty());
        disk.lose_power();
        EXPECT_TRUE(disk.sync_fails || disk.list("d")->empty());
        returned += disk.list("d")->empty() ? 0 : 1;
    }
    EXPECT_GT(returned, 0);
    EXPECT_LT(returned, 20);
}

TEST_F(DiskTest, ARenameBringsAllNamesToTheDisk) {
    create("d/a");
    create("d/b.new");
    ASSERT_TRUE(disk_.rename("d/b.new", "d/b").has_value());
    disk_.lose_power();
    EXPECT_TRUE(lists("a"));
    EXPECT_TRUE(lists("b"));
}

TEST_F(DiskTest, AFullDiskTakesNoFileAndNoByte) {
    auto output = disk_.create_output("d/snapshot");
    ASSERT_TRUE(output.has_value());
    disk_.full = true;
    EXPECT_FALSE(disk_.create_mapped("d/a", k_bytes).has_value());
    EXPECT_FALSE(disk_.create_output("d/b").has_value());
    const std::byte one{1};
    EXPECT_FALSE((*output)->write({&one, 1}).has_value());
}

TEST_F(DiskTest, AShortWriteLeavesItsBeginning) {
    auto output = disk_.create_output("d/snapshot");
    disk_.output_bytes_left = 3;
    const std::byte bytes[5]{};
    EXPECT_FALSE((*output)->write(bytes).has_value());
    EXPECT_EQ(disk_.bytes(), 3U);
}

TEST_F(DiskTest, AFailedSyncSaysSo) {
    const auto file = create("d/a");
    disk_.sync_fails = true;
    const auto synced = file->sync(0, 1);
    ASSERT_FALSE(synced.has_value());
    EXPECT_EQ(synced.error(), "cannot sync d/a: Input/output error");
}

TEST_F(DiskTest, AFlippedBitStays) {
    create("d/a.new");
    ASSERT_TRUE(disk_.rename("d/a.new", "d/a").has_value());
    disk_.flip_bit("d/a", 0, 6);
    EXPECT_EQ(content("d/a"), "@");
    disk_.lose_power();
    EXPECT_EQ(content("d/a"), "@");
}

TEST_F(DiskTest, AFolderIsLockedOnce) {
    ASSERT_TRUE(disk_.create_folder("d").has_value());
    auto first = disk_.lock("d");
    ASSERT_TRUE(first.has_value());
    EXPECT_FALSE(disk_.lock("d").has_value());
    first->reset();
    EXPECT_TRUE(disk_.lock("d").has_value());
}

}  // namespace
}  // namespace damrak::simulation::disk_test
