// A simulated disk behind the journal's file interface. Written data is in the page cache, which
// survives the end of the process; synced data is on the disk. After a power loss, each page that
// changed since its last sync has the old content, the new one, or the new one up to some sector,
// and names that were not synced with their folder exist or not. The disk can be full, fail, and
// lose a bit. One thread; a call costs the bytes it moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::simulation {

class Disk final : public journal::FileSystem {
  public:
    template <class T>
    using Result = journal::Result<T>;
    using Path = std::filesystem::path;

    explicit Disk(RandomStream& random) : random_(&random) {}

    // Faults from now on:
    bool full = false;                             ///< no file can be created or grow
    bool sync_fails = false;                       ///< after writing a part, or nothing
    std::uint64_t output_bytes_left = UINT64_MAX;  ///< then a write stops in the middle
    bool removals_linger = false;                  ///< and a power loss may undo them
    /// The process has died: its destructors have no effect.
    bool orphaned = false;
    /// Called at the start of each call. It may throw, which ends the process there.
    std::function<void()> on_call{};

    /// Simulates a power loss. Call it when no file is open any more.
    void lose_power();
    /// Writes back some dirty data, as the system does in the background.
    void write_back_some();
    /// Flips one bit, in the cache and on the disk.
    void flip_bit(const Path& path, std::uint64_t offset, unsigned bit);
    /// Copies all files of `other`.
    void copy_from(const Disk& other);

    [[nodiscard]] std::uint64_t syncs() const { return syncs_; }
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] bool has_large_pages(const Path& path) const;

    Result<std::unique_ptr<journal::MappedFile>> create_mapped(const Path& path,
                                                               std::uint64_t bytes) override;
    Result<std::unique_ptr<journal::MappedFile>> open_mapped(const Path& path,
                                                             Access access) override;
    bool is_being_read(const Path& path) override;
    Result<std::unique_ptr<journal::OutputFile>> create_output(const Path& path) override;
    Result<void> rename(const Path& from, const Path& to) override;
    Result<void> remove(const Path& path) override;
    Result<std::vector<Entry>> list(const Path& folder) override;
    Result<void> create_folder(const Path& folder) override;
    Result<std::unique_ptr<journal::FolderLock>> lock(const Path& folder) override;

  private:
    static constexpr std::size_t k_page_bytes = 4'096;
    static constexpr std::size_t k_sector_bytes = 512;
    struct alignas(k_page_bytes) Page {
        std::byte bytes[k_page_bytes];
    };
    using Pages = std::vector<Page>;
    struct File {
        Pages cached;
        Pages stored;
        std::uint64_t cached_bytes = 0;
        std::uint64_t stored_bytes = 0;
        bool has_large_pages = false;
        std::size_t readers = 0;
        [[nodiscard]] std::byte* data() { return reinterpret_cast<std::byte*>(cached.data()); }
    };
    using Names = std::map<std::string, std::shared_ptr<File>>;
    class Mapped;
    class Output;
    class Lock;

    void call() const {
        if (on_call) on_call();
    }
    [[nodiscard]] Result<void> sync(File& file, const std::string& path, std::size_t offset,
                                    std::size_t length);
    void tear(File& file);

    RandomStream* random_;
    Names names_;
    Names stored_names_;
    std::set<std::string> folders_;
    std::set<std::string> locked_;
    std::uint64_t syncs_ = 0;
};

}  // namespace damrak::simulation
