// A file system on which things go wrong when a test says so. What is written goes to memory first
// and to the real file only when it is synced, so that what is on the real disk at any time is what
// a power loss would leave; and a power loss may be made to keep any part of the rest.
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

    /// No file can be made or written any more: the disk is full.
    bool full = false;
    /// Every sync fails from now on, having written nothing; what is removed may come back.
    bool sync_fails = false;
    /// Outputs take this many more bytes, and then fail in the middle of a write.
    std::uint64_t output_bytes_left = UINT64_MAX;
    /// Files cannot be given another name.
    bool rename_fails = false;

    [[nodiscard]] std::uint64_t syncs() const { return syncs_; }

    /// The power goes: of every page that was changed since its last sync, the disk has the old
    /// content, the new one, or the new one up to some sector; what was removed and not synced is
    /// back or not. Files that are open keep what they show, but nothing reaches the disk any more.
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
    std::vector<std::filesystem::path> lingering_;  ///< removed, but for a power loss
    std::uint64_t syncs_ = 0;
    bool powerless_ = false;
};

}  // namespace damrak::testing
