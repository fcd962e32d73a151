// A file system that fails on a test's request. Writes go to memory first and to the real file only
// when synced, so the real files always have what a power loss would leave; a power loss may also
// keep any part of the rest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::testing {

class FaultyFiles final : public journal::FileSystem {
  public:
    template <class T>
    using Result = journal::Result<T>;

    /// The disk is full: no file can be created or written.
    bool full = false;
    /// Every sync fails from now on without writing; removed files may reappear.
    bool sync_fails = false;
    /// Outputs accept this many more bytes, and then fail in the middle of a write.
    std::uint64_t output_bytes_left = UINT64_MAX;
    /// Files cannot be renamed.
    bool rename_fails = false;
    /// Somebody else removes this file right after the next listing of its folder.
    std::filesystem::path removed_after_listing;

    [[nodiscard]] std::uint64_t syncs() const { return syncs_; }

    /// A power loss. Of every page changed since its last sync, the disk has the old content, the
    /// new one, or the new one up to some sector; a file that was removed without sync may
    /// reappear. Open files keep their content, but nothing reaches the disk any more.
    void lose_power(RandomStream& random);

    Result<std::unique_ptr<journal::MappedFile>> create_mapped(const std::filesystem::path& path,
                                                               std::uint64_t bytes) override;
    Result<std::unique_ptr<journal::MappedFile>> open_mapped(const std::filesystem::path& path,
                                                             Access access) override;
    Result<std::unique_ptr<journal::OutputFile>> create_output(
        const std::filesystem::path& path) override;
    Result<void> rename(const std::filesystem::path& from,
                        const std::filesystem::path& to) override;
    Result<void> remove(const std::filesystem::path& path) override;
    Result<std::vector<Entry>> list(const std::filesystem::path& folder) override;
    Result<void> create_folder(const std::filesystem::path& folder) override;
    Result<std::unique_ptr<journal::FolderLock>> lock(const std::filesystem::path& folder) override;

  private:
    class Mapped;
    class Output;

    std::set<Mapped*> mapped_;
    std::vector<std::filesystem::path> lingering_;  ///< removed, may reappear after a power loss
    std::uint64_t syncs_ = 0;
    bool powerless_ = false;
};

}  // namespace damrak::testing
