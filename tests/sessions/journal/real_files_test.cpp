// The files of the system: everything reported as being on disk was synced. This program defines
// its own sync function in place of the system's, which records the requests.
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <damrak/journal/file_system.hpp>

#include "support/scratch_folder.hpp"

namespace {

// Of the test's own thread: the other tests of this program sync from threads of theirs.
thread_local std::vector<std::string> synced;
thread_local bool sync_fails = false;

}  // namespace

extern "C" int fsync(int descriptor) {
    std::error_code unknown;
    synced.push_back(
        std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(descriptor), unknown));
    if (!sync_fails) return static_cast<int>(::syscall(SYS_fsync, descriptor));
    errno = EIO;
    return -1;
}

extern "C" int msync(void* address, size_t length, int flags) {
    if (!sync_fails) return static_cast<int>(::syscall(SYS_msync, address, length, flags));
    errno = EIO;
    return -1;
}

namespace damrak::journal::real_files_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RealFilesTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::ofstream{path_} << "content";
        synced.clear();
    }
    void TearDown() override { sync_fails = false; }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path path_ = folder_ / "file";
    std::string synced_folder_ = path_.parent_path().string();
};

TEST_F(RealFilesTest, ARemovedNameIsRemovedFromTheDisk) {
    ASSERT_TRUE(real_files().remove(path_).has_value());
    EXPECT_FALSE(std::filesystem::exists(path_));
    EXPECT_THAT(synced, ElementsAre(synced_folder_));
}

TEST_F(RealFilesTest, ANewNameIsOnTheDisk) {
    ASSERT_TRUE(real_files().rename(path_, folder_ / "other").has_value());
    EXPECT_THAT(synced, ElementsAre(synced_folder_));
}

TEST_F(RealFilesTest, ANameThatCannotBeSyncedIsAnError) {
    sync_fails = true;
    const auto renamed = real_files().rename(path_, folder_ / "other");
    ASSERT_FALSE(renamed.has_value());
    EXPECT_THAT(renamed.error(), HasSubstr("cannot sync " + synced_folder_ + ": Input/output"));
    const auto removed = real_files().remove(folder_ / "other");
    ASSERT_FALSE(removed.has_value());
    EXPECT_EQ(removed.error(), renamed.error());
}

TEST_F(RealFilesTest, AFileThatCannotBeSyncedIsReportedByItsCurrentName) {
    const auto file = real_files().create_mapped(folder_ / "a.new", 4'096);
    ASSERT_TRUE(file.has_value()) << file.error();
    ASSERT_TRUE(real_files().rename(folder_ / "a.new", folder_ / "a").has_value());
    sync_fails = true;
    const auto failed = (*file)->sync(0, 10);
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error(), "cannot sync " + (folder_ / "a").string() + ": Input/output error");
}

TEST_F(RealFilesTest, RemovingAMissingFileHasNoEffect) {
    const auto removed = real_files().remove(folder_ / "nothing");
    ASSERT_FALSE(removed.has_value());
    EXPECT_THAT(removed.error(), HasSubstr("No such file"));
    EXPECT_THAT(synced, IsEmpty());
}

TEST_F(RealFilesTest, AMapNeedsNoDescriptor) {
    auto file = real_files().open_mapped(path_, FileSystem::Access::write).value();
    file->close_descriptor();
    file->begin_sync(0, file->size());
    EXPECT_EQ(file->next_data(3), 3U);
    file->data()[0] = std::byte{'C'};
    EXPECT_TRUE(file->sync(0, file->size()).has_value());
    file.reset();
    std::string content;
    std::ifstream{path_} >> content;
    EXPECT_EQ(content, "Content");
}

TEST_F(RealFilesTest, AFileIsBeingReadForAsLongAsAReaderHasItMapped) {
    const auto writer = real_files().open_mapped(path_, FileSystem::Access::write).value();
    EXPECT_FALSE(real_files().is_being_read(path_)) << "written only";
    auto one = real_files().open_mapped(path_, FileSystem::Access::read).value();
    auto other = real_files().open_mapped(path_, FileSystem::Access::read).value();
    one->close_descriptor();
    other->close_descriptor();
    one.reset();
    EXPECT_TRUE(real_files().is_being_read(path_));
    ASSERT_TRUE(real_files().rename(path_, folder_ / "new").has_value());
    EXPECT_TRUE(real_files().is_being_read(folder_ / "new")) << "whatever its name is";
    other.reset();
    EXPECT_FALSE(real_files().is_being_read(folder_ / "new"));
    EXPECT_TRUE(real_files().is_being_read(path_)) << "nobody can tell: there is no such file";
    EXPECT_FALSE(real_files().open_mapped(path_, FileSystem::Access::read).has_value());
}

}  // namespace
}  // namespace damrak::journal::real_files_test
