// The file operations of the journal, behind an interface so that tests can inject a failing disk.
// Virtual, as it is off the path of an order: mapped segments are used as plain memory. Every error
// text contains the attempted operation, the file and the system's reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace damrak::journal {

template <class T>
using Result = std::expected<T, std::string>;

/// A whole file as shared memory. Unmapped on destruction.
class MappedFile {
  public:
    virtual ~MappedFile() = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::size_t size() const { return size_; }

    /// Starts writing this range to disk, without waiting and without guarantee: the following sync
    /// has less to do.
    virtual void begin_sync(std::size_t /*offset*/, std::size_t /*length*/) {}
    /// Returns once this range (widened to whole pages) is on disk.
    [[nodiscard]] virtual Result<void> sync(std::size_t offset, std::size_t length) = 0;
    /// Makes these pages present and writable, so that the next store causes no fault.
    virtual void prefault(std::size_t offset, std::size_t length) = 0;
    /// Faults in pages 2 MiB at a time from here on, if the system can: a third of the time per
    /// byte. Later changes to any of them write back the whole 2 MiB, so use it for files that fill
    /// up soon.
    virtual void use_large_pages() {}
    /// It stays mapped, and takes none of the open files of the process any more. From here on
    /// begin_sync() does nothing, and next_data() knows of no hole.
    virtual void close_descriptor() {}
    /// The first offset from `offset` on that may contain data other than zeros; the file size if
    /// there is none.
    [[nodiscard]] virtual std::size_t next_data(std::size_t offset) const { return offset; }

  protected:
    MappedFile() = default;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

/// A file that is written front to back.
class OutputFile {
  public:
    virtual ~OutputFile() = default;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    [[nodiscard]] virtual Result<void> write(std::span<const std::byte> bytes) = 0;
    /// Returns once the whole file is on disk.
    [[nodiscard]] virtual Result<void> sync() = 0;

  protected:
    OutputFile() = default;
};

/// An exclusive lock on a folder; released on destruction.
class FolderLock {
  public:
    virtual ~FolderLock() = default;
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

  protected:
    FolderLock() = default;
};

class FileSystem {
  public:
    enum class Access : std::uint8_t { read, write };
    /// A file of a directory.
    struct Entry {
        std::string name;
        std::uint64_t bytes = 0;
    };

    virtual ~FileSystem() = default;

    /// A new file of zeros with reserved disk space.
    [[nodiscard]] virtual Result<std::unique_ptr<MappedFile>> create_mapped(
        const std::filesystem::path& path, std::uint64_t bytes) = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<MappedFile>> open_mapped(
        const std::filesystem::path& path, Access access) = 0;
    /// Whether somebody has the file, under any name, from open_mapped() for reading, here or in
    /// another process, or this cannot be determined. If not, and if its name was changed before,
    /// nobody will who knew it by the name of before.
    [[nodiscard]] virtual bool is_being_read(const std::filesystem::path& /*path*/) { return true; }
    [[nodiscard]] virtual Result<std::unique_ptr<OutputFile>> create_output(
        const std::filesystem::path& path) = 0;
    /// Replaces a file with the new name; on disk on return.
    [[nodiscard]] virtual Result<void> rename(const std::filesystem::path& from,
                                              const std::filesystem::path& to) = 0;
    /// Removed from disk on return, so that a power loss during several removals keeps the last
    /// files; after an error the file may reappear.
    [[nodiscard]] virtual Result<void> remove(const std::filesystem::path& path) = 0;
    /// Files of a directory, ordered by name; empty if there is no such directory.
    [[nodiscard]] virtual Result<std::vector<Entry>> list(const std::filesystem::path& folder) = 0;
    [[nodiscard]] virtual Result<void> create_folder(const std::filesystem::path& folder) = 0;
    /// Fails if another process (or another owner in this process) holds the lock.
    [[nodiscard]] virtual Result<std::unique_ptr<FolderLock>> lock(
        const std::filesystem::path& folder) = 0;

  protected:
    FileSystem() = default;
};

/// The file system of the operating system.
[[nodiscard]] FileSystem& real_files();

}  // namespace damrak::journal
